"""`papers`: one line per figure and table of the papers, with their numbers and ours."""

import argparse
import math
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ia_engine.datasets.data import ImageSet
from ia_engine.devices import cpu_seconds
from ia_engine.errors import EngineError
from ia_engine.runs.papers import ENTRIES, find_entry
from ia_engine.runs.papers.entry import (
    Effort,
    Entry,
    Outcome,
    run_entry,
    status,
    tell_missing,
)
from ia_engine.shell.lines import say
from ia_engine.shell.loading import load
from ia_engine.shell.main import COMMANDS
from ia_engine.shell.options import Common, make_parser, read_common
from ia_engine.shell.output_files import keep


def run(argv: Sequence[str]) -> None:
    """Compute the named entries, or all; finished results are written."""
    values = _parse(argv)
    common = read_common(values)
    entries = _choose(values.only)
    given = _load(common) if common.data else None
    able = [entry for entry in entries if entry.runs(given)]
    for entry in entries:
        if entry not in able:
            say(tell_missing(entry, given) or f"{entry.id} is not possible here: {entry.why}")
    if not able:
        raise EngineError(f"none of {values.only} can be computed here: choose others")
    torch.set_num_threads(1)  # for many small operations, a second thread makes it slower
    scale = _scale(values.budget, able)
    arrays: dict[str, NDArray[Any]] = {}
    try:
        for entry in entries:
            effort = Effort(scale * entry.budget, common.seed or 0, given)
            _show(common, entry, effort if entry in able else None, arrays)
    finally:
        if arrays:
            keep(common.out, arrays)


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = make_parser("papers", COMMANDS["papers"])
    parser.set_defaults(data="")
    add = parser.add_argument
    add("--only", metavar="IDS", default="", help="entries, separated by commas (default: all)")
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
            "papers needs images to replace missing ones; got points: choose --data with images"
        )
    return data


def _scale(budget: float | None, entries: Sequence[Entry]) -> float:
    """The ratio of each entry's time to its default time."""
    if budget is None:
        return 1.0
    if not 0 < budget < math.inf:
        raise EngineError(f"--budget must be above 0 seconds; got {budget:g}")
    return budget / sum(entry.budget for entry in entries)


def _show(
    common: Common, entry: Entry, effort: Effort | None, arrays: dict[str, NDArray[Any]]
) -> None:
    """Print the line of one entry; without an effort, it cannot be computed."""
    begun = cpu_seconds()
    outcome = Outcome() if effort is None else _compute(entry, effort)
    seconds = None if effort is None else cpu_seconds() - begun
    common.printer.row({
        "id": entry.id,
        "paper": {n.name: n.paper for n in outcome.numbers if n.paper is not None},
        "ours": {n.name: n.ours for n in outcome.numbers if n.ours is not None},
        "seconds": seconds,
    })  # fmt: skip
    if effort is not None:
        say(f"{entry.id}: {status(entry, outcome)}. {outcome.data}")
    for at, panel in enumerate(outcome.panels):
        for field in fields(panel):
            value = getattr(panel, field.name)
            if isinstance(value, np.ndarray):
                arrays[f"{entry.id}.{at}.{field.name}"] = value


def _compute(entry: Entry, effort: Effort) -> Outcome:
    *_, last = run_entry(entry, effort)
    assert last.outcome is not None
    return last.outcome
