"""An unexpected error: a reference number on the page, and the traceback with it in the log."""

import logging
import secrets

import streamlit as st

from ia_engine.errors import EngineError
from pages._ui.panels import explain

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
