"""A pair as it is and as it is aligned: two colours that add up to white where both are."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from torch import Tensor

from ia_engine.figures.svg import BLUE, ORANGE, Pixels, draw, picture, side_by_side
from ia_engine.shapes import Images

SIDE: Final = 180
LEAST: Final = 92
Tile = tuple[str, str, Pixels, str]
"""Its name, how it was made, its pixels, and the term of the formula that it stands for."""


def draw_pair(source: Images, target: Images, best: Images, descent: Images) -> str:
    """vᵢ and vⱼ, both laid over one another: as they are, and as either solver aligns them."""
    white = max(float(source.max()), float(target.max()), 1e-12)
    i, j, aligned, walked = (_grey(v, white) for v in (source, target, best, descent))
    tiles = (
        ("vᵢ", "moved", _tint(i, ORANGE), "vi"),
        ("vⱼ", "held still", _tint(j, BLUE), "vj"),
        ("vᵢ on vⱼ", "as they are", overlay(i, j), "still"),
        ("vᵢ∘τ on vⱼ", "by descent", overlay(walked, j), "walked"),
        ("vᵢ∘τ* on vⱼ", "by global search", overlay(aligned, j), "pose"),
    )
    return side_by_side((_draw(tile) for tile in tiles), LEAST)


def draw_one(image: Images) -> str:
    """An image alone, in its own colours."""
    shares = (image[0] / max(float(image.max()), 1e-12)).clamp(0, 1).detach().cpu().double()
    tile = np.rint(255 * shares.expand(3, -1, -1).permute(1, 2, 0).numpy()).astype(np.uint8)
    size = (SIDE, SIDE * tile.shape[0] / tile.shape[1])
    return draw(*size, "vᵢ, turned", [picture(tile, 0, 0, *size)])


def overlay(a: Tensor, b: Tensor) -> Pixels:
    """Two images [h w] in [0, 1] in orange and in blue, which add up to white."""
    return np.minimum(_tint(a, ORANGE).astype(int) + _tint(b, BLUE), 255).astype(np.uint8)


def _draw(tile: Tile) -> str:
    name, how, pixels, term = tile
    height = SIDE * pixels.shape[0] / pixels.shape[1]
    drawn = draw(SIDE, height, f"{name}, {how}", [picture(pixels, 0, 0, SIDE, height)])
    told = f"<figcaption><b>{name}</b>{how}</figcaption>"
    return f'<figure data-term="{term}">{drawn}{told}</figure>'


def _grey(v: Images, white: float) -> Tensor:
    return (v[0].mean(0) / white).clamp(0, 1)


def _tint(grey: Tensor, colour: Sequence[int]) -> Pixels:
    shares: Final = grey.detach().cpu().double().numpy()
    return np.rint(shares[..., None] * np.array(colour)).astype(np.uint8)
