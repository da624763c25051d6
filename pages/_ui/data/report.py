"""What was read of an upload and what was refused, and the images before and after."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from ia_engine.datasets.uploads import COMPARED, Refusal, UploadResult
from ia_engine.figures.mosaic import draw_row
from pages._ui.panels import plain

LISTED: Final = 6
REMEDY: Final = (
    "Compare the images below before and after, and change the **scale** or the **background**."
)


def report(result: UploadResult) -> None:
    """What was read, and a sentence for every file that was not."""
    if result.images is not None:
        n, classes = len(result.images.names), len(result.images.classes)
        of = f" in {classes} class{'es' * (classes != 1)}" if classes else ", without classes"
        read = f"{n:,} image{'s' * (n != 1)} read{of}"
        if result.flaws:
            flaws = "".join(f"\n- {plain(flaw)}" for flaw in result.flaws)
            st.warning(f"{read}, but:\n{flaws}\n\n{REMEDY}", icon=":material/warning:")
        else:
            st.success(f"{read}.", icon=":material/check:")
    elif not result.refused:
        st.error("No image was found in these files: drop PNG, JPEG, WebP, GIF, npz or IDX.")
    if result.refused:
        _refusals(result.refused, nothing=result.images is None)


def compare(result: UploadResult) -> None:
    """The first images as they came, and below them as they are used."""
    if result.images is None or result.before is None:
        return
    total = len(result.images.names)
    n = min(COMPARED, total)
    for text, v in (("Originals", result.before), ("As they are used", result.images.images)):
        st.image(draw_row(v, COMPARED), width="stretch", alt=f"{text}: {n} images")
        st.caption(f"{text}: the first {n} of {total:,}")


def _refusals(refused: Sequence[Refusal], nothing: bool) -> None:
    n = len(refused)
    head = f"{n:,} file{'s were' if n > 1 else ' was'} refused"
    lines = [f"- {plain(refusal.reason)}" for refusal in refused]
    if nothing:
        head = f"Nothing could be read, and the data are unchanged: {head}"
    text = "\n".join([f"{head}:", "", *lines[:LISTED]])
    (st.error if nothing else st.warning)(text)
    if n > LISTED:
        with st.expander(f"The other {n - LISTED:,}"):
            st.markdown("\n".join(lines[LISTED:]))
