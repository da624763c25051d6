"""`runs`: lists, shows, describes, resumes and exports saved runs from the shell or the pages."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from itertools import chain
from typing import Any

from ia_engine.datasets.data import ImageSet
from ia_engine.describe import describe_saved
from ia_engine.errors import EngineError
from ia_engine.files import writing
from ia_engine.runs.catalogue import RUN_KINDS, count_done, last_numbers
from ia_engine.runs.folder import Arrays, Record, SavedRun
from ia_engine.runs.kinds.attention import (
    ATTENTION,
    measure_saved,
    read_steps,
    resume_steps,
    to_row,
)
from ia_engine.runs.kinds.kind import RunKind, as_upload
from ia_engine.runs.kinds.saving import resume_saved, write_items
from ia_engine.runs.library import Library, Writer
from ia_engine.shell.lines import Printer, Row, say
from ia_engine.shell.main import COMMANDS
from ia_engine.shell.options import Common, Parser, make_parser, read_common
from ia_engine.shell.output_files import keep

METHODS = ("ia", "ka")


def run(argv: Sequence[str]) -> None:
    """Run the command: list the saved runs, or show, resume or export one."""
    parser = make_parser("runs", COMMANDS["runs"])
    parser.add_argument(
        "action", choices=sorted(ACTIONS), help="action to perform on the saved runs"
    )
    parser.add_argument(
        "run", nargs="?", default="", metavar="ID", help="ID of the run, or its first characters"
    )
    parser.add_argument(
        "--method",
        choices=METHODS,
        help="method of a run from the Iterations page (default: its first method)",
    )
    values = parser.parse_args(argv)
    library, common = Library(), read_common(values)
    ACTIONS[values.action](library, values.run, common, values.method or "")


def add_keep(parser: Parser) -> None:
    """Add the option that saves a run in the runs folder."""
    about = "save the run, so that its page and the command runs can open it"
    parser.add_argument("--keep", action="store_true", help=about)


def begin_run(kind: RunKind[Any], record: Record, given: Arrays) -> Writer:
    """Create a run in the runs folder."""
    library = Library()
    with writing(library.folder):
        writer = library.begin(kind.id, record, given)
    say(f"saved as run {writer.id}")
    return writer


def compute_saved(
    kind: RunKind[Any],
    plan_on: Callable[[ImageSet], object],
    title: str,
    data: ImageSet,
    common: Common,
) -> None:
    """Compute and save a run of a kind, print one line per item, and write its arrays to --out."""
    data = as_upload(data)
    plan = plan_on(data)
    writer = begin_run(kind, *kind.begin_record(f"{title}: {data.recipe.source}", plan, data))
    try:
        _print(common.printer, kind, write_items(writer, kind, kind.work(plan, data, None)))
    finally:
        if common.out is not None and writer.done:
            keep(common.out, kind.export(Library().open(writer.id), ""))


def _list(library: Library, run: str, common: Common, _: str = "") -> None:
    if run:
        raise EngineError(f"'list' shows all runs and takes no ID; got {run!r}: use 'show {run}'")
    for reason in library.unreadable().values():
        say(reason)
    for kept in library.runs():
        common.printer.row(_describe(kept))


def _show(library: Library, run: str, common: Common, _: str = "") -> None:
    kept = library.open(run)
    done, unit = count_done(kept)
    common.printer.only(
        {
            **_describe(kept),
            "error": kept.error,
            "done": done,
            "unit": unit,
            "numbers": dict(last_numbers(kept)),
            "record": asdict(kept.record),
        }
    )


def _resume(library: Library, run: str, common: Common, method: str = "") -> None:
    kept = library.open(run)
    if kept.kind == ATTENTION.id:
        rest = resume_steps(library, kept.id, common.device)
        steps = chain(read_steps(kept, common.device), rest)
        for measured in measure_saved(kept, steps, common.device):
            if measured.step.k > kept.steps:
                common.printer.row(to_row(measured))
    else:
        kind = find_kind(kept)
        _print(common.printer, kind, resume_saved(library, kept, kind))
    if common.out is not None:
        _export(library, kept.id, common, method)


def _export(library: Library, run: str, common: Common, method: str = "") -> None:
    if common.out is None:
        raise EngineError("'export' must be used with --out PATH.npz")
    kept = library.open(run)
    kind = find_kind(kept)
    if not kept.steps:
        raise EngineError(f"run {kept.id} has no finished step to export: resume it first")
    keep(common.out, kind.export(kept, method))


def find_kind(kept: SavedRun) -> RunKind[Any]:
    """Return the kind of a saved run. Raises EngineError if this program does not know it."""
    if kept.kind not in RUN_KINDS:
        known = ", ".join(kind.id for kind in RUN_KINDS.values() if kind.saved)
        raise EngineError(
            f"the kind of run {kept.id} must be one of {known}; got {kept.kind}: update the app"
        )
    return RUN_KINDS[kept.kind]


def _print(printer: Printer, kind: RunKind[Any], items: Iterable[Any]) -> None:
    for item in items:
        for row in kind.rows(item):
            printer.row(row)


def _describe(kept: SavedRun) -> Row:
    return {
        "id": kept.id,
        "kind": kept.kind,
        "state": kept.state,
        "steps": kept.steps,
        "created": kept.record.created,
        "title": kept.title,
        "tags": list(kept.note.tags),
        "note": kept.note.text,
    }


def _describe_method(library: Library, run: str, common: Common, _: str = "") -> None:
    """Print the methods paragraph as plain text with its BibTeX entries, or all formats as JSON."""
    found = describe_saved(library.open(run))
    texts = {"text": found.to_text(), "markdown": found.to_markdown(), "bibtex": found.to_bibtex()}
    if common.printer.as_json:
        common.printer.only(texts)
    else:
        print(texts["text"], texts["bibtex"], sep="\n", end="", flush=True)


ACTIONS: dict[str, Callable[[Library, str, Common, str], None]] = {
    "list": _list,
    "show": _show,
    "resume": _resume,
    "export": _export,
    "describe": _describe_method,
}
