"""Features and attention maps of every layer of a network, and composed maps (Figures 7 and 8).

As in section 3.3, α⁻ = α_X·α_C is subtracted, and α⁺ = 1 - α⁻ remains. A composed map is the
product of the spatial maps α_X, or 1 - α_X, over all layers.

The module also evaluates one group convolution in detail, for one filter and one channel, as in
Figures 2, 4 and 5.
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
from ia_engine.images import Heat, Images, resize

SHOWN: Final = ("kept", "removed")
"""Names of the spatial maps that can be composed: 1 - α_X and α_X."""


@dataclass(frozen=True, eq=False)
class LayerFeatures:
    """The output f [n c h y x] of a layer."""

    name: str
    f: Tensor


@dataclass(frozen=True, eq=False)
class LayerMaps:
    """The attention of one layer; missing factors are 1."""

    name: str
    spatial: Tensor
    """α_X [n h y x]; for attention to responses, the mean over filters and over h~."""
    channel: Tensor
    """α_C [n c h]; for attention to responses, the mean over filters and over h~."""
    raw: Maps

    @property
    def minus(self) -> Tensor:
        """α⁻ = α_X·α_C [n c h y x], the fraction of every channel that is subtracted."""
        return self.spatial[:, None] * self.channel[..., None, None]

    @property
    def plus(self) -> Tensor:
        """α⁺ = 1 - α⁻ [n c h y x], the fraction of every channel that is kept."""
        return 1 - self.minus

    def places(self, shown: str) -> Tensor:
        """Return the spatial map [n h y x]: 1 - α_X for "kept", and α_X for "removed"."""
        if shown not in SHOWN:
            raise EngineError(f"shown must be one of {', '.join(SHOWN)}; got {shown!r}")
        return 1 - self.spatial if shown == "kept" else self.spatial


@dataclass(frozen=True, eq=False)
class Trace:
    """The results of passing images through a network."""

    logits: Tensor
    probabilities: Tensor
    features: tuple[LayerFeatures, ...]
    maps: tuple[LayerMaps, ...]


@dataclass(frozen=True, eq=False)
class Composed:
    """The product of the maps of all layers, which are upsampled first."""

    by_element: Tensor
    """The product, [n h y x]."""
    heat: Tensor
    """The sum of the product over h, [n y x]."""
    quiver: Tensor
    """The sum over h of strength times direction in each cell, [n cells cells 2], as (p, q)."""


def trace(network: nn.Module, v: Images) -> Trace:
    """Evaluate the network on images, and record the output and the attention of every layer."""
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
    """Return the product of the spatial maps of all layers, each resized to side×side pixels."""
    if not maps:
        raise EngineError(
            "the network must have attention to compose maps; got a network without attention"
        )
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
    """Put the network into evaluation mode, without gradients; the previous mode is restored at the
    end."""
    before = network.training
    network.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        network.train(before)


def name_layers(network: nn.Module) -> dict[str, Layer]:
    """Return all layers in order, with names that number them from 1."""
    layers = [module for module in network.modules() if isinstance(module, Layer)]
    return {f"layer {k}": layer for k, layer in enumerate(layers, 1)}


@contextmanager
def _listening(
    network: nn.Module, inputs: dict[str, Tensor], outputs: dict[str, Tensor]
) -> Iterator[None]:
    def listen(name: str, layer: Layer) -> torch.utils.hooks.RemovableHandle:
        def keep(_: nn.Module, arguments: tuple[Tensor, ...], found: Tensor) -> None:
            inputs[name], outputs[name] = arguments[0], found

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
    """Reduce the maps of a layer to one value per position and pose, and one value per channel and
    pose."""
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


def weigh_ink(attention: Heat, v: Images) -> tuple[float, float]:
    """Return the mean of a map [... y x] over the ink of a picture [1 c h w], and its mean over the
    background."""
    heat = attention.flatten(0, -3).mean(0) if attention.ndim > 2 else attention
    ink = functional.adaptive_avg_pool2d(v.mean(1), (heat.shape[-2], heat.shape[-1]))[0]
    on, beside = (float((heat * w).sum() / w.sum().clamp_min(1e-12)) for w in (ink, 1 - ink))
    return on, beside


@dataclass(frozen=True, eq=False)
class ConvolutionPicture:
    """One group convolution: the transformed filters, the responses before pooling, and the
    attention to them."""

    element_names: tuple[str, ...]
    """Names of the elements h. The elements h~ are the same or, in a lifting, only the identity."""
    filters: Tensor
    """L_h ψ(·, h~), [h h~ k k]."""
    circulant: Tensor
    """The index h⁻¹h~ of the slice of ψ that is used at (h, h~), [h h~]."""
    source: Tensor
    """The input channel, [h~ y x]."""
    responses: Tensor
    """The responses f~(x, h, h~) of this channel, [h h~ y x] (eq. 16)."""
    attention: Tensor | None
    """α⁺ [h h~ y x] of the responses; for attention to the input, it has the size of `source`."""
    result: Tensor
    """The output of the layer for this filter, summed over all input channels, [h y x]."""


def picture_convolution(
    network: nn.Module, v: Images, layer: int = 1, output: int = 0, source: int = 0
) -> ConvolutionPicture:
    """Compute one group convolution of an image v [1 c y x] in detail.

    `layer` is counted from 1; `output` and `source` are indices of channels, from 0.
    """
    layers = name_layers(network)
    if f"layer {layer}" not in layers:
        raise EngineError(f"layer must be between 1 and {len(layers)}; got {layer}")
    selected = layers[f"layer {layer}"]
    seen: list[Tensor] = []
    handle = selected.register_forward_pre_hook(lambda _, arguments: seen.append(arguments[0]))
    try:
        with evaluating(network):
            network(v)
            return _picture(selected, seen[0], output, source)
    finally:
        handle.remove()


def count_filters(network: nn.Module) -> int:
    """Return the number of filters in the first layer."""
    return len(name_layers(network)["layer 1"].convolution.weight)


def _picture(layer: Layer, f: Tensor, output: int, source: int) -> ConvolutionPicture:
    c = layer.convolution
    if not (0 <= output < len(c.weight) and 0 <= source < f.shape[1]):
        raise EngineError(
            f"output must be between 0 and {len(c.weight) - 1} and source between 0 and "
            f"{f.shape[1] - 1}; got {output} and {source}"
        )
    filters = c.turned()[output, :, source]
    weight = filters.transpose(0, 1).flatten(0, 1)[:, None]
    found = functional.conv2d(f[:, source], weight, None, c.stride, c.padding, 1, c.depth)[0]
    table = c.group.shifts if c.depth > 1 else tuple((0,) for _ in range(c.poses))
    maps = layer.maps(f)
    plus = None if maps is None else 1 - _minus(maps, c.depth, output, source)
    return ConvolutionPicture(
        element_names=c.group.names,
        filters=filters,
        circulant=torch.tensor(table, device=f.device),
        source=f[0, source],
        responses=found.unflatten(0, (c.depth, c.poses)).transpose(0, 1),
        attention=None if plus is None else plus.expand(c.poses, c.depth, -1, -1),
        result=layer(f)[0, output],
    )


def _minus(maps: Maps, depth: int, output: int, source: int) -> Tensor:
    """Return α_X·α_C for one filter and one channel, in a shape that can be expanded to [h h~ y
    x]."""
    spatial, channel = maps.spatial, maps.channel
    if spatial is not None and spatial.ndim == 4:  # attention to the input, whose poses are h~
        minus = spatial[0] if channel is None else spatial[0] * channel[0, source, :, None, None]
        return minus[:, None] if len(minus) > depth else minus[None]
    by_place = 1.0 if spatial is None else spatial[0, :, output].transpose(0, 1)
    if channel is None:
        return torch.as_tensor(by_place)
    return by_place * channel[0, source, :, output].transpose(0, 1)[..., None, None]
