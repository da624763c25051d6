"""The state of Papers: the entry that is shown."""

from typing import Final

from pages._ui.state.fields import InAddress, InSession, is_new_request, replace_parameter

ENTRY: Final = "entry"
"""The URL parameter that selects a figure or table."""


class PapersState:
    """State of Papers."""

    entry = InAddress(ENTRY)
    """The figure or table in the address."""
    chosen = InSession("entry answered", "")
    """The entry that was chosen last on the page."""

    def choose_entry(self, name: str) -> None:
        """Show this entry, even if a late request still contains the previous entry."""
        replace_parameter(ENTRY, name)
        self.chosen = name

    def requested_entry(self) -> str | None:
        """Return the entry in the address, or the choice that the browser has not received yet."""
        if self.chosen and not is_new_request(ENTRY, self.entry):
            self.entry = self.chosen
        return self.entry


papers_state: Final = PapersState()
