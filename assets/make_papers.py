"""Makes the results that the page Papers opens with, and the README's table of them.

`python -m assets.make_papers` computes all of them, `python -m assets.make_papers ID ...` these.
All of them take one core about a quarter of an hour.
"""

import os
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import torch

from ia_engine.devices import cpu_seconds
from ia_engine.runs.papers import ENTRIES
from ia_engine.runs.papers.entry import Effort, Entry, Outcome, run_entry, status, tell_missing
from ia_engine.runs.papers.report import insert, tabulate, write_number
from ia_engine.runs.papers.shipped import FOLDER, ShippedResult, load_results, save_results

SEED: Final = 0
LEFT_OUT: Final = "Pictures of the set itself are not passed on: compute it to see them."
README: Final = Path(__file__).parents[1] / "README.md"


def main(names: list[str]) -> None:
    """Compute what can be computed here, the quickest first; other results stay as they are."""
    torch.set_num_threads(1)
    results = load_results()
    for entry in sorted(ENTRIES.values(), key=lambda entry: entry.thorough or entry.budget):
        if names and entry.id not in names:
            continue
        if not entry.runs():
            print(f"{entry.id:15} {tell_missing(entry) or entry.kind}", flush=True)
            continue
        results[entry.id] = make(entry)
        _save(_in_order(results))
        _print(entry, results[entry.id])
    print(f"{sum(os.times()[:4]):.0f} CPU s in all", flush=True)


def _save(results: dict[str, ShippedResult]) -> None:
    """The results and the table of them together, so that neither is ever without the other."""
    save_results(FOLDER, results)
    readme = README.read_text("utf-8")
    README.write_text(insert(readme, tabulate(results)), "utf-8")


def make(entry: Entry) -> ShippedResult:
    """One entry, within the time that `make papers` gives it."""
    budget = entry.thorough or entry.budget
    begun = cpu_seconds()
    *_, last = run_entry(entry, Effort(budget, SEED))
    assert last.outcome is not None
    outcome = _without_foreign(last.outcome)
    command = f"python -m ia_engine papers --only {entry.id} --budget {budget:g} --seed {SEED}"
    return ShippedResult(
        outcome=outcome,
        status=status(entry, outcome),
        budget=budget,
        seconds=round(cpu_seconds() - begun, 1),
        seed=SEED,
        date=datetime.now(UTC).date().isoformat(),
        command=command,
    )


def _without_foreign(outcome: Outcome) -> Outcome:
    """Pictures of MNIST and the like are not ours to pass on."""
    own = tuple(panel for panel in outcome.panels if not getattr(panel, "foreign", False))
    if len(own) == len(outcome.panels):
        return outcome
    return replace(outcome, panels=own, data=f"{outcome.data} {LEFT_OUT}")


def _in_order(results: dict[str, ShippedResult]) -> dict[str, ShippedResult]:
    return {name: results[name] for name in ENTRIES if name in results}


def _print(entry: Entry, kept: ShippedResult) -> None:
    print(f"{entry.id:15} {kept.status}, {kept.seconds:g} CPU s", flush=True)
    for number in kept.outcome.numbers:
        paper, ours = (write_number(x, number.unit) for x in (number.paper, number.ours))
        print(f"    {number.name:50} paper {paper:>16}   ours {ours:>16}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
