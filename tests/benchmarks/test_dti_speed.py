"""A training step of DTI clustering in bare passes of ResNet-20; limits leave room for noise."""

from functools import cache

import pytest

from tests.benchmarks.dti_costs import (
    MANY_LIMIT,
    MORPHOLOGY_LIMIT,
    STEP_LIMIT,
    morphology_share,
    step_costs,
)

pytestmark = pytest.mark.timed

ROOM = 1.2
"""So much above a target is still a busy machine."""


@cache
def costs():
    return step_costs(rounds=3)


def test_a_step_takes_at_most_1_6_bare_passes_of_its_encoder():
    found = costs()["affine, morphology, tps"]
    print(f"\na step: {found:.2f} bare passes (target {STEP_LIMIT:g})")
    assert found <= ROOM * STEP_LIMIT


def test_morphology_takes_at_most_15_percent_of_a_step():
    found = morphology_share(costs())
    print(f"\nmorphology: {found:.1%} of a step (target {MORPHOLOGY_LIMIT:.0%})")
    assert found <= MORPHOLOGY_LIMIT + 0.1


def test_four_times_the_prototypes_take_at_most_twice_the_time():
    found = costs()["the same, K = 40"] / costs()["affine, morphology, tps"]
    print(f"\nK = 40: {found:.2f} steps of K = 10 (target {MANY_LIMIT:g})")
    assert found <= ROOM * MANY_LIMIT
