"""Data that are not here: which file goes where, and a place to bring one's own."""

from typing import Final

import streamlit as st

from ia_engine.datasets.imageset import ImageSet
from ia_engine.datasets.uploads import PHOTOGRAPHS, Upload, UploadResult, read_upload
from ia_engine.runs.papers.entry import Entry
from pages._ui.panels import plain

KEPT: Final = "They stay in the app's memory until your session ends, and are never saved."


def show_absent(entry: Entry) -> ImageSet | None:
    """What is missing; images that the viewer brings in its place, or None."""
    missing = entry.missing()
    if not missing:
        return None
    files = "\n".join(f"- **{plain(need.name)}**: {plain(need.where)}" for need in missing)
    instead = (
        f"Until then **Compute** runs with {plain(entry.stand_in)}, and the result shows a "
        "direction at most; a precomputed result names its own data."
        if entry.stand_in
        else "Until then it cannot be computed, and does not count as reproduced."
    )
    st.warning(f"Not here:\n{files}\n\n{instead}", icon=":material/folder_open:")
    if not any(need.uploadable for need in missing):
        return None
    return _bring(entry)


def _bring(entry: Entry) -> ImageSet | None:
    came = st.file_uploader(
        "Or bring images: pictures, a zip with a folder for each class, npz",
        accept_multiple_files=True,
        key=f"files for {entry.id}",
        help=KEPT,
    )
    if not came:
        return None
    files = tuple((file.file_id, Upload(file.name, file.getvalue())) for file in came)
    found = _read(tuple(name for name, _ in files), tuple(upload for _, upload in files))
    for refusal in found.refused[:3]:
        st.error(plain(f"{refusal.name}: {refusal.reason}"))
    if found.images is not None:
        st.caption(f"{len(found.images.names):,} images were read.")
    return found.images


@st.cache_resource(max_entries=2, show_spinner="Reading the files")
def _read(ids: tuple[str, ...], _files: tuple[Upload, ...]) -> UploadResult:
    return read_upload(_files, PHOTOGRAPHS)
