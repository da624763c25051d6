"""The picture that is turned: a digit in our own hand, one drawn here, or one that was brought."""

import hashlib
from dataclasses import dataclass
from typing import Final

import streamlit as st

from ia_engine.datasets.uploads import Upload, UploadConfig, read_upload
from ia_engine.equivariant.digits import HASTY, draw_digit, draw_strokes, fit, read_pad
from ia_engine.errors import EngineError
from ia_engine.shapes import Images
from pages._ui.components.bundles import component
from pages._ui.controls import choose_one
from pages._ui.panels import explain

DIGITS: Final = tuple("0123456789")
DRAW, UPLOAD = "draw", "upload"
FIRST: Final = "hasty 3"
"""At quarter turns the plain network takes it for a 6."""
READ: Final = UploadConfig(size=112, color="gray", limit=1)


@dataclass(frozen=True, eq=False)
class Picture:
    """One picture [1 1 28 28], and what names it among all others."""

    v: Images
    digest: str


_pad = component("ia_pad", "pad")


def pick_picture() -> Picture:
    """The picture that was chosen; where it cannot be had, why, and a digit."""
    answer = choose_one(
        "Picture",
        [DRAW, UPLOAD, FIRST, *DIGITS],
        FIRST,
        key="picture",
        about="Handwritten digits, one of them scribbled; or draw or upload one: it is scaled to "
        "28 px and centred",
        wrap=True,
    )
    try:
        if answer == DRAW:
            return _drawn()
        if answer == UPLOAD:
            return _brought()
    except EngineError as error:
        explain(error)
        st.caption("Until then, the 3 is shown.")
        answer = FIRST
    return _digit(answer)


def _digit(name: str) -> Picture:
    v = draw_strokes(HASTY) if name == FIRST else draw_digit(int(name))
    return Picture(v, f"digit {name}")


def _drawn() -> Picture:
    """From the pad, which shows nothing else; before the first stroke, the first digit."""
    state = _pad(key="pad", data={}, on_drawn_change=lambda: None)
    text = state.get("drawn")
    if not text:
        st.caption("Draw with the mouse, a finger or a pen; until then, the 3 is shown.")
        return _digit(FIRST)
    return Picture(read_pad(text), f"drawn {_digest(text.encode())}")


def _brought() -> Picture:
    """The first picture in a file; it stays in the session."""
    came = st.file_uploader(
        "A picture of a digit, dark on light or light on dark",
        key="digit file",
        help="png, jpeg, webp, gif; the first picture is used. It is never saved",
    )
    if came is None:
        st.caption("Until a file is uploaded, the 3 is shown.")
        return _digit(FIRST)
    content = came.getvalue()
    found = read_upload((Upload(came.name, content),), READ)
    if found.images is None:
        raise EngineError(found.refused[0].reason if found.refused else "The file holds no picture")
    return Picture(fit(found.images.images[:1]), f"brought {_digest(content)}")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]
