"""The server: the app for known hosts only, with a reference number for every unexpected error."""

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from pages._ui.page import report

app = st.App(
    "app.py",
    middleware=[
        Middleware(TrustedHostMiddleware, allowed_hosts=st.get_option("server.allowedHosts"))
    ],
    on_script_error=report,
)
