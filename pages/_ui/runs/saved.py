"""Saved and precomputed runs: finding them by name, replacing and deleting them."""

import re
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from zipfile import ZipFile

import streamlit as st

from ia_engine.errors import EngineError
from ia_engine.files import ASSETS, find_shipped, read_checksums
from ia_engine.runs.job import Job
from ia_engine.runs.library import DELETED, PARTS, Kept, Library, Note
from pages._ui.state.runs import LINK  # noqa: F401 (imported from here by Iterations)

PRECOMPUTED: Final = ASSETS / "lessons"
"""The folder of the precomputed runs, one archive for each."""
NAME: Final = re.compile(r"[a-z0-9-]{1,64}")


@cache
def library() -> Library:
    """The folder of all saved runs."""
    return Library()


def is_saved(name: str) -> bool:
    """True if a link to the run of this name opens it in any browser."""
    with suppress(EngineError):
        return is_precomputed(name) or library().find(name) is not None
    return False


def find_saved(name: str) -> Kept | None:
    """The saved or precomputed run of this name; a precomputed one is unpacked at its first use."""
    return library().find(name) or (_unpack(name) if is_precomputed(name) else None)


def deleted() -> frozenset[str]:
    """The names of the deleted runs, which can be restored."""
    bin_ = library().folder / DELETED
    names = (folder.name for folder in bin_.iterdir()) if bin_.is_dir() else ()
    return frozenset(name.split("-", PARTS - 1)[-1] for name in names)


def title_of(job: Job[Any]) -> str:
    """The name that the owner gave to a run, or else its title."""
    with suppress(EngineError):
        if kept := library().find(job.id):
            return kept.title
    return job.title


def replace_saved(old: str, new: str, owner: str) -> None:
    """Delete the old run, if both belong to the owner; the new one gets its name and tags."""
    with suppress(EngineError, OSError):
        former, latter = library().find(old), library().find(new)
        if former is None or latter is None or not former.belongs_to(owner):
            return
        if former.note != Note() and latter.note == Note():
            library().write_note(latter.id, former.note)
        library().delete(former.id)


def discard_saved(name: str) -> None:
    """Delete the saved items of a run, if there are any; they can be restored."""
    with suppress(EngineError, OSError):
        if kept := library().find(name):
            library().delete(kept.id)


def is_precomputed(name: str) -> bool:
    """True if a precomputed run has this name."""
    return NAME.fullmatch(name) is not None and (
        f"lessons/{name}.zip" in read_checksums() or (PRECOMPUTED / f"{name}.zip").exists()
    )


@st.cache_resource(show_spinner=False)
def _unpack(name: str) -> Kept | None:
    """The precomputed run, unpacked once for all viewers."""
    folder, path = _folder().name, find_shipped(f"lessons/{name}.zip")
    with ZipFile(path) as archive:
        archive.extractall(folder)
    return Library(Path(folder)).find(name)


@st.cache_resource(show_spinner=False)
def _folder() -> TemporaryDirectory[str]:
    """The folder of unpacked runs, removed at the end of the process."""
    return TemporaryDirectory(prefix="ia-precomputed-")
