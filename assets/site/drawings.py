"""Pictures for captions without a run; the engine draws them when the site is made.

Manifolds: the landscape of a pair, and the aligned pair. Equivariance: the dial with the maps of
all layers, which the browser rotates, and the strides.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Final

import numpy as np

from assets.site.films import SiteFilm, SitePart
from ia_engine.attention.manifolds.landscape import Survey, survey
from ia_engine.attention.manifolds.pair import PairConfig, align, solve
from ia_engine.attention.manifolds.sample import MAX_IMAGES, gather
from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.recipes import RECIPES, load_recipe, make
from ia_engine.equivariant.checkpoint import SHIPPED, load_shipped
from ia_engine.equivariant.digits import SCRIBBLED, draw_digit, draw_strokes
from ia_engine.equivariant.measures import RegimeMaps, compare_regimes, compare_strides
from ia_engine.equivariant.networks import NETWORKS
from ia_engine.equivariant.orbit import turn_once
from ia_engine.figures.equivariance.strides import draw_regimes, draw_responses, draw_supports
from ia_engine.figures.equivariance.turning import Turning, pack_turning
from ia_engine.figures.landscape import draw_curve, draw_maps, draw_pair
from ia_engine.figures.matrices import ramp_for
from ia_engine.images import Images
from pages._ui.equivariance.convolution import KERNEL, PADDING, SIDES, WAYS
from pages._ui.equivariance.networks import FIRST as FIRST_NETWORK
from pages._ui.equivariance.networks import PLAIN
from pages._ui.equivariance.picture import DIGITS
from pages._ui.equivariance.picture import FIRST as FIRST_PICTURE
from pages._ui.lessons.lesson import Caption
from pages._ui.lessons.page_settings import default_settings
from pages._ui.manifolds.pair import EXPERIMENT_PAIR

THEMES: Final = (False, True)
"""Light and dark."""


def draw_caption(caption: Caption, name: str) -> tuple[str, SiteFilm] | None:
    """Return what the browser can show of a caption without a run, and the name of the film.

    None if the caption needs the app. Captions about the layers of one network share a film.
    """
    settings = _settings(caption)
    if caption.page == "equivariance" and settings["view"] == "Layer by layer":
        network, picture = str(settings["network"]), str(settings["picture"])
        if network not in SHIPPED or picture not in (FIRST_PICTURE, *DIGITS) or settings["mirror"]:
            return None
        return f"dial-{network}-{picture.replace(' ', '-')}", film_dial(
            network, picture, autoplay=False
        )
    draw_it = DRAWN.get((caption.page, str(settings.get("view", ""))))
    return (name, draw_it(caption)) if draw_it else None


def settings_of_layers(caption: Caption) -> dict[str, object]:
    """Return the layer and the angle that a caption about layers shows."""
    settings = _settings(caption)
    turn = settings.get("turn")
    return {"layer": int(settings.get("layer") or 1), "angle": "" if turn is None else str(turn)}


def film_dial(
    network: str = FIRST_NETWORK, picture: str = FIRST_PICTURE, *, autoplay: bool = True
) -> SiteFilm:
    """Return the dial with the maps of a network and of a plain one for a digit at all angles, and
    the maps of all layers, which come first unless the dial rotates by itself."""
    v, rows = _digit(picture), []
    for name in (network, PLAIN):
        entry = NETWORKS[name]
        turned = turn_once(load_shipped(name).network, entry.group, v, mirrored=False)
        rows.append(Turning(entry.title, turned, tuple(entry.group.names)))
    packed = pack_turning(rows, DIGITS, f"{network} {PLAIN} {picture}", 0, autoplay)
    pixels = (v[0].permute(1, 2, 0).numpy() * 255).astype(np.uint8)
    turned_pixels = np.stack([np.rot90(pixels, k) for k in range(4)])
    layers = {"title": NETWORKS[network].title, "layer": 1, "angle": "", "request": ""}
    parts = (SitePart("turning", (packed,)), SitePart("layers", (), layers))
    return SiteFilm(parts if autoplay else parts[::-1], turned_pixels)


def draw(light: str, dark: str = "") -> SiteFilm:
    """Return a drawing as a film; `dark` is its version for the dark theme, if it differs."""
    return SiteFilm((SitePart("drawing", tuple(svg.encode() for svg in (light, dark) if svg)),))


def _draw_landscape(caption: Caption) -> SiteFilm:
    settings = _settings(caption)
    recipe = caption.data or "experiment-1"
    i, j = (int(settings[name] or EXPERIMENT_PAIR[name]) - 1 for name in ("i", "j"))
    sigma = float(settings["sigma"] or 0)
    source, target, surveyed = _survey(recipe, i, j)
    sharp = surveyed.smooth(0)
    landscape = surveyed.smooth(sigma) if sigma else sharp
    solved = solve(source, target, replace(PairConfig(), sigma=sigma))
    curve = draw_curve(landscape, landscape.basin(), sharp, solved)
    aligned, walked = align(source, solved.best), align(source, solved.descent)
    return draw(curve + draw_pair(source, target, aligned, walked) + draw_maps(landscape, solved))


def _draw_strides(caption: Caption) -> SiteFilm:
    settings = _settings(caption)
    side, (stride, pooled) = SIDES[str(settings["side"])], WAYS[str(settings["way"])]
    supports = draw_supports(side, stride, KERNEL, PADDING, pooled=pooled)
    found = compare_strides(side, stride, KERNEL, PADDING, pooled=pooled)
    top = (
        '<div style="display:flex;flex-wrap:wrap;gap:14px;margin-bottom:14px">'
        f'<div style="flex:1 1 160px">{supports}</div>'
        f'<div style="flex:3 1 300px">{draw_responses(found)}</div></div>'
    )
    regimes = _regimes(str(settings["picture"]))
    light, dark = (draw_regimes(regimes, ramp_for(is_dark)) for is_dark in THEMES)
    return draw(top + light, top + dark)


def _settings(caption: Caption) -> Mapping[str, Any]:
    return {**default_settings(caption.page), **caption.settings}


@cache
def _survey(recipe: str, i: int, j: int) -> tuple[Images, Images, Survey]:
    """Return two images, and their distances in all poses."""
    data = make(RECIPES[recipe] if recipe in RECIPES else load_recipe(recipe))
    if not isinstance(data, ImageSet):
        raise TypeError(f"a landscape needs images; got the recipe {recipe}")
    sample = gather(data, MAX_IMAGES)
    source, target = sample.v[i : i + 1], sample.v[j : j + 1]
    return source, target, survey(source, target)


@cache
def _regimes(picture: str) -> tuple[RegimeMaps, RegimeMaps]:
    return compare_regimes(_digit(picture))


def _digit(name: str) -> Images:
    return draw_strokes(SCRIBBLED) if name == FIRST_PICTURE else draw_digit(int(name))


DRAWN: Final[Mapping[tuple[str, str], Callable[[Caption], SiteFilm]]] = {
    ("manifolds", ""): _draw_landscape,
    ("equivariance", "Stride and parity"): _draw_strides,
}
"""Draws a caption, by its page and the view that it opens."""
