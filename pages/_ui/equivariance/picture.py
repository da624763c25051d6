"""The picture that is rotated: a digit of this project, one drawn on the page, or an upload."""

import hashlib
from dataclasses import dataclass
from typing import Final

import streamlit as st

from ia_engine.datasets.uploads import Upload, UploadConfig, read_upload
from ia_engine.equivariant.digits import SCRIBBLED, draw_digit, draw_strokes, fit, read_pad
from ia_engine.equivariant.maps import weigh_ink
from ia_engine.errors import EngineError
from ia_engine.shapes import Heat, Images
from pages._ui.components.pad import show_pad
from pages._ui.controls import choose_one
from pages._ui.panels import explain

DIGITS: Final = tuple("0123456789")
DRAW, UPLOAD = "draw", "upload"
FIRST: Final = "hasty 3"
"""The plain network takes it for a 6 when it is rotated by 90°."""
READ: Final = UploadConfig(size=112, color="gray", limit=1)
SAME: Final = 0.01
"""Means that differ by less are called equal."""


@dataclass(frozen=True, eq=False)
class Picture:
    """One picture [1 1 28 28], and a text that identifies it."""

    v: Images
    digest: str


def pick_picture() -> Picture:
    """The chosen picture; if it is not available, the reason and a digit."""
    answer = choose_one(
        "Picture",
        [DRAW, UPLOAD, FIRST, *DIGITS],
        FIRST,
        key="picture",
        about="Handwritten digits, one of them scribbled. Or draw or upload a digit: it is scaled "
        "to 28 px and centred",
        wrap=True,
    )
    try:
        if answer == DRAW:
            return _drawn()
        if answer == UPLOAD:
            return _uploaded()
    except EngineError as error:
        explain(error)
        st.caption("Until then, the 3 is shown.")
        answer = FIRST
    return _digit(answer)


def _digit(name: str) -> Picture:
    v = draw_strokes(SCRIBBLED) if name == FIRST else draw_digit(int(name))
    return Picture(v, f"digit {name}")


def _drawn() -> Picture:
    text = show_pad("pad")
    if not text:
        st.caption("Draw with the mouse, a finger or a pen; until then, the 3 is shown.")
        return _digit(FIRST)
    return Picture(read_pad(text), f"drawn {_digest(text.encode())}")


def _uploaded() -> Picture:
    """The first picture in a file, which stays in the session."""
    file = st.file_uploader(
        "A picture of a digit, dark on light or light on dark",
        key="digit file",
        help="PNG, JPEG, WebP or GIF; the first picture is used. It is never saved",
    )
    if file is None:
        st.caption("Until a file is uploaded, the 3 is shown.")
        return _digit(FIRST)
    content = file.getvalue()
    found = read_upload((Upload(file.name, content),), READ)
    if found.images is None:
        raise EngineError(found.refused[0].reason if found.refused else "The file has no picture")
    return Picture(fit(found.images.images[:1]), f"uploaded {_digest(content)}")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def describe_ink(kept: Heat, picture: Picture, name: str) -> str:
    """How much the attention [... y x] with this name keeps of the digit, and of the rest."""
    on, beside = weigh_ink(kept, picture.v)
    means = f"On the digit {name} is {on:.2f} on average, beside it {beside:.2f}: the digit is "
    if abs(on - beside) < SAME:
        return f"{means}attenuated as much as its surroundings."
    return f"{means}{'kept' if on > beside else 'attenuated'} more than its surroundings."
