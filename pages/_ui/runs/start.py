"""Start a run of any kind, or resume one that was interrupted."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from ia_engine.datasets.data import Data
from ia_engine.errors import EngineError
from ia_engine.runs.job import Job, new_name
from ia_engine.runs.kinds.kind import RunKind
from ia_engine.runs.kinds.saving import Destination, save_items
from ia_engine.runs.record import Record
from pages._ui.panels import explain
from pages._ui.runs.current import jobs, own_runs, show_run
from pages._ui.runs.saved import LINK, library, replace_saved
from pages._ui.viewer import viewer

GOING: Final = "records of runs under way"

Work = Callable[[], Iterator[Any]]


@dataclass(frozen=True)
class Replaced:
    """The run that a new one continues: deleted once the new one has saved this many items.

    A new run that cannot be saved deletes nothing.
    """

    name: str
    after: int


def start(
    kind: RunKind[Any],
    title: str,
    plan: object,
    data: Data | None = None,
    begin_at: object = None,
    *,
    replaced: Replaced | None = None,
    work: Work | None = None,
) -> None:
    """Start a run; meant as a button's on_click. A saved one is named by the address from now on.

    If the same run is under way, it is shown instead, unless the new one replaces another.
    `work` yields the items if they are computed already.
    """
    work = work or (lambda: kind.work(plan, data, begin_at))
    expected = kind.expected(plan, begin_at)
    if not kind.saved:
        _submit(kind, title, work, expected, new_name())
        return
    record, given = kind.begin_record(title, plan, data)
    if replaced is None and _show_same(kind, record):
        return
    destination, unsaved = Destination(library(), new_name(), viewer()), list[str]()
    pool = jobs()  # a worker has no session

    def report(reason: str) -> None:
        unsaved.append(reason)
        if job := pool.get(destination.owner, destination.name):
            job.unsaved = reason

    def saving() -> Iterator[Any]:
        items = work()
        if replaced is not None:
            items = _replace(items, replaced, destination, lambda: not unsaved)
        return save_items(destination, kind, lambda: (record, given), items, report)

    _submit(kind, title, saving, expected, destination.name)
    st.query_params[LINK] = destination.name
    _going()[destination.name] = record


def resume(kind: RunKind[Any], job: Job[Any], data: Data | None = None, title: str = "") -> None:
    """Continue an interrupted run as one of this kind; the new run replaces it."""
    try:
        rest = kind.resume(job.history)
    except EngineError as error:
        explain(error)
        return
    if rest is not None:
        replaced = Replaced(job.id, rest.repeated + 1)
        start(kind, title or job.title, rest.plan, data, rest.start, replaced=replaced)


def _submit(kind: RunKind[Any], title: str, work: Work, expected: int, name: str) -> None:
    try:
        job = jobs().submit(viewer(), title, work, expected, kind.id, name=name)
    except EngineError as error:
        explain(error)
    else:
        show_run(job)


def _show_same(kind: RunKind[Any], record: Record) -> bool:
    """Show the run with this record if it is under way; False if there is none."""
    going = {job.id: job for job in own_runs() if not (job.finished or job.cancelling)}
    known = _going()
    for name in [*known]:
        if name not in going:
            del known[name]
        elif going[name].kind == kind.id and known[name].same_run(record):
            show_run(going[name])
            st.query_params[LINK] = name
            st.toast("This run is under way already: here it is.")
            return True
    return False


def _replace(
    items: Iterator[Any], replaced: Replaced, destination: Destination, saved: Callable[[], bool]
) -> Iterator[Any]:
    """The same items; each is saved before the next one is asked for."""
    for count, item in enumerate(items, start=1):
        yield item
        if count == replaced.after and saved():
            replace_saved(replaced.name, destination.name, destination.owner)
    if saved():
        replace_saved(replaced.name, destination.name, destination.owner)


def _going() -> dict[str, Record]:
    known: dict[str, Record] = st.session_state.setdefault(GOING, {})
    return known
