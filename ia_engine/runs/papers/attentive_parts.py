"""Figures 2, 4, 5 and 6 of the attentive G-CNNs: the computation of one layer, array by array.

The figures draw equations (13), (14) and (16) to (19), which hold by definition. The entries
therefore have numbers, the rounding errors of these identities, and no claims.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from ia_engine.equivariant.attention import AttendedInput, InputAttention, ResponseAttention
from ia_engine.equivariant.checkpoint import load_shipped
from ia_engine.equivariant.digits import draw_digit
from ia_engine.equivariant.layers import Layer
from ia_engine.equivariant.maps import evaluating, name_layers, picture_convolution
from ia_engine.equivariant.measures import relative_error
from ia_engine.equivariant.networks import make_untrained
from ia_engine.errors import EngineError
from ia_engine.figures.papers.panels import Diagram, show, tile
from ia_engine.runs.papers.entry import Effort, Number, Outcome, Progress

SECOND: Final = 2
"""The displayed layer, which is the first convolution on the group."""
NETWORKS: Final = {
    "alpha-f-p4": "α_F-p4-CNN, trained: attention to the input",
    "alpha-p4": "α-p4-CNN, random weights: attention to the responses",
}


@dataclass(frozen=True, eq=False)
class Branch:
    """Arrays in the residual attention branch of one layer; the axis h is the input's h~."""

    f: Tensor
    """The weighted array [c h y x]: the input, or the responses of one filter in one pose."""
    average: Tensor
    top: Tensor
    """s_C, [c h]"""
    channel: Tensor
    """α_C [c h]"""
    weighed: Tensor
    """α_C f"""
    place_average: Tensor
    place_top: Tensor
    """s_X, [h y x]"""
    spatial: Tensor
    """α_X [h y x]"""
    kept: Tensor
    """f - α_X α_C f"""
    result: Tensor
    """The output of the layer in the same channel, [h y x]."""
    error: float
    """Relative error of the sum over all kept parts, compared with the output of the layer."""


@cache
def network(name: str) -> nn.Module:
    """Load the trained network or, if there is none, a random one calibrated on digits."""
    return load_shipped(name).network if name == "alpha-f-p4" else make_untrained(name)


def follow_branch(name: str, v: Tensor, layer: int = SECOND, output: int = 0) -> Branch:
    """Compute the branch of one layer for a picture [1 1 y x]."""
    layers = name_layers(network(name))
    chosen = layers.get(f"layer {layer}")
    if chosen is None:
        last = sum(key.startswith("layer ") for key in layers)
        raise EngineError(f"layer must be between 1 and {last}; got {layer}")
    seen: list[Tensor] = []
    handle = chosen.register_forward_pre_hook(lambda _, came: seen.append(came[0]))
    try:
        with evaluating(network(name)):
            network(name)(v)
            return _branch(chosen, seen[0], output)
    finally:
        handle.remove()


def _branch(layer: Layer, f: Tensor, output: int) -> Branch:
    if isinstance(layer, AttendedInput) and isinstance(layer.attention, InputAttention):
        return _of_input(layer, layer.attention, f, output)
    if isinstance(layer, ResponseAttention):
        return _of_responses(layer, f, output)
    raise EngineError("this layer has no channel or spatial attention: choose an α network")


def _of_input(layer: AttendedInput, attention: InputAttention, f: Tensor, output: int) -> Branch:
    maps = attention.maps(f)
    assert maps.channel is not None
    assert maps.spatial is not None
    channel = maps.channel.expand(-1, -1, f.shape[2])
    weighed = channel[..., None, None] * f
    kept = attention(f)
    if kept.shape[2] > layer.convolution.depth:  # a lifting layer has one picture per pose
        again = layer.convolution.each_pose(f - maps.spatial[:, None] * weighed)
    else:
        again = layer.convolution(f - maps.spatial[:, None] * weighed)
    found = layer(f)
    return _gather(
        f=f, channel=channel, weighed=weighed, spatial=maps.spatial, kept=kept,
        result=found[0, output], error=relative_error(again, found),
    )  # fmt: skip


def _of_responses(layer: ResponseAttention, f: Tensor, output: int) -> Branch:
    """Compute equations (16) to (19) and store all responses of one filter, which is slow."""
    R = _responses(layer, f, output)  # [i h~ h y x]
    maps = layer.maps(f)
    assert maps is not None
    assert maps.channel is not None
    assert maps.spatial is not None
    channel, spatial = maps.channel[0, :, :, output], maps.spatial[0, :, output]
    weighed = channel[..., None, None] * R
    kept = R - spatial[None] * weighed
    found = layer(f)[0, output]
    pose = 0
    return _gather(
        f=R[None, :, :, pose], channel=channel[None, ..., pose],
        weighed=weighed[None, :, :, pose], spatial=spatial[None, :, pose],
        kept=kept[None, :, :, pose], result=found,
        error=relative_error(kept.sum((0, 1)), found),
    )  # fmt: skip


def _responses(layer: ResponseAttention, f: Tensor, output: int) -> Tensor:
    """Compute f~ of one filter before pooling, [i h~ h y x]."""
    c = layer.convolution
    filters = c.turned()[output].permute(1, 2, 0, 3, 4)  # [i h~ h k k]
    weight = filters.flatten(0, 2)[:, None]
    found = functional.conv2d(
        f.flatten(1, 2), weight, None, c.stride, c.padding, 1, f.shape[1] * c.depth
    )
    return found[0].unflatten(0, filters.shape[:3])


def _gather(
    *, f: Tensor, channel: Tensor, weighed: Tensor, spatial: Tensor, kept: Tensor, result: Tensor,
    error: float,
) -> Branch:  # fmt: skip
    return Branch(
        f=f[0], average=f[0].mean((-2, -1)), top=f[0].amax((-2, -1)), channel=channel[0],
        weighed=weighed[0], place_average=weighed[0].mean(0), place_top=weighed[0].amax(0),
        spatial=spatial[0], kept=kept[0], result=result, error=error,
    )  # fmt: skip


def draw_branch(branch: Branch, title: str) -> Diagram:
    """Draw Figure 6 with the arrays of the branch."""
    statistics = torch.stack([branch.average, branch.top])
    places = torch.cat([branch.place_average, branch.place_top])
    minus = (branch.spatial[None] * branch.channel[..., None, None])[:, 0]
    boxes = (
        ("f", "its first channels", (0, 0), branch.f[:, 0]),
        ("s_C", "mean and max over positions", (1, 0), statistics),
        ("α_C", "channel attention", (2, 0), branch.channel),
        ("α_C f", "weighted by channels", (3, 0), branch.weighed[:, 0]),
        ("s_X", "mean, max over channels", (3, 1), places),
        ("α_X", "spatial attention", (2, 1), branch.spatial),
        ("α⁻ = α_X α_C", "removed part", (1, 1), minus),
        ("α⁺ = 1 − α⁻", "kept part", (0, 1), 1 - minus),
        ("α⁺ f", "direct minus residual", (0, 2), branch.kept[:, 0]),
        ("f ⋆ ψ", "the result, pose by pose", (1, 2), branch.result),
    )
    edges = tuple((k, k + 1) for k in range(len(boxes) - 1))
    tiles = [tile(values) for *_, values in boxes]
    return Diagram(
        title=title,
        names=tuple(name for name, *_ in boxes),
        words=tuple(words for _, words, *_ in boxes),
        places=tuple(place for _, _, place, _ in boxes),
        edges=edges,
        values=torch.stack([torch.from_numpy(values) for values, *_ in tiles]).numpy(),
        lows=tuple(low for _, low, _ in tiles),
        highs=tuple(high for _, _, high in tiles),
    )


def _plus(branch: Branch) -> Tensor:
    return (1 - branch.spatial[None] * branch.channel[..., None, None])[:, 0]


def show_branch(effort: Effort) -> Iterator[Progress]:
    """Compute Figure 6: the branch of two layers."""
    digit = draw_digit((3 + effort.seed) % 10)
    found = {}
    for name in NETWORKS:
        found[name] = follow_branch(name, digit)
        yield Progress(name)
    errors = [branch.error for branch in found.values()]
    alphas = torch.cat([
        a.flatten() for b in found.values() for a in (_plus(b), b.spatial, b.channel)
    ])  # fmt: skip
    yield Progress("done", Outcome(
        numbers=(
            Number("relative error of the α_F-p4 layer when recomputed from the arrays",
                   errors[0]),
            Number("relative error of the α-p4 layer when recomputed from the arrays",
                   errors[1]),
            Number("minimum of all maps", float(alphas.min())),
            Number("maximum of all maps", float(alphas.max())),
        ),
        panels=tuple(draw_branch(branch, NETWORKS[name]) for name, branch in found.items()),
        data="The input is a digit in our own handwriting. The maps are from the second layer at "
        "the first pose; for α, they are those of the first filter.",
    ))  # fmt: skip


def show_convolution(effort: Effort) -> Iterator[Progress]:
    """Compute Figure 2: one group convolution, filter by filter."""
    shipped = load_shipped("p4").network
    digit = draw_digit((3 + effort.seed) % 10)
    pictures = []
    for source in range(10):
        pictures.append(picture_convolution(shipped, digit, SECOND, 0, source))
        yield Progress(f"channel {source}")
    first = pictures[0]
    total = torch.stack([one.responses.sum(1) for one in pictures]).sum(0)
    error = relative_error(total, first.result)
    turned = torch.rot90(first.filters[0], 1, (-2, -1)).roll(1, 0)
    differs = relative_error(turned, first.filters[1])
    yield Progress("done", Outcome(
        numbers=(
            Number("convolutions, one for each element of H", float(len(first.filters)), 4),
            Number("error of the sum of all spatial convolutions (13)", error),
            Number("difference between L_h ψ and ψ rotated by 90° with h~ shifted by one", differs),
        ),
        panels=(
            show("L_h ψ: rows h, columns h~", first.filters.flatten(0, 1),
                 columns=4, look="signed"),
            show("Responses f ⋆ L_h ψ of one channel: rows h, columns h~",
                 first.responses.flatten(0, 1), columns=4, look="signed"),
            show("Summed over channels and h~: the result in four poses", first.result,
                 first.element_names, look="signed"),
        ),
        data="The second layer of the project's p4-CNN is applied to a digit in our own "
        "handwriting.",
    ))  # fmt: skip


def show_circulant(effort: Effort) -> Iterator[Progress]:
    """Compute Figure 4: the position of each part of ψ."""
    yield Progress("filter")
    picture = picture_convolution(load_shipped("p4").network, draw_digit(3), SECOND)
    table = picture.circulant.cpu()
    rolled = sum(not torch.equal(table[h], table[0].roll(h)) for h in range(len(table)))
    yield Progress("done", Outcome(
        numbers=(
            Number("number of distinct weights in the 4 × 4 blocks", float(len(table.unique())), 4),
            Number("number of rows that differ from the previous row shifted by one",
                   float(rolled), 0),
        ),
        panels=(
            show("The slice h⁻¹h~ of ψ at (h, h~)", table[None].double(),
                 ("rows h, columns h~",), look="ramp"),
            show("The slices themselves, each rotated with its row",
                 picture.filters.flatten(0, 1), columns=4, look="signed"),
        ),
        data="The picture shows a filter of the project's p4-CNN.",
    ))  # fmt: skip


def show_attentive(effort: Effort) -> Iterator[Progress]:
    """Compute Figure 5: responses weighted by α before they are summed."""
    digit = draw_digit((3 + effort.seed) % 10)
    picture = picture_convolution(network("alpha-p4"), digit, SECOND)
    yield Progress("responses")
    branch = follow_branch("alpha-p4", digit)
    assert picture.attention is not None
    weighed = picture.responses * picture.attention
    yield Progress("done", Outcome(
        numbers=(
            Number("error of Σ α⁺ f~ over channels and h~ (14)", branch.error),
            Number("mean of α⁺", float(picture.attention.mean())),
        ),
        panels=(
            show("Responses f~ of one channel: rows h, columns h~",
                 picture.responses.flatten(0, 1), columns=4, look="signed"),
            show("α⁺ = 1 − α_X α_C of the same responses", picture.attention.flatten(0, 1),
                 columns=4, look="ramp"),
            show("α⁺ f~", weighed.flatten(0, 1), columns=4, look="signed"),
        ),
        data="The second layer of the α-p4-CNN has random weights, because full attention is too "
        "slow to train here.",
    ))  # fmt: skip
