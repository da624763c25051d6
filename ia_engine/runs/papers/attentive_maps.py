"""Attentive G-CNN's Figures 7 to 11: attention maps that rotate with the picture or not."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import torch
from torch import Tensor, nn

from ia_engine.datasets.bases import load_base
from ia_engine.datasets.named import is_here, read_split
from ia_engine.datasets.published import CIFAR, OBJECTS
from ia_engine.equivariant.checkpoint import load_shipped
from ia_engine.equivariant.digits import draw_digit
from ia_engine.equivariant.groups import P4, act
from ia_engine.equivariant.maps import compose, trace
from ia_engine.equivariant.measures import compare_strides, filter_centres, relative_error
from ia_engine.equivariant.networks import NETWORKS, make_untrained
from ia_engine.equivariant.recipes import RECIPES
from ia_engine.figures.papers.panels import Pictures, show
from ia_engine.runs.papers.attentive_data import load_pcam
from ia_engine.runs.papers.attentive_training import train_for
from ia_engine.runs.papers.entry import Claim, Effort, Number, Outcome, Progress
from ia_engine.runs.papers.needs import is_split_here

EXACT: Final = 1e-5
VISIBLE: Final = 1e-2
"""Relative error from which a difference is visible."""
DEEP: Final = 10
"""Minimum side length of the maps that are composed [px]."""
CELLS: Final = 8
ALL_CNN: Final = "all-cnn-alpha-f-p4"
ANIMALS: Final = ("icon-horse", "icon-cat")


@dataclass(frozen=True, eq=False)
class Attended:
    """The composed attention of pictures."""

    heat: Tensor
    """[n y x], the geometric mean of the fine layers' 1 - α_X, summed over the poses."""
    arrows: Tensor
    """[n cells cells 2], the longest of length 1."""


def attend(network: nn.Module, v: Tensor) -> Attended:
    """The composed attention of the network on pictures [n c y x]."""
    seen = trace(network, v).maps
    fine = tuple(maps for maps in seen if maps.spatial.shape[-1] >= DEEP) or seen
    found = compose(fine, P4, v.shape[-1], cells=CELLS)
    longest = found.quiver.norm(dim=-1).amax().clamp_min(1e-12)
    return Attended(found.by_element.clamp_min(0).pow(1 / len(fine)).mean(1),
                    found.quiver / longest)  # fmt: skip


def turn_all(v: Tensor) -> Tensor:
    """Every picture rotated in 90° steps, picture by picture."""
    return torch.stack([act(P4, h, v) for h in range(len(P4))], 1).flatten(0, 1)


def turn_back(heat: Tensor) -> Tensor:
    """Maps [n·4 y x] of `turn_all`, each rotated back, [n 4 y x]."""
    rows = heat.unflatten(0, (-1, len(P4)))
    return torch.stack([torch.rot90(rows[:, h], -h, (-2, -1)) for h in range(len(P4))], 1)


def errors_of(heat: Tensor) -> list[float]:
    """‖back - upright‖ / ‖upright‖ at the three rotations, the maximum over the pictures."""
    back = turn_back(heat)
    return [max(relative_error(row[h], row[0]) for row in back) for h in range(1, len(P4))]


def _panels(v: Tensor, found: Attended, *, foreign: bool = False) -> tuple[Pictures, ...]:
    back = turn_back(found.heat)
    difference = (back - back[:, :1]).flatten(0, 1)
    return (
        show("Pictures, rotated in 90° steps", v, columns=4, foreign=foreign),
        show("Spatial attention 1 − α_X of all fine layers, with its preferred orientations",
             found.heat, columns=4, look="ramp", arrows=found.arrows),
        show("Rotated back, minus the upright map", difference, columns=4, look="signed",
             bounds=_around(found.heat)),
    )  # fmt: skip


def _around(heat: Tensor) -> tuple[float, float]:
    top = float(heat.max() - heat.min()) / 2 or 1.0
    return -top, top


def show_digits(effort: Effort) -> Iterator[Progress]:
    """Figure 7 with the network that comes with the project."""
    digits = [(at + effort.seed) % 10 for at in (3, 5)]
    v = turn_all(torch.cat([draw_digit(digit) for digit in digits]))
    found = attend(load_shipped("alpha-f-p4").network, v)
    yield Progress("maps")
    errors, plain = errors_of(found.heat), _plain_error(v)
    yield Progress("done", Outcome(
        numbers=(
            *(Number(f"map rotated back, relative error, {name}", error)
              for name, error in zip(P4.names[1:], errors, strict=True)),
            Number("for comparison: features of a plain CNN at 90°", plain),
        ),
        claims=(
            Claim("the maps rotate with the picture", max(errors) < EXACT),
            Claim("a plain network's features do not", plain > VISIBLE),
        ),
        panels=_panels(v, found),
        data="α_F-p4-CNN, trained on rotated MNIST, and digits in our own handwriting. The paper "
        "does not say which factor it shows; here it is what spatial attention keeps, 1 − α_X.",
    ))  # fmt: skip


def _plain_error(v: Tensor) -> float:
    seen = trace(load_shipped("z2").network, v[:2]).features[1].f
    return relative_error(torch.rot90(seen[1], -1, (-2, -1)), seen[0])


@dataclass(frozen=True)
class Regime:
    """Figures 10 and 11: All-CNN with strides, or with pooling instead."""

    exact: bool

    def __call__(self, effort: Effort) -> Iterator[Progress]:
        pictures, stand_in = _animals(effort.seed)
        v = turn_all(pictures)
        yield Progress("pictures")
        found = attend(make_untrained(ALL_CNN, exact=self.exact), v)
        errors = errors_of(found.heat)
        claim = (
            Claim("with stride 1 and pooling the maps are equal up to rounding",
                  max(errors) < EXACT)
            if self.exact
            else Claim("with strides on even sides the maps differ visibly", max(errors) > VISIBLE)
        )  # fmt: skip
        yield Progress("done", Outcome(
            numbers=tuple(Number(f"map rotated back, relative error, {name}", error)
                          for name, error in zip(P4.names[1:], errors, strict=True)),
            claims=(claim,),
            panels=_panels(v, found, foreign=not stand_in),
            data="α_F-p4-All-CNN with random weights; "
            + ("bundled icons instead of CIFAR-10." if stand_in else "horses of CIFAR-10."),
            stand_in=stand_in,
        ))  # fmt: skip


def _animals(seed: int) -> tuple[Tensor, bool]:
    """Two horses of CIFAR-10, or two icons."""
    side = NETWORKS[ALL_CNN].side
    if not is_here(CIFAR):
        return torch.stack([load_base(name, side, 0.9) for name in ANIMALS]), True
    images, labels = _read_cifar()
    horses = images[labels == OBJECTS.index("horse")]
    first = 2 * seed % (len(horses) - 1)
    return horses[first : first + 2].float() / 255, False


def _read_cifar() -> tuple[Tensor, Tensor]:
    here = [split.name for split in CIFAR.splits if is_split_here(CIFAR, split.name)]
    return read_split(CIFAR, here[-1])  # the smallest one available


def show_cells(effort: Effort) -> Iterator[Progress]:
    """Figure 8: the maps of a DenseNet that is trained for the budget."""
    name = "densenet-alpha-f-p4"
    data = load_pcam(effort)
    config = replace(RECIPES["pcam"], network=name, batch=8, patience=0)
    trained = yield from train_for(config, data, effort.seed, effort.part(0.8))
    v = turn_all(data.fit(NETWORKS[name]).test.images[:2])
    found = attend(trained.network, v)
    errors = errors_of(found.heat)
    yield Progress("done", Outcome(
        numbers=(
            *(Number(f"map rotated back, relative error, {turn}", error)
              for turn, error in zip(P4.names[1:], errors, strict=True)),
            Number("test error", 100 * trained.error, 11.34, "%"),
        ),
        claims=(Claim("the maps rotate with the picture", max(errors) < EXACT),),
        panels=_panels(v, found, foreign=True),
        data=f"{data.about}; {trained.iterations} iterations.",
    ))  # fmt: skip


def show_supports(effort: Effort) -> Iterator[Progress]:
    """Figure 9: positions of a filter with stride 2 on the picture and on the rotated picture."""
    cases = {"8 px, stride 2": (8, 2, False), "9 px, stride 2": (9, 2, False),
             "8 px, stride 1, pooled": (8, 1, True)}  # fmt: skip
    found = {}
    for name, (side, stride, pooled) in cases.items():
        found[name] = compare_strides(side, stride, pooled=pooled, seed=effort.seed)
        yield Progress(name)
    even, odd, pooled_ = found.values()
    yield Progress("done", Outcome(
        numbers=tuple(Number(f"{name}: relative error at 90°", one.error)
                      for name, one in found.items()),
        claims=(
            Claim("a 3×3 filter with stride 2 on an even side is not equivariant", not even.exact),
            Claim("on an odd side it is", odd.exact),
            Claim("stride 1 and 2×2 pooling on an even side are", pooled_.exact),
        ),
        panels=(
            show("Positions of a 3×3 filter with stride 2: blue upright, green rotated and "
                 "rotated back", torch.stack([_stand(side) for side in (8, 9)]),
                 ("8 px: different", "9 px: the same")),
        ),
        data="One random filter on the group and one random function.",
    ))  # fmt: skip


def _stand(side: int) -> Tensor:
    """[3 144 144]: squares at the positions of the filter's centre."""
    cell, rows = 144 // side, filter_centres(side, 2, 3, 1)
    found = torch.full((3, side * cell, side * cell), 0.92, device="cpu")
    found[:, ::cell] = found[:, :, ::cell] = 0.6
    upright = [(p, q) for p in rows for q in rows]
    turned = [(q, side - 1 - p) for p, q in upright]
    for places, colour, inset in (
        (upright, (0.1, 0.4, 0.85), 2),
        (turned, (0.2, 0.75, 0.4), 5),
    ):
        for y, x in places:
            top, left, size = y * cell + inset, x * cell + inset, cell - 2 * inset + 1
            found[:, top : top + size, left : left + size] = found.new_tensor(colour)[:, None, None]
    return found
