"""Photographs of one's own: the middle of each, 128×128 in colour, as the paper takes them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, Final

import streamlit as st

from ia_engine.datasets.imageset import Recipe
from ia_engine.datasets.uploads import (
    PHOTOGRAPHS,
    Upload,
    UploadConfig,
    UploadResult,
)
from pages._ui.chosen import UPLOAD, choose
from pages._ui.data.files import DIGEST, KEPT
from pages._ui.data.report import report
from pages._ui.reading import read_files, release

READ: Final = "photographs that were read"


@dataclass(frozen=True)
class Photographs(UploadConfig):
    """How they were read, and the digest by which they are known again."""

    digest: str = ""


@dataclass(frozen=True, eq=False)
class Read:
    """The files that were read, those that were dropped, and the result (None: cancelled)."""

    ids: tuple[str, ...] = ()
    dropped: frozenset[str] = frozenset()
    result: UploadResult | None = None


def bring_photographs() -> None:
    """A place to drop a folder on; whatever is read of it becomes the chosen data."""
    with st.popover("Photographs", icon=":material/photo_library:", width="stretch"):
        size = PHOTOGRAPHS.size
        st.markdown(
            f"Cluster photographs of **your own**: the middle square of each, {size}×{size} pixels "
            "in colour. Folders become classes."
        )
        folder = st.toggle("A whole folder", True, key="photographs folder")
        key = f"photographs {folder}"
        came = st.file_uploader(
            "Drop a folder of photographs here" if folder else "Drop photographs or a zip here",
            accept_multiple_files="directory" if folder else True,
            key=key,
        )
        st.caption(KEPT)
        result = _newest(key, came)
        if result is not None:
            report(result)


def _newest(key: str, came: Sequence[Any]) -> UploadResult | None:
    """What is read of the files; those that have just been dropped become the chosen data."""
    known = st.session_state.get(READ, Read())
    files = {file.file_id: file for file in came if file.file_id not in known.dropped}
    ids = tuple(files)
    if not ids or ids == known.ids:
        return known.result if ids == known.ids else None
    uploads = [Upload(file.name, file.getvalue()) for file in files.values()]
    result = read_files(uploads, PHOTOGRAPHS, partial(_keep, Read(ids, known.dropped)))
    dropped = frozenset(ids[at] for at in result.hopeless)
    release(key, dropped)
    kept = tuple(file_id for file_id in ids if file_id not in dropped)
    _keep(Read(kept, known.dropped | dropped, result))
    if result.images is not None:
        signed = Photographs(**asdict(PHOTOGRAPHS), digest=result.images.digest[:DIGEST])
        data = replace(result.images, recipe=Recipe(UPLOAD, signed))
        choose(data.recipe.to_json(), data)
    return result


def _keep(read: Read) -> None:
    st.session_state[READ] = read
