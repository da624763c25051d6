"""The frame of every page: its title and style, the projector mode, unexpected errors."""

import gc
import logging
import secrets
from typing import Final
from urllib.parse import urlsplit

import streamlit as st

from ia_engine.errors import EngineError
from pages._ui.components.bundles import component, forget_shown, read_bundle
from pages._ui.lessons.lesson import ADDRESS as LESSON
from pages._ui.lessons.panel import guide
from pages._ui.panels import explain, explaining, lay_notes
from pages._ui.state.fields import change_page, has_value, is_news, read_parameter, write
from pages._ui.state.lessons import KEPT as LEFT_LESSON


@st.cache_resource(show_spinner=False)
def settle(page: str) -> None:
    """Once this page's modules are imported, what is there stays: it need not be searched again.

    The search holds up what was drawn last: on two cores by a tenth of a second and more.
    """
    gc.collect()
    gc.freeze()


log = logging.getLogger(__name__)


def report(error: Exception) -> bool:
    """Log the traceback and show its reference number instead; True, since it has been shown."""
    if isinstance(error, EngineError):
        explain(error)
        return True
    reference = secrets.token_hex(4)
    log.error("unexpected error, reference %s", reference, exc_info=error)
    st.error(
        f"This part of the page failed unexpectedly (reference {reference}): reload the page, "
        "and if it fails again, look for this reference in the log of the server.",
        icon=":material/error:",
    )
    return True


STYLE: Final = """
<style>
  .stMainBlockContainer { padding: 0.7rem 2rem 4rem; }
  .stMainBlockContainer > .stVerticalBlock { gap: 0.45rem; }
  .stMainBlockContainer h1 { padding: 0 0 0.2rem; font-size: 1.7rem; }
  /* A name that is too long for the list of runs says that it goes on. */
  .stSidebar .stPageLink p, [class*="st-key-kept-"] .stPageLink p {
    overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
  }
  /* The link beside the list of data sets stands level with it. */
  .st-key-other-data { position: relative; top: -0.6rem; }
  /* Where the sidebar is folded away, its button stands above the title. */
  .stApp:has([data-testid="stExpandSidebarButton"]) .stMainBlockContainer { padding-top: 3.4rem; }
</style>
"""


def make_room() -> None:
    """Once on every page."""
    st.html(STYLE)


PARAMETER: Final = "projector"
MODE: Final = "projector mode"
"""Of the session: whether the mode is on."""
BAR: Final = "projector bar"
COLOURS: Final = {"light": ("#000", "#fff", "#004f94"), "dark": ("#fff", "#000", "#8cc8ff")}
"""Text, background and accent."""
BAR_STYLE: Final = """
<style>
  .stMainBlockContainer { position: relative; }
  .st-key-projector_off { position: absolute; z-index: 100; right: 2rem; top: 0.7rem; }
  .st-key-projector_on { position: fixed; z-index: 200; right: 0.6rem; bottom: 0; }
  [class*="st-key-projector_"], [class*="st-key-projector_"] * { width: max-content !important; }
</style>
"""
"""The button that starts the mode is beside the title; those of the mode are below the page."""

_bar = component("ia_projector", "projector")


def show_projector_bar() -> None:
    """Once on every page: the button that starts the mode, or the mode and its buttons."""
    on = is_projected()
    ink, paper, accent = COLOURS[st.context.theme.type or "light"]
    colours = f":root {{ --ink: {ink}; --paper: {paper}; --accent: {accent}; }}"
    st.html(BAR_STYLE)
    if on:
        with explaining():
            st.html(f"<style>{colours}{read_bundle('projector_page.css')}</style>")
    with st.container(key=f"projector_{'on' if on else 'off'}", width="content"):
        _bar(key=BAR, data={"on": on}, on_wish_change=_switch)


def is_projected() -> bool:
    """As the URL says; links without the parameter leave the mode as it is."""
    asked = st.query_params.get(PARAMETER)
    if asked is not None and is_news(PARAMETER, asked):
        st.session_state[MODE] = asked == "1"
    elif st.session_state.get(MODE):
        st.query_params[PARAMETER] = "1"
    elif asked is not None:
        del st.query_params[PARAMETER]
    return bool(st.session_state.get(MODE))


def _switch() -> None:
    on = st.session_state[BAR].get("wish") == "on"
    st.session_state[MODE] = on
    write(PARAMETER, *(None, "1") if on else ("1", None))
    if on:
        st.query_params[PARAMETER] = "1"
    else:  # sent to the browser in any case, since it may just have received the contrary
        st.query_params[PARAMETER] = "0"
        del st.query_params[PARAMETER]


ENTERED = "entered through app.py"


def open_door() -> None:
    """What app.py does before it runs a page."""
    st.session_state[ENTERED] = True


def enter(title: str) -> None:
    """What a page does first, once all is imported: its title, or again through app.py."""
    here = urlsplit(st.context.url or "").path.rpartition("/")[2]
    if here and ENTERED not in st.session_state:
        st.navigation([st.Page(_nothing, default=True), st.Page(_nothing, url_path=here)])
        st.rerun()
    forget_shown()
    settle(title)
    change_page(title)
    make_room()
    st.title(title)
    show_projector_bar()
    if read_parameter(LESSON) or has_value(LEFT_LESSON):  # most visits have no lesson
        guide(title)
    lay_notes()


def _nothing() -> None:
    """A page that is never seen: the address stays, and app.py fills it."""
