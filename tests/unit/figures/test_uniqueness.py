"""The figure for theorem 3.1."""

import pytest

from ia_engine.attention.manifolds.sample import gather
from ia_engine.datasets.data import thin
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.figures.mean_figures import EXPECTED, STARTS, solve_other_starts

pytestmark = pytest.mark.cpu_only("draws with Pillow")


def test_means_from_different_starts_are_shown_in_one_figure_and_differ_only_slightly():
    every = list(solve_other_starts(gather(thin(make(RECIPES["experiment-2"]), 3))))
    assert {len(so_far.solutions) for so_far in every} == {*range(STARTS + 1)}
    assert len(every) == EXPECTED
    again = every[-1]
    assert again.png.startswith(b"\x89PNG")
    assert len(again.solutions) == STARTS
    assert (again.shown, again.total) == (3, 3)
    assert all(s.residual <= 1.3 * s.floor for s in again.solutions)
    assert all(s.residual <= 0.02 for s in again.solutions)
