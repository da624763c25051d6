"""Measures what is named, or everything: python -m tests.benchmarks [--only NAME] [--list].

Each benchmark prints its figures and what is claimed of them, and leaves a file in results/.
"""

import argparse
from dataclasses import dataclass

from ia_engine.errors import EngineError
from tests.benchmarks.dti_clustering import DTI
from tests.benchmarks.dti_costs import Costs
from tests.benchmarks.equivariant_training import EQUIVARIANT
from tests.benchmarks.experiments import EXPERIMENTS
from tests.benchmarks.impostors import IMPOSTORS
from tests.benchmarks.means import MEANS
from tests.benchmarks.measures import BENCHMARKS, Benchmark
from tests.benchmarks.poses import CORNERS, RECOVERIES
from tests.benchmarks.results import Experiment, Found, run
from tests.benchmarks.rotated_digits import VISION
from tests.benchmarks.scale import SCALES
from tests.benchmarks.sharing import SHARINGS
from tests.benchmarks.tables import TABLES
from tests.benchmarks.theorems import THEOREMS
from tests.benchmarks.truth import TRUTHS


@dataclass(frozen=True)
class Limited:
    """A benchmark of one figure and, where there is one, its limit."""

    benchmark: Benchmark

    @property
    def name(self) -> str:
        return self.benchmark.name

    def measure(self) -> Found:
        measured = self.benchmark.measure()
        figures = {"figure": measured.ratio, "unit": measured.unit}
        limit = measured.limit
        claims = {} if limit is None else {f"at most {limit:g}": measured.ratio <= limit}
        return Found(figures, claims, "those of the data sets")


CATALOGUE: tuple[Experiment, ...] = (
    *(Limited(one) for one in BENCHMARKS if isinstance(one, Benchmark)),
    *TRUTHS,
    *RECOVERIES,
    *CORNERS,
    *IMPOSTORS,
    *MEANS,
    *THEOREMS,
    *TABLES,
    *SCALES,
    *SHARINGS,
    *EXPERIMENTS,
    *VISION,
    Costs(),
    *DTI,
    *EQUIVARIANT,
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument(
        "--only", metavar="NAME", help="the one of this name, or those that contain it"
    )
    parser.add_argument("--list", action="store_true", help="print the names and measure nothing")
    options = parser.parse_args()
    wanted = choose(options.only or "")
    if not wanted:
        parser.error(f"no benchmark is called {options.only}; --list prints all names")
    for experiment in wanted:
        print(experiment.name, flush=True)
        if not options.list:
            measure(experiment)


def choose(name: str) -> list[Experiment]:
    """The one of this name, or all whose names contain it."""
    exact = [one for one in CATALOGUE if one.name == name]
    return exact or [one for one in CATALOGUE if name.lower() in one.name.lower()]


def measure(experiment: Experiment) -> None:
    """Print what was found, or which file is missing."""
    try:
        print(run(experiment), flush=True)
    except EngineError as error:
        print(f"    not measured: {error}", flush=True)


if __name__ == "__main__":
    main()
