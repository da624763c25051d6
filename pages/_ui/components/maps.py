"""The maps of networks at all angles of a picture: a dial that rotates them, and every layer."""

from pages._ui.panels import component

_turning = component("ia_turning", "turning")
_layers = component("ia_layers", "layers")


def show_dial(packed: bytes) -> float | None:
    """Show the dial with the maps of `pack_turning`, and return its angle [°] once it is moved."""
    angle: float | None = _turning(key="turning", data=packed, on_angle_change=lambda: None).get(
        "angle"
    )
    return angle


def show_layer_maps(title: str, layer: int, angle: str, request: str) -> None:
    """Show the maps of every layer of the network with this title, at the angle of the dial.

    The layer, counted from 1, and the angle [°], if there is one, are set whenever `request`
    changes; the user can change them afterwards.
    """
    _layers(key="layers", data={"title": title, "layer": layer, "angle": angle, "request": request})
