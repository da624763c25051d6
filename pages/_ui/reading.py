"""Reading uploaded files: a progress bar, a Cancel button, and memory that is freed."""

import time
from collections.abc import Callable, Collection, Sequence
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFile

from ia_engine.datasets.uploads import Upload, UploadConfig, UploadResult, read_upload
from pages._ui.state.fields import read_value

UPDATE_S: Final = 0.2
"""Seconds between two updates of the progress bar."""
READING: Final = "Reading the files"


def read_files(
    files: Sequence[Upload], config: UploadConfig, cancel: Callable[[], None]
) -> UploadResult:
    """Read the files; `cancel` is called when the button beside the progress bar is pressed.

    The button ends this run of the script at the next update of the bar, and `cancel` is called at
    the beginning of the next run.
    """
    place = st.empty()
    with place.container(horizontal=True, vertical_alignment="center"):
        bar = st.progress(0.0, READING)
        st.button("Cancel", key="cancel reading", on_click=cancel)
    result = read_upload(files, config, _Meter(bar).show)
    place.empty()
    return result


def release(key: str, ids: Collection[str]) -> None:
    """Free the server's memory of these files of an uploader.

    The server would keep them as long as the session lasts. The state of the widget keeps a copy
    until the script has run twice more; that copy is emptied. Streamlit fails if it is closed.
    """
    context = get_script_run_ctx()
    if context is None or not isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        return
    for file_id in ids:
        context.uploaded_file_mgr.remove_file(context.session_id, file_id)
    for file in read_value(key, ()) or ():
        if isinstance(file, UploadedFile) and file.file_id in ids:
            file.truncate(0)


class _Meter:
    """Updates a bar a few times a second; an update is where Streamlit can end the script."""

    def __init__(self, bar: DeltaGenerator) -> None:
        self._bar = bar
        self._shown = time.monotonic()

    def show(self, share: float) -> None:
        if time.monotonic() - self._shown > UPDATE_S:
            self._bar.progress(min(1.0, share), READING)
            self._shown = time.monotonic()
