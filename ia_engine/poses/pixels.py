"""Poses in pixel coordinates: matrices, displacement fields, and points and masks that move along.

Pixel coordinates are (x, y) with x to the right, y downwards, and pixel centres at integers. A
matrix S [n 3 3] or a displacement field u [n h w 2] states where each pixel of the result is read
in the source: at S (x, y, 1)ᵀ, or at (x, y) + u(x, y). Content therefore moves by S⁻¹: a point at
S (x, y, 1)ᵀ in the source is at (x, y) in the result. Matrices and fields are in double precision.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ia_engine.errors import EngineError
from ia_engine.images import Field, Homography, Poses, check_axes, keys
from ia_engine.poses.placement import Placement, check_count, stack_placements
from ia_engine.transforms.base import Group, Warp, move

Array = NDArray[Any]
Size = tuple[int, int]
"""Height and width [px]."""
PixelWarp = Annotated[Tensor, "n 3 3, or n h w 2"]
"""Matrices, or displacement fields [px]."""

TIE: Final = 1e-6
"""Positions [px] that are closer than this to the middle between two pixels count as the middle."""
STEPS: Final = 200
SOLVED: Final = 1e-6
"""Maximum error [px] of a point that was moved by a field."""


def _to_tensor(values: Tensor | Array) -> Tensor:
    return torch.from_numpy(values) if isinstance(values, np.ndarray) else values


def to_pixel_matrix(group: Group, tau: Poses | Array, height: int, width: int) -> Homography:
    """Return the matrices S of poses, a tensor or an array, on a canvas.

    >>> import torch
    >>> from ia_engine.transforms import GROUPS
    >>> down = torch.tensor([[1.0, 0.0]])  # samples one row below, so that the image moves up
    >>> to_pixel_matrix(GROUPS["translation"], down, 20, 30)[0].tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [0.0, 0.0, 1.0]]
    """
    tau = _to_tensor(tau)
    check_axes(tau, f"n {group.dimension()}", "tau")
    centred = tau.new_tensor(
        [[0, 1, -(height - 1) / 2], [1, 0, -(width - 1) / 2], [0, 0, 1]], dtype=torch.float64
    )
    return torch.linalg.inv(centred) @ group.matrix(tau.double()) @ centred


def to_pixel_field(warp: Warp, tau: Poses | Array, height: int, width: int) -> Field:
    """Return the displacements u of any warp on a canvas, including thin plate splines and elastic
    deformations."""
    tau = _to_tensor(tau)
    check_axes(tau, f"n {warp.dimension()}", "tau")
    centre = tau.new_tensor([(height - 1) / 2, (width - 1) / 2], dtype=torch.float64)
    positions = (warp.field(tau.double(), height, width) + centre).flip(-1)
    return positions - pixel_positions((height, width), positions)


def to_original_matrix(
    matrix: Homography | Array,
    sources: Sequence[Placement],
    targets: Sequence[Placement] | None = None,
) -> Homography:
    """Convert matrices between canvases to matrices between original pictures.

    The result has the pixels of the `targets`, by default those of the source itself: each picture
    is transformed in its own frame. To lay picture i over picture j, pass the placement of j.
    """
    matrix = _to_tensor(matrix)
    check_axes(matrix, "n 3 3", "matrix")
    there, here = _place(len(matrix), sources, targets, matrix)
    return torch.linalg.inv(there) @ matrix @ here


def to_original_field(
    field: Field,
    sources: Sequence[Placement],
    targets: Sequence[Placement] | None = None,
) -> tuple[Field, ...]:
    """Convert displacements between canvases to displacements [h w 2] between originals, whose
    sizes may differ.

    The field is interpolated by cubic convolution. Outside the canvas, it is continued linearly for
    two pixels, and is constant beyond.
    """
    check_axes(field, "n h w 2", "field")
    there, here = _place(len(field), sources, targets, field)
    back, found = torch.linalg.inv(there), []
    for row, place in enumerate(targets or sources):
        points = pixel_positions((place.height, place.width), field)
        on_canvas = move(here[row : row + 1], points)
        moved = on_canvas + _interpolate(field[row : row + 1], on_canvas)
        found.append(move(back[row : row + 1], moved[0])[0] - points)
    return tuple(found)


def to_field(warp: PixelWarp, size: Size) -> Field:
    """Convert matrices to displacement fields of the given size [px]; fields are returned
    unchanged."""
    if warp.shape[-2:] != (3, 3):
        check_axes(warp, f"n {size[0]} {size[1]} 2", "field")
        return warp
    check_axes(warp, "n 3 3", "matrix")
    points = pixel_positions(size, warp)
    return move(warp, points) - points


def transform_points(points: Tensor, warp: PixelWarp) -> Tensor:
    """Return where points (x, y) [n k 2] of the source images are in the results.

    Points that a projective map sends behind the horizon become nan.

    >>> import torch
    >>> left = torch.tensor([[[1.0, 0, 2], [0, 1, 0], [0, 0, 1]]])  # samples 2 px to the right
    >>> transform_points(torch.tensor([[[5.0, 5.0]]]), left).tolist()
    [[[3.0, 5.0]]]
    """
    n = check_axes(warp, "n 3 3" if warp.shape[-2:] == (3, 3) else "n h w 2", "warp")["n"]
    check_axes(points, f"{n} k 2", "points")
    points = points.to(torch.float64)
    if warp.shape[-2:] != (3, 3):
        return _solve(warp.double(), points)
    homogeneous = torch.cat([points, torch.ones_like(points[..., :1])], -1)
    moved = homogeneous @ torch.linalg.inv(warp.double()).mT
    seen = torch.where(moved[..., 2:] > 0, moved[..., 2:], torch.nan)
    return moved[..., :2] / seen


def transform_mask(mask: Tensor, warp: PixelWarp, size: Size | None = None) -> Tensor:
    """Return masks [n h w] of booleans or integers for the transformed images, 0 outside.

    Every pixel takes the value of the nearest pixel of the source, so that labels are never mixed.
    In the middle between two pixels, it takes the left or upper one. `size` is that of the result,
    by default that of the masks or of the field.
    """
    n, height, width = check_axes(mask, "n h w", "mask").values()
    own = (height, width) if warp.shape[-2:] == (3, 3) else (warp.shape[1], warp.shape[2])
    size = size or own
    positions = pixel_positions(size, warp) + to_field(warp, size)
    column, row = (positions - 0.5 - TIE).ceil().unbind(-1)
    inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
    place = row.clamp(0, height - 1) * width + column.clamp(0, width - 1)
    read = mask.flatten(1).gather(1, place.long().flatten(1)).view(n, *size)
    return read * inside if mask.dtype != torch.bool else read & inside


def pixel_positions(size: Size, like: Tensor) -> Tensor:
    """Return the position (x, y) of every pixel, [h w 2], in double precision."""
    y, x = (torch.arange(side, device=like.device, dtype=torch.float64) for side in size)
    return torch.stack(torch.meshgrid(x, y, indexing="xy"), -1)


def _place(
    n: int, sources: Sequence[Placement], targets: Sequence[Placement] | None, like: Tensor
) -> tuple[Homography, Homography]:
    """Return the placements of sources and targets as matrices [n 3 3]."""
    check_count(sources, n, "sources")
    check_count(sources if targets is None else targets, n, "targets")
    there = stack_placements(sources, like)
    return there, there if targets is None else stack_placements(targets, like)


def _interpolate(field: Field, positions: Tensor) -> Field:
    """Return the displacements [n … 2] at positions (x, y) [n … 2], by cubic convolution."""
    height, width = field.shape[1:3]
    framed = _extend(field.movedim(-1, 1).double())
    centre = positions.new_tensor([(width - 1) / 2, (height - 1) / 2])
    limit = centre + 2
    centred = torch.minimum(torch.maximum(positions - centre, -limit), limit)
    shape = positions.shape[1:-1]
    flat = centred.flip(-1).flatten(1, -2)[:, None]
    return keys(framed, flat).movedim(1, -1).reshape(len(field), *shape, 2)


def _extend(planes: Tensor) -> Tensor:
    """Continue planes [n 2 h w] linearly by four pixels on every side."""
    for axis in (-2, -1):
        size = planes.shape[axis]
        first, last = planes.narrow(axis, 0, 1), planes.narrow(axis, size - 1, 1)
        before = first - planes.narrow(axis, min(1, size - 1), 1)
        after = last - planes.narrow(axis, max(0, size - 2), 1)
        planes = torch.cat(
            [
                *(first + k * before for k in (4, 3, 2, 1)),
                planes,
                *(last + k * after for k in (1, 2, 3, 4)),
            ],
            axis,
        )
    return planes


def _solve(field: Field, points: Tensor) -> Tensor:
    """Return x with x + u(x) = p for every point p, by fixed-point iteration."""
    found = points
    for _ in range(STEPS):
        step = points - found - _interpolate(field, found)
        found = found + step
        if float(step.abs().amax() if step.numel() else 0) < SOLVED:
            return found
    raise EngineError(
        "the displacement field must change by less than one pixel from pixel to pixel, for points "
        "to be moved; got a steeper field: use smaller displacements"
    )
