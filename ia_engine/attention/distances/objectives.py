"""What the descent goes down: how far apart two images are at a pose, and the slope there.

With X_a = w_a·∇ + ½ div w_a, the generators of the unitary action, and u = U(M) v_i,

    d² = ‖v_i‖² + ‖v_j‖² - 2⟨u, v_j⟩,    ∂d²/∂ξ_a at M exp(ξ) = -2⟨X_a u, v_j⟩ = 2⟨u, X_a v_j⟩,

since X_a is skew: all but u belongs to v_j alone. The literal objective of (2.2) needs ∇u itself.
"""

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor
from torch.nn import functional

from ia_engine.attention.distances.templates import densify
from ia_engine.images import pixel_grid
from ia_engine.shapes import Homography, Images, Poses
from ia_engine.transforms import Group
from ia_engine.transforms.base import density

FAINT = 0.01
"""Share of the mean metric that is added to each: an image without edges is not thrown far."""


@dataclass(frozen=True, eq=False)
class Stage:
    """n images, smoothed or not, on their canvas and a rim of one pixel of zeros around it."""

    v: Images
    """[n c h+2 w+2]."""
    dense: Images
    """[n c 2h+3 2w+3]: Keys' values at the pixels and half-way between."""
    lifted: Tensor
    """[n c·s p]: X_a v at the s pixels."""
    velocity: Tensor
    """[p h+2 w+2 2]: w_a, by which the generators move a pixel."""
    metric: Tensor
    """[n p p]: 2 Σ_x |∇v|² w_a·w_b, the mean square displacement of v's edges up to a factor.

    It is no less than the curvature of d² at a match: a step of 1 in it never overshoots there.
    """


class Objective(Protocol):
    """What is made small over the poses; u are images [m k c h+2 w+2] read at a pose."""

    def act(self, v: Images, group: Group, tau: Poses) -> Images:
        """The images v in the poses tau, by Keys' interpolation."""

    def factor(self, group: Group, matrix: Homography, points: Tensor) -> Tensor | None:
        """What v∘τ is multiplied with at the points; None for 1."""

    def value(self, u: Tensor, square: Tensor, v: Images) -> Tensor:
        """How far the images u [m k ...], made of images with ‖v_i‖² = square, are from v [m]."""

    def slope(self, u: Tensor, target: Stage) -> Tensor:
        """The derivatives of the value in the directions of the generators, [m k p]."""


@dataclass(frozen=True)
class Manifold:
    """d² of two transformation manifolds: nothing is won by leaving the frame."""

    def act(self, v: Images, group: Group, tau: Poses) -> Images:
        return group.unitary(v, tau)

    def factor(self, group: Group, matrix: Homography, points: Tensor) -> Tensor | None:
        return None if group.rigid else density(matrix, points).sqrt()

    def value(self, u: Tensor, square: Tensor, v: Images) -> Tensor:
        own = v.flatten(1).square().sum(1)[:, None]
        return square + own - 2 * torch.einsum("mkchw,mchw->mk", u, v)

    def slope(self, u: Tensor, target: Stage) -> Tensor:
        return 2 * u.flatten(2) @ target.lifted


@dataclass(frozen=True)
class Canvas:
    """‖v_i∘τ - v_j‖² over the canvas, (2.2) to the letter: an image may flee out of the frame."""

    def act(self, v: Images, group: Group, tau: Poses) -> Images:
        return group.act(v, tau)

    def factor(self, group: Group, matrix: Homography, points: Tensor) -> Tensor | None:
        return None

    def value(self, u: Tensor, square: Tensor, v: Images) -> Tensor:
        return _inner(u - v[:, None]).square().sum((2, 3, 4))

    def slope(self, u: Tensor, target: Stage) -> Tensor:
        rest = _inner(u - target.v[:, None])
        moment = torch.stack([(rest * d).sum(2) for d in _central(u)], -1)
        return 2 * torch.einsum("mkhwx,ahwx->mka", moment, target.velocity[:, 1:-1, 1:-1])


MANIFOLD, CANVAS = Manifold(), Canvas()


def enclose(v: Images) -> Images:
    """The images with a rim of one pixel."""
    return functional.pad(v, (1, 1, 1, 1))


def stage(v: Images, group: Group) -> Stage:
    """Prepare images for the descent within a group."""
    framed = enclose(v)
    velocity = _velocity(group, pixel_grid(framed.shape[-2], framed.shape[-1], v))
    power = sum(d.square().sum(1) for d in _central(enclose(framed)))
    metric = 2 * torch.einsum("nhw,ahwx,bhwx->nab", power, velocity, velocity)
    faint = FAINT * metric.mean(0) + torch.eye(len(velocity), device=v.device).to(v) * 1e-12
    return Stage(
        framed, densify(enclose(framed)), _lift(framed, velocity), velocity, metric + faint
    )


def _inner(framed: Tensor) -> Tensor:
    return framed[..., 1:-1, 1:-1]


def _central(framed: Tensor) -> tuple[Tensor, Tensor]:
    """Central differences, Keys' slopes at the pixels, inside the rim: by rows and by columns."""
    down = framed[..., 2:, 1:-1] - framed[..., :-2, 1:-1]
    right = framed[..., 1:-1, 2:] - framed[..., 1:-1, :-2]
    return down / 2, right / 2


def _velocity(group: Group, points: Tensor) -> Tensor:
    """w_a(x) = (E_a x̄)₁₂ - x (E_a x̄)₃ for every generator E_a, [p h w 2]."""
    basis = points.new_tensor(group.generators)
    homogeneous = torch.cat([points, torch.ones_like(points[..., :1])], -1)
    moved = torch.einsum("aij,hwj->ahwi", basis, homogeneous)
    return moved[..., :2] - points * moved[..., 2:]


def _lift(v: Images, velocity: Tensor) -> Tensor:
    """X_a v = ½ (w_a·∇v + ∇·(w_a v)), which is skew on the pixels as it is on the plane."""
    v_p, v_q = _central(enclose(v))
    lifted = []
    for w in velocity:
        w_p, w_q = w.unbind(-1)
        out_p, out_q = _central(enclose(w_p * v))[0], _central(enclose(w_q * v))[1]
        lifted.append((w_p * v_p + w_q * v_q + out_p + out_q) / 2)
    return torch.stack(lifted, -1).flatten(1, 3)
