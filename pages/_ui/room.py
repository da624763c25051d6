"""Narrower margins: what moves and what is pointed at fit on a projector without scrolling."""

from typing import Final

import streamlit as st

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
