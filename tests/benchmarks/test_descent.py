"""The paper's descent on Experiment 1, compared with the Euclidean distance and the global
search."""

from dataclasses import dataclass

import pytest
from torch import Tensor

from ia_engine.attention.distances.alignment import Distance, Euclidean, GlobalSearch
from ia_engine.attention.distances.descent import Descent
from ia_engine.attention.distances.schedules import SCHEDULES
from ia_engine.attention.iteration import normalise
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.transforms import GROUPS
from tests.benchmarks.clock import one_thread

SE2 = GROUPS["se2"]
WRONG = 0.1
"""Two images of one class have failed to align if their d² exceeds this value."""
SOLVERS: dict[str, Distance] = {
    "Euclidean distance": Euclidean(),
    **{f"descent, {name}": Descent(SE2, schedule=s) for name, s in SCHEDULES.items()},
    "global search": GlobalSearch(SE2),
}


@dataclass(frozen=True, eq=False)
class Row:
    """d² within and between the classes, found by one solver."""

    name: str
    within: Tensor
    between: Tensor

    @property
    def wrong(self) -> float:
        """Share of the pairs within classes that ended in a wrong basin."""
        return float((self.within > WRONG).float().mean())

    def __str__(self) -> str:
        return (
            f"{self.name:32}{self.within.mean():14.3f}{self.within.max():7.3f}"
            f"{self.wrong:8.0%}{self.between.min():14.3f}"
        )


def measure(name: str, v: Tensor, labels: Tensor) -> Row:
    same = labels[:, None] == labels
    d2 = SOLVERS[name].align(v).d2
    return Row(name, d2[same.triu(1)], d2[~same])


@pytest.fixture(scope="module")
def wrong():
    """Print a table of all solvers, and return the share of wrong basins of each."""
    made = make(RECIPES["experiment-1"])
    v = normalise(made.images)
    with one_thread():
        rows = [measure(name, v, made.labels) for name in SOLVERS]
    print(f"\n{'':32}  within: mean    max   wrong  between: min", *rows, sep="\n")
    return {row.name: row.wrong for row in rows}


def test_schedules_with_smoothing_align_more_pairs_than_descent_without_smoothing(wrong):
    assert wrong["descent, constant"] > wrong["descent, greedy"]
    assert wrong["descent, constant"] > 2 * wrong["descent, annealed"]


def test_the_global_search_never_ends_in_a_wrong_basin_but_annealed_descent_does(wrong):
    assert wrong["global search"] == 0 < wrong["descent, annealed"]
