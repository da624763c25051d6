"""The pad on which a digit is drawn."""

from pages._ui.panels import component

_pad = component("ia_pad", "pad")


def show_pad(key: str) -> str:
    """Show the pad and return its picture as text, or "" before the first stroke."""
    return str(_pad(key=key, data={}, on_drawn_change=lambda: None).get("drawn") or "")
