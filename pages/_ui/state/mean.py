"""The state of Mean: the class of images, and the preset that was pressed."""

from collections.abc import Sequence

from ia_engine.attention.means.algorithm1 import MeanConfig
from pages._ui.state.fields import InSession, set_value


class MeanState:
    """State of the Mean page other than the values of its controls."""

    class_name = InSession("class", "")
    """The chosen class, "" before the control is drawn."""
    preset_pressed = InSession("a preset of the mean was pressed", False)
    """True until the run of a preset has been started."""

    def check_class(self, options: Sequence[str]) -> None:
        """Reset a class that these data do not have; call this before the control is drawn."""
        if self.class_name not in options:
            del self.class_name

    def press_preset(self, preset: MeanConfig) -> None:
        """Set the controls to these settings; meant as a button's on_click."""
        for name, value in vars(preset).items():
            set_value(name, value)
        self.preset_pressed = True

    def take_preset_press(self) -> bool:
        """True once after a preset was pressed."""
        pressed = self.preset_pressed
        del self.preset_pressed
        return pressed


mean_state = MeanState()
