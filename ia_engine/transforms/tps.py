"""Thin plate splines: the smoothest way to move 4×4 control points (DTI clustering, 4.1).

The paper counts 16 parameters, one for each point. Each point has a vertical and a horizontal
displacement, so there are 32, as in the authors' program.

φ(p) = [U(‖p - c_1‖) … U(‖p - c_K‖), 1, p] L⁻¹[:, :K], U(r) = r² log r, L the system matrix.
"""

import torch
from torch import Tensor

from ia_engine.images import pixel_grid
from ia_engine.params import Range
from ia_engine.transforms.base import Coordinates, Displacement

POINTS = 4
BEND = Range(
    "u", -16, 16, "displacement of the sampling point at a control point: rows, then columns", "px"
)


class ThinPlateSpline(Displacement):
    """Displacements of the control points of a 4×4 grid from corner to corner of the canvas."""

    name = "tps"

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (Coordinates("bend", BEND, count=2 * POINTS**2),)

    # kornia centres the kernels on the moved points and solves once per image; with fixed centres
    # the spline is linear in the displacements, and 0 is the identity to the last bit.
    def basis(self, height: int, width: int, like: Tensor) -> Tensor:
        reach = like.new_tensor([max(height - 1, 1) / 2, max(width - 1, 1) / 2])
        control = pixel_grid(POINTS, POINTS, like).flatten(0, 1) / ((POINTS - 1) / 2)
        points = pixel_grid(height, width, like).flatten(0, 1) / reach
        system = like.new_zeros(len(control) + 3, len(control) + 3)
        system[: len(control)] = _terms(control, control)
        system[len(control) :, : len(control)] = system[: len(control), len(control) :].mT
        cardinal = torch.linalg.inv(system)[:, : len(control)]
        return _terms(points, control) @ cardinal


def _terms(points: Tensor, control: Tensor) -> Tensor:
    """Return [U(‖p - c_1‖) … U(‖p - c_K‖), 1, p] for every point p; lengths are in units of half
    the canvas."""
    r2 = (points[:, None] - control).square().sum(-1)
    kernel = torch.xlogy(r2, r2) / 2
    return torch.cat([kernel, torch.ones_like(points[:, :1]), points], 1)
