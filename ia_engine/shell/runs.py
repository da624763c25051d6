"""`runs`: the saved runs of the shell and of the pages: list, show, resume and export them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from itertools import chain, islice

import torch

from ia_engine.attention.clusters.measures import measure
from ia_engine.errors import EngineError
from ia_engine.files import writing
from ia_engine.runs.attend import Shown
from ia_engine.runs.catalogue import RUN_KINDS
from ia_engine.runs.kinds.attention import ATTENTION, measure_saved, read_steps, resume_steps
from ia_engine.runs.kinds.iterations import ITERATIONS, pack
from ia_engine.runs.kinds.kind import ending, read_data
from ia_engine.runs.library import Kept, Library
from ia_engine.shell.attend import to_arrays, to_row
from ia_engine.shell.keeping import keep
from ia_engine.shell.lines import Row, say
from ia_engine.shell.main import COMMANDS
from ia_engine.shell.options import Common, make_parser, read_common

METHODS = ("ia", "ka")


def run(argv: Sequence[str]) -> None:
    """List the saved runs, or show, resume or export one."""
    parser = make_parser("runs", COMMANDS["runs"])
    parser.add_argument("action", choices=sorted(ACTIONS), help="what to do")
    parser.add_argument("run", nargs="?", default="", metavar="ID", help="of the run, or its start")
    parser.add_argument(
        "--method", choices=METHODS, help="of a run of the page Iterations (default: its first)"
    )
    values = parser.parse_args(argv)
    library, common = Library(), read_common(values)
    ACTIONS[values.action](library, values.run, common, values.method or "")


def _list(library: Library, run: str, common: Common, _: str = "") -> None:
    if run:
        raise EngineError(f"list shows all runs and takes no ID; got {run!r}: use show {run}")
    for reason in library.unreadable().values():
        say(reason)
    for kept in library.runs():
        common.printer.row(_describe(kept))


def _show(library: Library, run: str, common: Common, _: str = "") -> None:
    kept = library.open(run)
    common.printer.only({**_describe(kept), "error": kept.error, "record": asdict(kept.record)})


def _resume(library: Library, run: str, common: Common, method: str = "") -> None:
    kept = library.open(run)
    if kept.kind == ITERATIONS.id:
        for row in _resume_iterations(library, kept):
            common.printer.row(row)
    elif kept.kind == ATTENTION.id:
        rest = resume_steps(library, kept.id, common.device)
        steps = chain(read_steps(kept, common.device), rest)
        for measured in measure_saved(kept, steps, common.device):
            if measured.step.k > kept.steps:
                common.printer.row(to_row(measured))
    else:
        raise _wrong_kind(kept)
    if common.out is not None:
        _export(library, kept.id, common, method)


def _resume_iterations(library: Library, kept: Kept) -> Iterator[Row]:
    """A run of the page Iterations: the missing iterations, with a row for each method."""
    history, data = ITERATIONS.unpack(kept), read_data(kept)
    rest = ITERATIONS.resume(history)
    writer = library.go_on(kept.id)
    with ending(writer.end):
        if rest is None:
            return
        items = ITERATIONS.work(rest.plan, data, rest.start)
        for item in islice(items, rest.repeated, None):
            with writing(writer.folder):
                writer.append(pack(item))
            yield from (_to_row(method, shown) for method, shown in item.shown.items())


def _to_row(method: str, shown: Shown) -> Row:
    """The line of one method at one iteration, with the keys of `attend`."""
    numbers = shown.numbers
    return {
        "method": method,
        "step": numbers.p + 1,
        "iteration": numbers.p,
        "seconds": numbers.seconds,
        "beta": shown.beta,
        "d2_within": numbers.d2_within,
        "d2_between": numbers.d2_between,
        "block_mass": numbers.block_mass,
        "contraction": numbers.contraction,
        "clusters": numbers.clusters,
        "ari": numbers.ari,
        "compared": numbers.compared,
    }


def _export(library: Library, run: str, common: Common, method: str = "") -> None:
    if common.out is None:
        raise EngineError("export needs --out PATH.npz; got nothing")
    kept = library.open(run)
    kind = RUN_KINDS.get(kept.kind)
    if kind is None or kind.steps is None:
        raise _wrong_kind(kept)
    here = torch.device("cpu")
    steps = list(kind.steps(kept, here, method)) if kept.steps else []
    if not steps:
        raise EngineError(f"run {kept.id} has no finished step to export: resume it first")
    own = kept.kind == ATTENTION.id  # such a run may have been given the number of clusters
    for last in measure_saved(kept, steps[-1:], here) if own else measure(steps[-1:], None):
        keep(common.out, to_arrays(steps, last.assignments))


def _wrong_kind(kept: Kept) -> EngineError:
    return EngineError(
        f"run {kept.id} is one of {kept.kind}: choose a run of {ATTENTION.id} or {ITERATIONS.id}"
    )


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


ACTIONS: dict[str, Callable[[Library, str, Common, str], None]] = {
    "list": _list,
    "show": _show,
    "resume": _resume,
    "export": _export,
}
