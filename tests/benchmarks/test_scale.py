"""Pruning and memory on a few hundred rotated digits; larger sets: python -m tests.benchmarks."""

import pytest

from tests.benchmarks.scale import in_a_process

pytestmark = pytest.mark.timed


@pytest.fixture(scope="module")
def small():
    return in_a_process(150, 100.0)


def test_pruning_spares_time_and_changes_no_column_of_weights(small):
    print(f"\n{small}")
    assert small.share > 0.5
    assert small.change < 1e-3
    assert small.pruned < small.microseconds


def test_memory_stays_bounded(small):
    assert small.memory < 0.5
