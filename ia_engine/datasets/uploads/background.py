"""The background is brought to 0: the border says what it is, the ink which way to go.

Per image and channel, m is the median of the border and v the picture. Ink brighter than its
background is v - m, ink darker than it m - v, both cut off at 0. In most images of a stack one of
the two has more energy: it is taken for all of them. On white paper m - v is 1 - v: black ink
becomes white, and coloured ink its complementary colour. Last, [v - t]₊ / (1 - t) sinks what the
border shows to be noise.
"""

import torch
from torch import Tensor

from ia_engine.shapes import Images

MOST_NOISE = 0.1
DARK_INK = 0.3
"""The mean of the brightest channel below which ink on nothing is inverted."""
_SIGMAS = 3 * 1.4826
"""Three standard deviations of normal noise, as a multiple of the median of its absolute values."""
TRANSPARENT, INVERTED, DARKER, SUBTRACTED, KEPT, PLAIN, OUTVOTED = range(7)
_PAPER = {"invert": 1.0, "subtract": 0.0}


def remove_background(
    images: Images, alpha: Images | None, mode: str, noise: float, invert: bool | None = None
) -> tuple[Images, Tensor, bool]:
    """The images of one stack on a background of 0, [n] what was done to each, and `invert`.

    They are inverted all or none: as `invert` says, or as most of them need. OUTVOTED are those
    that would have been treated the other way if they were alone.
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
    """[n c 1 1], the median of the outermost pixels."""
    return _border(images).median(-1).values[..., None, None]


def _border(images: Images) -> Tensor:
    """[n c k], the four outermost rows and columns."""
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
    """[n] 1 where ink darker than the border has more energy, -1 where brighter ink has."""
    difference = images - border_median(images)
    brighter = difference.clamp_min(0).square().sum((1, 2, 3))
    darker = difference.clamp_max(0).square().sum((1, 2, 3))
    return (darker - brighter).sign()


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


def _dark_on_nothing(images: Images, alpha: Images) -> Tensor:
    """[n] 1 where ink on nothing is so dark that it would vanish on 0, otherwise -1."""
    value = (images.amax(1, keepdim=True) * alpha).sum((1, 2, 3))
    dark = value < DARK_INK * alpha.sum((1, 2, 3))
    return torch.where(dark, 1.0, -torch.ones_like(value))


def _all(done: int, images: Images) -> Tensor:
    return torch.full((len(images),), done, device=images.device)
