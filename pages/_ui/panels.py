"""Small parts of every page: formulas, errors, notes, warnings, plots, downloads."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, Protocol

import streamlit as st

from ia_engine.errors import EngineError
from pages._ui.wording import number

NOTES: Final = "place of notes"
LONGEST: Final = 1000
"""Maximum number of characters that are shown."""
DIRECTIONS: Final = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
LINKS: Final = re.compile(r"(?i)\b(?:https?|ftp|mailto|xmpp):(?=/|\w)|\bwww\b(?=\.)|\w(?=@\w)")
"""Text that Streamlit turns into a link even if it is escaped."""
JOINER: Final = "\u2060"
"""A character of zero width that prevents the link."""
NARROW: Final = (
    "<style>@media (max-width: 640px) { .katex-display > .katex { white-space: normal; } }</style>"
)
"""There a formula has several lines."""


def formula(latex: str, values: Mapping[str, float] | None = None, about: str = "") -> None:
    """A formula where it acts, with the current values of its symbols (in LaTeX) after it."""
    now = [rf"{{{symbol} = {_in_latex(value)}}}" for symbol, value in (values or {}).items()]
    st.html(NARROW)
    st.latex(r" \qquad\allowbreak ".join([latex, *now]), help=about or None)


def explain(error: Exception) -> None:
    """What went wrong and what to do, in the engine's own sentence."""
    st.error(plain(str(error)), icon=":material/error:")


@contextmanager
def explaining() -> Iterator[None]:
    """An EngineError ends the block with its own sentence; the page goes on after it."""
    try:
        yield
    except EngineError as error:
        explain(error)


def lay_notes() -> None:
    """The place above all knobs of a page, as wide as it is; it takes no room while it is empty."""
    st.session_state[NOTES] = st.container()


def note(text: str) -> None:
    """Something about a knob that needs more room than the knob has."""
    st.session_state.get(NOTES, st).warning(plain(text))


def note_unused(name: str, asked: str, legal: str, instead: str) -> None:
    """A parameter of the address has an illegal value: what it must be, and what happens instead.

    >>> note_unused("view", "Plan", "one of Tree, Plane", "Tree is used")
    """
    note(f"The address asks for {name} = {asked[:40]}, which must be {legal}: {instead}.")


def misleads(
    text: str,
    key: str = "",
    show: Callable[[], None] | None = None,
    draw: Callable[[], None] | None = None,
) -> None:
    """How a view misleads, with a button that shows it misleading.

    `show` sets the page so that it does; `draw` draws the misleading picture beside the honest one.
    """
    with st.expander("How this can mislead", icon=":material/visibility:"):
        st.markdown(text)
        if show is not None:
            st.button("Show me", key=key, on_click=show, help="Sets the page so that it misleads")
        if draw is not None:
            _beside(key, draw)


def _beside(key: str, draw: Callable[[], None]) -> None:
    """The picture, as long as it is wanted."""
    kept = f"misleading {key}"
    wanted = bool(st.session_state.get(kept))
    st.button(
        "Hide it" if wanted else "Show me",
        key=key,
        on_click=st.session_state.update,
        args=({kept: not wanted},),
        help="Draws it in a way that misleads, beside the honest one",
    )
    if wanted:
        draw()


def shown(n: int, total: int, what: str = "") -> None:
    """How much of it is on the screen: nothing is left out silently."""
    st.caption(" ".join(f"{n:,} of {total:,} {what} shown".split()))


def download(label: str, name: str, make: Callable[[], bytes], mime: str) -> None:
    """A button that makes the file when it is pressed, and nothing before."""
    st.download_button(
        label,
        make,
        name,
        mime,
        key=f"download {name}",
        on_click="ignore",
        icon=":material/download:",
    )


def plain(text: str) -> str:
    """Text that may hold a user's words, shown letter for letter where Markdown is read.

    Control characters become spaces, and marks that change the direction of reading are left out.
    A text of more than LONGEST letters is cut.
    """
    shown = "".join(map(_show_letter, text[: LONGEST + 1]))
    shown = " ".join(shown.split()) if shown != text else text
    if len(text) > LONGEST:
        shown = f"{shown[: LONGEST - 1].rstrip()}…"
    shown = LINKS.sub(f"\\g<0>{JOINER}", shown)
    return re.sub(r"([\\`*_{}\[\]()<>#+\-.!|~$:&])", r"\\\1", shown)


def _show_letter(letter: str) -> str:
    kind = unicodedata.category(letter)
    if letter in DIRECTIONS:
        return ""
    return " " if kind in ("Cc", "Cs", "Zl", "Zp") else letter


def _in_latex(value: float) -> str:
    mantissa, _, exponent = number(value).partition("e")
    return rf"{mantissa} \times 10^{{{int(exponent)}}}" if exponent else mantissa


class Figure(Protocol):
    """What is used here of a figure by plotly, which only the engine imports."""

    def update_layout(self, *, uirevision: str) -> object: ...


def show_plot(
    figure: Figure,
    key: str,
    result: str,
    on_click: Callable[[int, int], None] | None = None,
) -> None:
    """Show the figure, as wide as its column.

    Zoom, hidden lines and the step of an animation stay when the figure is drawn again for the
    same `result`, and are reset for another one (assets/components/projector/plots.js). `on_click`
    receives the numbers of the curve and of the point that was clicked.
    """
    figure.update_layout(uirevision=f"{key} {result}")
    if on_click is None:
        st.plotly_chart(figure, width="stretch", key=key)
        return

    def clicked() -> None:
        for point in st.session_state[key].selection.points[:1]:
            on_click(point["curve_number"], point["point_index"])

    st.plotly_chart(figure, width="stretch", key=key, on_select=clicked, selection_mode="points")
