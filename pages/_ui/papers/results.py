"""The results of an entry: precomputed and computed now; uploads for missing data."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.uploads import PHOTOGRAPHS, Upload, UploadResult, read_upload
from ia_engine.errors import EngineError
from ia_engine.runs.catalogue import PAPER_ENTRY
from ia_engine.runs.job import Job
from ia_engine.runs.papers import ENTRIES, PAPERS
from ia_engine.runs.papers.entry import Entry, Outcome, status
from ia_engine.runs.papers.shipped import ShippedResult, load_shipped_results
from pages._ui.panels import escape, explaining
from pages._ui.runs.current import jobs
from pages._ui.state.viewer import viewer

BEFORE, NOW = "precomputed", "computed now"
COLOURS: Final = {
    "reproduced": "green",
    "direction only": "blue",
    "not reproduced": "red",
    "needs data": "orange",
    "not possible here": "gray",
    "not computed yet": "gray",
}
ICONS: Final = {
    "reproduced": ":material/check_circle:",
    "direction only": ":material/north_east:",
    "not reproduced": ":material/cancel:",
    "needs data": ":material/folder_open:",
    "not possible here": ":material/block:",
    "not computed yet": ":material/hourglass_empty:",
}


def shipped() -> dict[str, ShippedResult]:
    """The precomputed results by entry; none if they cannot be read (see `explain_shipped`)."""
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
    """The title of the runs of an entry, which also identifies them."""
    return f"{PAPERS[entry.paper]}, {entry.label}"


def job_of(entry: Entry) -> Job[Any] | None:
    """The viewer's newest run of an entry."""
    own = [job for job in jobs().list(viewer())
           if job.kind == PAPER_ENTRY.id and job.title == title_of(entry)]  # fmt: skip
    return own[-1] if own else None


def entry_of(job: Job[Any] | None) -> str | None:
    """The name of the entry that a run computes; None without a run."""
    found = (name for name, entry in ENTRIES.items() if job and title_of(entry) == job.title)
    return next(found, None)


def outcome_of(job: Job[Any] | None) -> Outcome | None:
    """The outcome of a run; None before its end."""
    outcome: Outcome | None = job.history[-1].outcome if job and job.history else None
    return outcome


@dataclass(frozen=True, eq=False)
class Result:
    """An outcome and its verdict."""

    name: str
    outcome: Outcome
    verdict: str


def results_of(entry: Entry) -> list[Result]:
    """The precomputed result with its recorded verdict, then the one computed now."""
    kept, now = shipped().get(entry.id), outcome_of(job_of(entry))
    results = [Result(BEFORE, kept.outcome, kept.status)] if kept else []
    return [*results, Result(NOW, now, status(entry, now))] if now else results


def verdict_of(entry: Entry) -> str:
    """The verdict of an entry in the list: that of the precomputed result if there is one."""
    results = results_of(entry)
    return results[0].verdict if results else status(entry, None)


def show_absent(entry: Entry) -> ImageSet | None:
    """Name the missing data; the images that the viewer uploads in their place, or None."""
    missing = entry.missing()
    if not missing:
        return None
    files = "\n".join(f"- **{escape(need.name)}**: {escape(need.where)}" for need in missing)
    instead = (
        f"Without them, **Compute** uses {escape(entry.stand_in)}, and the result can only show "
        "the direction of an effect. A precomputed result names its own data."
        if entry.stand_in
        else "Without them, it cannot be computed and does not count as reproduced."
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
        help="They stay in the app's memory until your session ends, and are never saved.",
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
