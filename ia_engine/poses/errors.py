"""Errors of the poses that attention finds, compared with the true poses of generated copies.

Copy i is base∘M_i with its true matrix M_i, and a found matrix F_ir warps copy i onto the reference
r of its class: v_i∘F_ir ≈ v_r. So M_i F_ir is the same matrix G for all copies of a class if every
pose is right, whatever the pose of the class as a whole. The error of copy i is G⁻¹ M_i F_ir.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from ia_engine.images import Homography, Labels, Matrix
from ia_engine.ties import first_min

ANY: Final = 0
"""The order of symmetry of a disc, which looks the same after every rotation."""
REACH: Final = 0.25
"""A rotation error φ counts as a displacement of φ times this share of the width, the distance of a
typical pixel from the centre, when errors of rotation and translation are added."""


@dataclass(frozen=True, eq=False)
class PoseErrors:
    """The errors of the copies whose class has at least two of them."""

    rows: Tensor
    """[m]: the index of each copy."""
    angle: Tensor
    """[m]: the rotation error [°], in (-180, 180]; NaN if the shape is a disc."""
    shift: Tensor
    """[m 2]: the translation error at the centre [px]: rows down, columns to the right."""
    absolute: Tensor
    """[m]: the rotation from the true pose to the found one before the pose of the class is
    removed [°]."""
    skipped: int
    """Number of copies that are the only one of their class."""
    unknown: int = 0
    """Number of copies whose pose relative to the reference of their class is not exact."""

    @property
    def median_angle(self) -> float | None:
        """The median size of the rotation errors [°]; None if there are none."""
        known = self.angle[~self.angle.isnan()].abs()
        return float(known.median()) if len(known) else None

    @property
    def median_shift(self) -> float | None:
        """The median length of the translation errors [px]; None if there are none."""
        return float(self.shift.norm(dim=1).median()) if len(self.shift) else None


def compare_poses(
    true: Homography,
    found: Tensor,
    d2: Matrix,
    classes: Labels,
    *,
    width: int,
    orders: Sequence[int] = (),
    rough: Tensor | None = None,
) -> PoseErrors:
    """Return the errors of the found matrices [n n 3 3], with d² [n n], for true matrices [n 3 3].

    The reference of a class is its most central copy. Pairs that were not compared exactly, which
    `rough` [n n] marks, have no known pose: the reference is then the copy with the most exact
    pairs, and copies without an exact pair with it are omitted. `orders` states for each class by
    which fraction of a full rotation its shape can be rotated without a change: 1 if by none, 4 for
    a square, `ANY` for a disc.
    """
    parts, skipped, unknown = list[tuple[Tensor, Tensor]](), 0, 0
    exact = torch.ones_like(d2, dtype=torch.bool) if rough is None else ~rough
    exact = exact | torch.eye(len(d2), dtype=torch.bool, device=d2.device)
    for label in classes.unique().tolist():
        rows = (classes == label).nonzero()[:, 0]
        if len(rows) < 2:
            skipped += len(rows)
            continue
        reference = rows[_find_reference(d2[rows][:, rows], exact[rows][:, rows])]
        own = rows[exact[rows, reference]]
        own = own if len(own) > 1 else own[:0]
        unknown += len(rows) - len(own)
        if not len(own):
            continue
        rows, order = own, orders[label] if label < len(orders) else 1
        both = true[rows].double() @ found[rows, reference].double()
        both = both / both[:, 2:, 2:]
        parts.append((rows, _remove_common(both, order, width)))
    rows = torch.cat([rows for rows, _ in parts]) if parts else classes.new_zeros(0)
    values = torch.cat([own for _, own in parts]) if parts else true.new_zeros(0, 4)
    return PoseErrors(rows, values[:, 0], values[:, 1:3], values[:, 3], skipped, unknown)


def _find_reference(d2: Matrix, exact: Matrix) -> int:
    """Return the most central copy among those with the most exact pairs."""
    count = exact.sum(0)
    most = (count == count.max()).nonzero()[:, 0]
    return int(most[first_min(d2.masked_fill(~exact, 0).sum(0)[most])])


def _remove_common(both: Homography, order: int, width: int) -> Tensor:
    """Return the angle, the translation and the absolute angle of each copy [n 4].

    The common matrix G is that of the copy which is closest to all others, so that a few wrong
    poses do not change it.
    """
    errors = torch.linalg.inv(both)[:, None] @ both  # errors[g, i] = G_g⁻¹ M_i F_ir
    angle, shift = _read(errors)
    angle = _fold(angle, order)
    size = angle.nan_to_num().abs() * (REACH * width) + shift.norm(dim=-1)
    common = int(first_min(size.sum(1)))
    own = angle[common].rad2deg()[:, None]
    flipped = torch.linalg.det(both[:, :2, :2]).sign()  # -1 for mirrored copies
    upright = torch.stack([both[:, :, 0], flipped[:, None] * both[:, :, 1], both[:, :, 2]], -1)
    return torch.cat([own, shift[common], _read(upright)[0].rad2deg()[:, None]], 1)


def _read(matrix: Homography) -> tuple[Tensor, Tensor]:
    """Return the angle [rad] of the closest rotation, and the translation of the centre [px]."""
    matrix = matrix / matrix[..., 2:, 2:]
    shift = matrix[..., :2, 2]
    linear = matrix[..., :2, :2] - shift[..., :, None] * matrix[..., 2:, :2]
    sin = linear[..., 0, 1] - linear[..., 1, 0]
    cos = linear[..., 0, 0] + linear[..., 1, 1]
    return torch.atan2(sin, cos), shift


def _fold(angle: Tensor, order: int) -> Tensor:
    """Return the smallest rotation that is equivalent for a shape with this symmetry."""
    if order == ANY:
        return torch.full_like(angle, math.nan)
    part = 2 * math.pi / order
    return angle - part * torch.round(angle / part)
