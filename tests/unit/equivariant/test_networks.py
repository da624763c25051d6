"""Networks have as many parameters as in the paper, and are as equivariant as their layers."""

import pytest
import torch

from ia_engine.equivariant.groups import P4, P4M
from ia_engine.equivariant.measures import measure_network
from ia_engine.equivariant.networks import (
    NETWORKS,
    build_network,
    calibrate_batch_norm,
    count_parameters,
    find_network,
)
from ia_engine.errors import EngineError
from tests.tensors import rand
from tests.unit.equivariant.scenes import generator

SMALL = [name for name, entry in NETWORKS.items() if entry.family == "rot-mnist"]
DIGITS = rand(1, 1, 28, 28, seed=3)


def make(name, dtype=torch.float64, **options):
    return build_network(name, generator(), device="cpu", dtype=dtype, **options)


def worst(name, v, acting=P4):
    errors = list(measure_network(calibrate_batch_norm(make(name, v.dtype), v), v, acting))
    assert {found.element for found in errors} == set(range(1, len(acting)))
    return max(found.error for found in errors), errors


PARAMETERS = {
    "z2": 21_620, "p4": 24_610, "alpha-rh-p4": 24_851, "alpha-ch-p4": 48_630,
    "alpha-sp-p4": 49_110, "alpha-f-p4": 29_462, "alpha-p4": 73_130, "big11-p4": 29_051,
    "big15-p4": 50_415, "big19-p4": 77_539,
    "all-cnn-p4": 1_370_372, "all-cnn-alpha-f-p4": 1_400_120, "all-cnn-p4m": 1_219_252,
    "all-cnn-alpha-f-p4m": 1_249_192, "resnet44-p4m": 2_621_683, "resnet44-alpha-f-p4m": 2_693_911,
    "densenet-z2": 130_598, "densenet-p4": 129_649, "densenet-alpha-f-p4": 140_453,
    "densenet-p4m": 124_209, "densenet-alpha-f-p4m": 141_221,
}  # fmt: skip
"""Numbers of parameters counted by the authors' program."""


@pytest.mark.parametrize("name", PARAMETERS)
def test_the_number_of_parameters_agrees_with_the_paper(name):
    network = build_network(name, device="meta", dtype=torch.float32)
    assert count_parameters(network) == PARAMETERS[name] == find_network(name).parameters


def test_networks_that_are_not_in_the_paper_are_marked_as_such():
    others = {name for name, entry in NETWORKS.items() if entry.parameters is None}
    assert others == set(NETWORKS) - set(PARAMETERS)
    assert others == {"all-cnn-alpha-p4", "p4m", "alpha-f-p4m"}


@pytest.mark.parametrize("name", [name for name in SMALL if name != "z2"])
def test_the_networks_for_rotated_mnist_are_exactly_equivariant(name):
    assert worst(name, DIGITS, find_network(name).group)[0] <= 1e-13


@pytest.mark.parametrize("name", ["all-cnn-alpha-f-p4", "densenet-alpha-f-p4"])
def test_deep_networks_are_exactly_equivariant(name):
    entry = find_network(name)
    acting = entry.group
    side = 16 if entry.family == "all-cnn" else entry.side
    v = rand(1, 3, side, side, seed=1)
    assert worst(name, v, acting)[0] <= 1e-13


def test_only_the_plain_network_is_not_equivariant():
    error, _ = worst("z2", DIGITS)
    assert error > 0.1


def test_the_compared_maps_are_not_constant():
    _, errors = worst("alpha-f-p4", DIGITS)
    spatial = [found.deviation for found in errors if "spatial" in found.layer]
    assert len(spatial) == 3 * 7
    assert min(spatial) >= 0.02


def test_equivariance_is_lost_by_a_stride_on_an_even_side_but_not_by_pooling():
    v = rand(2, 3, 16, 16)
    for exact in (True, False):
        network = calibrate_batch_norm(make("all-cnn-p4", exact=exact), v)
        errors = [found.error for found in measure_network(network, v[:1], P4)]
        assert max(errors) <= 1e-13 if exact else max(errors) > 0.01


def test_only_p4m_is_equivariant_under_mirroring():
    v = rand(2, 3, 16, 16)
    flipped = v.flip(-1)
    with torch.no_grad():
        for name, invariant in (("all-cnn-p4m", True), ("all-cnn-p4", False)):
            network = calibrate_batch_norm(make(name), v)
            assert torch.allclose(network(v), network(flipped), rtol=1e-10) == invariant
    assert len(P4M) == 8


def test_the_same_seed_gives_the_same_network():
    first, again = make("p4").state_dict(), make("p4").state_dict()
    assert all(torch.equal(first[name], again[name]) for name in first)


def test_an_unknown_network_is_refused_and_named():
    with pytest.raises(EngineError, match="got 'p6'"):
        build_network("p6")
