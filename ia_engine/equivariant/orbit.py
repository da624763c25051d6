"""A whole turn of a picture: what a network makes of it at every angle, and that turned back.

The picture may be mirrored first, and is then compared with what it was before. At a quarter turn
nothing is interpolated; in between pixels are read by cubic convolution, and the poses h are those
of the nearest quarter turn.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from ia_engine.equivariant.groups import P4M, FiniteGroup
from ia_engine.equivariant.maps import SHOWN, Trace, compose, trace
from ia_engine.images import keys, pixel_grid
from ia_engine.shapes import Images, check_axes

COUNT: Final = 120
"""Angles of a whole turn: every third degree."""
AT_ONCE: Final = 24
"""Full attention stores maps for every filter: a hundred megabytes at so many angles."""
CELLS: Final = 10
"""Arrows along a side."""
DEEP: Final = 10
"""Features are shown, and maps composed, where they still have so many pixels a side."""


@dataclass(frozen=True, eq=False)
class Turned:
    """A map at every angle, the same turned back, and how far that is from the upright one."""

    map: Tensor
    """[a h y x], or [a y x] where the poses are summed."""
    back: Tensor
    upright: Tensor
    """Of the picture as it came, [h y x] or [y x]: what all that is turned back should be."""
    error: Tensor
    """‖back - upright‖ / ‖upright‖ [a], within the circle that every turn keeps."""


@dataclass(frozen=True, eq=False)
class LayerOrbit:
    """The attention of one layer at every angle."""

    name: str
    spatial: Turned
    """α_X [a h y x]."""
    channel: Tensor
    """α_C [a c h]."""


@dataclass(frozen=True, eq=False)
class ComposedOrbit:
    """The maps of the fine layers, their geometric mean, and where it points.

    The product itself is next to nothing wherever one layer is; its root has the same order and
    can be seen.
    """

    heat: Turned
    """The mean over the poses."""
    arrows: Tensor
    """[a cells cells 2], the longest of length 1."""


@dataclass(frozen=True, eq=False)
class Orbit:
    """All that a network says of a picture while it turns once."""

    angles: Tensor
    """[a], anticlockwise [rad]."""
    images: Images
    probabilities: Tensor
    """[a k]."""
    features: Turned
    """Of a deep layer: the norm over channels and poses; the error is that of all of them."""
    features_name: str
    composed: dict[str, ComposedOrbit]
    """Maps of places, "kept" (1 - α_X) and "removed" (α_X); empty without attention."""
    layers: tuple[LayerOrbit, ...]
    mirrored: bool

    @property
    def said(self) -> int:
        """The class that is the most probable one before the picture is turned."""
        return int(self.probabilities[0].argmax())


@dataclass(frozen=True, eq=False)
class _Way:
    """How the picture comes to lie: mirrored or not, and then turned by each of the angles."""

    angles: Tensor
    mirrored: bool

    def go(self, v: Images) -> Images:
        """[1 c y x] to [a c y x]."""
        v = v.flip(-1) if self.mirrored else v
        return turn_each(v.expand(len(self.angles), -1, -1, -1), self.angles)

    def back(self, f: Tensor) -> Tensor:
        """The way back in the plane, [a c y x]."""
        f = turn_each(f, -self.angles)
        return f.flip(-1) if self.mirrored else f

    def back_in_poses(self, f: Tensor, group: FiniteGroup) -> Tensor:
        """[a h ...]: what moved pose h to pose gh is undone, g as of the nearest quarter turn."""
        quarters = (self.angles / (math.pi / 2)).round().long().tolist()
        permutations = [_moved(group, k % 4, self.mirrored) for k in quarters]
        return torch.stack([row[list(order)] for row, order in zip(f, permutations, strict=True)])


@dataclass(frozen=True, eq=False)
class _Part:
    """What is kept of a few angles."""

    probabilities: Tensor
    name: str
    features: Tensor
    """[a c h y x]"""
    layers: dict[str, tuple[Tensor, Tensor]]
    composed: dict[str, tuple[Tensor, Tensor]]
    """Heat [a y x] and arrows [a cells cells 2]."""


def turn_once(
    network: nn.Module,
    group: FiniteGroup,
    v: Images,
    count: int = COUNT,
    *,
    mirrored: bool = False,
) -> Orbit:
    """The picture v [1 c y x] at so many angles, through the network and back."""
    check_axes(v, "1 c h w", "v")
    angles = torch.arange(count, device=v.device, dtype=v.dtype) * (2 * math.pi / count)
    way = _Way(angles, mirrored)
    images = way.go(v)
    parts = [_see(trace(network, part), group, v.shape[-1]) for part in images.split(AT_ONCE)]
    upright = _see(trace(network, v), group, v.shape[-1]) if mirrored else parts[0]
    features = torch.cat([part.features for part in parts])
    return Orbit(
        angles=angles,
        images=images,
        probabilities=torch.cat([part.probabilities for part in parts]),
        features=_compare_features(features, upright.features[0], way, group),
        features_name=upright.name,
        composed={name: _join(name, parts, upright, way) for name in upright.composed},
        layers=tuple(_follow(name, parts, upright, way, group) for name in upright.layers),
        mirrored=mirrored,
    )


def turn_each(f: Tensor, angles: Tensor) -> Tensor:
    """Every f [a c y x] turned by its own angle, anticlockwise; quarter turns move pixels only."""
    p, q = pixel_grid(f.shape[-2], f.shape[-1], f).unbind(-1)
    cos, sin = (x.to(f)[:, None, None] for x in (angles.cos(), angles.sin()))
    found = keys(f, torch.stack([cos * p + sin * q, cos * q - sin * p], -1))
    for at, quarters in _exact(angles):
        found[at] = torch.rot90(f[at], quarters, (-2, -1))
    return found


def _exact(angles: Tensor) -> Iterator[tuple[int, int]]:
    """Which of the angles are quarter turns, and how many quarters."""
    for at, turns in enumerate((angles / (math.pi / 2)).tolist()):
        if abs(turns - round(turns)) < 1e-5:
            yield at, round(turns)


def _see(seen: Trace, group: FiniteGroup, side: int) -> _Part:
    large = [layer for layer in seen.features if layer.f.shape[-1] >= DEEP]
    layer = large[-1] if large else seen.features[0]
    names = SHOWN if seen.maps else ()
    return _Part(
        probabilities=seen.probabilities,
        name=layer.name,
        features=layer.f,
        layers={maps.name: (maps.spatial.clone(), maps.channel.clone()) for maps in seen.maps},
        composed={name: _compose(seen, group, side, name) for name in names},
    )


def _compose(seen: Trace, group: FiniteGroup, side: int, shown: str) -> tuple[Tensor, Tensor]:
    fine = tuple(maps for maps in seen.maps if maps.spatial.shape[-1] >= DEEP) or seen.maps
    product = compose(fine, group, side, shown).by_element
    mean = product.clamp_min(0) ** (1 / len(fine))
    directions = mean.new_tensor(group.directions)
    cells = functional.adaptive_avg_pool2d(mean, CELLS)
    return mean.mean(1), torch.einsum("ahyx,hd->ayxd", cells, directions)


def _join(shown: str, parts: Sequence[_Part], upright: _Part, way: _Way) -> ComposedOrbit:
    heat, arrows = (torch.cat([part.composed[shown][k] for part in parts]) for k in (0, 1))
    longest = arrows.norm(dim=-1).amax().clamp_min(1e-12)
    return ComposedOrbit(_compare(heat, upright.composed[shown][0][0], way), arrows / longest)


def _follow(
    name: str, parts: Sequence[_Part], upright: _Part, way: _Way, group: FiniteGroup
) -> LayerOrbit:
    spatial, channel = (torch.cat([part.layers[name][k] for part in parts]) for k in (0, 1))
    return LayerOrbit(name, _compare(spatial, upright.layers[name][0][0], way, group), channel)


def _compare_features(f: Tensor, upright: Tensor, way: _Way, group: FiniteGroup) -> Turned:
    """Features [a c h y x] are shown by their norm, and compared one by one."""
    back = way.back(f.flatten(1, 2)).view_as(f).transpose(1, 2)
    if len(group) > 1:
        back = way.back_in_poses(back, group)
    return Turned(
        map=f.flatten(1, 2).norm(dim=1),
        back=back.flatten(1, 2).norm(dim=1),
        upright=upright.flatten(0, 1).norm(dim=0),
        error=_distance(back, upright.transpose(0, 1)),
    )


def _compare(maps: Tensor, upright: Tensor, way: _Way, group: FiniteGroup | None = None) -> Turned:
    """Turned back in the plane, and in the poses where there are any."""
    back = way.back(maps if maps.ndim == 4 else maps[:, None])
    if group is not None:
        back = way.back_in_poses(back, group)
    back = back.view_as(maps)
    return Turned(maps, back, upright, _distance(back, upright))


def _distance(back: Tensor, upright: Tensor) -> Tensor:
    """‖back - upright‖ / ‖upright‖ of [a ... y x], in the circle that no turn leaves."""
    p, q = pixel_grid(back.shape[-2], back.shape[-1], back).unbind(-1)
    disc = (p.square() + q.square() <= (back.shape[-1] / 2) ** 2).to(back)
    left = ((back - upright) * disc).flatten(1).norm(dim=1)
    return left / (upright * disc).norm().clamp_min(1e-12)


def _moved(group: FiniteGroup, quarters: int, mirrored: bool) -> tuple[int, ...]:
    """The pose gh for every pose h; without mirrors in the group, the one that points like gh."""
    if not mirrored:
        return group.table[quarters]
    if group is P4M:
        return group.table[quarters + 4]
    return tuple(group.table[quarters][inverse] for inverse in group.inverse)
