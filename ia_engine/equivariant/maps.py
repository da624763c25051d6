"""What a network saw: features and attention maps of every layer, and maps composed (Fig. 7, 8).

As in section 3.3, α⁻ = α_X·α_C is subtracted and α⁺ = 1 - α⁻ is what remains. Maps of places alone
are α_X and 1 - α_X; those are composed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from ia_engine.equivariant.groups import FiniteGroup
from ia_engine.equivariant.layers import Layer, Maps
from ia_engine.errors import EngineError
from ia_engine.images import resize
from ia_engine.shapes import Images

SHOWN: Final = ("kept", "removed")
"""Which map of the places is composed: 1 - α_X or α_X."""


@dataclass(frozen=True, eq=False)
class LayerFeatures:
    """What a layer puts out, [n c h y x]."""

    name: str
    f: Tensor


@dataclass(frozen=True, eq=False)
class LayerMaps:
    """The attention of one layer; a factor that it has not is 1."""

    name: str
    spatial: Tensor
    """α_X [n h y x]; of attention to responses the mean over filters and over h~."""
    channel: Tensor
    """α_C [n c h]; of attention to responses the mean over filters and over h~."""
    raw: Maps

    @property
    def minus(self) -> Tensor:
        """α⁻ = α_X·α_C, [n c h y x]: the share of every channel that is subtracted."""
        return self.spatial[:, None] * self.channel[..., None, None]

    @property
    def plus(self) -> Tensor:
        """α⁺ = 1 - α⁻, [n c h y x]: the share of every channel that is kept."""
        return 1 - self.minus

    def places(self, shown: str) -> Tensor:
        """The map of the places alone [n h y x]: 1 - α_X for "kept", α_X for "removed"."""
        if shown not in SHOWN:
            raise EngineError(f"expected one of {', '.join(SHOWN)}; got {shown!r}")
        return 1 - self.spatial if shown == "kept" else self.spatial


@dataclass(frozen=True, eq=False)
class Trace:
    """One pass of images through a network."""

    logits: Tensor
    probabilities: Tensor
    features: tuple[LayerFeatures, ...]
    maps: tuple[LayerMaps, ...]


@dataclass(frozen=True, eq=False)
class Composed:
    """Maps of all layers, upsampled and multiplied."""

    by_element: Tensor
    """[n h y x]"""
    heat: Tensor
    """The sum over h, [n y x]."""
    quiver: Tensor
    """Per cell the sum over h of strength times direction, [n cells cells 2] as (p, q)."""


def trace(network: nn.Module, v: Images) -> Trace:
    """Evaluate the images and keep what every layer put out and attended to."""
    inputs: dict[str, Tensor] = {}
    outputs: dict[str, Tensor] = {}
    with evaluating(network), _listening(network, inputs, outputs):
        logits: Tensor = network(v)
        features = tuple(LayerFeatures(name, f) for name, f in outputs.items())
        maps = tuple(_read_maps(network, inputs))
    return Trace(logits, logits.softmax(1), features, maps)


def compose(
    maps: tuple[LayerMaps, ...],
    group: FiniteGroup,
    side: int,
    shown: str = "kept",
    cells: int = 14,
) -> Composed:
    """The product over the layers of their maps of places, each brought to side×side pixels."""
    if not maps:
        raise EngineError("composed maps need a network with attention, this one has none")
    poses = max(layer.spatial.shape[1] for layer in maps)
    product = maps[0].spatial.new_ones(())
    for layer in maps:
        product = product * resize(layer.places(shown), side, side).expand(-1, poses, -1, -1)
    directions = product.new_tensor(group.directions)
    in_cells = functional.adaptive_avg_pool2d(product, cells)
    quiver = torch.einsum("nhyx,hd->nyxd", in_cells, directions)
    return Composed(product, product.sum(1), quiver)


@contextmanager
def evaluating(network: nn.Module) -> Iterator[None]:
    """No gradients, no dropout, the statistics of training; then as before."""
    before = network.training
    network.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        network.train(before)


def name_layers(network: nn.Module) -> dict[str, Layer]:
    """All layers in their order, counted from 1."""
    layers = [module for module in network.modules() if isinstance(module, Layer)]
    return {f"layer {k}": layer for k, layer in enumerate(layers, 1)}


@contextmanager
def _listening(
    network: nn.Module, inputs: dict[str, Tensor], outputs: dict[str, Tensor]
) -> Iterator[None]:
    def listen(name: str, layer: Layer) -> torch.utils.hooks.RemovableHandle:
        def keep(_: nn.Module, came: tuple[Tensor, ...], found: Tensor) -> None:
            inputs[name], outputs[name] = came[0], found

        return layer.register_forward_hook(keep)

    handles = [listen(name, layer) for name, layer in name_layers(network).items()]
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


def _read_maps(network: nn.Module, inputs: dict[str, Tensor]) -> Iterator[LayerMaps]:
    layers = name_layers(network)
    for name, f in inputs.items():
        maps = layers[name].maps(f)
        if maps is not None:
            yield _simplify(name, maps, layers[name], f)


def _simplify(name: str, maps: Maps, layer: Layer, f: Tensor) -> LayerMaps:
    """One value for a place and a pose, and one for a channel and a pose."""
    poses = layer.convolution.poses
    spatial, channel = maps.spatial, maps.channel
    if spatial is None:
        spatial = f.new_ones(len(f), poses, *_plane(layer, f))
    elif spatial.ndim == 6:
        spatial = spatial.mean((1, 2))
    if channel is None:
        channel = f.new_ones(*f.shape[:2], 1)
    elif channel.ndim == 5:
        channel = channel.mean((2, 3))
    return LayerMaps(
        name,
        spatial.expand(-1, poses, -1, -1),
        channel.expand(-1, -1, poses),
        maps,
    )


def _plane(layer: Layer, f: Tensor) -> tuple[int, int]:
    c = layer.convolution
    height, width = ((s + 2 * c.padding - c.kernel) // c.stride + 1 for s in f.shape[-2:])
    return height, width
