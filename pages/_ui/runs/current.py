"""The runs of a viewer (computing, saved or precomputed), and the run that a page shows."""

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from zipfile import ZipFile

import streamlit as st

from ia_engine.errors import EngineError
from ia_engine.files import ASSETS, find_shipped, read_checksums
from ia_engine.runs.catalogue import RUN_KINDS
from ia_engine.runs.job import Interrupted, Job, Jobs, spare_cores
from ia_engine.runs.kinds.kind import find_data, makes_own
from ia_engine.runs.library import DELETED, PARTS, Library, Note, SavedRun
from pages._ui.panels import escape, explain
from pages._ui.state.dataset import choose_data
from pages._ui.state.selection import runs_state
from pages._ui.state.viewer import viewer

PRECOMPUTED: Final = ASSETS / "lessons"
"""The folder of the precomputed runs, one archive for each."""
ALL_RUNS: Final = "IA_ALL_RUNS"
"""Environment variable; "1" lists the runs of all browsers on Runs."""
NAME: Final = re.compile(r"[a-z0-9-]{1,64}")


@cache
def library() -> Library:
    """Return the folder of all saved runs."""
    return Library()


def lists_all_runs() -> bool:
    """True if the operator of the server lets everyone see the runs of all browsers."""
    return os.environ.get(ALL_RUNS) == "1"


def is_saved(name: str) -> bool:
    """True if a link to the run of this name opens it in any browser."""
    with suppress(EngineError):
        return is_precomputed(name) or library().find(name) is not None
    return False


def find_saved(name: str) -> SavedRun | None:
    """Return the saved or precomputed run of this name; precomputed runs are unpacked when used."""
    return library().find(name) or (_unpack(name) if is_precomputed(name) else None)


def deleted() -> frozenset[str]:
    """Return the names of the deleted runs, which can be restored."""
    bin_ = library().folder / DELETED
    names = (folder.name for folder in bin_.iterdir()) if bin_.is_dir() else ()
    return frozenset(name.split("-", PARTS - 1)[-1] for name in names)


def title_of(job: Job[Any]) -> str:
    """Return the name that the owner gave to a run, or its title."""
    with suppress(EngineError):
        if kept := library().find(job.id):
            return kept.title
    return job.title


def replace_saved(old: str, new: str, owner: str) -> None:
    """Delete the old run if both belong to the owner; the new run gets its name and tags."""
    with suppress(EngineError, OSError):
        former, latter = library().find(old), library().find(new)
        if former is None or latter is None or not former.belongs_to(owner):
            return
        if former.note != Note() and latter.note == Note():
            library().write_note(latter.id, former.note)
        library().delete(former.id)


def discard_saved(name: str) -> None:
    """Remove the saved items of a run that nobody needs, if there are any."""
    with suppress(EngineError, OSError):
        if kept := library().find(name):
            library().remove([kept.folder])


def is_precomputed(name: str) -> bool:
    """True if a precomputed run has this name."""
    return NAME.fullmatch(name) is not None and (
        f"lessons/{name}.zip" in read_checksums() or (PRECOMPUTED / f"{name}.zip").exists()
    )


@st.cache_resource(show_spinner=False)
def _unpack(name: str) -> SavedRun | None:
    """Return the precomputed run, unpacked once for all viewers."""
    folder, path = _folder().name, find_shipped(f"lessons/{name}.zip")
    with ZipFile(path) as archive:
        archive.extractall(folder)
    return Library(Path(folder)).find(name)


@st.cache_resource(show_spinner=False)
def _folder() -> TemporaryDirectory[str]:
    """Return the folder of unpacked runs, which is removed at the end of the process."""
    return TemporaryDirectory(prefix="ia-precomputed-")


@dataclass(frozen=True)
class KindPage:
    """The script of the page that shows a kind of run, and the icon of this kind."""

    script: str
    icon: str


KIND_PAGES: Final[Mapping[str, KindPage]] = {
    "iterations": KindPage("pages/iterations.py", "grid_on"),
    "attention": KindPage("pages/iterations.py", "terminal"),
    "mean": KindPage("pages/mean.py", "join_inner"),
    "other-poses": KindPage("pages/mean.py", "replay"),
    "clustering": KindPage("pages/clustering.py", "bubble_chart"),
    "comparison": KindPage("pages/compare.py", "leaderboard"),
    "sweep": KindPage("pages/compare.py", "show_chart"),
    "race": KindPage("pages/equivariance.py", "rotate_left"),
    "paper-entry": KindPage("pages/papers.py", "article"),
    "fetch": KindPage("pages/data.py", "image"),
}
"""Script and icon by the id of the kind."""
MAX_WORKERS: Final = 4
MAX_WAIT_S: Final = 1.0
"""Maximum wait of a page for a saved run, which is usually read by then."""


def page_of(kind: str) -> str:
    """Return the script of the page that shows runs of the kind with this id.

    >>> page_of("sweep")
    'pages/compare.py'
    """
    return KIND_PAGES[kind].script


@st.cache_resource(show_spinner=False)
def jobs() -> Jobs:
    """Return the runs of all viewers: one pool for the process."""
    return Jobs(min(MAX_WORKERS, spare_cores()))


def own_runs() -> tuple[Job[Any], ...]:
    """Return the viewer's runs that a page shows, oldest first, without deleted runs."""
    own, hidden = jobs().list(viewer()), deleted()
    return tuple(
        job for job in own if job.kind in KIND_PAGES and not job.discarded and job.id not in hidden
    )


def runs_of_page(kind: str) -> list[Job[Any]]:
    """Return the viewer's runs that the page of this kind shows, oldest first."""
    page = page_of(kind)
    return [job for job in own_runs() if page_of(job.kind) == page]


def current_run(kind: str) -> Job[Any] | None:
    """Return the run last started or opened on the page of this kind, or its newest run.

    The run may be of a different kind of the same page. A run on standby is returned only if it
    was opened.
    """
    current = runs_state.follow_link(page_of(kind))
    own = runs_of_page(kind)
    for job in own:
        if job.id == current:
            job.standby = False
            return job
    return _newest(own)


def shown_run(kind: str) -> Job[Any] | None:
    """Return the current run of the page if it is of this kind, or the newest run of this kind."""
    current = current_run(kind)
    if current is not None and current.kind == kind:
        return current
    return _newest([job for job in own_runs() if job.kind == kind])


def show_run(job: Job[Any]) -> None:
    """Make this run the current one of its page, as if it had been started now."""
    job.standby = False
    runs_state.show(page_of(job.kind), job.id)


def name_in_address(job: Job[Any]) -> None:
    """Write the run that is shown into the address, so that a copy of the address opens this run.

    If the address contains an unknown run, it stays unchanged.
    """
    linked = runs_state.linked_run
    known = not linked or linked in {run.id for run in own_runs()}
    if linked != job.id and known and is_saved(job.id):
        runs_state.name_in_address(job.id)


def open_linked_run(kind: str) -> None:
    """Read the run in the address, with its data, if it is shown on the page of this kind."""
    runs_state.restore_late_link()
    name = runs_state.linked_run
    if not name or (jobs().get(viewer(), name) and name not in deleted()):
        return
    try:
        kept = find_saved(name)
        if kept is not None and kept.kind in RUN_KINDS and page_of(kept.kind) == page_of(kind):
            _open(kept, name)
            return
    except EngineError as error:
        explain(error)
        return
    st.info(
        "The run in the address is not saved on this machine. The address contains its settings, "
        "so you can press Run to compute it."
    )


def _newest(runs: list[Job[Any]]) -> Job[Any] | None:
    return next((job for job in reversed(runs) if not job.standby), None)


def _open(kept: SavedRun, name: str) -> None:
    try:
        if not makes_own(kept):
            choose_data(*find_data(kept), lent=bool(kept.owner) and not kept.belongs_to(viewer()))
    except EngineError as error:
        explain(error)
    if kept.damage:
        st.warning(escape(kept.damage))

    def read() -> Iterator[Any]:
        yield from RUN_KINDS[kept.kind].open(kept)
        if kept.state != "done":
            raise Interrupted

    job = jobs().submit(viewer(), kept.title, read, kept.steps, kept.kind, name=name)
    job.paused = kept.state not in ("done", "failed")
    job.reopened = True
    job.wait(MAX_WAIT_S)
