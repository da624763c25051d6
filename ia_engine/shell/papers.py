"""`papers`: computes figures and tables of the papers, prints one line for each, and writes
figures."""

import argparse
import math
import os
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ia_engine.datasets.data import ImageSet
from ia_engine.devices import cpu_seconds
from ia_engine.errors import EngineError
from ia_engine.figures.papers.files import draw_png
from ia_engine.files import write_whole, writing
from ia_engine.runs.papers import ENTRIES, find_entry
from ia_engine.runs.papers.entry import (
    Effort,
    Entry,
    Outcome,
    describe_missing,
    run_entry,
    status,
)
from ia_engine.runs.papers.judge import TABLES
from ia_engine.runs.papers.report import decide, list_verdicts
from ia_engine.runs.papers.seeds import show_finished
from ia_engine.shell.lines import say
from ia_engine.shell.loading import load
from ia_engine.shell.main import COMMANDS
from ia_engine.shell.options import Common, make_parser, read_common
from ia_engine.shell.output_files import keep


def run(argv: Sequence[str]) -> None:
    """Run the command: compute the named entries, or all of them, and write the finished
    results."""
    values = _parse(argv)
    common = read_common(values)
    folder = None if values.png is None else _check_folder(values.png)
    entries = _choose(values.only)
    given = _load(common) if common.data else None
    able = [entry for entry in entries if entry.runs(given)]
    for entry in entries:
        if entry not in able:
            say(describe_missing(entry, given) or f"{entry.id} is not possible here: {entry.why}")
    if not able:
        raise EngineError(
            f"none of the entries {values.only} can be computed here: choose other entries"
        )
    torch.set_num_threads(1)  # a second thread slows down many small operations
    scale = _scale(values.budget, able)
    arrays: dict[str, NDArray[Any]] = {}
    try:
        for entry in entries:
            effort = Effort(scale * entry.budget, common.seed or 0, given)
            outcome = _show(common, entry, effort if entry in able else None, arrays)
            if folder is not None:
                _write_figures(folder, entry, outcome)
    finally:
        if arrays:
            keep(common.out, arrays)


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = make_parser("papers", COMMANDS["papers"])
    parser.set_defaults(data="")
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = f"verdicts, strongest first:\n{list_verdicts()}"
    add = parser.add_argument
    add("--only", metavar="IDS", default="", help="entries, separated by commas (default: all)")
    add("--png", type=Path, metavar="DIR", help="write the figures of the entries to this folder")
    add("--budget", type=float, metavar="SECONDS",
        help="CPU seconds for all entries, shared in proportion to their defaults")  # fmt: skip
    return parser.parse_args(argv)


def _choose(only: str) -> list[Entry]:
    names = [name.strip() for name in only.split(",") if name.strip()]
    return [find_entry(name) for name in names] if names else list(ENTRIES.values())


def _load(common: Common) -> ImageSet:
    data = load(common)
    if not isinstance(data, ImageSet):
        raise EngineError(
            "the data that 'papers' uses in place of missing data must be images; got points: "
            "choose image data with --data"
        )
    return data


def _scale(budget: float | None, entries: Sequence[Entry]) -> float:
    """Return the factor by which the default budget of each entry is multiplied."""
    if budget is None:
        return 1.0
    if not 0 < budget < math.inf:
        raise EngineError(f"--budget must be above 0 seconds; got {budget:g}")
    return budget / sum(entry.budget for entry in entries)


def _show(
    common: Common, entry: Entry, effort: Effort | None, arrays: dict[str, NDArray[Any]]
) -> Outcome:
    """Compute one entry and print its line. Without `effort`, the line has no results."""
    begun = cpu_seconds()
    outcome = None if effort is None else _compute(entry, effort)
    seconds = None if outcome is None else cpu_seconds() - begun
    shown = outcome or Outcome()
    verdict = status(entry, outcome)
    common.printer.row({
        "id": entry.id,
        "paper": _select(shown, "paper"),
        "ours": _select(shown, "ours"),
        "seconds": seconds,
        "verdict": verdict,
        "seeds": None if outcome is None else outcome.seeds,
        "schedule": shown.schedule,
        "spread": _select(shown, "spread"),
        "paper_spread": _select(shown, "paper_spread"),
        "least_loss": _select(shown, "least_loss"),
    })  # fmt: skip
    if outcome is not None:
        say(f"{entry.id}: {verdict}. {outcome.data}")
    if entry.id in TABLES:
        found, seeds = decide(entry, None)
        say(f"{entry.id}, the seeds of make tables: {found}. Schedule: {seeds and seeds.schedule}.")
    for at, panel in enumerate(shown.panels):
        for field in fields(panel):
            value = getattr(panel, field.name)
            if isinstance(value, np.ndarray):
                arrays[f"{entry.id}.{at}.{field.name}"] = value
    return shown


def _select(outcome: Outcome, part: str) -> dict[str, object]:
    """Return the given part of every number that has it, by the name of the number."""
    values = {number.name: getattr(number, part) for number in outcome.numbers}
    return {name: value for name, value in values.items() if value is not None}


def _check_folder(folder: Path) -> Path:
    """Create the folder if necessary. Raises EngineError if nothing can be written there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EngineError(
            f"--png needs a folder that exists or can be created; got {str(folder)!r}"
        ) from error
    if not os.access(folder, os.W_OK):
        raise EngineError(f"--png needs a writable folder; got {str(folder)!r}")
    return folder


def _write_figures(folder: Path, entry: Entry, outcome: Outcome) -> None:
    """Write the figures of an entry, and those for the seeds of `make tables`."""
    finished = show_finished(entry.id)
    panels = [*outcome.panels, *(finished.panels if finished else ())]
    for at, panel in enumerate(panels, 1):
        path = folder / f"{entry.id}-{at}.png"
        with writing(path):
            write_whole(path, draw_png(panel))
    names = f"{entry.id}-1.png to {entry.id}-{len(panels)}.png"
    say(f"{names} written to {folder}" if panels else f"{entry.id} has no figure")


def _compute(entry: Entry, effort: Effort) -> Outcome:
    *_, last = run_entry(entry, effort)
    assert last.outcome is not None
    return last.outcome
