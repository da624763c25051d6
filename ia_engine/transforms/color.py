"""Colour changes: each channel of the whole image is scaled and shifted (DTI clustering, 4.1)."""

from ia_engine.images import Images, Poses, check_axes
from ia_engine.params import Range
from ia_engine.transforms.base import Coordinates, Transform

WEIGHT = Range("w", -1, 1, "weight: the channel is multiplied by 1 + w")
BIAS = Range("b", -1, 1, "bias added to the channel, including its background")


class Color(Transform):
    """(1 + w_c) v_c + b_c with coordinates (w_1 … w_C, b_1 … b_C); it is linear and hence not
    clamped.

    Values can leave [0, 1], because clamping would remove the gradient; displays clamp them.
    """

    name = "color"

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (
            Coordinates("weight", WEIGHT, count=channels),
            Coordinates("bias", BIAS, count=channels),
        )

    def act(self, v: Images, tau: Poses) -> Images:
        check_axes(tau, f"{len(v)} {2 * v.shape[1]}", "tau")
        weight, bias = tau[..., None, None].chunk(2, dim=1)
        return (1 + weight) * v + bias
