"""The precomputed and the new results of an entry, and uploads for missing data."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Literal

import streamlit as st

from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.uploads import PHOTOGRAPHS, Upload, UploadResult, read_upload
from ia_engine.errors import EngineError
from ia_engine.runs.catalogue import PAPER_ENTRY
from ia_engine.runs.job import Job
from ia_engine.runs.papers import ENTRIES, PAPERS
from ia_engine.runs.papers.entry import (
    DIRECTION,
    FAILED,
    ILLUSTRATED,
    IMPOSSIBLE,
    NEEDS_DATA,
    OTHER_NETWORK,
    PARAMETERS,
    REPRODUCED,
    UNDECIDED,
    Entry,
    Outcome,
    status,
)
from ia_engine.runs.papers.seeds import Finished, show_finished
from ia_engine.runs.papers.shipped import ShippedResult, load_shipped_results
from pages._ui.panels import escape, explaining
from pages._ui.runs.current import jobs
from pages._ui.state.viewer import viewer

BEFORE, NOW = "precomputed", "computed now"
SEEDS: Final = "seeds of make tables"
Colour = Literal["green", "blue", "red", "orange", "gray"]
COLOURS: Final[dict[str, Colour]] = {
    REPRODUCED: "green",
    OTHER_NETWORK: "green",
    DIRECTION: "blue",
    ILLUSTRATED: "gray",
    PARAMETERS: "gray",
    UNDECIDED: "orange",
    FAILED: "red",
    NEEDS_DATA: "orange",
    IMPOSSIBLE: "gray",
}
ICONS: Final = {
    REPRODUCED: ":material/check_circle:",
    OTHER_NETWORK: ":material/check:",
    DIRECTION: ":material/north_east:",
    ILLUSTRATED: ":material/draw:",
    PARAMETERS: ":material/tag:",
    UNDECIDED: ":material/hourglass_empty:",
    FAILED: ":material/cancel:",
    NEEDS_DATA: ":material/folder_open:",
    IMPOSSIBLE: ":material/block:",
}


def shipped() -> dict[str, ShippedResult]:
    """Return the precomputed results by entry, none if they are unreadable (`explain_shipped`)."""
    with suppress(EngineError):
        return _load()
    return {}


def explain_shipped() -> None:
    """Show an error if the precomputed results cannot be read."""
    with explaining():
        _load()


@st.cache_resource(max_entries=1, show_spinner=False)
def _load() -> dict[str, ShippedResult]:
    return load_shipped_results()


def title_of(entry: Entry) -> str:
    """Return the title of the runs of an entry, which also identifies them."""
    return f"{PAPERS[entry.paper]}, {entry.label}"


def job_of(entry: Entry) -> Job[Any] | None:
    """Return the viewer's newest run of an entry."""
    own = [job for job in jobs().list(viewer())
           if job.kind == PAPER_ENTRY.id and job.title == title_of(entry)]  # fmt: skip
    return own[-1] if own else None


def entry_of(job: Job[Any] | None) -> str | None:
    """Return the name of the entry that a run computes, or None without a run."""
    found = (name for name, entry in ENTRIES.items() if job and title_of(entry) == job.title)
    return next(found, None)


def outcome_of(job: Job[Any] | None) -> Outcome | None:
    """Return the outcome of a run, or None before it has finished."""
    outcome: Outcome | None = job.history[-1].outcome if job and job.history else None
    return outcome


@dataclass(frozen=True, eq=False)
class Result:
    """An outcome and its verdict."""

    name: str
    outcome: Outcome
    verdict: str
    undecided: tuple[str, ...] = ()
    """Claims that need more seeds."""


def results_of(entry: Entry) -> list[Result]:
    """Return the seeds of `make tables`, the precomputed and the new result, as far as they exist.

    The first result decides the verdict of the entry.
    """
    finished = finished_of(entry)
    found = [] if finished is None else [(SEEDS, finished.outcome, finished.undecided)]
    kept, now = shipped().get(entry.id), outcome_of(job_of(entry))
    found += [(BEFORE, kept.outcome, ())] if kept else []
    found += [(NOW, now, ())] if now else []
    return [Result(name, outcome, status(entry, outcome), undecided)
            for name, outcome, undecided in found]  # fmt: skip


@st.cache_resource(max_entries=32, show_spinner=False)
def _load_finished(entry: str) -> Finished | None:
    return show_finished(entry)


def finished_of(entry: Entry) -> Finished | None:
    """Return the seeds of `make tables`; None if it does not compute the entry."""
    return _load_finished(entry.id)


def verdict_of(entry: Entry) -> str:
    """Return the verdict of the first result for the list of entries, if there is one."""
    results = results_of(entry)
    return results[0].verdict if results else status(entry, None)


def show_absent(entry: Entry) -> ImageSet | None:
    """List the missing data; return the images that the viewer uploads instead, or None."""
    missing = entry.missing()
    if not missing:
        return None
    files = "\n".join(f"- **{escape(need.name)}**: {escape(need.where)}" for need in missing)
    instead = (
        f"Without them, **Compute** uses {escape(entry.stand_in)}, and the result can only show "
        "the direction of an effect. Each precomputed result lists the data used to compute it."
        if entry.stand_in
        else "Without them, this entry cannot be computed and does not count as reproduced."
    )
    st.warning(f"Missing data:\n{files}\n\n{instead}", icon=":material/folder_open:")
    if not any(need.uploadable for need in missing):
        return None
    return _upload_images(entry)


def _upload_images(entry: Entry) -> ImageSet | None:
    uploaded = st.file_uploader(
        "Or upload images: pictures, a zip with a folder for each class, npz",
        accept_multiple_files=True,
        key=f"files for {entry.id}",
        help="The files stay in the app's memory until your session ends, and are never saved.",
    )
    if not uploaded:
        return None
    files = tuple(Upload(file.name, file.getvalue()) for file in uploaded)
    found = _read(tuple(file.file_id for file in uploaded), files)
    for refusal in found.refused[:3]:
        st.error(escape(f"{refusal.name}: {refusal.reason}"))
    if found.images is not None:
        st.caption(f"{len(found.images.names):,} images were read.")
    return found.images


@st.cache_resource(max_entries=2, show_spinner="Reading the files")
def _read(ids: tuple[str, ...], _files: tuple[Upload, ...]) -> UploadResult:
    return read_upload(_files, PHOTOGRAPHS)
