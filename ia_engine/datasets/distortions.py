"""Random transformations of images: the ranges of their coordinates, random poses, and transformed
copies.

A pose is drawn again if ink would leave the canvas. The fraction of the ink that a warp keeps is
Σ_p |det Dτ(p)| v(τ(p)) / Σ_p v(p), where the sums are over the canvas. It is 1 if the warp moves
nothing off the canvas.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Final

import torch
from torch import Generator, Tensor

from ia_engine.datasets.data import ImageSet
from ia_engine.errors import EngineError
from ia_engine.images import Field, Images, Poses, bilinear, blur
from ia_engine.params import Choice, Config
from ia_engine.transforms import TRANSFORMS
from ia_engine.transforms.base import Coordinates, Transform, Warp


@dataclass(frozen=True)
class Distortion(Config):
    """A transform whose coordinates are drawn uniformly between two bounds.

    Each of `low` and `high` has one number per part of the coordinates (such as rotation and
    shift), or one per coordinate (such as θ, b_p and b_q).
    """

    transform: Annotated[
        str, Choice("τ", tuple(TRANSFORMS), "a transform of every copy, with random coordinates")
    ] = "se2"
    low: tuple[float, ...] = (-0.5, -4.0)
    high: tuple[float, ...] = (0.5, 4.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        both_tuples = isinstance(self.low, tuple) and isinstance(self.high, tuple)
        if not both_tuples or len(self.low) != len(self.high):
            raise EngineError(
                f"the bounds of {self.transform} must be tuples of equal length; got {self.low} "
                f"and {self.high}"
            )
        grey = len(TRANSFORMS[self.transform].coordinates(1)), self._dimension(1)
        self.bounds(1 if len(self.low) in grey else 3)

    def bounds(self, channels: int = 1) -> tuple[tuple[Coordinates, float, float], ...]:
        """Return, for every coordinate, the part it belongs to, its lower bound and its upper
        bound."""
        parts = TRANSFORMS[self.transform].coordinates(channels)
        owners = [index for index, part in enumerate(parts) for _ in range(part.count)]
        if len(self.low) == len(parts):
            places = owners
        elif len(self.low) == len(owners):
            places = list(range(len(owners)))
        else:
            wanted = f"{len(parts)} bounds ({', '.join(part.name for part in parts)})"
            if len(owners) != len(parts):
                wanted = f"either {wanted} or {len(owners)} bounds (one for each coordinate)"
            raise EngineError(f"{self.transform} must have {wanted}; got {len(self.low)}")
        bounds = tuple(
            (parts[owner], self.low[place], self.high[place])
            for owner, place in zip(owners, places, strict=True)
        )
        for bound in bounds:
            self._check(*bound)
        return bounds

    def sample(self, n: int, channels: int, generator: Generator) -> Poses:
        """Draw n poses [n p], uniformly distributed between the bounds."""
        bounds = [(low, high) for _, low, high in self.bounds(channels)]
        low, high = torch.tensor(bounds, device="cpu", dtype=torch.float32).unbind(1)
        even = torch.rand(n, len(low), generator=generator, device="cpu", dtype=torch.float32)
        return low + (high - low) * even

    def _check(self, part: Coordinates, low: float, high: float) -> None:
        name = f"{self.transform}'s {part.name}"
        part.range.check(name, low)
        part.range.check(name, high)
        if low > high:
            raise EngineError(f"{name} must have low ≤ high; got {low:g} and {high:g}")

    def _dimension(self, channels: int) -> int:
        return TRANSFORMS[self.transform].dimension(channels)


TRIES = 50
TOLERANCE = 0.005
"""Maximum fraction of its ink that a copy may lose."""
SOFTENING = 1.0
"""σ [px] of the smoothing before ink is summed, because sums over thin lines are inaccurate."""

MOST_PIXELS: Final = 1 << 24
"""Maximum number of pixels in all copies together. With this many pixels, a distortion takes
seconds, and 200 MB in colour."""
PART: Final = 1 << 21
"""Number of pixels that are warped at a time; each of them needs several hundred bytes."""

Draw = Callable[[int], Poses]


@dataclass(frozen=True, eq=False)
class Posed:
    """Transformed images, their true poses, and notes about lost ink."""

    images: Images
    poses: Poses
    notes: tuple[str, ...]


def pose_copies(
    v: Images, transforms: tuple[Transform, ...], draw: Draw, tries: int = TRIES
) -> Posed:
    """Transform each v[i] by its own random pose. `draw` draws poses, which concatenate the
    coordinates of all transforms."""
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
    """Check that the copies fit into memory and take a reasonable time."""
    pixels = copies * height * width
    if pixels > MOST_PIXELS:
        raise EngineError(
            f"the copies must have at most {MOST_PIXELS:,} pixels in total; got {pixels:,}. Use "
            "fewer images, fewer copies or smaller images"
        )


def apply(v: Images, transforms: tuple[Transform, ...], tau: Poses) -> Images:
    """Apply all transforms in order, with Keys' interpolation, and then clamp the values to [0,
    1]."""
    for transform, part in zip(transforms, split_poses(transforms, tau, v.shape[1]), strict=True):
        v = transform.act(v, part)
    return v.clamp(0, 1)


def lost_ink(v: Images, transforms: tuple[Transform, ...], tau: Poses) -> Tensor:
    """Return the fraction of each image's ink that the transforms move off the canvas; only warps
    can do so."""
    kept = torch.ones_like(tau[:, 0]) if tau.shape[1] else v.new_ones(len(v))
    for transform, part in zip(transforms, split_poses(transforms, tau, v.shape[1]), strict=True):
        if isinstance(transform, Warp):
            field = transform.field(part, *v.shape[-2:])
            moved = bilinear(v, field)
            total = v.flatten(1).sum(1).clamp_min(torch.finfo(v.dtype).eps)
            kept = kept * (moved.sum(1) * _density(field)).flatten(1).sum(1) / total
            v = moved
    return 1 - kept


def split_poses(transforms: tuple[Transform, ...], tau: Poses, channels: int) -> tuple[Poses, ...]:
    return tau.split([transform.dimension(channels) for transform in transforms], dim=1)


def _parts(v: Images, rows: Tensor | None = None) -> tuple[Tensor, ...]:
    """Split the rows of v (by default, all) into parts that fit into memory; there is at least one
    part."""
    rows = torch.arange(len(v), device=v.device) if rows is None else rows
    return rows.split(max(1, PART // max(1, v.shape[-2] * v.shape[-1])))


def _leaving(v: Images, transforms: tuple[Transform, ...], tau: Poses, rows: Tensor) -> Tensor:
    parts = [part[lost_ink(v[part], transforms, tau[part]) > TOLERANCE] for part in _parts(v, rows)]
    return torch.cat(parts)


def _density(field: Field) -> Tensor:
    """Return |det Dτ| at every pixel, computed from differences between adjacent pixels."""
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
            "border" + ("; choose smaller ranges or a smaller drawing" if redrawn else "")
        )
    return tuple(notes)


def copy_images(
    data: ImageSet, copies: int, distortions: tuple[Distortion, ...], seed: int
) -> ImageSet:
    """Make several copies of every image. If there are no labels, every image becomes a class."""
    n = len(data.images)
    if copies < 1:
        raise EngineError(f"copies must be at least 1 per image; got {copies}")
    check_pixels(copies * n, *data.images.shape[2:])
    generator = Generator(device="cpu").manual_seed(seed)
    v = data.images.repeat_interleave(copies, 0)

    def draw(n: int) -> Poses:
        parts = [part.sample(n, v.shape[1], generator) for part in distortions]
        return torch.cat([v.new_zeros(n, 0), *parts], 1)

    posed = pose_copies(v, tuple(TRANSFORMS[part.transform] for part in distortions), draw)
    labels = torch.arange(n, device="cpu") if data.labels is None else data.labels
    return replace(
        data,
        images=posed.images,
        names=tuple(f"{name} {i + 1}" for name in data.names for i in range(copies)),
        labels=labels.repeat_interleave(copies),
        classes=data.classes or data.names,
        poses=posed.poses,
        notes=(*data.notes, f"{copies} transformed copies of each image", *posed.notes),
        made="",
        placements=(),
    )
