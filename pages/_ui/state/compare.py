"""The state of Compare: the compared methods and the highlighted method."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import streamlit as st
from streamlit.errors import StreamlitAPIException

from ia_engine.runs.comparison.config import TITLES
from pages._ui.panels import note_unused
from pages._ui.state.fields import (
    InAddress,
    InSession,
    has_value,
    read_parameter,
    set_controls,
    set_value,
    write_parameter,
)

LINKED: Final = {"set_k": "k", "set_seed": "seed"}
"""Parameters of a link from Clustering, and the controls that they set.

Streamlit drops `k` and `seed` from such a link, since controls of Clustering have these names.
"""
MAX_DIGITS: Final = 6


class CompareState:
    """State of the Compare page other than the values of its controls."""

    methods = InSession("methods", list[str]())
    """The short names of the chosen methods, set by their control."""
    k_set_for = InSession("data for which K was set on the Compare page", "")
    """The recipe of the data set for which K was last set."""
    highlighted_in_address = InAddress("marked")
    """The short name of the highlighted method."""
    highlighted_before = InSession("method that is marked", "")
    """The method that was highlighted when the user left the page, "" if none."""
    highlight_changed = InSession("a method was marked just now", False)
    """True after a click that highlighted a method, until all views are drawn again."""

    def set_k(self, recipe: str, k: int) -> None:
        """Give the control of K this value if the data set has changed since the last call."""
        if self.k_set_for not in ("", recipe) and has_value("k"):
            set_value("k", k)
        self.k_set_for = recipe

    def set_linked_controls(self) -> None:
        """Give the controls the values in a link from Clustering."""
        values = {}
        for parameter, control in LINKED.items():
            text = read_parameter(parameter)
            if text is None:
                continue
            write_parameter(parameter, None)
            if text.isascii() and text.isdecimal() and len(text) < MAX_DIGITS:
                values[control] = int(text)
            else:
                note_unused(parameter, text, "a whole number", f"{control} is unchanged")
        for control, value in values.items():
            with suppress(
                StreamlitAPIException
            ):  # a control that is on the page writes its parameter
                write_parameter(control, str(value))
        if values:
            set_controls(values)

    def read_methods(self) -> Sequence[str]:
        """Return the methods chosen by the control, otherwise by the address, otherwise all."""
        key = CompareState.methods.key
        if not has_value(key):
            named = st.query_params.get_all(key)
            known = [name for name in named if name in TITLES]
            unknown = [name for name in named if name not in TITLES]
            if unknown:
                used = ", ".join(known) or "all methods"
                note_unused(key, unknown[0], f"one or more of {', '.join(TITLES)}", f"using {used}")
            self.methods = known or list(TITLES)
        return self.methods

    def write_methods(self, names: Sequence[str]) -> None:
        """Write the short names of the methods into the address unless all are chosen."""
        key = CompareState.methods.key
        wanted = [] if len(names) == len(TITLES) else list(names)
        if st.query_params.get_all(key) != wanted:
            st.query_params[key] = wanted

    @property
    def highlighted(self) -> str:
        """The short name of the highlighted method, "" if none; stored in the address."""
        named = self.highlighted_in_address
        if named in TITLES:
            self.highlighted_before = named
        elif named is not None:
            self.highlighted_in_address = None
            name = CompareState.highlighted_in_address.name
            note_unused(name, named, f"one of {', '.join(TITLES)}", "no method is highlighted")
        if self.highlighted_before:
            self.highlighted_in_address = self.highlighted_before
        return self.highlighted_before

    def highlight(self, name: str) -> None:
        """Highlight a method, or remove its highlight; call this in a callback."""
        self.highlighted_before = "" if name == self.highlighted_before else name
        self.highlight_changed = True
        self.highlighted_in_address = None

    def redraw_highlight(self) -> None:
        """Draw the whole page after a click: fragments would keep the old highlight."""
        if self.highlight_changed:
            self.highlight_changed = False
            st.rerun()


compare_state: Final = CompareState()
