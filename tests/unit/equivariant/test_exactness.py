"""Networks are exactly equivariant before and after training."""

from functools import cache

import pytest
import torch

from ia_engine.equivariant.groups import P4
from ia_engine.equivariant.measures import measure_network, measure_rounding
from ia_engine.equivariant.networks import build_network, calibrate_batch_norm, find_network
from ia_engine.equivariant.recipes import TrainingConfig
from ia_engine.equivariant.training import train
from tests.unit.equivariant.scenes import bars, splits

pytestmark = pytest.mark.cpu_only("torch's optimisers count their steps on the default device")

EXACT = ["p4", "alpha-f-p4", "alpha-p4", "p4m", "alpha-f-p4m"]
PRECISION = pytest.mark.parametrize(
    ("dtype", "limit"), [(torch.float32, 1e-6), (torch.float64, 1e-13)], ids=["single", "double"]
)
LIVELY = 0.02
"""Minimum standard deviation of a map; the equivariance of a constant map means nothing."""


def pictures():
    """Strokes that were not used for training, some of them three times as bright."""
    strength = torch.linspace(1, 3, 16, device="cpu")[:, None, None, None]
    return strength * bars(16, seed=2).images.to(torch.float32)


@cache
def learned(name):
    """The weights after some training steps, with calibrated batch-norm statistics."""
    config = TrainingConfig(network=name, iterations=15, batch=8, rate=1e-3, every=15)
    *_, last = train(config, splits(24))
    return calibrate_batch_norm(last.network, pictures()).state_dict()


def errors_of(name, dtype):
    network = build_network(name, device="cpu", dtype=torch.float32)
    network.load_state_dict(learned(name))
    group = find_network(name).group
    acting = group if len(group) > 1 else P4
    errors = list(measure_network(network.to(dtype), pictures()[::5].to(dtype), acting))
    assert {error.element for error in errors} == set(range(1, len(acting)))
    return errors


@PRECISION
@pytest.mark.parametrize("name", EXACT)
def test_every_layer_and_map_is_equivariant_after_training(name, dtype, limit):
    errors = errors_of(name, dtype)
    assert max(error.error for error in errors) <= limit
    assert {"layer 1", "layer 7", "logits"} <= {error.layer for error in errors}


@pytest.mark.parametrize("name", [name for name in EXACT if "alpha" in name])
def test_attention_is_not_constant_in_any_layer(name):
    """It varies across positions or, where positions hardly matter, across channels."""
    varies = {}
    for error in errors_of(name, torch.float64):
        layer, _, attention = error.layer.partition(", ")
        if attention:
            varies[layer] = max(varies.get(layer, 0), error.deviation)
    assert len(varies) == 7
    assert min(varies.values()) >= LIVELY


@PRECISION
def test_the_plain_network_is_not_equivariant_under_any_rotation(dtype, limit):
    errors = errors_of("z2", dtype)
    for element in (1, 2, 3):
        assert max(error.error for error in errors if error.element == element) > 0.1 > limit


def test_rounding_errors_are_small_in_single_precision_and_zero_in_double():
    network = build_network("alpha-f-p4", device="cpu", dtype=torch.float32)
    network.load_state_dict(learned("alpha-f-p4"))
    v = pictures()[::5]
    single = measure_rounding(network, v, P4)
    assert {"logits", "layer 1, spatial attention"} <= single.keys()
    assert all(0 < error < 1e-5 for error in single.values())
    assert not any(measure_rounding(network.double(), v.double(), P4).values())
