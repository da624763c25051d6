"""`runs`: the runs that were kept, and what can be done with them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import chain

import torch

from ia_engine.attention.clusters.measures import Measured
from ia_engine.attention.iteration import Step
from ia_engine.errors import EngineError
from ia_engine.runs.attention import KIND, read_steps, take_up
from ia_engine.runs.library import Kept, Library
from ia_engine.shell.attend import measure_told, to_arrays, to_row
from ia_engine.shell.keeping import keep
from ia_engine.shell.lines import Row, say
from ia_engine.shell.main import COMMANDS
from ia_engine.shell.options import Common, make_parser, read_common


def run(argv: Sequence[str]) -> None:
    """List the kept runs, or show, resume or export one."""
    parser = make_parser("runs", COMMANDS["runs"])
    parser.add_argument("action", choices=sorted(ACTIONS), help="what to do")
    parser.add_argument("run", nargs="?", default="", metavar="ID", help="of the run, or its start")
    values = parser.parse_args(argv)
    library, common = Library(), read_common(values)
    ACTIONS[values.action](library, values.run, common)


def _list(library: Library, run: str, common: Common) -> None:
    if run:
        raise EngineError(f"list shows all runs and takes no ID; got {run!r}: use show {run}")
    for reason in library.unreadable().values():
        say(reason)
    for kept in library.runs():
        common.printer.row(_describe(kept))


def _show(library: Library, run: str, common: Common) -> None:
    kept = library.open(run)
    common.printer.only({**_describe(kept), "error": kept.error, "record": asdict(kept.record)})


def _resume(library: Library, run: str, common: Common) -> None:
    kept = _attention(library.open(run))
    rest = take_up(library, kept.id, common.device)
    steps = chain(read_steps(kept, common.device), rest)
    for measured in _measure(kept, steps, common.device):
        if measured.step.k > kept.steps:
            common.printer.row(to_row(measured))
    if common.out is not None:
        _export(library, kept.id, common)


def _export(library: Library, run: str, common: Common) -> None:
    if common.out is None:
        raise EngineError("export needs --out PATH.npz; got nothing")
    kept = _attention(library.open(run))
    if not kept.steps:
        raise EngineError(f"run {kept.id} has no finished step to export: resume it first")
    here = torch.device("cpu")
    steps = list(read_steps(kept, here))
    for last in _measure(kept, steps[-1:], here):
        keep(common.out, to_arrays(steps, last.assignments))


def _measure(kept: Kept, steps: Iterable[Step], device: torch.device) -> Iterator[Measured]:
    """The steps in numbers, by the labels and the number of clusters that the run was told."""
    given = kept.given()
    labels = torch.from_numpy(given["labels"]).to(device) if "labels" in given else None
    return measure_told(steps, labels, int(given["k"]) if "k" in given else None)


def _attention(kept: Kept) -> Kept:
    if kept.kind != KIND:
        raise EngineError(f"run {kept.id} is one of {kept.kind}: choose a run of {KIND}")
    return kept


def _describe(kept: Kept) -> Row:
    return {
        "id": kept.id,
        "kind": kept.kind,
        "state": kept.state,
        "steps": kept.steps,
        "created": kept.record.created,
        "title": kept.title,
        "tags": list(kept.note.tags),
    }


ACTIONS: dict[str, Callable[[Library, str, Common], None]] = {
    "list": _list,
    "show": _show,
    "resume": _resume,
    "export": _export,
}
