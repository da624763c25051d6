"""Attentive networks in steps of p4, and the time that the page about them has for a picture."""

import pytest
import torch

from ia_engine.equivariant.groups import P4
from ia_engine.equivariant.maps import compose, trace
from ia_engine.equivariant.networks import build_network
from tests.benchmarks.clock import cpu_seconds, one_thread
from tests.benchmarks.equivariant_costs import (
    MEMORY_LIMIT,
    STEP_LIMIT,
    step_bytes,
    step_ratios,
)

pytestmark = pytest.mark.timed

REDRAW = 0.2


def test_full_attention_takes_at_most_twelve_steps_of_p4():
    found = step_ratios(("alpha-p4",), rounds=2)["alpha-p4"]
    print(f"\nα-p4 at batch 64: {found} steps of p4 (target {STEP_LIMIT:g})")
    assert found <= STEP_LIMIT


def test_full_attention_takes_at_most_six_times_the_memory_of_p4():
    found = step_bytes("alpha-p4", 64) / step_bytes("p4", 64)
    print(f"\nα-p4 at batch 64: {found:.1f} times p4's memory (target {MEMORY_LIMIT:g})")
    assert found <= MEMORY_LIMIT


def test_all_maps_of_a_turned_picture_are_there_at_once():
    network = build_network("alpha-f-p4", torch.Generator().manual_seed(0))
    v = torch.rand(1, 1, 28, 28)

    def redraw():
        return compose(trace(network, v).maps, P4, 28)

    with one_thread():
        redraw()
        seconds = min(cpu_seconds(redraw) for _ in range(3))
    print(f"\nall maps of α_F-p4: {1000 * seconds:.0f} ms (target {1000 * REDRAW:g})")
    assert seconds < REDRAW
