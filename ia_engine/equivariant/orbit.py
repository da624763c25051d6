"""A full rotation of a picture: the outputs of a network at every angle, rotated back for
comparison.

The picture may be mirrored first, and is then compared with the original. Rotations by multiples of
90° need no interpolation. Other angles use cubic convolution, and the poses h of the nearest
multiple of 90°.
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
from ia_engine.images import Images, check_axes, keys, pixel_grid

COUNT: Final = 120
"""Number of angles, one every 3°."""
AT_ONCE: Final = 24
"""Number of angles per batch. Full attention stores maps for every filter, which takes 100 MB."""
CELLS: Final = 10
"""Number of arrows per side."""
DEEP: Final = 10
"""Minimum side [px] of the layers whose features are shown and whose maps are composed."""


@dataclass(frozen=True, eq=False)
class RotatedMap:
    """A map at every angle, the map rotated back, and its distance from the map of the upright
    picture."""

    map: Tensor
    """[a h y x], or [a y x] if the poses are summed."""
    back: Tensor
    upright: Tensor
    """The map of the upright picture, [h y x] or [y x], to which `back` is compared."""
    error: Tensor
    """‖back - upright‖ / ‖upright‖ [a] within the inscribed circle."""


@dataclass(frozen=True, eq=False)
class LayerOrbit:
    """The attention of one layer at every angle."""

    name: str
    spatial: RotatedMap
    """α_X [a h y x]."""
    channel: Tensor
    """α_C [a c h]."""


@dataclass(frozen=True, eq=False)
class ComposedOrbit:
    """The geometric mean of the maps of the layers with high resolution, and its direction.

    The product itself is nearly zero wherever one of the maps is. Its root preserves the order of
    the values, and remains visible.
    """

    heat: RotatedMap
    """The mean over the poses."""
    arrows: Tensor
    """[a cells cells 2]: the arrows, the longest of which has length 1."""


@dataclass(frozen=True, eq=False)
class Orbit:
    """All outputs of a network during a full rotation of a picture."""

    angles: Tensor
    """[a]: the angles, anticlockwise [rad]."""
    images: Images
    probabilities: Tensor
    """[a k]: the probability of each class."""
    features: RotatedMap
    """The features of a deep layer: their norm over channels and poses, and the error over all
    features."""
    features_name: str
    composed: dict[str, ComposedOrbit]
    """The composed spatial maps "kept" (1 - α_X) and "removed" (α_X); empty for a network without
    attention."""
    layers: tuple[LayerOrbit, ...]
    mirrored: bool

    @property
    def said(self) -> int:
        """The most probable class of the picture at the first angle."""
        return int(self.probabilities[0].argmax())


@dataclass(frozen=True, eq=False)
class _Way:
    """The transformations of the picture: an optional reflection, followed by a rotation by each
    angle."""

    angles: Tensor
    mirrored: bool

    def go(self, v: Images) -> Images:
        """Transform a picture [1 c y x] to the pictures at all angles [a c y x]."""
        v = v.flip(-1) if self.mirrored else v
        return turn_each(v.expand(len(self.angles), -1, -1, -1), self.angles)

    def back(self, f: Tensor) -> Tensor:
        """Apply the inverse transformation in the plane to f [a c y x]."""
        f = turn_each(f, -self.angles)
        return f.flip(-1) if self.mirrored else f

    def back_in_poses(self, f: Tensor, group: FiniteGroup) -> Tensor:
        """Permute the poses of f [a h ...] by the inverse of the nearest multiple of 90°."""
        quarters = (self.angles / (math.pi / 2)).round().long().tolist()
        permutations = [_moved(group, k % 4, self.mirrored) for k in quarters]
        return torch.stack([row[list(order)] for row, order in zip(f, permutations, strict=True)])


@dataclass(frozen=True, eq=False)
class _Part:
    """Results for some of the angles."""

    probabilities: Tensor
    name: str
    features: Tensor
    """[a c h y x]."""
    layers: dict[str, tuple[Tensor, Tensor]]
    composed: dict[str, tuple[Tensor, Tensor]]
    """The heat maps [a y x] and arrows [a cells cells 2]."""


def turn_once(
    network: nn.Module,
    group: FiniteGroup,
    v: Images,
    count: int = COUNT,
    *,
    mirrored: bool = False,
) -> Orbit:
    """Pass a picture v [1 c y x] through the network at every angle, and rotate the maps back."""
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
    """Rotate each row of f [a c y x] anticlockwise by its own angle. Multiples of 90° only permute
    pixels."""
    p, q = pixel_grid(f.shape[-2], f.shape[-1], f).unbind(-1)
    cos, sin = (x.to(f)[:, None, None] for x in (angles.cos(), angles.sin()))
    found = keys(f, torch.stack([cos * p + sin * q, cos * q - sin * p], -1))
    for at, quarters in _exact(angles):
        found[at] = torch.rot90(f[at], quarters, (-2, -1))
    return found


def _exact(angles: Tensor) -> Iterator[tuple[int, int]]:
    """Yield the index of each angle that is a multiple of 90°, and its number of quarter turns."""
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


def _compare_features(f: Tensor, upright: Tensor, way: _Way, group: FiniteGroup) -> RotatedMap:
    """Compare features [a c h y x] channel by channel; the result shows their norms."""
    back = way.back(f.flatten(1, 2)).view_as(f).transpose(1, 2)
    if len(group) > 1:
        back = way.back_in_poses(back, group)
    return RotatedMap(
        map=f.flatten(1, 2).norm(dim=1),
        back=back.flatten(1, 2).norm(dim=1),
        upright=upright.flatten(0, 1).norm(dim=0),
        error=_distance(back, upright.transpose(0, 1)),
    )


def _compare(
    maps: Tensor, upright: Tensor, way: _Way, group: FiniteGroup | None = None
) -> RotatedMap:
    """Rotate maps back in the plane, permute their poses if there are any, and compare them with
    `upright`."""
    back = way.back(maps if maps.ndim == 4 else maps[:, None])
    if group is not None:
        back = way.back_in_poses(back, group)
    back = back.view_as(maps)
    return RotatedMap(maps, back, upright, _distance(back, upright))


def _distance(back: Tensor, upright: Tensor) -> Tensor:
    """Return ‖back - upright‖ / ‖upright‖ for each row of [a ... y x], within the inscribed
    circle."""
    p, q = pixel_grid(back.shape[-2], back.shape[-1], back).unbind(-1)
    disc = (p.square() + q.square() <= (back.shape[-1] / 2) ** 2).to(back)
    left = ((back - upright) * disc).flatten(1).norm(dim=1)
    return left / (upright * disc).norm().clamp_min(1e-12)


def _moved(group: FiniteGroup, quarters: int, mirrored: bool) -> tuple[int, ...]:
    """Return the pose gh for every pose h. In groups without reflections, it is the pose that has
    the direction of gh."""
    if not mirrored:
        return group.table[quarters]
    if group is P4M:
        return group.table[quarters + 4]
    return tuple(group.table[quarters][inverse] for inverse in group.inverse)
