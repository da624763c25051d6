"""Poses drawn at random, and drawn again while ink would leave the canvas.

What a warp keeps of an image is Σ_p |det Dτ(p)| v(τ(p)) / Σ_p v(p): the sum over the canvas, in
the coordinates of the image that is read. It is 1 when nothing leaves, whatever the warp.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from ia_engine.errors import EngineError
from ia_engine.images import bilinear, blur
from ia_engine.shapes import Field, Images, Poses
from ia_engine.transforms.base import Transform, Warp

TRIES = 50
TOLERANCE = 0.005
"""The part of its ink that a copy may lose."""
SOFTENING = 1.0
"""Ink is blurred by so much [px] before it is summed: the sum over thin lines is not exact."""

MOST_PIXELS: Final = 1 << 24
"""Of all copies together: seconds of work for each distortion, and 200 MB if they have colour."""
PART: Final = 1 << 21
"""So many pixels are warped at once, in some hundred bytes each."""

Draw = Callable[[int], Poses]


@dataclass(frozen=True, eq=False)
class Posed:
    """Transformed images, their true poses, and what had to be done about lost ink."""

    images: Images
    poses: Poses
    notes: tuple[str, ...]


def pose_copies(
    v: Images, transforms: tuple[Transform, ...], draw: Draw, tries: int = TRIES
) -> Posed:
    """Transform v[i] by a pose of its own: the coordinates of all transforms, one after another."""
    tau, ink = draw(len(v)), blur(v, SOFTENING)
    rows = first = _leaving(ink, transforms, tau, torch.arange(len(v), device=v.device))
    for _ in range(tries):
        if not len(rows):
            break
        tau = tau.index_copy(0, rows, draw(len(rows)))
        rows = _leaving(ink, transforms, tau, rows)
    notes = _describe(len(first) if tries else 0, len(rows), len(v))
    parts = [apply(v[rows], transforms, tau[rows]) for rows in _parts(v)]
    return Posed(torch.cat(parts), tau, notes)


def check_pixels(copies: int, height: int, width: int) -> None:
    """Whether so many copies can be made in reasonable time and memory."""
    pixels = copies * height * width
    if pixels > MOST_PIXELS:
        raise EngineError(
            f"{pixels:,} pixels of copies are more than {MOST_PIXELS:,}: take fewer images, fewer "
            "copies or smaller images"
        )


def apply(v: Images, transforms: tuple[Transform, ...], tau: Poses) -> Images:
    """All transforms in their order, by Keys' interpolation, clamped to [0, 1] at the end."""
    for transform, part in zip(transforms, _split(transforms, tau, v.shape[1]), strict=True):
        v = transform.act(v, part)
    return v.clamp(0, 1)


def lost_ink(v: Images, transforms: tuple[Transform, ...], tau: Poses) -> Tensor:
    """The part of each image's ink that the warps among the transforms push off the canvas."""
    kept = torch.ones_like(tau[:, 0]) if tau.shape[1] else v.new_ones(len(v))
    for transform, part in zip(transforms, _split(transforms, tau, v.shape[1]), strict=True):
        if isinstance(transform, Warp):
            field = transform.field(part, *v.shape[-2:])
            moved = bilinear(v, field)
            total = v.flatten(1).sum(1).clamp_min(torch.finfo(v.dtype).eps)
            kept = kept * (moved.sum(1) * _density(field)).flatten(1).sum(1) / total
            v = moved
    return 1 - kept


def _split(transforms: tuple[Transform, ...], tau: Poses, channels: int) -> tuple[Poses, ...]:
    return tau.split([transform.dimension(channels) for transform in transforms], dim=1)


def _parts(v: Images, rows: Tensor | None = None) -> tuple[Tensor, ...]:
    """The rows of v (all, unless told) in parts that fit into memory, at least one part."""
    rows = torch.arange(len(v), device=v.device) if rows is None else rows
    return rows.split(max(1, PART // max(1, v.shape[-2] * v.shape[-1])))


def _leaving(v: Images, transforms: tuple[Transform, ...], tau: Poses, rows: Tensor) -> Tensor:
    parts = [part[lost_ink(v[part], transforms, tau[part]) > TOLERANCE] for part in _parts(v, rows)]
    return torch.cat(parts)


def _density(field: Field) -> Tensor:
    """|det Dτ| at every pixel, by the differences of its neighbours."""
    (p_p, q_p), (p_q, q_q) = (
        part.unbind(-1) for part in torch.gradient(field, dim=(1, 2), spacing=1.0)
    )
    return (p_p * q_q - p_q * q_p).abs()


def _describe(redrawn: int, lost: int, n: int) -> tuple[str, ...]:
    notes = []
    if redrawn:
        notes.append(
            f"{redrawn:,} of {n:,} poses were drawn again so that no ink leaves the canvas"
        )
    if lost:
        notes.append(
            f"{lost:,} of {n:,} copies lose more than {100 * TOLERANCE:.1f} % of their ink at the "
            "border" + (": choose smaller ranges or a smaller drawing" if redrawn else "")
        )
    return tuple(notes)
