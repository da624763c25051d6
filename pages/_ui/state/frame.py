"""The state of the frame around every page: entrance, notes, missing files, projector mode."""

from typing import Final

from streamlit.delta_generator import DeltaGenerator

from pages._ui.state.fields import (
    Collected,
    InAddress,
    InSession,
    is_new_request,
    note_written,
)

PROJECTOR: Final = "projector"


class FrameState:
    """What the frame remembers."""

    entered = InSession("entered through app.py", False)
    """True once app.py has run in this session."""
    notes: InSession[DeltaGenerator | None] = InSession("place of notes", None)
    """The container for notes above the controls of the page."""
    missing_files = Collected("missing files that the page has listed", set[str])
    """The error messages about missing files that the page shows already."""
    projected = InSession("projector mode", False)
    """True while the projector mode is on."""
    requested_projector = InAddress(PROJECTOR)
    """ "1" or "0"; an address without it leaves the mode as it is."""

    def read_projector_mode(self) -> bool:
        """True if the projector mode is on; a new address can turn it on or off."""
        requested = self.requested_projector
        if requested is not None and is_new_request(PROJECTOR, requested):
            self.projected = requested == "1"
        else:
            self.requested_projector = "1" if self.projected else None
        return self.projected

    def set_projector_mode(self, on: bool) -> None:
        """Turn the projector mode on or off, in the address as well."""
        self.projected = on
        note_written(PROJECTOR, *((None, "1") if on else ("1", None)))
        self.requested_projector = "1" if on else "0"
        if not on:  # written before it is removed, since the browser may just have received "1"
            self.requested_projector = None


frame_state = FrameState()
