"""Small parts of every page: components, formulas, errors, notes, warnings, plots, downloads.

Each component that runs in the browser is a committed bundle of script and style. The terms of a
formula highlight parts of the pictures.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final, Protocol

import streamlit as st

from ia_engine.errors import EngineError
from ia_engine.figures.page import read_bundle
from pages._ui.state.fields import has_value, read_value, set_value
from pages._ui.state.viewer import frame_state
from pages._ui.wording import GLOSSARY, number

LONGEST: Final = 1000
"""Maximum number of characters of an escaped text."""
DIRECTIONS: Final = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
LINKS: Final = re.compile(r"(?i)\b(?:https?|ftp|mailto|xmpp):(?=/|\w)|\bwww\b(?=\.)|\w(?=@\w)")
"""Text that Streamlit converts to a link even if it is escaped."""
JOINER: Final = "\u2060"
"""A character of zero width that prevents the link."""
FORMULA_STYLE: Final = (
    "<style>@media (max-width: 640px) { .katex-display > .katex { white-space: normal; } }</style>"
)
"""Breaks formulas into lines on a narrow screen."""


def formula(latex: str, values: Mapping[str, float] | None = None, about: str = "") -> None:
    """Show a formula, followed by the current values of its symbols (in LaTeX)."""
    now = [rf"{{{symbol} = {_in_latex(value)}}}" for symbol, value in (values or {}).items()]
    st.html(FORMULA_STYLE)
    st.latex(r" \qquad\allowbreak ".join([latex, *now]), help=about or None)


def explain(error: Exception) -> None:
    """Show the engine's message, which explains the cause and the remedy."""
    st.error(escape(str(error)), icon=":material/error:")


@contextmanager
def explaining() -> Iterator[None]:
    """Show the message of an EngineError. The error ends the block; the page continues after it."""
    try:
        yield
    except EngineError as error:
        explain(error)


def place_notes() -> None:
    """Reserve the place of notes, as wide as the page. It takes no space while it is empty."""
    frame_state.notes = st.container()


def note(text: str) -> None:
    """Show a warning about a control, above all controls of the page."""
    (frame_state.notes or st).warning(escape(text))


def note_unused(name: str, asked: str, legal: str, instead: str) -> None:
    """Show that a parameter of the address is illegal, what is legal, and what is used instead.

    >>> note_unused("view", "Plan", "one of Tree, Plane", "Tree is used")
    """
    note(f"The address contains {name} = {asked[:40]}, which must be {legal}: {instead}.")


@contextmanager
def section(label: str, icon: str, name: str, *, is_open: bool = False) -> Iterator[bool]:
    """Draw a section that is closed or open at first, and return whether it is open.

    Its content is computed only while it is open. A section that the viewer opened or closed stays
    so wherever a section of the same name is drawn later, such as below the next run.

    >>> with section("Methods paragraph", ":material/description:", "methods") as is_open:
    ...     if is_open:
    ...         st.code("…")  # doctest: +SKIP
    """
    key, sections = f"section {name}", frame_state.open_sections
    if not has_value(key):  # Streamlit forgets the value when the page is drawn without the section
        set_value(key, sections.get(name, is_open))
    with st.expander(label, icon=icon, key=key, on_change="rerun") as part:
        sections[name] = bool(part.open)
        yield sections[name]


def show_misleading(
    text: str,
    key: str = "",
    show: Callable[[], None] | None = None,
    draw: Callable[[], None] | None = None,
) -> None:
    """Explain how a view can mislead, with a button that shows an example.

    `show` changes the page so that it misleads, and `draw` draws a misleading picture.
    """
    with st.expander("How this can mislead", icon=":material/visibility:"):
        st.markdown(text)
        if show is not None:
            st.button("Show me", key=key, on_click=show, help="Shows an example on this page")
        if draw is not None:
            _draw_example(key, draw)


def _draw_example(key: str, draw: Callable[[], None]) -> None:
    """Draw a button that shows or hides the picture."""
    visible_key = f"misleading {key}"
    visible = read_value(visible_key, False)
    st.button(
        "Hide it" if visible else "Show me",
        key=key,
        on_click=set_value,
        args=(visible_key, not visible),
        help="Draws a misleading picture for comparison",
    )
    if visible:
        draw()


def show_count(n: int, total: int, what: str = "") -> None:
    """Show the number of items on the screen, so that nothing is left out silently."""
    st.caption(" ".join(f"{n:,} of {total:,} {what} shown".split()))


def download(label: str, name: str, make: Callable[[], bytes], mime: str) -> None:
    """Draw a download button; the file is created only when the button is pressed."""
    st.download_button(
        label,
        make,
        name,
        mime,
        key=f"download {name}",
        on_click="ignore",
        icon=":material/download:",
    )


def escape(text: str) -> str:
    """Escape text that a user may have written, so that Markdown shows it letter by letter.

    Control characters become spaces, and characters that change the direction of reading are
    removed. Text longer than LONGEST characters is cut.
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
    """The part of a plotly figure that the pages use; only the engine imports plotly."""

    def update_layout(self, *, uirevision: str) -> object: ...


def show_plot(
    figure: Figure,
    key: str,
    result: str,
    on_click: Callable[[int, int], None] | None = None,
) -> None:
    """Show the figure, as wide as its column.

    Zoom, hidden lines and the step of an animation stay when the figure is drawn again for the
    same `result`, and are reset for a different one (assets/components/projector/plots.js).
    `on_click` receives the indices of the clicked curve and point.
    """
    figure.update_layout(uirevision=f"{key} {result}")
    if on_click is None:
        st.plotly_chart(figure, width="stretch", key=key)
        return

    def clicked() -> None:
        chart: Any = read_value(key, None)
        for point in chart.selection.points[:1]:
            on_click(point["curve_number"], point["point_index"])

    st.plotly_chart(figure, width="stretch", key=key, on_select=clicked, selection_mode="points")


COMPONENTS: dict[str, tuple[str, ...]] = {}
"""The files of each component: its script and its style."""
Component = Callable[..., Mapping[str, Any]]


def component(name: str, bundle: str, *, styled: bool = True) -> Component:
    """Return the component of a bundle in assets, which is read when it is first drawn.

    If the bundle is missing, the page shows an error message in its place, once.
    """
    COMPONENTS[name] = (f"{bundle}.js", f"{bundle}.css") if styled else (f"{bundle}.js",)

    def draw(**arguments: object) -> Mapping[str, Any]:
        try:
            mount = _register(name)
        except EngineError as error:
            explain_once(error)
            return {}
        return mount(**arguments)

    return draw


def explain_once(error: EngineError) -> None:
    """Show the message unless the page shows it already."""
    if str(error) not in frame_state.missing_files:
        frame_state.missing_files.add(str(error))
        explain(error)


@lru_cache(maxsize=64)
def _register(name: str) -> Component:
    js, *css = map(read_bundle, COMPONENTS[name])
    return st.components.v2.component(name, js=js, css=css[0] if css else None)


Part = tuple[str, str, str] | tuple[str]
"""Text of a term, its name, and its tooltip; or only text."""


_formula = component("ia_formula", "formula")


def show_formula(parts: Sequence[Part], key: str) -> None:
    """Show a formula whose terms are highlighted by the pointer, or by Tab and the arrow keys."""
    _formula(key=key, data=[list(part) for part in parts])


def term(text: str, name: str, symbol: str, more: str = "") -> Part:
    """Return a term with the definition of its symbol.

    The term is highlighted together with pictures that have the same `name`.
    """
    return text, name, f"{symbol}: {GLOSSARY[symbol]}" + (f"; {more}" if more else "")


def show_symbols(*symbols: str, terms: dict[str, str] | None = None) -> None:
    """Show the symbols of a page, with definitions as tooltips; `terms` lists their pictures."""
    parts: list[Part] = [("On this page: ",)]
    for symbol in symbols:
        name = (terms or {}).get(symbol, f"word-{symbol}")
        parts += [term(symbol, name, symbol), ("   ",)]
    show_formula(parts, "words")
