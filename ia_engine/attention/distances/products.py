"""⟨u, v_j⟩ and its first and second derivatives in the pose, for many poses of many pairs.

Both ways begin with u = U(M) v_i at the ink of v_j. On the plane they agree, since X_a is skew:

    ⟨U(M exp(-ξ)) v_i, v_j⟩ = ⟨u, v_j⟩ + Σ_a ξ_a ⟨u, X_a v_j⟩ + ½ Σ_ab ξ_a ξ_b ⟨u, X_a X_b v_j⟩ + …
                            = ⟨u, v_j⟩ - Σ_a ξ_a ⟨X_a u, v_j⟩ + …

What the first multiplies u with belongs to v_j alone; the second is exact between the pixels too,
where the top of what Keys' interpolation reads may lie 0.2 px beside that of the first.
"""

from typing import Protocol

import torch
from torch import Tensor

from ia_engine.attention.distances.ink import Ink
from ia_engine.attention.distances.reading import Cubic, Reader
from ia_engine.shapes import Homography
from ia_engine.transforms import Group
from ia_engine.transforms.base import NEAREST_HORIZON


class Products(Protocol):
    """Measures poses."""

    def of(self, ink: Ink, image: Tensor, matrix: Homography, group: Group) -> Tensor:
        """Of image[m r] in the poses matrix[m r 3 3] on m templates, [m 1+p+p(p+1)/2 r].

        The score, its p derivatives, and the second ones for a ≤ b.
        """


class ByTemplate:
    """The template's jets."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader

    def of(self, ink: Ink, image: Tensor, matrix: Homography, group: Group) -> Tensor:
        u = warp(self.reader, image, matrix, ink.points, group)
        return ink.jets.flatten(2) @ _columns(u)


class ByImage:
    """The slopes of the image that is read; of the second derivatives the template's."""

    def __init__(self, reader: Cubic) -> None:
        self.reader = reader

    def of(self, ink: Ink, image: Tensor, matrix: Homography, group: Group) -> Tensor:
        if group.perspective:
            return ByTemplate(self.reader).of(ink, image, matrix, group)
        slopes = self.reader.slopes(image, _places(self.reader, matrix, ink.points))
        u, v_p, v_q = (_columns(x) for x in slopes)
        p = len(ink.metric)
        found = ink.jets.flatten(2) @ u
        pull, stretch = _pull(ink, group)
        a = matrix[..., :2, :2].movedim(1, -1)[:, None]
        turned = ((pull @ v).unflatten(1, (p, 2)) for v in (v_p, v_q))
        slope = sum((a[:, :, x] * t for x, t in enumerate(turned)), torch.zeros_like(a[:, :, 0]))
        found[:, 1 : 1 + p] = -slope.sum(2) - stretch @ u
        if not group.rigid:
            found *= torch.linalg.det(matrix).abs().sqrt()[:, None]
        return found


def _pull(ink: Ink, group: Group) -> tuple[Tensor, Tensor]:
    """v_j w_a, [m 2p c·s], and ½ v_j div w_a, [m p c·s], where X_a = w_a·∇ + ½ div w_a."""
    basis = ink.points.new_tensor(group.generators)
    w = torch.einsum("aij,mjs->mais", basis[:, :2], ink.points)
    v = ink.jets[:, 0]
    stretch = basis[:, :2, :2].diagonal(dim1=1, dim2=2).sum(1) / 2
    pull = (w.flatten(1, 2)[:, :, None] * v[:, None]).flatten(2)
    return pull, stretch[:, None] * v.flatten(1)[:, None]


def warp(reader: Reader, image: Tensor, matrix: Homography, points: Tensor, group: Group) -> Tensor:
    """u = |det DM|^(1/2) v∘M of image[m r] for matrix[m r 3 3] at points [m 3 s]: [m c r s]."""
    place = _places(reader, matrix, points)
    if group.rigid:
        return reader.read(image, place)
    scale = torch.linalg.det(matrix).abs().sqrt()[:, None, :, None]
    if not group.perspective:
        return reader.read(image, place) * scale
    horizon = (matrix[..., 2, :] @ points).clamp_min(NEAREST_HORIZON)[:, None]
    return reader.read(image, place / horizon) * scale / horizon**1.5


def _places(reader: Reader, matrix: Homography, points: Tensor) -> Tensor:
    """Where (q, p) the poses read, in the reader's unit and before the horizon, [m 2 r s]."""
    m, r = matrix.shape[:2]
    lines = (matrix[..., [1, 0], :] * reader.unit[:, None]).transpose(1, 2).flatten(1, 2)
    return (lines @ points).view(m, 2, r, -1)


def _columns(u: Tensor) -> Tensor:
    """[m c r s] → [m c·s r]."""
    return u.transpose(1, 2).flatten(2).mT
