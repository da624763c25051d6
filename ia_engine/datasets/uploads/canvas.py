"""Pictures of any size and colour, brought to one canvas on a background of 0."""

import torch
from torch import Tensor
from torch.nn import functional

from ia_engine.datasets.flaws import find_flaws
from ia_engine.datasets.uploads.background import remove_background
from ia_engine.datasets.uploads.config import UploadConfig
from ia_engine.datasets.uploads.stack import Stack
from ia_engine.images import resize
from ia_engine.shapes import Images

_LUMA = (0.299, 0.587, 0.114)
_GRAY_ENOUGH = 0.02


def place(
    stack: Stack, config: UploadConfig, invert: bool | None = None
) -> tuple[Images, Tensor, Tensor, bool]:
    """The stack's images on the canvas, [n] the change of each background, [n] each flaw.

    Last, whether they were inverted: the next piece of the same file is treated as this one.
    """
    v, alpha = stack.images, stack.alpha
    if config.cut == "square":
        v, alpha = cut_square(v), None if alpha is None else cut_square(alpha)
    images, done, invert = remove_background(
        choose_color(v, config.color), alpha, config.background, stack.noise, invert
    )
    return letterbox(images, config.size, config.margin), done, find_flaws(images), invert


def cut_square(images: Images) -> Images:
    """The largest square in the middle."""
    side = min(images.shape[-2:])
    top, left = ((size - side) // 2 for size in images.shape[-2:])
    return images[..., top : top + side, left : left + side]


def choose_color(images: Images, color: str) -> Images:
    """One channel or three; unless told, one if no pixel shows a colour."""
    if images.shape[1] == 1:
        return images.expand(-1, 3, -1, -1) if color == "rgb" else images
    if color == "rgb" or (color == "auto" and _is_colored(images)):
        return images
    weights = images.new_tensor(_LUMA)[:, None, None]
    return (images * weights).sum(1, keepdim=True)


def letterbox(images: Images, size: int, margin: float) -> Images:
    """Resized to fit between the margins [share of the canvas], its shape kept, centred exactly."""
    inner = size * (1 - 2 * margin)
    scale = inner / max(images.shape[-2:])
    top, left = (
        min(round((size - side * scale) / 2), (size - 1) // 2) for side in images.shape[-2:]
    )
    small = resize(images, size - 2 * top, size - 2 * left)
    return functional.pad(small, (left, left, top, top)).clamp(0, 1)


def _is_colored(images: Images) -> bool:
    spread = images.amax(1) - images.amin(1)
    return bool(spread.max() > _GRAY_ENOUGH)


def stack_up(pieces: list[Images]) -> Images:
    """All images in one tensor; three channels if any of them has."""
    channels = max(piece.shape[1] for piece in pieces)
    return torch.cat([piece.expand(-1, channels, -1, -1) for piece in pieces])
