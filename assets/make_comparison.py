"""Makes what the page Compare opens with: `python -m assets.make_comparison`.

All methods on Experiment 1, and how each fares as drawings are turned, shifted, enlarged and
coloured more and more. One core needs about three minutes.
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
    """The comparison first, and then one sweep for every transformation."""
    data = make(RECIPES["experiment-1"])
    if not isinstance(data, ImageSet):
        raise TypeError("Experiment 1 has images")
    config = ComparisonConfig(k=3, budget=SECONDS)
    plan = plan_comparison(config, data)
    results = tuple(results_of(list(compare(plan, data))))
    _tell("the comparison")
    sweeps = tuple(_sweep(name) for name in SWEPT)
    record = Record(plan.recipe, config.to_json(), config.seed, data.digest, "cpu", COMMAND)
    save_run(PATH, record, pack_comparison(PrecomputedComparison(plan, results, sweeps)))


def _sweep(name: str) -> tuple[SweepPlan, Swept]:
    plan = SweepPlan(SweepConfig(sweep=name), ComparisonConfig(k=3, budget=SWEEP_SECONDS))
    found = swept_results(list(sweep(plan)))
    _tell(f"the sweep {name}")
    return plan, found


def _tell(what: str) -> None:
    """How much computing time there was, with that of the processes that compared."""
    print(f"{what}: {sum(os.times()[:4]):.0f} CPU s in all", flush=True)


if __name__ == "__main__":
    main()
