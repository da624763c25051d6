"""The way into every page: through app.py, also for the first visitor of a server just started.

Until `st.navigation` has been called once, a folder called pages means to Streamlit that scripts in
it are pages of their own. Whoever opens a page's address before that would get the script without
the app around it.
"""

from urllib.parse import urlsplit

import streamlit as st

from pages._ui.assets import forget_shown
from pages._ui.heap import settle
from pages._ui.lessons.panel import guide
from pages._ui.page_values import change_page
from pages._ui.panels import lay_notes
from pages._ui.projector import show_projector_bar
from pages._ui.room import make_room

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
    guide(title)
    lay_notes()


def _nothing() -> None:
    """A page that is never seen: the address stays, and app.py fills it."""
