"""Experiment 2: five steps from pairwise poses reach what random restarts do not surpass."""

import pytest

from ia_engine.datasets.named import is_here
from ia_engine.datasets.published import MNIST
from ia_engine.errors import EngineError
from tests.benchmarks.means import LIMIT, compare_draws, describe, draw_threes

DRAWS = 2


def check(source):
    found = list(compare_draws(source, DRAWS))
    print(f"\n{source}: {describe(found)}")
    for one in found:
        assert one.warm <= LIMIT * one.restarts


def test_five_steps_from_pairwise_poses_are_as_good_as_twenty_restarts():
    check("digits")


def test_five_steps_are_as_good_on_mnist_or_its_missing_file_is_named():
    if is_here(MNIST):
        check("mnist")
        return
    with pytest.raises(EngineError, match="IA_DATA"):
        draw_threes("mnist", 0)
    print("\nmnist: not measured, its file is not here")
