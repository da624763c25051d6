"""Scaling of image arrays to [0, 1]: x = clamp((v - a) / (b - a), 0, 1).

Values in [0, 1] and 8-bit values keep their meaning: a is 0, and b is 1 or 255. Values count as
8-bit if their type is 8-bit, or if they are whole numbers whose maximum is 128 to 255. Values that
fill [0, 1], [0, 255] or [0, 65535] to within 10 % at both ends are clipped there. For all other
values, a and b are percentiles, either of the whole stack or of each image separately.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ia_engine.errors import EngineError
from ia_engine.params import Choice

Array = NDArray[Any]
Floats = NDArray[np.float32]

SCALE: Final = Choice(
    "scale",
    ("stack", "image"),
    "scaling of arrays beyond [0, 1] and 8 bits: between percentiles of the whole stack, which "
    "keeps differences in brightness between images, or image by image",
)
TOPS: Final = (1, 255, 65535)
SEVEN_BITS: Final = 127
"""In a type wider than 8 bits, whole numbers up to this value are counts or levels of grey, not
bytes."""
OVERSHOOT: Final = 0.1
"""Fraction by which values may exceed a known range, as they do after cubic interpolation."""
PERCENTILES: Final = (0.1, 99.9)
"""Percentiles that are mapped to 0 and 1. They are taken over the values that differ from the
median, so that thin strokes do not count as outliers."""
SAMPLED: Final = 1 << 20
"""Number of values used to estimate the percentiles of a larger stack."""
PIECE: Final = 1 << 20
"""Number of values that are converted at a time."""


@dataclass(frozen=True)
class Scale:
    """The range [low, high] of an array and the rule that maps it to [0, 1].

    `ends` is (a, b), or None if each image has its own. `alpha` is the value of full opacity.
    """

    kind: str
    low: float
    high: float
    ends: tuple[float, float] | None
    alpha: float
    reused: bool = False
    """True if the ends are those of earlier images."""

    @property
    def top(self) -> float | None:
        """The divisor of the array, 1, 255 or 65535; None if percentiles are used."""
        return self.ends[1] if self.ends and self.ends[0] == 0 and self.ends[1] in TOPS else None

    def apply(self, images: Array) -> Floats:
        """Return a copy of the images [n c h w], scaled to [0, 1]."""
        if self.top is not None:
            scaled = np.array(images, dtype=np.float32) / np.float32(self.top)
            return np.clip(scaled, 0, 1, out=scaled)
        colors = count_colors(images.shape)
        scaled = np.empty(images.shape, np.float32)
        for image, target in zip(images, scaled, strict=True):
            low, high = self.ends or _find_ends(image[:colors])
            target[:colors] = _stretch(image[:colors], low, high)
            target[colors:] = _stretch(image[colors:], 0.0, self.alpha)
        return scaled

    def describe(self, name: str) -> str:
        """Describe the range of the values and what `apply` changes; "" if it changes nothing.

        >>> Scale("uint8", 0, 255, (0, 255), 255).describe("a.npy")
        'a.npy: uint8 values from 0 to 255 were divided by 255'
        """
        what = f"{name}: {self.kind} values from {_show(self.low)} to {_show(self.high)} were"
        if self.top is not None:
            cut = self.low < 0 or self.high > self.top
            done = [f"clipped at 0 and {self.top:g}"] * cut
            done += [f"divided by {self.top:g}"] * (self.top != 1)
            return f"{what} {' and '.join(done)}" if done else ""
        if self.reused and self.ends:
            low, high = self.ends
            return f"{what} scaled like the earlier images: {low:.3g} became 0 and {high:.3g} 1"
        percentiles = "{:g} and {:g} percentiles of the values that differ from the median".format(
            *PERCENTILES
        )
        if self.ends is None:
            return f"{what} scaled image by image: each between the {percentiles}"
        low, high = self.ends
        return (
            f"{what} scaled using the range of the whole stack: {_show(low)} became 0 and "
            f"{_show(high)} became 1 ({percentiles})"
        )


def _show(value: float) -> str:
    """Return a number with three digits, or all digits of a whole number up to a million."""
    return f"{value:,.0f}" if 1000 <= abs(value) < 1e6 else f"{value:.3g}"


def find_scale(name: str, images: Array, rule: str = "stack", known: Scale | None = None) -> Scale:
    """Find the scale of images [n c h w] of any numeric type.

    If there are two or four channels, the last one is alpha. The scale `known` of earlier images is
    reused for images of the same type.

    >>> [round(end) for end in find_scale("a.npy", np.array([[[[-2.0, 0.0, 6.0]]]])).ends]
    [-2, 6]
    """
    SCALE.check("scale", rule)
    if images.dtype.kind not in "buif":
        raise EngineError(
            f"{name}: expected numeric images; got {images.dtype}: save them as uint8 or float"
        )
    _check_finite(name, images)
    kind, low, high = images.dtype.name, float(images.min()), float(images.max())
    if known is not None and _are_alike(np.dtype(known.kind), images.dtype):
        return Scale(kind, low, high, known.ends, known.alpha, reused=True)
    if top := _find_top(images, low, high):
        return Scale(kind, low, high, (0.0, top), top)
    colors = images[:, : count_colors(images.shape)]
    alpha = images[:, count_colors(images.shape) :]
    opaque = 1.0
    if alpha.size:
        most = float(alpha.max())
        opaque = _find_top(alpha, float(alpha.min()), most) or max(most, 0.0)
    return Scale(kind, low, high, _find_ends(colors) if rule == "stack" else None, opaque)


def _are_alike(one: np.dtype[Any], other: np.dtype[Any]) -> bool:
    """Return True for equal types, and for floats of any precision."""
    return one == other or one.kind == other.kind == "f"


def count_colors(shape: Sequence[int]) -> int:
    """Return the number of channels of images [... c h w] without alpha, which is the last of two
    or four channels."""
    return shape[-3] - (shape[-3] in (2, 4))


def _find_top(images: Array, low: float, high: float) -> float | None:
    """Return the upper end of the known range in which the values lie or which they fill; None if
    there is none."""
    if low >= 0 and (high <= 1 or (high <= 255 and _are_bytes(images, high))):
        return 1.0 if high <= 1 else 255.0
    for top in TOPS:
        if max(abs(low), abs(high - top)) <= OVERSHOOT * top:
            return float(top)
    return None


def _are_bytes(images: Array, high: float) -> bool:
    """Return True for an 8-bit type, and for whole numbers of another type that need 8 bits."""
    if images.dtype.itemsize == 1:
        return True
    if high <= SEVEN_BITS or images.dtype.kind != "f":
        return high > SEVEN_BITS
    return all(bool((piece == np.rint(piece)).all()) for _, piece in _pieces(images))


def _find_ends(images: Array) -> tuple[float, float]:
    """Return the percentiles, extended to include the median. They are equal if all values are
    equal."""
    values = _sample(images)
    middle = np.percentile(values, 50, method="lower")  # the median as an element of the array
    others = values[values != middle]
    if not len(others):  # the sample missed the extremes
        return float(images.min()), float(images.max())
    half = np.percentile(others / 2, PERCENTILES)  # halved, because the difference may overflow
    low, high = (float(end) for end in np.clip(half, -_HALF, _HALF) * 2)
    return min(low, float(middle)), max(high, float(middle))


_HALF: Final = float(np.finfo(np.float64).max) / 2


def _sample(images: Array) -> NDArray[np.float64]:
    """Return all values, or a large sample drawn with a fixed seed."""
    if images.size <= SAMPLED:
        return images.astype(np.float64).ravel()
    places = np.random.default_rng(0).integers(0, images.size, SAMPLED)
    return images[np.unravel_index(places, images.shape)].astype(np.float64)


def _stretch(values: Array, low: float, high: float) -> Floats:
    """Return (v - low) / (high - low), clipped to [0, 1] and computed without overflow; 0 if both
    ends are equal."""
    unit = max(abs(low), abs(high))
    span = high / unit - low / unit if unit else 0.0
    if not span > 0:
        return np.zeros(values.shape, np.float32)
    with np.errstate(over="ignore"):
        scaled = (values.astype(np.float64) / unit - low / unit) / span
    return np.clip(scaled, 0, 1).astype(np.float32)


def _check_finite(name: str, images: Array) -> None:
    """Raise an error if there are NaN or infinite values. It states how many there are, and where
    the first one is."""
    if images.dtype.kind != "f":
        return
    nans = infinities = 0
    first: tuple[int, ...] | None = None
    for start, piece in _pieces(images):
        with np.errstate(over="ignore"):
            values = piece.astype(np.float64)
        wrong = ~np.isfinite(values)
        if not wrong.any():
            continue
        if first is None:
            row, *rest = np.unravel_index(int(wrong.argmax()), wrong.shape)
            first = (start + int(row), *(int(at) for at in rest))
        nans += int(np.isnan(values).sum())
        infinities += int(np.isinf(values).sum())
    if first is None:
        return
    image, channel, y, x = (at + 1 for at in first)
    found = [f"{nans:,} NaN"] * (nans > 0)
    found += [f"{infinities:,} infinite value{'s' * (infinities > 1)}"] * (infinities > 0)
    place = f"image {image}, row {y}, column {x}"
    if images.shape[1] > 1:
        place += f", channel {channel}"
    raise EngineError(
        f"{name}: expected finite numbers; got {' and '.join(found)}, the first in {place}: "
        "replace these values"
    )


def _pieces(images: Array) -> Iterator[tuple[int, Array]]:
    """Yield pieces of about a million values, each with the index of its first image."""
    step = max(1, PIECE // max(1, int(np.prod(images.shape[1:]))))
    for start in range(0, len(images), step):
        yield start, images[start : start + step]
