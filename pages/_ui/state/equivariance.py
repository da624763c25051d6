"""The state of Equivariance: the network, the picture, the angle and the view."""

import math
from typing import Final

from pages._ui.panels import note_unused
from pages._ui.state.fields import InAddress, InSession, read_parameter, write_parameter
from pages._ui.wording import number

FIRST_ANGLE: Final = 90.0
"""Initial angle of the dial [°]: exact for the equivariant network, but not for the other."""

OLD_SCRIBBLED: Final = "hasty 3"


class EquivarianceState:
    """State of the Equivariance page."""

    network = InSession("network", "")
    """The name of the network in the first row."""
    network_parameter = InAddress("network")
    """The name in the address, where the list of networks would write the title."""
    mirrored = InSession("mirror", False)
    """True if the picture is mirrored before it is rotated."""
    picture = InSession("picture", "")
    """The chosen picture."""
    view = InSession("view", "")
    """The view that is open."""
    run_opened = InSession("training opened", "")
    """The run for which the Train view was opened last."""
    angle = InAddress("turn")
    """The angle of the dial [°]."""
    layer = InAddress("layer")
    """The layer that the view of the layers shows first, counted from 1."""
    dial_angle = InSession[float | None]("angle that the dial sent last", None)
    """The last angle of the dial [°], which the dial sends again in every run of the script."""
    first_angle = InSession[tuple[float, bool] | None]("turn given", None)
    """The angle at which the dial starts; True if it comes from the address."""

    def show_network(self, name: str, *, mirrored: bool = False) -> None:
        """Show this network in the first row."""
        self.network = self.network_parameter = name
        self.mirrored = mirrored

    def accept_old_picture(self) -> None:
        """Open addresses of earlier versions, in which the scribbled 3 has a different name."""
        if read_parameter("picture") == OLD_SCRIBBLED:
            write_parameter("picture", None)

    def open_view_of_run(self, view: str) -> None:
        """Open the view if the address contains a different run from before."""
        run = read_parameter("job") or ""
        if run != self.run_opened:
            self.run_opened = run
            if run:
                self.view = view

    def read_layer(self, count: int) -> int:
        """Return the layer in the address, from 1 to `count`; 1 if there is none."""
        asked = self.layer
        if asked is None:
            return 1
        if asked.isascii() and asked.isdecimal() and len(asked) <= 6 and 1 <= int(asked) <= count:
            return int(asked)
        note_unused("layer", asked, f"a whole number from 1 to {count}", "layer 1 is shown")
        self.layer = None
        return 1

    def read_first_angle(self) -> tuple[float, bool]:
        """Return the initial angle of the dial, read once per session; True if from the address."""
        if self.first_angle is None:
            asked = self.angle
            try:
                angle = float(asked or FIRST_ANGLE) % 360
            except ValueError:
                angle = math.nan
            if math.isnan(angle):
                used = f"{number(FIRST_ANGLE)} is used"
                note_unused("turn", asked or "", "an angle in degrees", used)
                angle, asked, self.angle = FIRST_ANGLE, None, None
            self.first_angle = (angle, asked is not None)
        return self.first_angle


equivariance_state = EquivarianceState()
