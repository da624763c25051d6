"""Figures 7 to 11 of the attentive G-CNNs: attention maps of rotated pictures."""

from collections.abc import Callable, Iterator
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
from ia_engine.runs.papers.entry import (
    Claim,
    Effort,
    Number,
    Outcome,
    Progress,
    exceeds,
    is_above,
    summarise,
)
from ia_engine.runs.papers.needs import is_split_here

EXACT: Final = 1e-5
VISIBLE: Final = 1e-2
"""Relative error above which a difference is visible."""
DEEP: Final = 10
"""Minimum side length of the maps that are composed [px]."""
CELLS: Final = 8
ALL_CNN: Final = "all-cnn-alpha-f-p4"
ATTENTIVE: Final = "alpha-f-p4"
"""The network of Figure 7."""
ANIMALS: Final = ("icon-horse", "icon-cat")
PER_SEED: Final = 1.0
"""Minimum CPU seconds per seed of Figures 7, 10 and 11."""
SEEDS: Final = 10
STRIDES: Final = (
    ("8 px, stride 2", 8, 2, False),
    ("9 px, stride 2", 9, 2, False),
    ("8 px, stride 1, pooled", 8, 1, True),
)
"""The cases of Figure 9: side [px], stride, and True if 2×2 pooling follows."""
Alter = Callable[[nn.Module], nn.Module]
"""Replaces a network before its maps are computed, so that tests can check that a claim fails."""


def unaltered(network: nn.Module) -> nn.Module:
    """Return the network itself."""
    return network


@dataclass(frozen=True, eq=False)
class Attended:
    """The composed attention of pictures."""

    heat: Tensor
    """[n y x]: geometric mean of 1 - α_X of the fine layers, summed over the poses."""
    arrows: Tensor
    """[n cells cells 2]: arrows, scaled so that the longest has length 1."""


def attend(network: nn.Module, v: Tensor) -> Attended:
    """Compose the attention maps of the network on pictures [n c y x]."""
    seen = trace(network, v).maps
    fine = tuple(maps for maps in seen if maps.spatial.shape[-1] >= DEEP) or seen
    found = compose(fine, P4, v.shape[-1], cells=CELLS)
    longest = found.quiver.norm(dim=-1).amax().clamp_min(1e-12)
    return Attended(found.by_element.clamp_min(0).pow(1 / len(fine)).mean(1),
                    found.quiver / longest)  # fmt: skip


def turn_all(v: Tensor) -> Tensor:
    """Rotate each picture in 90° steps; the rotations of a picture are consecutive."""
    return torch.stack([act(P4, h, v) for h in range(len(P4))], 1).flatten(0, 1)


def turn_back(heat: Tensor) -> Tensor:
    """Rotate back the maps [n·4 y x] of pictures from `turn_all`; return [n 4 y x]."""
    rows = heat.unflatten(0, (-1, len(P4)))
    return torch.stack([torch.rot90(rows[:, h], -h, (-2, -1)) for h in range(len(P4))], 1)


def errors_of_each(heat: Tensor) -> list[list[float]]:
    """Return ‖back - upright‖ / ‖upright‖ for each picture and each of three rotations."""
    return [[relative_error(row[h], row[0]) for h in range(1, len(P4))] for row in turn_back(heat)]


def errors_of(heat: Tensor) -> list[float]:
    """Return the maximum error over the pictures for each of three rotations."""
    return [max(errors) for errors in zip(*errors_of_each(heat), strict=True)]


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


def show_digits(
    effort: Effort, *, digits: Tensor | None = None, alter: Alter = unaltered
) -> Iterator[Progress]:
    """Compute Figure 7 on ten digits [n 1 y x], with a trained and with random networks."""
    if digits is None:
        digits = torch.cat([draw_digit(digit) for digit in range(10)])
    v = turn_all(digits)
    found = attend(alter(load_shipped(ATTENTIVE).network), v)
    trained = max(errors_of(found.heat))
    attentive, plain = [], []
    seeds = list_seeds(effort)
    for seed in seeds:
        network = alter(make_untrained(ATTENTIVE, seed=seed))
        attentive.append(max(errors_of(attend(network, v).heat)))
        plain.append(_plain_error(make_untrained("z2", seed=seed), v))
        yield Progress(f"networks {seed}")
    shown = [(at + effort.seed) % len(digits) for at in (3, 5)]
    yield Progress("done", Outcome(
        numbers=(
            summarise("largest relative error: maps of attentive networks", attentive),
            summarise("largest relative error: features of plain networks, 90°", plain),
            Number("largest relative error: maps of the trained attentive network", trained),
        ),
        claims=(
            Claim("the maps of every attentive network rotate with every digit, up to rounding "
                  "errors", max(*attentive, trained) < EXACT),
            Claim("the features of every plain network do not rotate with the digits",
                  min(plain) > VISIBLE),
        ),
        panels=_panels(*_choose(v, found, shown)),
        data="Other networks and pictures than the paper's, which shows networks trained on "
        f"CIFAR-10: here, an α_F-p4-CNN and a plain CNN with random weights for each of "
        f"{len(seeds)} seeds, the α_F-p4-CNN trained on rotated MNIST, which is shown, and ten "
        "digits in our own handwriting. The plain networks are not in the paper's figure. The "
        "paper does not say which factor it shows; here it is "
        "what spatial attention keeps, 1 − α_X.",
        seeds=len(seeds),
        schedule="not trained, except for one network; the paper trains for 350 epochs",
        beyond_spread=exceeds(plain, attentive),
    ))  # fmt: skip


def list_seeds(effort: Effort) -> range:
    """Return as many seeds, at most ten, as the budget allows."""
    return range(effort.seed, effort.seed + min(SEEDS, max(1, int(effort.budget / PER_SEED))))


def _choose(v: Tensor, found: Attended, rows: list[int]) -> tuple[Tensor, Attended]:
    """Select pictures, with all their rotations."""
    chosen = [row * len(P4) + h for row in rows for h in range(len(P4))]
    return v[chosen], Attended(found.heat[chosen], found.arrows[chosen])


def _plain_error(network: nn.Module, v: Tensor) -> float:
    """Largest error of the second feature map of a plain network for pictures from `turn_all`."""
    seen = trace(network, v).features[1].f.unflatten(0, (-1, len(P4)))
    return max(relative_error(torch.rot90(row[1], -1, (-2, -1)), row[0]) for row in seen)


@dataclass(frozen=True)
class Regime:
    """Computes Figures 10 and 11: All-CNN with strides, or with pooling instead.

    The same weights are used in both ways, so that both are compared seed by seed.
    """

    exact: bool
    alter: Alter = unaltered

    def __call__(self, effort: Effort) -> Iterator[Progress]:
        seeds = list_seeds(effort)
        errors, others = [], []
        for seed in seeds:
            pictures, stand_in = _animals(seed)
            v = turn_all(pictures)
            network = make_untrained(ALL_CNN, exact=self.exact, seed=seed)
            found = attend(self.alter(network), v)
            errors.append(errors_of(found.heat))
            other = make_untrained(ALL_CNN, exact=not self.exact, seed=seed)
            others.append(max(errors_of(attend(other, v).heat)))
            yield Progress(f"network {seed}")
        largest = [max(each) for each in errors]
        pair = (others, largest) if self.exact else (largest, others)
        instead = "strides" if self.exact else "pooling"
        claim = (
            Claim("with stride 1 and pooling the maps are equal up to rounding",
                  max(largest) < EXACT)
            if self.exact
            else Claim("with strides on even sides the maps differ visibly", min(largest) > VISIBLE)
        )  # fmt: skip
        order = Claim("the errors with strides are larger than those with pooling", is_above(*pair))
        yield Progress("done", Outcome(
            numbers=(
                *(summarise(f"relative error of the map rotated back: {name}", list(each))
                  for name, each in zip(P4.names[1:], zip(*errors, strict=True), strict=True)),
                summarise("relative error of the map rotated back: largest of the three", largest),
                summarise(f"relative error of the map rotated back: largest, with {instead} "
                          "instead", others),
            ),
            claims=(claim, order),
            panels=_panels(v, found, foreign=not stand_in),
            data="α_F-p4-All-CNN with random weights, a network and two pictures for each of "
            f"{len(seeds)} seeds, computed with strides and with pooling; the last are shown; "
            + ("bundled icons instead of CIFAR-10." if stand_in else "horses of CIFAR-10."),
            stand_in=stand_in,
            seeds=len(seeds),
            schedule="not trained; the paper trains for 350 epochs",
            beyond_spread=exceeds(*pair),
        ))  # fmt: skip


def _animals(seed: int) -> tuple[Tensor, bool]:
    """Load two horses of CIFAR-10 or, if it is missing, two icons; also return True for icons."""
    side = NETWORKS[ALL_CNN].side
    if not is_here(CIFAR):
        return torch.stack([load_base(name, side, 0.9) for name in ANIMALS]), True
    images, labels = _read_cifar()
    horses = images[labels == OBJECTS.index("horse")]
    first = 2 * seed % (len(horses) - 1)
    return horses[first : first + 2].float() / 255, False


def _read_cifar() -> tuple[Tensor, Tensor]:
    here = [split.name for split in CIFAR.splits if is_split_here(CIFAR, split.name)]
    return read_split(CIFAR, here[-1])  # the smallest split available


def show_cells(effort: Effort, *, alter: Alter = unaltered) -> Iterator[Progress]:
    """Compute Figure 8: the maps of a DenseNet that is trained for the budget."""
    name = "densenet-alpha-f-p4"
    data = load_pcam(effort)
    config = replace(RECIPES["pcam"], network=name, batch=8, patience=0)
    trained = yield from train_for(config, data, effort.seed, effort.part(0.8))
    v = turn_all(data.fit(NETWORKS[name]).test.images[:2])
    found = attend(alter(trained.network), v)
    errors = errors_of(found.heat)
    yield Progress("done", Outcome(
        numbers=(
            *(Number(f"relative error of the map rotated back, {turn}", error)
              for turn, error in zip(P4.names[1:], errors, strict=True)),
            Number("test error", 100 * trained.error, 11.34, "%"),
        ),
        claims=(Claim("the maps rotate with the picture", max(errors) < EXACT),),
        panels=_panels(v, found, foreign=True),
        data=f"{data.about}. That the maps cover cell nuclei is not tested: PCam has no labels of "
        "nuclei.",
        schedule=f"{trained.iterations} of about 410,000 iterations (100 epochs)",
    ))  # fmt: skip


def show_supports(
    effort: Effort, *, cases: tuple[tuple[str, int, int, bool], ...] = STRIDES
) -> Iterator[Progress]:
    """Compute Figure 9: positions of a filter with stride 2 on a picture and on its rotation."""
    found = []
    for name, side, stride, pooled in cases:
        found.append([compare_strides(side, stride, pooled=pooled, seed=seed)
                      for seed in range(effort.seed, effort.seed + SEEDS)])  # fmt: skip
        yield Progress(name)
    even, odd, pooled_ = found
    yield Progress("done", Outcome(
        numbers=tuple(summarise(f"{case[0]}: relative error at 90°", [one.error for one in each])
                      for case, each in zip(cases, found, strict=True)),
        claims=(
            Claim("a 3×3 filter with stride 2 on an even side is not equivariant",
                  not any(one.exact for one in even)),
            Claim("a 3×3 filter with stride 2 on an odd side is equivariant",
                  all(one.exact for one in odd)),
            Claim("stride 1 and 2×2 pooling on an even side are equivariant",
                  all(one.exact for one in pooled_)),
        ),
        panels=(
            show("Positions of a 3×3 filter with stride 2: blue upright, green rotated and "
                 "rotated back", torch.stack([_stand(side) for side in (8, 9)]),
                 ("8 px: different", "9 px: the same")),
        ),
        data="Each of the ten seeds draws a random filter on the group and a random function; the "
        "paper's figure is a drawing, for which no data were published.",
        seeds=SEEDS,
    ))  # fmt: skip


def _stand(side: int) -> Tensor:
    """Draw squares at the positions of the centre of the filter, [3 144 144]."""
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
