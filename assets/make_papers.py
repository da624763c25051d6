"""Compute the results that the Papers page shows first, and write the README's table.

`python -m assets.make_papers` computes all entries, `python -m assets.make_papers ID ...` the given
entries, and `python -m assets.make_papers --readme` only writes the table of the stored results
into README.md. Tables that `make tables` computes at the authors' schedule are left out.
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
from ia_engine.runs.papers.entry import Effort, Entry, Outcome, describe_missing, run_entry
from ia_engine.runs.papers.judge import TABLES
from ia_engine.runs.papers.numbers import write_spread
from ia_engine.runs.papers.program import digest_program
from ia_engine.runs.papers.report import decide, insert, tabulate
from ia_engine.runs.papers.shipped import FOLDER, ShippedResult, load_results, save_results
from ia_engine.runs.tables.results import describe_processor

SEED: Final = 0
LEFT_OUT: Final = (
    "The stored result does not include pictures of the set itself; compute the entry to see them."
)
README: Final = Path(__file__).parents[1] / "README.md"


def main(names: list[str]) -> None:
    """Compute the entries that can be computed here, fastest first; other results do not change."""
    torch.set_num_threads(1)
    results = load_results()
    if names == ["--readme"]:
        _write_readme(results)
        return
    if unknown := set(names) - set(ENTRIES):
        raise SystemExit(f"an entry must be one of {', '.join(ENTRIES)}; got {unknown.pop()}")
    for entry in sorted(ENTRIES.values(), key=lambda entry: entry.thorough or entry.budget):
        if entry.id in TABLES or (names and entry.id not in names):
            continue
        if not entry.runs():
            print(f"{entry.id:15} {describe_missing(entry) or entry.kind}", flush=True)
            continue
        results[entry.id] = make(entry)
        _save(_in_order(results))
        _print(entry, results[entry.id])
    print(f"{sum(os.times()[:4]):.0f} CPU s in total", flush=True)


def _save(results: dict[str, ShippedResult]) -> None:
    """Save the results and the README's table together, so that they always agree."""
    save_results(FOLDER, results)
    _write_readme(results)


def _write_readme(results: dict[str, ShippedResult]) -> None:
    readme = README.read_text("utf-8")
    README.write_text(insert(readme, tabulate(results)), "utf-8")


def make(entry: Entry) -> ShippedResult:
    """Compute an entry within its time budget for `make papers`."""
    budget = entry.thorough or entry.budget
    begun = cpu_seconds()
    *_, last = run_entry(entry, Effort(budget, SEED))
    assert last.outcome is not None
    outcome = _without_foreign(last.outcome)
    command = f"python -m ia_engine papers --only {entry.id} --budget {budget:g} --seed {SEED}"
    return ShippedResult(
        outcome=outcome,
        budget=budget,
        seconds=round(cpu_seconds() - begun, 1),
        seed=SEED,
        date=datetime.now(UTC).date().isoformat(),
        command=command,
        program=digest_program(entry.id),
        machine=describe_processor(),
    )


def _without_foreign(outcome: Outcome) -> Outcome:
    """Remove pictures that this project may not distribute, such as those of MNIST."""
    own = tuple(panel for panel in outcome.panels if not getattr(panel, "foreign", False))
    if len(own) == len(outcome.panels):
        return outcome
    return replace(outcome, panels=own, data=f"{outcome.data} {LEFT_OUT}")


def _in_order(results: dict[str, ShippedResult]) -> dict[str, ShippedResult]:
    """Return the results of current entries, in the order of the entries."""
    return {name: results[name] for name in ENTRIES if name in results and name not in TABLES}


def _print(entry: Entry, kept: ShippedResult) -> None:
    print(f"{entry.id:15} {decide(entry, kept)[0]}, {kept.seconds:g} CPU s", flush=True)
    for number in kept.outcome.numbers:
        paper = write_spread(number.paper, number.paper_spread, number.unit)
        ours = write_spread(number.ours, number.spread, number.unit)
        print(f"    {number.name:50} paper {paper:>16}   ours {ours:>16}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
