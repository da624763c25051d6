"""Start a run of any kind, or resume one that was interrupted."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from ia_engine.datasets.data import Data
from ia_engine.errors import EngineError
from ia_engine.runs.folder import Arrays, Record
from ia_engine.runs.job import Job, new_name
from ia_engine.runs.kinds.kind import RunKind
from ia_engine.runs.kinds.saving import Destination, save_items
from pages._ui.panels import explain
from pages._ui.runs.current import discard_saved, jobs, library, own_runs, replace_saved, show_run
from pages._ui.state.selection import runs_state
from pages._ui.state.viewer import viewer

Work = Callable[[], Iterator[Any]]


@dataclass(frozen=True)
class Replaced:
    """A run that a new run continues; it is deleted once the new run has saved this many items.

    If the new run cannot be saved, no run is deleted.
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
) -> None:
    """Start a run and show it; meant as a button's on_click. A saved run is added to the address.

    If the same run is already under way, it is shown instead, unless the new run replaces a run.
    """
    work, expected = partial(kind.work, plan, data, begin_at), kind.expected(plan, begin_at)
    if not kind.saved:
        job = _submit(kind, title, work, expected)
        if job is not None:
            show_run(job)
        return
    origin = kind.begin_record(title, plan, data)
    if replaced is None and _show_same(kind, origin[0]):
        return
    job = _submit_saved(kind, origin, work, expected, replaced)
    if job is not None:
        show_run(job)
        runs_state.name_in_address(job.id)
        runs_state.under_way[job.id] = origin[0]


def start_on_standby(
    kind: RunKind[Any], title: str, plan: object, data: Data | None, begin_at: object
) -> Job[Any] | None:
    """Start a saved run while its page still shows another run; return None if it cannot start."""
    work, expected = partial(kind.work, plan, data, begin_at), kind.expected(plan, begin_at)
    job = _submit_saved(kind, kind.begin_record(title, plan, data), work, expected)
    if job is not None:
        job.standby = True
    return job


def discard(job: Job[Any]) -> None:
    """Stop a run on standby and delete its saved items."""
    job.discarded = True
    job.cancel()
    if job.finished:
        discard_saved(job.id)


def resume(kind: RunKind[Any], job: Job[Any], data: Data | None = None, title: str = "") -> None:
    """Continue an interrupted run as a new run of this kind, which replaces it."""
    try:
        rest = kind.resume(job.history)
    except EngineError as error:
        explain(error)
        return
    if rest is not None:
        replaced = Replaced(job.id, rest.repeated + 1)
        start(kind, title or job.title, rest.plan, data, rest.start, replaced=replaced)


def _submit_saved(
    kind: RunKind[Any],
    origin: tuple[Record, Arrays],
    work: Work,
    expected: int,
    replaced: Replaced | None = None,
) -> Job[Any] | None:
    """Queue a run whose items are saved one by one."""
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
        try:
            yield from save_items(destination, kind, lambda: origin, items, report)
        finally:
            job = pool.get(destination.owner, destination.name)
            if job is not None and job.discarded:
                discard_saved(destination.name)

    return _submit(kind, origin[0].title, saving, expected, destination.name)


def _submit(
    kind: RunKind[Any], title: str, work: Work, expected: int, name: str = ""
) -> Job[Any] | None:
    try:
        return jobs().submit(viewer(), title, work, expected, kind.id, name=name)
    except EngineError as error:
        explain(error)
        return None


def _show_same(kind: RunKind[Any], record: Record) -> bool:
    """Show the run with this record if it is under way; return False if there is none."""
    unfinished = {job.id: job for job in own_runs() if not (job.finished or job.cancelling)}
    records = runs_state.under_way
    for name in [*records]:
        if name not in unfinished:
            del records[name]
        elif unfinished[name].kind == kind.id and records[name].same_run(record):
            show_run(unfinished[name])
            runs_state.name_in_address(name)
            st.toast("This run is already in progress.")
            return True
    return False


def _replace(
    items: Iterator[Any], replaced: Replaced, destination: Destination, saved: Callable[[], bool]
) -> Iterator[Any]:
    """Yield the items, save each of them before the next, and delete the replaced run."""
    for count, item in enumerate(items, start=1):
        yield item
        if count == replaced.after and saved():
            replace_saved(replaced.name, destination.name, destination.owner)
    if saved():
        replace_saved(replaced.name, destination.name, destination.owner)
