"""Projects on Runs: used space, saving and opening a project, and deleting everything."""

import io
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Final

import streamlit as st

from ia_engine.errors import EngineError
from ia_engine.runs.library import SavedRun
from ia_engine.runs.paragraphs import list_words
from ia_engine.runs.project.manifest import DataSet
from ia_engine.runs.project.opening import open_project
from ia_engine.runs.project.writing import write_project
from ia_engine.runs.space import Space, measure_folders, measure_space, remove_runs
from pages._ui.panels import download, escape
from pages._ui.runs.current import jobs, library, lists_all_runs
from pages._ui.state.data import data_state
from pages._ui.state.dataset import choose_next, forget_own, list_own, title
from pages._ui.state.fields import read_value
from pages._ui.state.selection import Outcome, runs_state
from pages._ui.state.viewer import upload_of, viewer
from pages._ui.wording import size

MAX_DOWNLOAD: Final = 1 << 30
"""Maximum size of the runs that the page saves in a project [bytes], because the server holds the
file in memory."""
MAX_STOP_S: Final = 20.0
"""Maximum time to wait for stopped runs to finish their current steps."""
DELETE: Final = "Delete all my data"


def show_project_bar(own: Sequence[SavedRun], marked: Sequence[SavedRun]) -> None:
    """Show the buttons that save, open and delete, the used space, and the result of the last
    action."""
    space = measure_space(library(), viewer())
    with st.container(horizontal=True, vertical_alignment="center"):
        _offer_saving(own, marked)
        key = f"open project {runs_state.opened}"  # a new key closes it
        with st.popover("Open project", icon=":material/folder_open:", key=key):
            _ask_for_project()
        if _count_jobs() or space.runs or space.deleted or upload_of(viewer()):
            st.button(DELETE, icon=":material/delete_forever:", on_click=_ask, args=(True,))
    if described := _describe_space(space):
        st.caption(described)
    _show_outcome(tuple(kept.id for kept in own))
    if runs_state.confirming:
        _confirm(space, own)


def _offer_saving(own: Sequence[SavedRun], marked: Sequence[SavedRun]) -> None:
    """Draw the button that saves the marked runs or, if none is marked, all runs and data sets."""
    chosen, sets = (marked, ()) if marked else (own, list_own())
    if not chosen and not sets:
        return
    if measure_folders([kept.folder for kept in chosen]) > MAX_DOWNLOAD:
        st.caption(
            f"The runs exceed {size(MAX_DOWNLOAD)}: mark fewer runs, or save the project "
            "with the command “ia-engine project save FILE”."
        )
        return
    label = f"Save {_count(len(marked), 'marked run')}" if marked else "Save project"
    name = f"project-{datetime.now(UTC):%Y-%m-%d}.zip"
    download(label, name, lambda: _make_project(chosen, sets), "application/zip")


def _make_project(runs: Sequence[SavedRun], sets: Sequence[DataSet]) -> bytes:
    file = io.BytesIO()
    write_project(file, runs, sets)
    return file.getvalue()


def _ask_for_project() -> None:
    key = f"project {runs_state.opened}"
    st.file_uploader(
        "Project file (a zip created by “Save project”)",
        type=["zip"],
        key=key,
        on_change=_open_uploaded,
        args=(key,),
    )
    st.caption(
        "Its runs are added to yours. The command “ia-engine project open FILE” opens larger files."
    )


def _open_uploaded(key: str) -> None:
    """Open the project in the uploader, and empty the uploader."""
    file: Any = read_value(key, None)
    if file is None:
        return
    runs_state.opened += 1
    try:
        opened = open_project(file.name, file.getvalue(), library(), viewer())
    except EngineError as error:
        runs_state.outcome = Outcome(str(error), failed=True)
        return
    parts = [f"{_count(len(opened.added), 'run')} added"]
    if opened.known:
        parts.append(f"{len(opened.known):,} already existed")
    runs_state.outcome = Outcome(f"Opened {file.name}: {', '.join(parts)}.", data=opened.data)


def _show_outcome(runs: tuple[str, ...]) -> None:
    """Show the result of the last action until the listed runs change."""
    outcome = runs_state.outcome
    if outcome is None:
        return
    if outcome.runs not in (None, runs):
        del runs_state.outcome
        return
    runs_state.outcome = replace(outcome, runs=runs)
    if outcome.failed:
        st.error(escape(outcome.text), icon=":material/error:")
    else:
        st.success(escape(outcome.text), icon=":material/check:")
    for at, one in enumerate(outcome.data):
        label = "uploaded images" if one.data is not None else escape(title(one.recipe))
        st.button(
            f"Use the data set of this project: {label}",
            key=f"use {at}",
            on_click=_use,
            args=(one,),
        )


def _use(one: DataSet) -> None:
    choose_next(one.recipe, one.data)
    name = "the uploaded images" if one.data is not None else title(one.recipe)
    runs_state.outcome = Outcome(f"All pages now use {name}.")


def _describe_space(space: Space) -> str:
    """Return the used space as text, without parts that are empty."""
    parts = []
    if space.runs:
        parts.append(f"{_count(space.runs, 'run')} of this browser: {size(space.bytes)}")
    if space.deleted:
        parts.append(f"{_count(space.deleted, 'deleted run')}: {size(space.deleted_bytes)}")
    if lists_all_runs():
        every = measure_space(library())
        parts.append(f"all {_count(every.runs, 'run')} on this machine: {size(every.total)}")
    return " · ".join(parts)


def _ask(asking: bool) -> None:
    runs_state.confirming, runs_state.outcome = asking, None


def _confirm(space: Space, own: Sequence[SavedRun]) -> None:
    """Show what would be lost, and offer to save it first."""
    lost = [f"{_count(space.runs, 'run')} of this browser ({size(space.bytes)})"]
    if space.deleted:
        lost.append(f"{_count(space.deleted, 'deleted run')} ({size(space.deleted_bytes)})")
    if upload_of(viewer()):
        lost.append("your uploaded images")
    stopped = (
        f" {_count(_count_jobs(), 'unfinished run')} will be stopped." if _count_jobs() else ""
    )
    with st.container(border=True, key="confirm-deletion"):
        st.warning(
            f"This permanently deletes {list_words(lost)}.{stopped} Runs from other browsers and "
            "from the command line are kept.",
            icon=":material/warning:",
        )
        with st.container(horizontal=True):
            mine = [kept for kept in own if kept.belongs_to(viewer())]
            sets = list_own()
            if (mine or sets) and space.bytes <= MAX_DOWNLOAD:
                download(
                    "Save project first",
                    "project.zip",
                    lambda: _make_project(mine, sets),
                    "application/zip",
                )
            count = space.runs + space.deleted
            label = f"Delete {_count(count, 'run')} permanently" if count else "Delete permanently"
            st.button(label, icon=":material/delete_forever:", on_click=_delete_everything)
            st.button("Keep everything", on_click=_ask, args=(False,))


def _delete_everything() -> None:
    """Stop the viewer's runs, and delete everything that the viewer has saved or uploaded."""
    owner, pool = viewer(), jobs()
    own = pool.list(owner)
    for job in own:
        job.discarded = True  # the files of a run whose step takes longer are removed at its end
        job.cancel()
    until = time.monotonic() + MAX_STOP_S
    late = [job for job in own if not job.wait(max(0.0, until - time.monotonic()))]
    pool.drop_finished(owner)
    try:
        remove_runs(library(), owner)
    except EngineError as error:
        runs_state.outcome = Outcome(str(error), failed=True)
        return
    forget_own()
    del data_state.uploaded
    runs_state.forget_runs()
    end = ""
    if late:
        end = f" {_count(len(late), 'more run')} will be deleted after the current step."
    runs_state.confirming = False
    runs_state.outcome = Outcome(f"All your runs and your upload have been deleted.{end}")


def _count_jobs() -> int:
    return sum(not job.finished for job in jobs().list(viewer()))


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"
