"""The background is brought to 0: the border says what it is, the ink which way to go.

Per image and channel, m is the median of the border and v the picture. Ink brighter than its
background is v - m, ink darker than it m - v, both cut off at 0; whichever has more energy is
chosen. On white paper m - v is 1 - v: black ink becomes white, and coloured ink its complementary
colour. Last, [v - t]₊ / (1 - t) sinks what the border shows to be noise.
"""

import torch
from torch import Tensor

from ia_engine.shapes import Images

MOST_NOISE = 0.1
DARK_INK = 0.3
"""The mean of the brightest channel below which ink on nothing is turned round."""
_SIGMAS = 3 * 1.4826
"""Three standard deviations of normal noise, as a multiple of the median of its absolute values."""
TRANSPARENT, INVERTED, DARKER, SUBTRACTED, KEPT, PLAIN = range(6)
_PAPER = {"invert": 1.0, "subtract": 0.0}


def remove_background(
    images: Images, alpha: Images | None, mode: str, noise: float
) -> tuple[Images, Tensor]:
    """The images on a background of 0, and [n] what was done to each."""
    ones = torch.ones_like(images[:, :1])
    alpha = ones if alpha is None else alpha
    if mode == "keep":
        return images * alpha, _all(KEPT, images)
    median = border_median(images)
    paper = torch.full_like(median, _PAPER[mode]) if mode in _PAPER else median
    opaque = torch.lerp(paper.expand_as(images), images, alpha.expand_as(images))
    by_border, done = (
        (opaque, _all(KEPT, images)) if mode == "alpha" else _against_border(opaque, mode, noise)
    )
    floats = _floats(alpha, mode)
    shown = torch.where(floats[:, None, None, None], _against_nothing(images, alpha), by_border)
    return shown, torch.where(floats, TRANSPARENT, done)


def border_median(images: Images) -> Tensor:
    """[n c 1 1], the median of the outermost pixels."""
    return _border(images).median(-1).values[..., None, None]


def _border(images: Images) -> Tensor:
    """[n c k], the four outermost rows and columns."""
    rows = images[..., [0, -1], :].flatten(2)
    columns = images[..., [0, -1]].flatten(2)
    return torch.cat([rows, columns], -1)


def _against_border(images: Images, mode: str, noise: float) -> tuple[Images, Tensor]:
    median = border_median(images)
    difference = images - median
    brighter = difference.clamp_min(0).square().sum((1, 2, 3))
    darker = difference.clamp_max(0).square().sum((1, 2, 3))
    forced = {"subtract": False, "invert": True}.get(mode)
    invert = darker > brighter if forced is None else torch.full_like(darker, forced).bool()
    ink = torch.where(invert[:, None, None, None], -difference, difference).clamp(0, 1)
    light = median.mean((1, 2, 3)) > 0.5
    done = torch.where(median.amax((1, 2, 3)) > 0, SUBTRACTED, _all(PLAIN, images))
    return _sink(ink, images - median, noise), torch.where(
        invert, torch.where(light, INVERTED, _all(DARKER, images)), done
    )


def _sink(ink: Images, difference: Images, noise: float) -> Images:
    """[v - t]₊ / (1 - t), t from the spread of the border: a clean picture stays as it is."""
    spread = _SIGMAS * _border(difference).abs().median(-1).values.amax(1)
    t = spread.clamp(noise, MOST_NOISE)[:, None, None, None]
    return (ink - t).clamp_min(0) / (1 - t)


def _floats(alpha: Images, mode: str) -> Tensor:
    """[n] whether transparency is the background: around the border, or anywhere if so wished."""
    if mode == "alpha":
        return alpha.amin((1, 2, 3)) < 1
    see_through = border_median(alpha)[:, 0, 0, 0] < 0.5
    return see_through if mode == "auto" else torch.zeros_like(see_through)


def _against_nothing(images: Images, alpha: Images) -> Images:
    """Bright ink on nothing as it is; dark ink, which would vanish on 0, turned round."""
    value = (images.amax(1, keepdim=True) * alpha).sum((1, 2, 3))
    dark = value < DARK_INK * alpha.sum((1, 2, 3))
    return torch.where(dark[:, None, None, None], 1 - images, images) * alpha


def _all(done: int, images: Images) -> Tensor:
    return torch.full((len(images),), done, device=images.device)
