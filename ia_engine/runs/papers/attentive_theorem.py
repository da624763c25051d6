"""Theorem 1 of the attentive G-CNNs: an attentive convolution is equivariant iff A satisfies (15).

(15): A[L_g¯ f](g, g~) = A[f](g¯⁻¹g, g¯⁻¹g~). "If" is checked for the paper's attention operators.
"Only if" is checked for altered operators, and for one whose changes cancel in the sum (14).
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import torch
from torch import Generator, Tensor
from torch.nn import functional

from ia_engine.equivariant.groups import P4, act
from ia_engine.equivariant.layers import Layer, draw
from ia_engine.equivariant.maps import evaluating, name_layers
from ia_engine.equivariant.measures import check_theorem, relative_error
from ia_engine.equivariant.networks import NETWORKS, build_network
from ia_engine.runs.papers.attentive_maps import EXACT
from ia_engine.runs.papers.entry import Claim, Effort, Number, Outcome, Progress, summarise

OPERATORS: Final = ("alpha-p4", "alpha-ch-p4", "alpha-sp-p4", "alpha-f-p4", "alpha-rh-p4")
"""Networks of the paper with attention on p4."""
MIRRORED: Final = "alpha-f-p4m"
"""Network with the only attention that the paper uses on p4m."""
LAYER: Final = "layer 2"
"""The first layer whose input is a function on the group."""
SEEDS: Final = 10
SIDE: Final = 7
SUPPORT: Final = 3
MARGIN: Final = 7
"""Side of a function that is translated, and the zeros around it, so that no filter reaches the
border [px]."""
SHIFT: Final = (2, -1)
"""The translation [px]."""
STRENGTH: Final = 0.1
"""Largest change of α by the operator whose changes cancel."""

Alter = Callable[[Layer], None]


@dataclass(frozen=True)
class Deviation:
    """Deviations of an operator from (15) and of its convolution from equivariance."""

    attention: float
    """Largest absolute deviation of α from (15)."""
    output: float
    """Largest relative error ‖F[L_h f] - L_h F[f]‖ / ‖F[f]‖."""


def keep(layer: Layer) -> None:
    """Do not change the layer."""


def untie(layer: Layer) -> None:
    """Apply the filters of the attention without their rotation by 90°, which violates (15)."""
    for module in layer.modules():
        if module is not layer.convolution and isinstance(module._buffers.get("index"), Tensor):
            index = module.get_buffer("index")
            index[1] = index[0]


def measure(name: str, seed: int, alter: Alter = keep, *, translated: bool = False) -> Deviation:
    """Measure a layer with random weights on a random function on p4 or p4m.

    The elements are all rotations and reflections and, if `translated`, a translation.
    """
    generator = Generator(device="cpu").manual_seed(seed)
    network = build_network(name, generator, device="cpu", dtype=torch.float64)
    layer, group = name_layers(network)[LAYER], NETWORKS[name].group
    alter(layer)
    channels = layer.convolution.weight.shape[1]
    f = draw(1, channels, len(group), SIDE, SIDE, generator=generator, dtype=torch.float64)
    elements = range(1, len(group))
    with evaluating(layer):
        upright = layer(f)
        outputs = [relative_error(layer(act(group, h, f)), act(group, h, upright))
                   for h in elements]  # fmt: skip
        moved = _measure_translation(layer, f) if translated else Deviation(0.0, 0.0)
    attention = [check_theorem(layer, f, group, h) for h in elements]
    return Deviation(max(*attention, moved.attention), max(*outputs, moved.output))


def _measure_translation(layer: Layer, f: Tensor) -> Deviation:
    """Measure a layer on a function with a margin of zeros, and on the translated function."""
    wide = functional.pad(f[..., :SUPPORT, :SUPPORT], (MARGIN,) * 4)
    upright, moved = layer.maps(wide), layer.maps(_translate(wide))
    assert upright is not None
    assert moved is not None
    differences = [torch.zeros(1, dtype=f.dtype, device=f.device)]
    if upright.spatial is not None and moved.spatial is not None:
        differences.append((_translate(upright.spatial) - moved.spatial).abs())
    if upright.channel is not None and moved.channel is not None:
        differences.append((upright.channel - moved.channel).abs())
    return Deviation(
        max(float(one.max()) for one in differences),
        relative_error(layer(_translate(wide)), _translate(layer(wide))),
    )


def _translate(f: Tensor) -> Tensor:
    return f.roll(SHIFT, (-2, -1))


def measure_cancelling(seed: int, *, other_filter: bool = False) -> Deviation:
    """Measure an operator that violates (15), although its convolution is equivariant.

    On the group of four rotations, α(h, h~) = σ(f(h~)) satisfies (15). At h = e, a change δ of α is
    added with Σ_h~ δ(h~) f(h~) ψ(h~) = 0, so the sum (14) does not change. If `other_filter` is
    true, the same α is used with a filter other than ψ.
    """
    generator = Generator(device="cpu").manual_seed(seed)
    f, psi, other = draw(3, len(P4), generator=generator, dtype=torch.float64)
    shifts = torch.tensor(P4.shifts, device="cpu")
    turned = (other if other_filter else psi)[shifts]  # [h h~]: ψ(h⁻¹h~)

    def attend(f: Tensor) -> Tensor:
        change = torch.zeros_like(f)
        product = f * psi
        change[0], change[1] = product[1], -product[0]
        alpha = f.sigmoid().expand(len(f), -1).clone()
        room = torch.minimum(alpha[0], 1 - alpha[0])[:2].min().clamp(max=STRENGTH)
        alpha[0] += room * change / change.abs().max()
        return alpha

    def convolve(f: Tensor) -> Tensor:
        return (attend(f) * turned * f).sum(1)

    attention, output = [], []
    for h in range(1, len(P4)):
        order = shifts[h]
        moved = f[order]
        attention.append(float((attend(moved) - attend(f)[order][:, order]).abs().max()))
        output.append(relative_error(convolve(moved), convolve(f)[order]))
    return Deviation(max(attention), max(output))


def check_if(effort: Effort, *, alter: Alter = keep) -> Iterator[Progress]:
    """Compute "if": the paper's operators satisfy (15), and their convolutions are equivariant."""
    numbers, everything = [], []
    for name in (*OPERATORS, MIRRORED):
        found = [measure(name, effort.seed + seed, alter, translated=True)
                 for seed in range(SEEDS)]  # fmt: skip
        everything += found
        numbers += _numbers(NETWORKS[name].title, found)
        yield Progress(name)
    yield Progress("done", Outcome(
        numbers=tuple(numbers),
        claims=(
            Claim("every attention operator of the paper satisfies (15), up to rounding errors",
                  max(one.attention for one in everything) < EXACT),
            Claim("every attentive convolution with these operators is equivariant, up to rounding "
                  "errors", max(one.output for one in everything) < EXACT),
        ),
        data="The second layer of six networks with random weights on random functions on p4 or "
        "p4m, in double precision, ten seeds: all rotations and reflections, and a translation of "
        "a function with a margin of zeros. The theorem needs no data. If attention depends on "
        "one argument only, as α_F does, (15) is its own equivariance (Corollary 1).",
        seeds=SEEDS,
    ))  # fmt: skip


def check_only_if(
    effort: Effort, *, alter: Alter = untie, cancelling: bool = True
) -> Iterator[Progress]:
    """Compute "only if": operators that violate (15), and whether they are equivariant."""
    seeds = range(effort.seed, effort.seed + SEEDS)
    numbers, altered = [], []
    for name in OPERATORS:
        broken = [measure(name, seed, alter) for seed in seeds]
        altered += broken
        numbers += _numbers(f"{NETWORKS[name].title}, altered", broken)
        yield Progress(name)
    hidden = [measure_cancelling(seed) for seed in seeds] if cancelling else []
    others = [measure_cancelling(seed, other_filter=True) for seed in seeds]
    found = _numbers("counterexample, α whose changes cancel", hidden) if hidden else []
    found.append(summarise("the same α with another filter: error of the convolution",
                           [one.output for one in others]))  # fmt: skip
    yield Progress("done", Outcome(
        numbers=(*found, *numbers),
        claims=(
            Claim("the paper's operators, altered so that they violate (15), break equivariance",
                  _all_break(altered)),
            Claim("no operator that violates (15) has an equivariant convolution",
                  _all_break(altered + hidden)),
        ),
        data="There is a counterexample: a change of α with Σ δ f ψ = 0 at one g violates (15) but "
        "leaves (14) unchanged. The proof (appendix A.3) argues that the integrands are equal "
        "because the integrals are equal for all f. This does not follow, because A depends on f. "
        "If the same A must serve every filter ψ, the argument holds wherever f ≠ 0; the third "
        "number shows this for the counterexample. All values are computed for ten seeds in "
        "double precision.",
        seeds=SEEDS,
    ))  # fmt: skip


def _all_break(found: list[Deviation]) -> bool:
    """Return True if all operators violate (15), and no convolution is equivariant."""
    return all(one.attention > EXACT and one.output > EXACT for one in found)


def _numbers(title: str, found: list[Deviation]) -> list[Number]:
    return [
        summarise(f"{title}: deviation of α from (15)", [one.attention for one in found]),
        summarise(f"{title}: error of the convolution", [one.output for one in found]),
    ]
