"""Precomputed runs: an archive each, unpacked when it is first asked for."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZipFile

import streamlit as st

from ia_engine.files import ASSETS, find_shipped, read_checksums
from ia_engine.runs.library import Kept, Library

READY: Final = ASSETS / "lessons"
NAME: Final = re.compile(r"[a-z0-9-]{1,64}")


def is_ready(name: str) -> bool:
    """Whether a precomputed run has this name."""
    return NAME.fullmatch(name) is not None and (
        f"lessons/{name}.zip" in read_checksums() or (READY / f"{name}.zip").exists()
    )


def find_ready(name: str) -> Kept | None:
    """The precomputed run of this name."""
    return _unpack(name) if is_ready(name) else None


@st.cache_resource(show_spinner=False)
def _unpack(name: str) -> Kept | None:
    """Once for all viewers; whoever asks meanwhile waits."""
    folder, path = _folder().name, find_shipped(f"lessons/{name}.zip")
    with ZipFile(path) as archive:
        archive.extractall(folder)
    return Library(Path(folder)).find(name)


@st.cache_resource(show_spinner=False)
def _folder() -> TemporaryDirectory[str]:
    """It goes with the process."""
    return TemporaryDirectory(prefix="ia-ready-")
