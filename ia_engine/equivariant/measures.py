"""Measures equivariance, as relative L2 errors of logits, features and attention maps.

The module also checks Theorem 1, eq. (15), for the attention of any layer: A[L_g¯ f](g, g~) =
A[f](g¯⁻¹g, g¯⁻¹g~).

`compare_strides` shows where equivariance fails: for strides on pictures with even or odd sides,
and with the remedy in appendix C. `compare_regimes` compares the attention maps of a network with
strides and with pooling (Figures 10 and 11).
"""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Final

import torch
from torch import Generator, Tensor, nn

from ia_engine.equivariant.groups import P4, FiniteGroup, act, act_plane
from ia_engine.equivariant.layers import Convolution, Layer, Maps, MaxPool, draw
from ia_engine.equivariant.maps import Trace, compose, evaluating, trace
from ia_engine.equivariant.networks import NETWORKS, make_untrained
from ia_engine.errors import EngineError
from ia_engine.images import Images, resize


@dataclass(frozen=True)
class LayerError:
    """‖F[L_h f] - L_h F[f]‖ / ‖F[f]‖ for one element h."""

    layer: str
    element: int
    element_name: str
    error: float
    deviation: float
    """Standard deviation of the compared values. If it is 0, the maps are constant, and a small
    error means nothing."""


def measure_network(network: nn.Module, v: Images, acting: FiniteGroup) -> Iterator[LayerError]:
    """Yield the errors of the features and maps of every layer, and then of the logits, for every
    element except the identity.

    For a network on Z², which has no poses, only the features are compared.
    """
    upright = trace(network, v)
    for element in range(1, len(acting)):
        turned = trace(network, act(acting, element, v))
        for name, wanted, found in _compare(acting, element, upright, turned):
            error = relative_error(found, wanted)
            deviation = float(wanted.std()) if wanted.numel() > 1 else 0.0
            yield LayerError(name, element, acting.names[element], error, deviation)


def measure_rounding(network: nn.Module, v: Images, acting: FiniteGroup) -> dict[str, float]:
    """Return the errors due to the precision of the network, compared with float64.

    For a rotated picture, smaller errors cannot be expected, because the rotation changes the order
    of sums.
    """
    exact = trace(deepcopy(network).double(), v.double())
    compared = _compare(acting, 0, exact, trace(network, v))
    return {name: relative_error(found.double(), wanted) for name, wanted, found in compared}


def check_theorem(layer: Layer, f: Tensor, group: FiniteGroup, element: int) -> float:
    """Return the largest absolute deviation from (15) of the attention of a layer."""
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
    """Return A[f](h⁻¹·, h⁻¹·): the poses of input and output are permuted, and the positions are
    transformed."""
    spatial, channel = maps.spatial, maps.channel
    if spatial is not None:
        axes = (1, 3) if spatial.ndim == 6 else (1,)
        spatial = act_plane(group, element, _shift(group, element, spatial, axes))
    if channel is not None:
        channel = _shift(group, element, channel, (2, 4) if channel.ndim == 5 else (2,))
    return Maps(spatial, channel)


def relative_error(found: Tensor, wanted: Tensor) -> float:
    """Return ‖found - wanted‖ / ‖wanted‖."""
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
    """Move the value at element⁻¹h to pose h along these axes; an axis of length 1 has no poses."""
    order = torch.tensor(group.shifts[element], device=x.device)
    for axis in axes:
        if x.shape[axis] == len(group):
            x = x.index_select(axis, order)
    return x


EXACT: Final = 1e-5
"""Relative error below which equivariance counts as exact: rounding errors are smaller, and broken
symmetries cause much larger errors."""


@dataclass(frozen=True, eq=False)
class StrideComparison:
    """A p4 convolution of a random function on the group, before and after the function is rotated
    by 90°."""

    side: int
    stride: int
    exact: bool
    error: float
    """Relative L2 error over all poses."""
    response: Tensor
    """Response in the first pose, [y x]."""
    turned_back: Tensor
    difference: Tensor


def compare_strides(
    side: int, stride: int = 2, kernel: int = 3, padding: int = 1, *, seed: int = 0,
    pooled: bool = False,
) -> StrideComparison:  # fmt: skip
    """Compare the convolution of a random function with that of the rotated function.

    If `pooled` is True, the convolution is followed by max pooling of 2×2 pixels.
    """
    if side + 2 * padding < kernel or side < 2:
        raise EngineError(
            f"the side must be large enough for a {kernel}×{kernel} filter; got {side}"
        )
    generator = Generator(device="cpu").manual_seed(seed)
    layer = Convolution(
        P4, 1, 1, kernel, lifts=False, stride=stride, padding=padding,
        generator=generator, device="cpu", dtype=torch.float32,
    )  # fmt: skip
    f = draw(1, 1, len(P4), side, side, generator=generator, dtype=torch.float32)

    def respond(f: Tensor) -> Tensor:
        found: Tensor = layer(f).detach()
        return MaxPool()(found) if pooled else found

    response, turned_back = respond(f), act(P4, 3, respond(act(P4, 1, f)))
    error = relative_error(turned_back, response)
    first, back = response[0, 0, 0], turned_back[0, 0, 0]
    return StrideComparison(side, stride, error < EXACT, error, first, back, back - first)


def filter_centres(side: int, stride: int, kernel: int, padding: int) -> list[int]:
    """Return the rows of the picture on which the filter is centred (Figure 9)."""
    count = (side + 2 * padding - kernel) // stride + 1
    return [k * stride + kernel // 2 - padding for k in range(count)]


REGIME_NETWORK: Final = "all-cnn-alpha-f-p4"


@dataclass(frozen=True, eq=False)
class RegimeMaps:
    """The composed attention maps [h y x] for a picture at every multiple of 90°, and their
    deviations from the first."""

    title: str
    heat: Tensor
    difference: Tensor
    """The maps rotated back, minus the map of the upright picture, [h y x]."""
    errors: tuple[float, ...]


def compare_regimes(v: Images) -> tuple[RegimeMaps, RegimeMaps]:
    """Compare a picture [1 1 y x] in a network with strides and in the exactly equivariant one."""
    entry = NETWORKS[REGIME_NETWORK]
    v = resize(v, entry.side, entry.side).expand(-1, entry.channels, -1, -1)
    return _see("with strides", v, exact=False), _see("stride 1, then pooling", v, exact=True)


def _see(title: str, v: Images, *, exact: bool) -> RegimeMaps:
    network = make_untrained(REGIME_NETWORK, exact=exact)
    turned = torch.cat([act(P4, h, v) for h in range(len(P4))])
    heat = compose(trace(network, turned).maps, P4, v.shape[-1]).heat
    back = torch.cat([act(P4, P4.inverse[h], heat[h, None, None])[0] for h in range(len(P4))])
    errors = tuple(relative_error(one, heat[0]) for one in back)
    return RegimeMaps(title, heat, back - heat[0], errors)
