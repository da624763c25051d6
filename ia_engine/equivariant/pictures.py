"""A picture of the group convolution itself: Figures 2, 4 and 5 for one filter and one channel."""

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional

from ia_engine.equivariant.layers import Layer, Maps
from ia_engine.equivariant.maps import evaluating, name_layers
from ia_engine.errors import EngineError
from ia_engine.shapes import Images


@dataclass(frozen=True, eq=False)
class ConvolutionPicture:
    """Filters under the group, the responses before pooling, and the attention that weighs them."""

    element_names: tuple[str, ...]
    """Of the elements h; h~ runs over the same, and is the identity alone in a lifting."""
    filters: Tensor
    """L_h ψ(·, h~), [h h~ k k]"""
    circulant: Tensor
    """Which slice of ψ stands at (h, h~): h⁻¹h~, [h h~]."""
    source: Tensor
    """The input channel, [h~ y x]"""
    responses: Tensor
    """f~(x, h, h~) of that channel, [h h~ y x] (16)"""
    attention: Tensor | None
    """α⁺, [h h~ y x]: of the responses, or, as large as the source, of the input."""
    result: Tensor
    """What the layer puts out in this filter's channel, of all its input channels, [h y x]"""


def picture_convolution(
    network: nn.Module, v: Images, layer: int = 1, output: int = 0, source: int = 0
) -> ConvolutionPicture:
    """One image [1 c y x]; the layer counts from 1, output and source are channels."""
    layers = name_layers(network)
    if f"layer {layer}" not in layers:
        raise EngineError(f"a layer is a number from 1 to {len(layers)}; got {layer}")
    chosen = layers[f"layer {layer}"]
    seen: list[Tensor] = []
    handle = chosen.register_forward_pre_hook(lambda _, came: seen.append(came[0]))
    try:
        with evaluating(network):
            network(v)
            return _picture(chosen, seen[0], output, source)
    finally:
        handle.remove()


def count_filters(network: nn.Module) -> int:
    """How many filters the first layer has."""
    return len(name_layers(network)["layer 1"].convolution.weight)


def _picture(layer: Layer, f: Tensor, output: int, source: int) -> ConvolutionPicture:
    c = layer.convolution
    if not (0 <= output < len(c.weight) and 0 <= source < f.shape[1]):
        raise EngineError(
            f"this layer has filters 0 to {len(c.weight) - 1} and channels 0 to {f.shape[1] - 1}"
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
    """α_X·α_C of one filter and one channel, [h h~ y x] or what can be expanded to it."""
    spatial, channel = maps.spatial, maps.channel
    if spatial is not None and spatial.ndim == 4:  # of the input: poses are those of h~
        minus = spatial[0] if channel is None else spatial[0] * channel[0, source, :, None, None]
        return minus[:, None] if len(minus) > depth else minus[None]
    by_place = 1.0 if spatial is None else spatial[0, :, output].transpose(0, 1)
    if channel is None:
        return torch.as_tensor(by_place)
    return by_place * channel[0, source, :, output].transpose(0, 1)[..., None, None]
