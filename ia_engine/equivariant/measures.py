"""How equivariant a network is: relative L2 errors of logits, features and attention maps.

Also Theorem 1, (15): A[L_g¯ f](g, g~) = A[f](g¯⁻¹g, g¯⁻¹g~), for the attention of any layer.
"""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from ia_engine.equivariant.groups import FiniteGroup, act, act_plane
from ia_engine.equivariant.layers import Layer, Maps
from ia_engine.equivariant.maps import Trace, evaluating, trace
from ia_engine.shapes import Images


@dataclass(frozen=True)
class LayerError:
    """‖F[L_h f] - L_h F[f]‖ / ‖F[f]‖ for one element h."""

    layer: str
    element: int
    element_name: str
    error: float
    deviation: float
    """The standard deviation of what is compared: a constant map proves nothing."""


def measure_network(network: nn.Module, v: Images, acting: FiniteGroup) -> Iterator[LayerError]:
    """Every layer's features and maps, then the logits, for every element but the identity.

    A network without poses, Z², is held to what it can do: its features should move alike.
    """
    upright = trace(network, v)
    for element in range(1, len(acting)):
        turned = trace(network, act(acting, element, v))
        for name, wanted, found in _compare(acting, element, upright, turned):
            error = relative_error(found, wanted)
            deviation = float(wanted.std()) if wanted.numel() > 1 else 0.0
            yield LayerError(name, element, acting.names[element], error, deviation)


def measure_rounding(network: nn.Module, v: Images, acting: FiniteGroup) -> dict[str, float]:
    """How far the network's own precision moves its features and maps from those of float64.

    No two orders of the same sums agree better than that, and a turned picture is another order.
    """
    exact = trace(deepcopy(network).double(), v.double())
    compared = _compare(acting, 0, exact, trace(network, v))
    return {name: relative_error(found.double(), wanted) for name, wanted, found in compared}


def check_theorem(layer: Layer, f: Tensor, group: FiniteGroup, element: int) -> float:
    """How far the attention operator of a layer is from (15): the greatest absolute difference."""
    with evaluating(layer):
        upright, turned = layer.maps(f), layer.maps(act(group, element, f))
    if upright is None or turned is None:
        return 0.0
    differences = [
        (wanted - found).abs().max()
        for wanted, found in zip(_factors(move_maps(group, element, upright)), _factors(turned),
                                 strict=True)
    ]  # fmt: skip
    return float(torch.stack(differences).max())


def move_maps(group: FiniteGroup, element: int, maps: Maps) -> Maps:
    """A[f](h⁻¹·, h⁻¹·): poses of input and output are shifted, places move."""
    spatial, channel = maps.spatial, maps.channel
    if spatial is not None:
        axes = (1, 3) if spatial.ndim == 6 else (1,)
        spatial = act_plane(group, element, _shift(group, element, spatial, axes))
    if channel is not None:
        channel = _shift(group, element, channel, (2, 4) if channel.ndim == 5 else (2,))
    return Maps(spatial, channel)


def relative_error(found: Tensor, wanted: Tensor) -> float:
    """‖found - wanted‖ / ‖wanted‖."""
    scale = wanted.norm()
    return float((found - wanted).norm() / scale) if scale > 0 else float(found.norm())


def _compare(
    acting: FiniteGroup, element: int, upright: Trace, turned: Trace
) -> Iterator[tuple[str, Tensor, Tensor]]:
    for before, after in zip(upright.features, turned.features, strict=True):
        yield before.name, act(acting, element, before.f), after.f
    for seen, seen_after in zip(upright.maps, turned.maps, strict=True):
        pairs = zip(
            ("spatial attention", "channel attention"),
            _pair(move_maps(acting, element, seen.raw)),
            _pair(seen_after.raw),
            strict=True,
        )
        for kind, wanted, found in pairs:
            if wanted is not None and found is not None:
                yield f"{seen.name}, {kind}", wanted, found
    yield "logits", upright.logits, turned.logits


def _pair(maps: Maps) -> tuple[Tensor | None, Tensor | None]:
    return maps.spatial, maps.channel


def _factors(maps: Maps) -> list[Tensor]:
    return [factor for factor in _pair(maps) if factor is not None]


def _shift(group: FiniteGroup, element: int, x: Tensor, axes: tuple[int, ...]) -> Tensor:
    """Pose h is read at element⁻¹h; an axis of length 1 has no poses."""
    order = torch.tensor(group.shifts[element], device=x.device)
    for axis in axes:
        if x.shape[axis] == len(group):
            x = x.index_select(axis, order)
    return x
