"""Who is looking: a random name for each browser, in a cookie, so that its runs are its own."""

import re
import secrets
from typing import Final

import streamlit as st

COOKIE: Final = "ia_viewer"
FORM: Final = re.compile(r"[A-Za-z0-9_-]{22}")

_REMEMBER: Final = st.components.v2.component(
    "remember_viewer",
    js="""
    export default function ({ data }) {
      const year = 365 * 24 * 60 * 60
      const secure = location.protocol === "https:" ? "; Secure" : ""
      document.cookie =
        `${data.name}=${data.id}; Path=/; Max-Age=${year}; SameSite=Strict${secure}`
    }
    """,
)


def viewer() -> str:
    """The viewer's id: of the cookie, or a new one that lasts as long as the tab does."""
    if COOKIE not in st.session_state:
        st.session_state[COOKIE] = _remembered() or secrets.token_urlsafe(16)
    return str(st.session_state[COOKIE])


def remember() -> None:
    """Give the browser its cookie unless it has one: once on every page, in a quiet place."""
    if _remembered() is None:
        _REMEMBER(data={"name": COOKIE, "id": viewer()}, key="remember_viewer", height=1)


def _remembered() -> str | None:
    cookie = st.context.cookies.get(COOKIE)
    return cookie if isinstance(cookie, str) and FORM.fullmatch(cookie) else None
