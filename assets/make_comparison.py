"""Make the results that the Compare page shows first: `python -m assets.make_comparison`.

The script runs all methods on Experiment 1, and on drawings that are increasingly rotated,
translated, scaled and coloured. It needs about three minutes on one core.
"""

import os
from pathlib import Path
from typing import Final

from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.runs.comparison.compare import compare, results_of
from ia_engine.runs.comparison.config import ComparisonConfig, plan_comparison
from ia_engine.runs.comparison.store import PrecomputedComparison, Swept, pack_comparison
from ia_engine.runs.comparison.sweep import (
    SWEPT,
    SweepConfig,
    SweepPlan,
    sweep,
    swept_results,
)
from ia_engine.runs.example import save_run
from ia_engine.runs.folder import Record

PATH: Final = Path(__file__).parent / "runs" / "comparison.safetensors"
SECONDS: Final = 10.0
SWEEP_SECONDS: Final = 2.0
COMMAND: Final = "python -m assets.make_comparison"


def main() -> None:
    """Make the comparison, and then a sweep for every transformation."""
    data = make(RECIPES["experiment-1"])
    if not isinstance(data, ImageSet):
        raise TypeError("Experiment 1 must have images; got points")
    config = ComparisonConfig(k=3, budget=SECONDS)
    plan = plan_comparison(config, data)
    results = tuple(results_of(list(compare(plan, data))))
    _print_time("the comparison")
    sweeps = tuple(_sweep(name) for name in SWEPT)
    record = Record(plan.recipe, config.to_json(), config.seed, data.digest, "cpu", COMMAND)
    save_run(PATH, record, pack_comparison(PrecomputedComparison(plan, results, sweeps)))


def _sweep(name: str) -> tuple[SweepPlan, Swept]:
    plan = SweepPlan(SweepConfig(sweep=name), ComparisonConfig(k=3, budget=SWEEP_SECONDS))
    found = swept_results(list(sweep(plan)))
    _print_time(f"the sweep {name}")
    return plan, found


def _print_time(what: str) -> None:
    """Print the computing time so far, including that of the comparing processes."""
    print(f"{what}: {sum(os.times()[:4]):.0f} CPU s in total", flush=True)


if __name__ == "__main__":
    main()
