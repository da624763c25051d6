"""Uploaded files on pages: reading them with a progress bar, reporting and releasing them."""

import time
from collections.abc import Callable, Collection, Sequence
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from ia_engine.datasets.uploads import Refusal, Upload, UploadConfig, UploadResult, read_upload
from pages._ui.panels import escape
from pages._ui.state.fields import read_value

READING: Final = "Reading the files"
EVERY_S: Final = 0.2
"""Seconds between two updates of the progress bar."""
LISTED: Final = 6
"""Maximum number of refusals listed outside an expander."""
DIGEST_LENGTH: Final = 16
REMEDY: Final = (
    "Compare the original and the converted images below, and change the **scale** or the "
    "**background** if necessary."
)
PRIVACY_NOTE: Final = (
    "Files stay in the app's memory until your session ends, and other users cannot see them. A "
    "run keeps its images and their names on the app's machine until you delete the run on the "
    "Runs page. Anyone with the run's address can open it."
)


def read_files(
    files: Sequence[Upload], config: UploadConfig, cancel: Callable[[], None]
) -> UploadResult:
    """Read files with a progress bar; `cancel` is called if the button beside it is pressed.

    Pressing the button ends this run of the script at the next update of the bar, and `cancel` is
    called at the beginning of the following run.
    """
    place = st.empty()
    with place.container(horizontal=True, vertical_alignment="center"):
        bar = st.progress(0.0, READING)
        st.button("Cancel", key="cancel reading", on_click=cancel)
    result = read_upload(files, config, _Meter(bar).show)
    place.empty()
    return result


class _Meter:
    """Updates a bar a few times a second; at each update, Streamlit can end the script."""

    def __init__(self, bar: DeltaGenerator) -> None:
        self._bar = bar
        self._shown = time.monotonic()

    def show(self, share: float) -> None:
        if time.monotonic() - self._shown > EVERY_S:
            self._bar.progress(min(1.0, share), READING)
            self._shown = time.monotonic()


def release_files(key: str, ids: Collection[str]) -> None:
    """Remove files of an uploader from the server's memory.

    Otherwise the server keeps them until the session ends. The state of the widget keeps a copy
    until the script has run twice more. The copy is emptied, since Streamlit would fail if it
    were closed.
    """
    context = get_script_run_ctx()
    if context is None or not isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        return
    for file_id in ids:
        context.uploaded_file_mgr.remove_file(context.session_id, file_id)
    for file in read_value(key, list[UploadedFile]()) or ():
        if isinstance(file, UploadedFile) and file.file_id in ids:
            file.truncate(0)


def report_upload(result: UploadResult) -> None:
    """Report the images that were read, and explain every refused file."""
    if result.images is not None:
        n, classes = len(result.images.names), len(result.images.classes)
        of = f" in {classes} class{'es' * (classes != 1)}" if classes else ", without classes"
        read = f"{n:,} image{'s' * (n != 1)} read{of}"
        if result.flaws:
            flaws = "".join(f"\n- {escape(flaw)}" for flaw in result.flaws)
            st.warning(f"{read}, but:\n{flaws}\n\n{REMEDY}", icon=":material/warning:")
        else:
            st.success(f"{read}.", icon=":material/check:")
    elif not result.refused:
        st.error("These files contain no images. Drop PNG, JPEG, WebP, GIF, npz or IDX files.")
    if result.refused:
        _list_refusals(result.refused, nothing=result.images is None)


def _list_refusals(refused: Sequence[Refusal], nothing: bool) -> None:
    n = len(refused)
    head = f"{n:,} file{'s were' if n > 1 else ' was'} refused"
    lines = [f"- {escape(refusal.reason)}" for refusal in refused]
    if nothing:
        head = f"No file could be read, so the data are unchanged: {head}"
    text = "\n".join([f"{head}:", "", *lines[:LISTED]])
    (st.error if nothing else st.warning)(text)
    if n > LISTED:
        with st.expander(f"The other {n - LISTED:,}"):
            st.markdown("\n".join(lines[LISTED:]))
