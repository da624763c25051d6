"""Every layer commutes with its group."""

import math
from copy import deepcopy

import pytest
import torch
from torch.nn import functional

from ia_engine.equivariant.groups import P4, P4M, Z2, FiniteGroup, act
from ia_engine.equivariant.layers import (
    Convolution,
    Dropout,
    GroupBatchNorm,
    MaxPool,
    MeanPool,
    pool_coset,
)
from ia_engine.equivariant.measures import check_theorem, relative_error
from ia_engine.errors import EngineError
from tests.unit.equivariant.reference import turn
from tests.unit.equivariant.scenes import builder, features, generator

C2 = FiniteGroup(
    "c2", ((0, 1), (1, 0)), (((1, 0), (0, 1)), ((-1, 0), (0, -1))), ("0°", "180°"), math.pi
)
PM = FiniteGroup("pm", ((0, 1), (1, 0)), (((1, 0), (0, 1)), ((1, 0), (0, -1))), ("e", "mirror"))
GROUP = pytest.mark.parametrize("group", [P4, P4M, C2, PM], ids=lambda group: group.name)
ATTENTION = pytest.mark.parametrize("attention", ["none", "rh", "ch", "sp", "f", "full"])
PRECISION = pytest.mark.parametrize(
    ("dtype", "limit"), [(torch.float32, 1e-6), (torch.float64, 1e-14)], ids=["single", "double"]
)


def worst(layer, group, f):
    with torch.no_grad():
        out = layer(f)
        errors = [
            relative_error(layer(act(group, h, f)), act(group, h, out)) for h in range(len(group))
        ]
    assert out.std() > 0.01
    return max(errors)


@GROUP
@ATTENTION
@PRECISION
def test_a_lifting_convolution_commutes_with_the_group(group, attention, dtype, limit):
    layer = builder(group, attention, dtype=dtype).lift(3, 4, 3, padding=1)
    assert worst(layer, group, features(None, dtype=dtype)) <= limit


@GROUP
@ATTENTION
@PRECISION
def test_a_group_convolution_commutes_with_the_group(group, attention, dtype, limit):
    layer = builder(group, attention, dtype=dtype).convolve(3, 4, 3)
    assert worst(layer, group, features(group, dtype=dtype)) <= limit


@pytest.mark.parametrize("stride", [1, 2])
@pytest.mark.parametrize("attention", ["full", "ch", "f"])
def test_a_stride_of_2_is_exact_for_odd_sides_only(attention, stride):
    layer = builder(P4, attention).convolve(3, 2, 3, stride=stride, padding=1)
    assert worst(layer, P4, features(P4, side=7)) <= 1e-14
    error = worst(layer, P4, features(P4, side=8))
    assert error > 0.1 if stride == 2 else error <= 1e-14


@GROUP
@pytest.mark.parametrize("lifts", [True, False])
@pytest.mark.parametrize("attention", ["rh", "ch", "sp", "f", "full"])
def test_attention_satisfies_theorem_1(group, attention, lifts):
    build = builder(group, attention)
    layer = build.lift(3, 2, 3) if lifts else build.convolve(3, 2, 3)
    f = features(None if lifts else group)
    assert max(check_theorem(layer, f, group, h) for h in range(len(group))) <= 1e-14


def test_attention_with_a_fixed_direction_violates_theorem_1():
    layer = builder(Z2, "f").convolve(3, 2, 3)
    assert check_theorem(layer, features(Z2), P4, 1) > 0.01


def test_for_a_layer_without_attention_theorem_1_is_trivially_satisfied():
    assert check_theorem(builder(P4).convolve(3, 2, 3), features(P4), P4, 1) == 0


@pytest.mark.parametrize("group", [P4, P4M], ids=["p4", "p4m"])
def test_filters_are_rotated_and_their_poses_are_permuted(group):
    layer = builder(group).convolve(2, 3, 3).convolution
    weight = layer.weight.unflatten(2, (len(group), 3, 3))
    for h in range(len(group)):
        for t in range(len(group)):
            wanted = group.haar * turn(weight[:, :, group.table[group.inverse[h]][t]], h)
            torch.testing.assert_close(layer.turned()[:, h, :, t], wanted)


def test_on_the_plane_a_group_convolution_equals_the_convolution_of_torch():
    layer = builder(Z2).convolve(3, 4, 3, padding=1)
    f = features(Z2)
    weight = layer.convolution.weight.unflatten(2, (3, 3))
    wanted = functional.conv2d(f[:, :, 0], weight, padding=1)
    torch.testing.assert_close(layer(f)[:, :, 0], wanted)


def test_evaluation_sums_in_chunks_and_rounds_less_than_training():
    layer = Convolution(P4M, 2, 1, 7, lifts=False, padding=3, generator=generator(), device="cpu")
    f = features(P4M, 4, 2, 9, dtype=torch.float32).relu()
    layer.requires_grad_(False)
    exact = deepcopy(layer).double()(f.double())
    learning, evaluated = (
        relative_error(layer.train(mode)(f).double(), exact) for mode in (True, False)
    )
    assert evaluated < 0.8 * learning < 1e-6


@GROUP
def test_normalisation_and_pooling_commute_with_the_group(group):
    f = features(group, side=8)
    norm = GroupBatchNorm(3, "cpu", torch.float64)
    for part in (norm, MaxPool(), MeanPool()):
        assert worst(part, group, f) <= 1e-14


def test_pooling_over_poses_commutes_with_rotations():
    f = features(P4)
    torch.testing.assert_close(pool_coset(act(P4, 1, f)), act(P4, 1, pool_coset(f)))


def test_dropout_is_determined_by_its_generator_and_inactive_in_evaluation():
    dropout, f = Dropout(0.5), features(P4)
    dropout.generator = generator(3)
    first = dropout(f)
    dropout.generator = generator(3)
    assert torch.equal(dropout(f), first)
    assert not torch.equal(dropout(f), first)
    assert torch.equal(dropout.eval()(f), f)


def test_an_error_names_the_expected_axes_or_kinds_of_attention():
    with pytest.raises(EngineError, match=r"\[n 3 4 y x\]"):
        builder(P4).convolve(3, 2, 3)(features(None))
    with pytest.raises(EngineError, match="attention must be one of"):
        builder(P4, "some")
