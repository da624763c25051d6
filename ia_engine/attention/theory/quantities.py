"""The quantities of Theorem 4.1 at every iteration of a run: R, c′ = β R², and the largest ratios
d(p)/d(p-1), for all pairs and for the pairs within classes.

The largest ratio of all pairs is 1 - ε. In a run with several classes, it belongs to a pair of
different classes, which hardly approach each other, so it says little about the clusters.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from ia_engine.attention.clusters.measures import NEAR, largest_ratio
from ia_engine.attention.iteration import Method, Weighting
from ia_engine.attention.theory.contraction import Trial, find_largest_ratio
from ia_engine.errors import EngineError
from ia_engine.images import Images, Labels, Matrix


@dataclass(frozen=True)
class Quantities:
    """The quantities at one iteration. A ratio is None at the first iteration, and if all of its
    pairs are omitted, because they are closer than NEAR times the initial R."""

    p: int
    """Number of times the images have been replaced by their means."""
    radius: float
    """R, the largest distance."""
    constant: float | None
    """c′ = β R²; None if the rule gives every mean its own β, or if the theorem is not about these
    weights."""
    largest: float | None
    """The largest ratio of all pairs, 1 - ε."""
    within: float | None
    """The largest ratio of the pairs within classes; None without classes."""
    d2_within: float | None
    """The mean d² of the pairs within classes; None without classes."""


def explain_missing_constant(weighting: Weighting, n: int) -> str:
    """Return why c′ does not exist for these weights of n images; "" if it does.

    Theorem 4.1 is about the Gaussian kernel and weights of all images.
    """
    kernel, most = weighting.kernel, weighting.most
    if not kernel.is_gaussian:
        return f"Theorem 4.1 is about the Gaussian kernel, not about κ = {kernel.formula}."
    if most is not None and most < n:
        return (
            f"Theorem 4.1 is about weights of all {n} images; here, a mean averages at most {most}."
        )
    return ""


def list_quantities(
    distances: Sequence[Matrix], betas: Sequence[float | None], labels: Labels | None
) -> list[Quantities]:
    """Return the quantities at every iteration, from the distances d² and the β of each."""
    found: list[Quantities] = []
    before: Matrix | None = None
    least = NEAR * float(distances[0].max()) ** 0.5 if distances else 0.0
    for p, (d2, beta) in enumerate(zip(distances, betas, strict=True)):
        same = _within_classes(d2, labels)
        largest = within = None
        if before is not None:
            largest = largest_ratio(before, d2, least)
            within = largest_ratio(before.masked_fill(~same, 0), d2, least)
        found.append(
            Quantities(
                p=p,
                radius=float(d2.max()) ** 0.5,
                constant=None if beta is None else beta * float(d2.max()),
                largest=largest,
                within=within,
                d2_within=float(d2[same].mean()) if bool(same.any()) else None,
            )
        )
        before = d2
    return found


def scan_constants(method: Method, v: Images, constants: Sequence[float]) -> Iterator[Trial]:
    """Yield the first iteration with β = c′/R², for each c′, with weights of Theorem 4.1."""
    if reason := explain_missing_constant(method.weighting, len(v)):
        raise EngineError(
            f"a scan of c′ needs the Gaussian kernel and weights of all images. {reason} "
            "Choose other settings"
        )
    found = method.distance.align(v)
    radius = float(found.d2.max()) ** 0.5
    if radius <= 0:
        raise EngineError(
            "the images must differ for a scan of c′; got images that are all equal: choose "
            "different data"
        )
    for constant in constants:
        beta = constant / radius**2
        largest = find_largest_ratio(method, v, found, beta, NEAR * radius)
        yield Trial(constant, beta, largest)


def _within_classes(d2: Matrix, labels: Labels | None) -> Matrix:
    """Return a mask of the pairs of different images of one class; without labels, of none."""
    if labels is None:
        return torch.zeros_like(d2, dtype=torch.bool)
    return (labels[:, None] == labels).fill_diagonal_(False)
