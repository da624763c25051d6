"""The state of Manifolds: the smoothing of the landscape. The pair is part of the selection."""

from pages._ui.state.fields import InAddress


class ManifoldsState:
    """State of the Manifolds page other than the values of its controls."""

    sigma = InAddress("sigma")
    """Smoothing of both images [px], set by its slider and by the misleading example."""

    def smooth_too_much(self) -> None:
        """Set σ to a value that makes the landscape misleading; meant as a button's on_click."""
        self.sigma = "8"


manifolds_state = ManifoldsState()
