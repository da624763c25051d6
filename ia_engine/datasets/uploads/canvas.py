"""Places uploaded pictures of any size and colour on one canvas with a background of 0.

The border determines the background. For each image and channel, let m be the median of the border
and v the picture. Ink that is brighter than the background is v - m, and darker ink is m - v, both
clipped at 0. Whichever has more energy in most images of a stack is used for the whole stack. On
white paper, m - v is 1 - v: black ink becomes white, and coloured ink gets its complementary
colour. Finally, [v - t]₊ / (1 - t) removes as much noise as the border shows.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final

import torch
from torch import Tensor
from torch.nn import functional

from ia_engine.datasets.data import find_flaws
from ia_engine.datasets.scaling import SCALE
from ia_engine.datasets.uploads.limits import Stack
from ia_engine.images import Images, resize
from ia_engine.params import Choice, Config, Range, parameters
from ia_engine.poses.placement import Placement

SIDE: Final = Range("h", 16, 256, "side of the canvas", unit="px")


@dataclass(frozen=True)
class UploadConfig(Config):
    """Settings of an upload: the canvas, the background, the colours and the number of images."""

    size: Annotated[int, SIDE] = 64
    margin: Annotated[
        float,
        Range(
            "m", 0, 0.3, "empty share of the canvas on each side; 0.15 keeps rotated copies inside"
        ),
    ] = 0.15
    background: Annotated[
        str,
        Choice(
            "background",
            ("auto", "keep", "subtract", "invert", "alpha"),
            "auto compares ink with the border and inverts either all or none of the images in a "
            "file; subtract keeps ink brighter than the border, invert keeps darker ink (colours "
            "become complementary); alpha uses only transparency; keep changes nothing",
        ),
    ] = "auto"
    color: Annotated[
        str,
        Choice("color", ("auto", "gray", "rgb"), "auto uses one channel if no picture has colours"),
    ] = "auto"
    limit: Annotated[int, Range("n", 1, 10_000, "maximum number of images to read")] = 1000
    cut: Annotated[
        str,
        Choice(
            "cut",
            ("whole", "square"),
            "whole keeps the complete picture; square takes the largest square in its centre",
        ),
    ] = "whole"
    scale: Annotated[str, SCALE] = "stack"
    fit: Annotated[
        str,
        Choice(
            "fit",
            ("each", "common"),
            "each scales every picture to the canvas, so that sizes are not comparable; common "
            "scales all pictures by the same factor",
        ),
    ] = "each"
    longest: Annotated[
        int,
        Range(
            "L",
            0,
            1_000_000,
            "length in the originals that fills the canvas if fit is common; 0 stands for the "
            "longest side of all pictures, and larger pictures are fitted",
            unit="px",
        ),
    ] = 0


PHOTOGRAPHS: Final = UploadConfig(
    size=128, margin=0.0, background="keep", color="rgb", cut="square"
)
"""The usual settings for clustering photographs: their central squares, in colour."""


MOST_NOISE = 0.1
DARK_INK = 0.3
"""Ink on a transparent background is inverted if the mean of its brightest channel is lower."""
_SIGMAS = 3 * 1.4826
"""Three standard deviations of normally distributed noise, as a multiple of its median absolute
value."""
TRANSPARENT, INVERTED, DARKER, SUBTRACTED, KEPT, PLAIN, OUTVOTED = range(7)
TREATMENTS: Final = {
    INVERTED: "had a light border and {was} inverted",
    DARKER: "had ink darker than a dark border and {was} inverted",
    SUBTRACTED: "had a nonzero border; its value was subtracted",
    TRANSPARENT: "had a transparent background, which was set to 0",
    KEPT: "kept the background",
}
COMPLEMENTARY: Final = (
    "an inversion makes colours complementary; for photographs, choose the background keep"
)
_PAPER = {"invert": 1.0, "subtract": 0.0}


def remove_background(
    images: Images, alpha: Images | None, mode: str, noise: float, invert: bool | None = None
) -> tuple[Images, Tensor, bool]:
    """Return the images of one stack on a background of 0, how each was changed [n], and `invert`.

    Either all images are inverted or none: as `invert` or `mode` states, and otherwise as the
    majority of the images requires. OUTVOTED marks images that would have been treated differently
    on their own.
    """
    ones = torch.ones_like(images[:, :1])
    alpha = ones if alpha is None else alpha
    if mode == "keep":
        return images * alpha, _all(KEPT, images), False
    median = border_median(images)
    paper = torch.full_like(median, _PAPER[mode]) if mode in _PAPER else median
    opaque = torch.lerp(paper.expand_as(images), images, alpha.expand_as(images))
    floats = _floats(alpha, mode)
    on_paper = floats * 0.0 if mode == "alpha" else _dark_on_paper(opaque)
    votes = torch.where(floats, _dark_on_nothing(images, alpha), on_paper)
    if invert is None:
        invert = {"subtract": False, "invert": True}.get(mode, bool(votes.sum() > 0))
    by_border, done = (
        (opaque, _all(KEPT, images)) if mode == "alpha" else _against_border(opaque, invert, noise)
    )
    by_nothing = (1 - images if invert else images) * alpha
    shown = torch.where(floats[:, None, None, None], by_nothing, by_border)
    done = torch.where(floats, TRANSPARENT, done)
    against = votes == (-1 if invert else 1)
    if mode == "auto":
        done = torch.where(against, OUTVOTED, done)
    return shown, done, invert


def border_median(images: Images) -> Tensor:
    """Return the median [n c 1 1] of the outermost pixels."""
    return _border(images).median(-1).values[..., None, None]


def _border(images: Images) -> Tensor:
    """Return the outermost rows and columns on all four sides, [n c k]."""
    rows = images[..., [0, -1], :].flatten(2)
    columns = images[..., [0, -1]].flatten(2)
    return torch.cat([rows, columns], -1)


def _against_border(images: Images, invert: bool, noise: float) -> tuple[Images, Tensor]:
    median = border_median(images)
    difference = images - median
    ink = (-difference if invert else difference).clamp(0, 1)
    if invert:
        done = torch.where(median.mean((1, 2, 3)) > 0.5, INVERTED, _all(DARKER, images))
    else:
        done = torch.where(median.amax((1, 2, 3)) > 0, SUBTRACTED, _all(PLAIN, images))
    return _sink(ink, difference, noise), done


def _dark_on_paper(images: Images) -> Tensor:
    """Return 1 for each image [n] in which ink darker than the border has more energy, and -1 if
    brighter ink has more."""
    difference = images - border_median(images)
    brighter = difference.clamp_min(0).square().sum((1, 2, 3))
    darker = difference.clamp_max(0).square().sum((1, 2, 3))
    return (darker - brighter).sign()


def _sink(ink: Images, difference: Images, noise: float) -> Images:
    """Return [v - t]₊ / (1 - t), where t is computed from the spread of the border. A picture
    without noise does not change."""
    spread = _SIGMAS * _border(difference).abs().median(-1).values.amax(1)
    t = spread.clamp(noise, MOST_NOISE)[:, None, None, None]
    return (ink - t).clamp_min(0) / (1 - t)


def _floats(alpha: Images, mode: str) -> Tensor:
    """Return a mask [n] of the images whose background is transparent: at the border or, if
    requested, anywhere."""
    if mode == "alpha":
        return alpha.amin((1, 2, 3)) < 1
    see_through = border_median(alpha)[:, 0, 0, 0] < 0.5
    return see_through if mode == "auto" else torch.zeros_like(see_through)


def _dark_on_nothing(images: Images, alpha: Images) -> Tensor:
    """Return 1 for each image [n] whose ink, on a transparent background, is too dark to be visible
    on black, otherwise -1."""
    value = (images.amax(1, keepdim=True) * alpha).sum((1, 2, 3))
    dark = value < DARK_INK * alpha.sum((1, 2, 3))
    return torch.where(dark, 1.0, -torch.ones_like(value))


def _all(done: int, images: Images) -> Tensor:
    return torch.full((len(images),), done, device=images.device)


_LUMA = (0.299, 0.587, 0.114)
_GRAY_ENOUGH = 0.02


def place(
    stack: Stack, config: UploadConfig, invert: bool | None = None
) -> tuple[Images, Tensor, Tensor, bool]:
    """Return the images on the canvas, how each background was changed [n], the flaw of each image
    [n], and whether the images were inverted.

    Pass the last value on as `invert` with the next piece of the same file.
    """
    v, alpha = stack.images, stack.alpha
    if config.cut == "square":
        v, alpha = cut_square(v), None if alpha is None else cut_square(alpha)
    images, done, invert = remove_background(
        choose_color(v, config.color), alpha, config.background, stack.noise, invert
    )
    longest = _find_longest(stack, config)
    placed = letterbox(images, config.size, config.margin, longest)
    return placed, done, find_flaws(images), invert


def find_placement(stack: Stack, config: UploadConfig) -> Placement:
    """Return where the originals of a stack lie on the canvas of `place`."""
    height, width = stack.images.shape[-2:]
    placement = stack.placement
    if config.cut == "square":
        side, top, left = _find_square(height, width)
        height, width, placement = side, side, placement.pad(-top, -left)
    side = max(height, width, _find_longest(stack, config))
    edge = _find_edge(side, config.size, config.margin)
    inner = config.size - 2 * edge
    square = placement.pad((side - height) // 2, (side - width) // 2)
    return square.resize(inner, inner, (side, side)).pad(edge, edge)


def find_common_length(placements: Sequence[Placement], config: UploadConfig) -> int:
    """Return the longest side [px] of the originals, or of the squares that are cut out of them."""
    choose = min if config.cut == "square" else max
    return max(choose(place.height, place.width) for place in placements)


def _find_longest(stack: Stack, config: UploadConfig) -> int:
    """Return `longest` in pixels of the stack, whose pictures may have been reduced."""
    return round(config.longest * stack.placement.scale[0]) if config.fit == "common" else 0


def cut_square(images: Images) -> Images:
    """Crop images to their largest central square."""
    side, top, left = _find_square(*images.shape[-2:])
    return images[..., top : top + side, left : left + side]


def _find_square(height: int, width: int) -> tuple[int, int, int]:
    """Return the side of the largest central square, and its first row and column."""
    side = min(height, width)
    return side, (height - side) // 2, (width - side) // 2


def choose_color(images: Images, color: str) -> Images:
    """Convert images to one channel or three; by default, to one if no pixel is coloured."""
    if images.shape[1] == 1:
        return images.expand(-1, 3, -1, -1) if color == "rgb" else images
    if color == "rgb" or (color == "auto" and _is_colored(images)):
        return images
    weights = images.new_tensor(_LUMA)[:, None, None]
    return (images * weights).sum(1, keepdim=True)


def letterbox(images: Images, size: int, margin: float, longest: int = 0) -> Images:
    """Centre images on the canvas, with the same scale horizontally and vertically.

    The longer side of the images or, if it is larger, the length `longest` [px] fills the canvas up
    to `margin`, a fraction of the canvas. Each axis is padded to this length before it is resized:
    the shorter side may then have a fractional length on the canvas.
    """
    height, width = images.shape[-2:]
    side = max(height, width, longest)
    edge = _find_edge(side, size, margin)
    inner = size - 2 * edge
    if height == width == side:
        small = resize(images, inner, inner)
    else:  # one axis at a time, so that little memory is needed
        small = resize(_pad(images, side - width), height, inner)
        small = resize(_pad(small.mT, side - height), inner, inner).mT
    return functional.pad(small, (edge,) * 4).clamp(0, 1)


def _pad(images: Images, more: int) -> Images:
    """Add empty columns on both sides."""
    return functional.pad(images, (more // 2, more - more // 2))


def _find_edge(side: int, size: int, margin: float) -> int:
    """Return the width of the empty frame around the resized image."""
    scale = size * (1 - 2 * margin) / side
    return min(round((size - side * scale) / 2), (size - 1) // 2)


def _is_colored(images: Images) -> bool:
    spread = images.amax(1) - images.amin(1)
    return bool(spread.max() > _GRAY_ENOUGH)


def stack_up(pieces: list[Images]) -> Images:
    """Concatenate the images, with three channels if any of them has three."""
    channels = max(piece.shape[1] for piece in pieces)
    return torch.cat([piece.expand(-1, channels, -1, -1) for piece in pieces])


def match_settings(images: Images, recipe: str) -> UploadConfig:
    """Return settings with which new pictures are placed on a canvas like that of these images.

    If the recipe [JSON] of the images is an upload, its settings are used. Otherwise, pictures
    fill the canvas, because a recipe determines its margin itself.

    >>> match_settings(torch.zeros(2, 1, 28, 28), "{}").size
    28
    """
    value = json.loads(recipe)
    names = {parameter.name for parameter in parameters(UploadConfig)}
    stored = value.get("config", {}) if value.get("source") == "upload" else {}
    kept = {name: x for name, x in stored.items() if name in names}
    if {"size", "margin", "background"} <= kept.keys():
        return UploadConfig.from_values(kept)
    side = int(min(max(*images.shape[-2:], SIDE.low), SIDE.high))
    return UploadConfig(size=side, margin=0.0, color="gray" if images.shape[1] == 1 else "rgb")
