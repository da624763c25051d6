"""Experiment 2: five steps from pairwise poses reach the objective of far longer searches."""

import pytest

from ia_engine.datasets.named import is_here
from ia_engine.datasets.published import MNIST
from ia_engine.errors import EngineError
from tests.benchmarks.clock import one_thread
from tests.benchmarks.means import LIMIT, compare, draw_threes

DRAWS, RESTARTS = 1, 3


def check(source):
    for seed in range(DRAWS):
        with one_thread():
            found = compare(draw_threes(source, seed), seed, RESTARTS)
        print(f"\n{source}, draw {seed}: {found}")
        assert found.warm <= LIMIT * found.restarts
        assert found.warm <= LIMIT * found.descent


def test_five_steps_from_pairwise_poses_are_as_good_as_restarts_and_fifty_steps_of_descent():
    check("digits")


def test_five_steps_are_as_good_on_mnist_or_the_missing_file_is_reported():
    if is_here(MNIST):
        check("mnist")
        return
    with pytest.raises(EngineError, match="IA_DATA"):
        draw_threes("mnist", 0)
    print("\nmnist: not measured because its file is missing")
