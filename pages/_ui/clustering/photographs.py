"""Photographs of one's own: the middle of each, 128×128 in colour, as the paper takes them."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import streamlit as st

from ia_engine.datasets.imageset import Recipe
from ia_engine.datasets.uploads import (
    PHOTOGRAPHS,
    Upload,
    UploadConfig,
    UploadResult,
    read_upload,
)
from pages._ui.chosen import UPLOAD, choose
from pages._ui.data.files import DIGEST, KEPT
from pages._ui.data.report import report

READ: Final = "photographs that were read"


@dataclass(frozen=True)
class Photographs(UploadConfig):
    """How they were read, and the digest by which they are known again."""

    digest: str = ""


def bring_photographs() -> None:
    """A place to drop a folder on; whatever is read of it becomes the chosen data."""
    with st.popover("Photographs", icon=":material/photo_library:", width="stretch"):
        size = PHOTOGRAPHS.size
        st.markdown(
            f"Cluster photographs of **your own**: the middle square of each, {size}×{size} pixels "
            "in colour. Folders become classes."
        )
        folder = st.toggle("A whole folder", True, key="photographs folder")
        came = st.file_uploader(
            "Drop a folder of photographs here" if folder else "Drop photographs or a zip here",
            accept_multiple_files="directory" if folder else True,
            key=f"photographs {folder}",
        )
        st.caption(KEPT)
        result = _newest(came)
        if result is not None:
            report(result)


def _newest(came: Sequence[Any]) -> UploadResult | None:
    """What is read of the files; those that have just come become the chosen data."""
    ids = tuple(file.file_id for file in came)
    known: tuple[tuple[str, ...], UploadResult] | None = st.session_state.get(READ)
    if not ids:
        return None
    if known is not None and known[0] == ids:
        return known[1]
    with st.spinner("Reading the photographs"):
        files = [Upload(file.name, file.getvalue()) for file in came]
        result = read_upload(files, PHOTOGRAPHS)
    st.session_state[READ] = (ids, result)
    if result.images is not None:
        signed = Photographs(**asdict(PHOTOGRAPHS), digest=result.images.digest[:DIGEST])
        data = replace(result.images, recipe=Recipe(UPLOAD, signed))
        choose(data.recipe.to_json(), data)
    return result
