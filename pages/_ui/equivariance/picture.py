"""The picture that is rotated: a digit of this project, one drawn on the page, or an upload."""

import hashlib
from dataclasses import dataclass
from typing import Final

import streamlit as st

from ia_engine.datasets.uploads import Upload, UploadConfig, read_upload
from ia_engine.equivariant.digits import SCRIBBLED, draw_digit, draw_strokes, fit, read_pad
from ia_engine.equivariant.maps import weigh_ink
from ia_engine.errors import EngineError
from ia_engine.images import Heat, Images
from pages._ui.components.pad import show_pad
from pages._ui.controls import choose_one
from pages._ui.panels import explain
from pages._ui.state.equivariance import equivariance_state

DIGITS: Final = tuple("0123456789")
DRAW, UPLOAD = "draw", "upload"
FIRST: Final = "scribbled 3"
"""The plain network recognises it as a 6 when it is rotated by 90°."""
READ: Final = UploadConfig(size=112, color="gray", limit=1)
SAME: Final = 0.01
"""Means that differ by less than this are called equal."""


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture [1 1 28 28] and a string that identifies it."""

    v: Images
    digest: str


def pick_picture() -> Picture:
    """Return the chosen picture; if it is not available, show the reason and return a digit."""
    equivariance_state.accept_old_picture()
    answer = choose_one(
        "Picture",
        [DRAW, UPLOAD, FIRST, *DIGITS],
        FIRST,
        key="picture",
        about="Choose a handwritten digit (one is scribbled), or draw or upload a digit, which is "
        "scaled to 28 px and centred",
        wrap=True,
    )
    try:
        if answer == DRAW:
            return _drawn()
        if answer == UPLOAD:
            return _uploaded()
    except EngineError as error:
        explain(error)
        st.caption("Until it is available, the 3 is shown.")
        answer = FIRST
    return _digit(answer)


def _digit(name: str) -> Picture:
    v = draw_strokes(SCRIBBLED) if name == FIRST else draw_digit(int(name))
    return Picture(v, f"digit {name}")


def _drawn() -> Picture:
    text = show_pad("pad")
    if not text:
        st.caption("Draw with the mouse, a finger or a pen. Until you draw, the 3 is shown.")
        return _digit(FIRST)
    return Picture(read_pad(text), f"drawn {_digest(text.encode())}")


def _uploaded() -> Picture:
    """Ask for a file and return its first picture, which stays in the session."""
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
        raise EngineError(
            found.refused[0].reason
            if found.refused
            else "The file contains no picture: upload a PNG, JPEG, WebP or GIF file"
        )
    return Picture(fit(found.images.images[:1]), f"uploaded {_digest(content)}")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:16]


def describe_ink(kept: Heat, picture: Picture, name: str) -> str:
    """Describe how much of the digit and of the rest this attention [... y x] keeps."""
    on, beside = weigh_ink(kept, picture.v)
    means = f"{name} is on average {on:.2f} on the digit and {beside:.2f} beside it: the digit is "
    if abs(on - beside) < SAME:
        return f"{means}attenuated as much as its surroundings."
    return f"{means}{'kept' if on > beside else 'attenuated'} more than its surroundings."
