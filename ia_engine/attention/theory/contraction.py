"""Checks Theorem 4.1 numerically: d(S_j⁺, S_k⁺) ≤ (1 - ε) d(S_j, S_k) if β < c′/R² with R = max d.

The theorem also requires R < c ρ_min. The reach ρ_min is defined in (B.9) of an appendix that the
available text does not contain, so it is neither computed nor approximated. The result therefore
shows where the iteration contracts, not where the theorem guarantees it.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from ia_engine.attention.clusters.detection import relative
from ia_engine.attention.clusters.measures import NEAR, largest_ratio
from ia_engine.attention.distances.alignment import Alignment
from ia_engine.attention.iteration import Method
from ia_engine.attention.weights import weigh
from ia_engine.errors import EngineError
from ia_engine.images import Images, Matrix

SAME = 1e-6
"""All images have merged if every d² is at most this fraction of their squared norms."""
CONSTANTS = tuple(2.0**power for power in range(-2, 13))
"""Values of c′ to try, in order, until one fails."""


@dataclass(frozen=True, eq=False)
class Contraction:
    """One iteration, and its effect on the distance within every pair."""

    k: int
    """Number of the iteration; 1 is the step from the data to the first means."""
    beta: float
    radius: float
    """R^(p), the largest distance before the iteration."""
    ratio: Matrix
    """[n n]: d(p+1)/d(p); NaN for omitted pairs."""

    @property
    def largest(self) -> float | None:
        """The largest ratio, 1 - ε; None if all pairs are omitted."""
        counted = self.ratio[~self.ratio.isnan()]
        return float(counted.max()) if counted.numel() else None

    @property
    def holds(self) -> bool:
        """True if the distances of all pairs that are not omitted have decreased."""
        return self.largest is None or self.largest < 1


@dataclass(frozen=True)
class Trial:
    """The first iteration with β = c′/R², and its largest ratio of distances."""

    constant: float
    beta: float
    largest: float


@dataclass(frozen=True)
class Failure:
    """The interval of c′ in which contraction first fails as β increases from 0."""

    radius: float
    trials: tuple[Trial, ...]
    """All trials, in ascending order of β."""

    @property
    def holds(self) -> Trial | None:
        """The largest β below the first failure at which all pairs contract; None if the smallest β
        fails."""
        before = self.trials[: self._first]
        return before[-1] if before else None

    @property
    def fails(self) -> Trial | None:
        """The smallest β at which contraction fails; None if there is none."""
        return self.trials[self._first] if self._first < len(self.trials) else None

    @property
    def _first(self) -> int:
        failed = (i for i, trial in enumerate(self.trials) if trial.largest >= 1)
        return next(failed, len(self.trials))


def contract(method: Method, v: Images, constant: float, steps: int) -> Iterator[Contraction]:
    """Iterate with β = c′/R², where R belongs to the current iteration, until all pairs are
    omitted."""
    found = method.distance.align(v)
    if _alike(found.d2, v):
        return
    least = NEAR * _radius(found.d2)
    for k in range(1, steps + 1):
        radius = _radius(found.d2)
        if radius <= least:
            return
        beta = constant / radius**2
        v, after = _iterate(method, v, found, beta)
        yield Contraction(k, beta, radius, ratios(found.d2, after.d2, least))
        found = after


def find_failure(method: Method, v: Images, halvings: int = 6) -> Failure:
    """Double c′ until a pair does not contract in the first iteration, then bisect the interval."""
    found = method.distance.align(v)
    radius = _radius(found.d2)
    if _alike(found.d2, v):
        raise EngineError(
            "the images must differ for the contraction check; got images that are all equal: "
            "choose different data"
        )

    def attempt(constant: float) -> Trial:
        beta = constant / radius**2
        return Trial(constant, beta, find_largest_ratio(method, v, found, beta, NEAR * radius))

    trials: list[Trial] = []
    for constant in CONSTANTS:
        trials.append(attempt(constant))
        if trials[-1].largest >= 1:
            break
    failure = Failure(radius, tuple(trials))
    for _ in range(halvings):
        if failure.holds is None or failure.fails is None:
            break
        middle = math.sqrt(failure.holds.constant * failure.fails.constant)
        trials = sorted([*failure.trials, attempt(middle)], key=lambda trial: trial.constant)
        failure = Failure(radius, tuple(trials))
    return failure


def find_largest_ratio(
    method: Method, v: Images, found: Alignment, beta: float, least: float
) -> float:
    """Return the largest ratio in one iteration, from images whose distances are known; 0 if all
    pairs are omitted."""
    _, after = _iterate(method, v, found, beta)
    largest = largest_ratio(found.d2, after.d2, least)
    return 0.0 if largest is None else largest


def ratios(before: Matrix, after: Matrix, least: float) -> Matrix:
    """Return d(p+1)/d(p) for every pair; NaN where d(p) does not exceed `least`."""
    far = before.sqrt() > least
    return torch.where(far, (after / before).sqrt(), torch.nan)


def _alike(d2: Matrix, v: Images) -> bool:
    return bool((relative(d2, v) <= SAME).all())


def _radius(d2: Matrix) -> float:
    return float(d2.max()) ** 0.5


def _iterate(method: Method, v: Images, found: Alignment, beta: float) -> tuple[Tensor, Alignment]:
    mu = method.mean.average(v, weigh(found.d2, beta), found.tau)
    return mu, method.distance.align(mu)
