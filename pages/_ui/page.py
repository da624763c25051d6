"""The frame of every page: entry, title, style, bar, projector mode and unexpected errors."""

import gc
import logging
import secrets
from typing import Final
from urllib.parse import urlsplit

import streamlit as st

from ia_engine.errors import EngineError
from ia_engine.figures.page import read_bundle
from pages._ui.explanations import EXPLANATIONS
from pages._ui.lessons.panel import has_open_caption, reset_caption, show_lesson
from pages._ui.panels import component, explain, explaining, place_notes
from pages._ui.state.fields import change_page, read_answer, read_defaults, reset_controls
from pages._ui.state.viewer import frame_state, lessons_state

STYLE: Final = """
<style>
  .stMainBlockContainer { padding: 0.7rem 2rem 4rem; }
  .stMainBlockContainer > .stVerticalBlock { gap: 0.45rem; }
  .stMainBlockContainer h1 { padding: 0 0 0.2rem; font-size: 1.7rem; }
  /* A name that is too long for the runs list ends with an ellipsis. */
  .stSidebar .stPageLink p, [class*="st-key-kept-"] .stPageLink p {
    overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
  }
  /* The link beside the list of data sets is at the height of the list. */
  .st-key-other-data { position: relative; top: -0.6rem; }
  /* If the sidebar is hidden, its button is above the title. */
  .stApp:has([data-testid="stExpandSidebarButton"]) .stMainBlockContainer { padding-top: 3.4rem; }
</style>
"""
BAR: Final = "projector bar"
"""The key of the bar that every page has."""
COLOURS: Final = {"light": ("#000", "#fff", "#004f94"), "dark": ("#fff", "#000", "#8cc8ff")}
"""Text, background and accent."""
BAR_STYLE: Final = """
<style>
  .stMainBlockContainer { position: relative; }
  .st-key-projector_off { position: absolute; z-index: 100; right: 2rem; top: 0.7rem; }
  .st-key-projector_on { position: fixed; z-index: 200; right: 0.6rem; bottom: 0; }
  [class*="st-key-projector_"], [class*="st-key-projector_"] * { width: max-content !important; }
  @media (max-width: 640px) { .st-key-projector_off { z-index: 999991; right: 0.6rem; } }
  @media (min-width: 641px) and (max-width: 960px) { .st-key-projector_off { position: static; } }
</style>
"""
"""The buttons of a page are beside the title; those of the projector mode are below the page."""

log = logging.getLogger(__name__)
_bar = component("ia_projector", "projector")


def enter(title: str) -> None:
    """Draw the frame; a page calls this first.

    Until `st.navigation` has been called once on a server, Streamlit runs the pages of the folder
    itself, without app.py. In this case the page restarts through app.py.
    """
    here = urlsplit(st.context.url or "").path.rpartition("/")[2]
    if here and not frame_state.entered:
        st.navigation([st.Page(_draw_nothing, default=True), st.Page(_draw_nothing, url_path=here)])
        st.rerun()
    del frame_state.missing_files
    _freeze_modules(title)
    change_page(title)
    st.html(STYLE)
    st.title(title)
    show_bar(title)
    lesson = lessons_state
    if lesson.address or lesson.open or lesson.left or lesson.requested[1]:
        show_lesson(title)
    place_notes()


def show_bar(title: str) -> None:
    """Show the bar of the page with this title, and the projector mode if it is on."""
    on = frame_state.read_projector_mode()
    ink, paper, accent = COLOURS[st.context.theme.type or "light"]
    colours = f":root {{ --ink: {ink}; --paper: {paper}; --accent: {accent}; }}"
    st.html(BAR_STYLE)
    if on:
        with explaining():
            st.html(f"<style>{colours}{read_bundle('projector_page.css')}</style>")
    with st.container(key=f"projector_{'on' if on else 'off'}", width="content"):
        _bar(
            key=BAR,
            data={"on": on, "explanation": _describe(title), "defaults": read_defaults()},
            on_wish_change=_switch_projector,
            on_reset_change=_reset,
        )


def report(error: Exception) -> bool:
    """Log the traceback and show its reference number; return True, since the error is handled."""
    if isinstance(error, EngineError):
        explain(error)
        return True
    reference = secrets.token_hex(4)
    log.error("unexpected error, reference %s", reference, exc_info=error)
    st.error(
        f"This part of the page failed unexpectedly (reference {reference}). Reload the page. If "
        "it fails again, look for this reference in the server's log.",
        icon=":material/error:",
    )
    return True


def _switch_projector() -> None:
    frame_state.set_projector_mode(read_answer(BAR, "wish") == "on")


def _describe(title: str) -> dict[str, str] | None:
    explanation = EXPLANATIONS.get(title)
    return explanation.describe(title) if explanation else None


def _reset() -> None:
    """Set the open caption again or, without one, all controls of the page to their defaults."""
    if has_open_caption():
        reset_caption()
    else:
        reset_controls()


@st.cache_resource(show_spinner=False)
def _freeze_modules(page: str) -> None:
    """Exclude the imported modules of this page from garbage collection.

    On two cores, a collection would delay the last element by a tenth of a second or more.
    """
    gc.collect()
    gc.freeze()


def _draw_nothing() -> None:
    """Draw nothing: this page is never visible, since app.py fills it at the same address."""
