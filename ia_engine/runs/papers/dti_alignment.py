"""Figure 1a of DTI clustering: rotated digits and the nearest prototypes, unaligned and aligned.

Also the digits and the seeds of the other figures.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import torch
from torch import Generator, Tensor

from ia_engine.attention.distances.alignment import Euclidean, GlobalSearch
from ia_engine.attention.iteration import normalise
from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.handwriting import DigitsConfig, load_plain
from ia_engine.datasets.named import is_here
from ia_engine.datasets.published import MNIST
from ia_engine.datasets.subset import NamedConfig, load_named
from ia_engine.equivariant.digits import draw_digit
from ia_engine.figures.papers.panels import Pictures, show
from ia_engine.images import resize
from ia_engine.runs.papers.entry import (
    Claim,
    Effort,
    Outcome,
    Progress,
    exceeds,
    is_above,
    summarise,
)
from ia_engine.transforms import GROUPS

PER_SEED: Final = 0.7
"""Minimum CPU seconds per seed."""
ROTATED: Final = 40
"""Digits per seed."""


PLAIN: Final = 1797
"""Number of scikit-learn's digits."""
SEEDS: Final = 10


def list_seeds(effort: Effort, each: float) -> range:
    """Return as many seeds as the budget allows, at most ten; `each` is the cost of one [CPU s]."""
    return range(effort.seed, effort.seed + min(SEEDS, max(1, int(effort.budget / each))))


def load_sample(count: int, seed: int) -> tuple[ImageSet, bool]:
    """Load MNIST or, if it is missing, scikit-learn's digits; also return True for the latter."""
    if is_here(MNIST):
        return load_named(NamedConfig("mnist", count=count, seed=seed)), False
    return load_plain(DigitsConfig(count=min(count, PLAIN), seed=seed)), True


@dataclass(frozen=True, eq=False)
class Samples:
    """Digits of known classes."""

    images: Tensor
    labels: Tensor
    stand_in: bool
    """True if the images are not the paper's."""


def rotate_digits(seed: int) -> Samples:
    """Draw digits, and rotate each by a random angle."""
    data, stand_in = load_sample(ROTATED, seed)
    assert data.labels is not None
    side = draw_digit(0).shape[-1]
    return Samples(_rotate(resize(data.images, side, side), seed), data.labels, stand_in)


def _rotate(v: Tensor, seed: int) -> Tensor:
    generator = Generator(device="cpu").manual_seed(seed)
    angles = 2 * math.pi * torch.rand(len(v), 1, generator=generator, device="cpu").to(v)
    return GROUPS["rotation"].act(v, angles)


def choose_aligned(
    effort: Effort, *, sample: Callable[[int], Samples] = rotate_digits
) -> Iterator[Progress]:
    """Compute Figure 1a: rotated digits of each seed, and the prototypes nearest to them."""
    prototypes = torch.cat([draw_digit(digit) for digit in range(10)])
    plain, aligned, seeds = [], [], list_seeds(effort, PER_SEED)
    for seed in seeds:
        samples = sample(seed)
        found = compare_digits(prototypes, samples.images, samples.labels)
        plain.append(found.wrong(found.plain))
        aligned.append(found.wrong(found.aligned))
        yield Progress(f"seed {seed}")
    own = _rotate(prototypes, effort.seed)
    shown = compare_digits(prototypes, own, torch.arange(len(own), device=own.device))
    name = "scikit-learn's digits instead of MNIST's" if samples.stand_in else "digits of MNIST"
    yield Progress("done", Outcome(
        numbers=(
            summarise("rotated digits nearest to a wrong prototype, unaligned", plain, unit="%"),
            summarise("rotated digits nearest to a wrong prototype, aligned", aligned, unit="%"),
        ),
        claims=(
            Claim("without alignment, a wrong prototype is nearest to some digits, for every seed",
                  min(plain) > 0),
            Claim("after alignment, the right prototype is nearest to more digits",
                  is_above(plain, aligned)),
        ),
        panels=(shown.draw(prototypes),),
        data=f"{ROTATED} {name}, rotated by random angles, for each of {len(seeds)} seeds, and "
        "ten prototypes in our own handwriting; all images have unit norm. Nearly half of "
        "the digits stay wrong: only rotations are searched, the prototypes are in another "
        "handwriting, and a rotated 6 can be a 9. The picture shows a rotated prototype instead of "
        "a digit of the set: the most misleading one, with the nearest prototypes before and after "
        "alignment framed.",
        stand_in=samples.stand_in,
        seeds=len(seeds),
        beyond_spread=exceeds(plain, aligned),
    ))  # fmt: skip


@dataclass(frozen=True, eq=False)
class Compared:
    """Rotated samples, and their distances from all prototypes."""

    samples: Tensor
    labels: Tensor
    """[n]: the prototype of the class of each sample."""
    plain: Tensor
    """[k n] d² without alignment."""
    aligned: Tensor
    poses: Tensor
    """[k n p]: the poses that align prototypes with samples."""

    def wrong(self, d2: Tensor) -> float:
        """The share of samples that are nearest to a wrong prototype [%]."""
        return 100 * float((d2.argmin(0) != self.labels).double().mean())

    def draw(self, prototypes: Tensor) -> Pictures:
        """Draw the most misleading sample, its own prototype and the nearest wrong one."""
        others = self.plain.scatter(0, self.labels[None], torch.inf)
        own = self.plain.gather(0, self.labels[None])[0]
        i = int((own - others.amin(0)).argmax())
        pair = [int(self.labels[i]), int(others[:, i].argmin())]
        moved = GROUPS["rotation"].act(prototypes[pair], self.poses[pair, i])
        plain, found = self.plain[pair, i].tolist(), self.aligned[pair, i].tolist()
        framed = 1 + int(plain[1] < plain[0]), 3 + int(found[1] < found[0])
        return show(
            "A sample and two prototypes, unaligned and aligned with it",
            torch.cat([self.samples[i : i + 1], prototypes[pair], moved]),
            ("sample", f"c₁\nd² = {plain[0]:.2f}", f"c₂\nd² = {plain[1]:.2f}",
             f"c₁ aligned\nd² = {found[0]:.2f}", f"c₂ aligned\nd² = {found[1]:.2f}"),
            5, bounds=(0.0, 1.0), framed=framed,
        )  # fmt: skip


def compare_digits(prototypes: Tensor, samples: Tensor, labels: Tensor) -> Compared:
    """Compare samples with prototypes, unaligned and aligned by a rotation."""
    k = len(prototypes)
    both = normalise(torch.cat([prototypes, samples.to(prototypes)]))
    plain = Euclidean().align(both).d2[:k, k:]
    found = GlobalSearch(GROUPS["rotation"]).align(both)
    assert found.tau is not None
    return Compared(samples, labels, plain, found.d2[:k, k:], found.tau[:k, k:])
