"""The paper's descent on Experiment 1, beside the Euclidean distance and the global search."""

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
"""d² of two images of one class that did not find each other."""
SOLVERS: dict[str, Distance] = {
    "Euclidean distance": Euclidean(),
    **{f"descent, {name}": Descent(SE2, schedule=s) for name, s in SCHEDULES.items()},
    "global search": GlobalSearch(SE2),
}


@dataclass(frozen=True, eq=False)
class Row:
    """One solver on the data: d² within and between the classes."""

    name: str
    within: Tensor
    between: Tensor

    @property
    def wrong(self) -> float:
        """The share of the pairs of a class that ended in a wrong basin."""
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
    """The share of wrong basins of every solver, after a table of all."""
    made = make(RECIPES["experiment-1"])
    v = normalise(made.images)
    with one_thread():
        rows = [measure(name, v, made.labels) for name in SOLVERS]
    print(f"\n{'':32}  within: mean    max   wrong  between: min", *rows, sep="\n")
    return {row.name: row.wrong for row in rows}


def test_smoothing_recovers_pairs_that_plain_descent_loses(wrong):
    assert wrong["descent, constant"] > wrong["descent, greedy"]
    assert wrong["descent, constant"] > 2 * wrong["descent, annealed"]


def test_global_search_ends_in_no_wrong_basin(wrong):
    assert wrong["global search"] == 0 < wrong["descent, annealed"]
