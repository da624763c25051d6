"""The panels of which a result consists: pictures, curves, seeds, points, and the diagram of a
layer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

Array = NDArray[Any]
LOOKS: Final = ("grey", "ramp", "signed", "colour")


@dataclass(frozen=True, eq=False)
class Pictures:
    """Small pictures in rows, with captions."""

    title: str
    values: Array
    """uint8 [n h w], or [n h w 3] for colours."""
    captions: tuple[str, ...]
    columns: int
    look: str = "grey"
    low: float = 0.0
    high: float = 1.0
    """`low` and `high` are the values for which 0 and 255 stand."""
    framed: tuple[int, ...] = ()
    arrows: Array | None = None
    """[n cells cells 2], as (p, q); the longest arrow has length 1."""
    foreign: bool = False
    """True for pictures by third parties, which may be shown but not redistributed."""


@dataclass(frozen=True, eq=False)
class Curves:
    """Lines over a common axis; NaN stands for a missing value."""

    title: str
    x_title: str
    y_title: str
    names: tuple[str, ...]
    x: Array
    y: Array
    """[lines n]: the values of each line."""
    y_scale: str = "linear"
    """The scale of the y axis: "linear", or "log" for positive values that decrease by a large
    factor, such as errors."""


@dataclass(frozen=True, eq=False)
class Seeds:
    """The value of every seed for each method, and the mean and spread in the paper."""

    title: str
    y_title: str
    names: tuple[str, ...]
    """Names of the methods."""
    values: Array
    """[methods seeds]: the values; NaN for seeds that are not finished."""
    means: tuple[float | None, ...]
    """The means in the paper."""
    spreads: tuple[float, ...]
    """The standard deviations in the paper; 0 where it states none."""
    y_scale: str = "linear"
    """The scale of the y axis, as for `Curves`."""


@dataclass(frozen=True, eq=False)
class Points:
    """The same points at several moments, or closed curves of points."""

    title: str
    moments: tuple[str, ...]
    points: Array
    """[moments n 2]: the coordinates."""
    labels: tuple[int, ...]
    closed: bool = False


@dataclass(frozen=True, eq=False)
class Diagram:
    """A diagram of a computation: arrays in boxes, and how they depend on each other."""

    title: str
    names: tuple[str, ...]
    words: tuple[str, ...]
    places: tuple[tuple[int, int], ...]
    """The column and the row of each box."""
    edges: tuple[tuple[int, int], ...]
    values: Array
    """uint8 [n s s], each with its own scale."""
    lows: tuple[float, ...]
    highs: tuple[float, ...]


Panel = Pictures | Curves | Seeds | Points | Diagram
PANELS: Final = {kind.__name__: kind for kind in (Pictures, Curves, Seeds, Points, Diagram)}


def show(
    title: str,
    v: Tensor,
    captions: Sequence[str] = (),
    columns: int = 0,
    look: str = "grey",
    *,
    bounds: tuple[float, float] | None = None,
    framed: Sequence[int] = (),
    arrows: Tensor | None = None,
    foreign: bool = False,
) -> Pictures:
    """Return a panel of pictures [n h w] or images [n c h w], all with the same scale: `bounds` or,
    by default, their own range."""
    v = v.detach().cpu().double()
    if v.ndim == 4:
        v = v.permute(0, 2, 3, 1) if v.shape[1] == 3 else v.mean(1)
    if v.ndim == 4 and look == "grey":
        look = "colour"
    low, high = bounds or _bounds(v, look)
    share = ((v - low) / max(high - low, 1e-12)).clamp(0, 1)
    return Pictures(
        title=title,
        values=(255 * share).round().byte().numpy(),
        captions=tuple(captions),
        columns=columns or len(v),
        look=look,
        low=low,
        high=high,
        framed=tuple(framed),
        arrows=None if arrows is None else arrows.cpu().half().numpy(),
        foreign=foreign,
    )


def _bounds(v: Tensor, look: str) -> tuple[float, float]:
    if look == "colour":
        return 0.0, 1.0
    if look == "signed":
        top = float(v.abs().max()) or 1.0
        return -top, top
    return (min(0.0, float(v.min())) if look == "grey" else float(v.min())), float(v.max())


def tile(v: Tensor, side: int = 96, most: int = 9) -> tuple[Array, float, float]:
    """Return maps [n h w], or one map [h w], as one square of bytes, and the values for which 0 and
    255 stand."""
    maps = (v if v.ndim == 3 else v[None])[:most].detach().cpu().double().numpy()
    across = int(np.ceil(np.sqrt(len(maps))))
    low, high = float(maps.min()), float(maps.max())
    step = side // across, side // -(-len(maps) // across)
    width, height = (max(1, length - 1) for length in step)
    found = np.zeros((side, side), np.uint8)
    for at, one in enumerate(maps):
        rows = np.arange(height) * one.shape[0] // height
        columns = np.arange(width) * one.shape[1] // width
        share = (one[np.ix_(rows, columns)] - low) / max(high - low, 1e-12)
        row, column = divmod(at, across)
        top, left = row * step[1], column * step[0]
        found[top : top + height, left : left + width] = np.rint(255 * share)
    return found, low, high
