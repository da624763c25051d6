"""`project`: saves runs in one file, and opens such a file on this or another machine."""

import shlex
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from ia_engine.datasets.data import ImageSet
from ia_engine.errors import EngineError
from ia_engine.files import open_whole, writing
from ia_engine.runs.folder import SavedRun
from ia_engine.runs.library import Library
from ia_engine.runs.project.manifest import DataSet
from ia_engine.runs.project.opening import open_project
from ia_engine.runs.project.writing import write_project
from ia_engine.shell.interrupts import undisturbed
from ia_engine.shell.lines import Printer, say
from ia_engine.shell.main import COMMANDS
from ia_engine.shell.options import Parser
from ia_engine.shell.output_files import check_place


def run(argv: Sequence[str]) -> None:
    """Run the command: save a project, or open one."""
    values = _parse(argv)
    printer = Printer(values.json)
    if values.action == "save":
        _save(values.file, values.run, printer)
    elif values.run:
        raise EngineError("'open' adds all runs of a project; use --run only with 'save'")
    else:
        _open(values.file, printer)


def _parse(argv: Sequence[str]) -> Namespace:
    parser = Parser(
        "python -m ia_engine project", description=COMMANDS["project"], allow_abbrev=False
    )
    add = parser.add_argument
    add("action", choices=("save", "open"), help="save a project, or open one")
    add("file", type=Path, metavar="FILE", help="path of the project, such as project.zip")
    add(
        "--run",
        action="append",
        default=[],
        metavar="ID",
        help="save only this run, given by its ID or the start of its ID; can be repeated",
    )
    add("--json", action="store_true", help="print one JSON object per line")
    return parser.parse_args(argv)


def _save(path: Path, runs: Sequence[str], printer: Printer) -> None:
    library = Library()
    chosen = [library.open(run) for run in runs] if runs else library.runs()
    if not chosen:
        raise EngineError("there are no runs to save: compute a run with --keep first")
    check_place(path, "FILE")
    with undisturbed(), writing(path), open_whole(path) as file:
        written = write_project(file, chosen)
    for kept in chosen:
        reason = written.left_out.get(kept.id, "")
        if reason:
            say(f"run {kept.id} was left out: {reason}")
        printer.row(_describe(kept, "left out" if reason else "saved"))
    say(f"{len(written.runs):,} runs written to {path}, {path.stat().st_size / 1e6:.1f} MB")


def _open(path: Path, printer: Printer) -> None:
    if not path.is_file():
        raise EngineError(f"FILE must be the path of a project; got {str(path)!r}")
    opened = open_project(path.name, path, Library())
    for runs, state in ((opened.added, "added"), (opened.known, "known")):
        for kept in runs:
            printer.row(_describe(kept, state))
    for one in opened.data:
        say(_describe_data(one))


def _describe_data(one: DataSet) -> str:
    """Return what to do with a data set, which this command does not store."""
    if one.data is None:
        return f"a data set is not stored: use it with --data {shlex.quote(one.recipe)}"
    count = len(one.data.names) if isinstance(one.data, ImageSet) else 0
    return (
        f"a data set of {count:,} uploaded images is not stored: to use it, open the project on "
        "the page Runs"
    )


def _describe(kept: SavedRun, state: str) -> dict[str, str]:
    return {"id": kept.id, "kind": kept.kind, "state": state, "title": kept.title}
