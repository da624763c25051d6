"""The state of Papers: the entry that is shown."""

from typing import Final

from pages._ui.state.fields import InAddress, InSession, is_new_request, replace_parameter

ENTRY: Final = "entry"
"""The parameter of the address that names a figure or table."""


class PapersState:
    """What Papers remembers."""

    entry = InAddress(ENTRY)
    """The figure or table that the address names."""
    chosen = InSession("entry answered", "")
    """The entry that was chosen last on the page."""

    def choose_entry(self, name: str) -> None:
        """Show this entry, also if a late request still names the one before."""
        replace_parameter(ENTRY, name)
        self.chosen = name

    def requested_entry(self) -> str | None:
        """The entry that the address names, or the choice that the browser has not received yet."""
        if self.chosen and not is_new_request(ENTRY, self.entry):
            self.entry = self.chosen
        return self.entry


papers_state: Final = PapersState()
