"""Warps by a smooth displacement, linear in its coordinates: τ(p) = p + Σ_k φ_k(p) u_k."""

from abc import abstractmethod
from typing import final

from torch import Tensor

from ia_engine.images import pixel_grid
from ia_engine.shapes import Field, Poses
from ia_engine.transforms.base import Warp


class Displacement(Warp):
    """Coordinates: the displacements of all rows, then of all columns, (u_1p … u_Kp, u_1q … u_Kq)
    [px].

    At 0 nothing moves; otherwise the picture moves opposite to the displacement.
    """

    @abstractmethod
    def basis(self, height: int, width: int, like: Tensor) -> Tensor:
        """φ_k at every pixel, [h·w k]: the weight of each displacement."""

    @final
    def field(self, tau: Poses, height: int, width: int) -> Field:
        # One matrix product for the whole batch: the basis depends on the canvas, not on the pose.
        basis = self.basis(height, width, tau)
        felt = tau.reshape(2 * len(tau), basis.shape[1]) @ basis.mT
        return pixel_grid(height, width, tau) + felt.view(len(tau), 2, height, width).movedim(1, -1)
