"""Advice on β, computed from the distances alone: no images and no labels are used.

Mean j averages n_j = 1/Σ_i W_ij² images: if the images have independent noise, its variance in mean
j is that in a plain average of n_j images. n_j decreases from n to 1 as β increases, so each value
of n_j belongs to one β.

The distances after an iteration are predicted as if the poses of the first one stayed consistent.
The means are then convex combinations of points x_i with the distances D_ij, so that

    ‖μ_j - μ_k‖² = w_jᵀ D w_k - (w_jᵀ D w_j + w_kᵀ D w_k) / 2,  ‖μ_j‖² = w_jᵀ ‖x‖² - w_jᵀ D w_j / 2,

where w_j is column j of W. For kernel attention, this is exact. A β is recommended if the clusters
that are predicted for it are compact in the first distances (their silhouette, Rousseeuw 1987) and
agree with those that `cluster` finds in the graph of the first distances.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, cast

import torch
from torch import Tensor
from torch.nn.functional import one_hot

from ia_engine.attention.bandwidth import Fixed
from ia_engine.attention.clusters.detection import cluster, merge_clusters
from ia_engine.attention.iteration import AttentionConfig, Weighting
from ia_engine.errors import EngineError
from ia_engine.images import Labels, Matrix
from ia_engine.metrics import score_clusters
from ia_engine.params import Range, parameters

DECADES: Final = 5.0
"""Half the width of the interval around 1/(median d²) that is searched for β, in powers of
ten."""
HALVINGS: Final = 50
BETAS: Final = 60
"""Number of values of β for which clusters are predicted."""
ENDS: Final = (0.98, 1.02)
"""The values of β that are tried lie between two: at the first, a mean averages this share of all
images; at the second, this number of images."""
NEARLY: Final = 0.98
"""A score of at least this fraction of the largest counts as equally good."""
SMALLEST: Final = 1e-3
"""Lower bound for the ratio of d² within and between clusters, because smaller distances are mostly
interpolation errors."""
LEAST: Final = 0.1
"""A β whose clusters have a smaller score is not recommended."""
NEIGHBOURS: Final = 5.0
"""Number of images that a mean averages at the recommended β if no clusters are predicted."""
DIAGONAL: Final = 0.5
"""Share of the weight on the diagonal above which the advice states this share."""
BETA: Final = cast(Range, next(p.about for p in parameters(AttentionConfig) if p.name == "beta"))
MOST: Final = 120
"""Maximum number of images for which clusters are predicted; it would take seconds for more."""


@dataclass(frozen=True, eq=False)
class Known:
    """The distances of images or points, and how they are weighted."""

    d2: Matrix
    square: Tensor
    """Squared norms [n]; 1 for images, which are scaled to norm 1."""
    weighting: Weighting

    def weigh(self, beta: float) -> Matrix:
        """Return W for a fixed β."""
        return replace(self.weighting, bandwidth=Fixed(beta)).weigh(self.d2, self.square)[0]


@dataclass(frozen=True)
class Recommendation:
    """A β, and the number of clusters predicted for it."""

    beta: float
    clusters: int | None
    """None if no clusters are predicted."""
    low: float
    high: float
    """All β in this interval are predicted to give equally good clusters."""
    reason: str = ""
    """A sentence on why no clusters are predicted; "" if they are."""


def count_averaged(W: Matrix) -> Tensor:
    """Return n_j = 1/Σ_i W_ij² for every column."""
    return 1 / W.square().sum(0)


def find_beta(known: Known, averaged: float) -> float:
    """Return the β at which the mean of n_j is `averaged`, from 1 to the number of images.

    The nearest β is returned if none gives this number, e.g. because some images are equal.
    """
    n = len(known.d2)
    if not 1 <= averaged <= n:
        raise EngineError(f"averaged must be between 1 and the {n} images; got {averaged:g}")
    low, high = (math.log(_scale(known) * 10**power) for power in (-DECADES, DECADES))
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        more = float(count_averaged(known.weigh(math.exp(middle))).mean()) > averaged
        low, high = (middle, high) if more else (low, middle)
    return math.exp((low + high) / 2)


def keep_weights(before: Known, beta: float, after: Known) -> float:
    """Return the β at which the means average as many images with the distances `after` as at
    `beta` with the distances `before`, which may have been computed with another σ."""
    return find_beta(after, float(count_averaged(before.weigh(beta)).mean()))


def predict(known: Known, beta: float, steps: int) -> Iterator[tuple[Known, Matrix]]:
    """Yield the distances and weights of the data, then the predicted ones after every step."""
    now = replace(known, d2=known.d2.double(), square=known.square.double())
    for step in range(steps + 1):
        W = now.weigh(beta)
        yield now, W
        if step < steps:
            now = _average(now, W)


def predict_clusters(known: Known, beta: float, steps: int) -> Labels:
    """Return the clusters that the iterations are predicted to find."""
    *_, (last, W) = predict(known, beta, steps)
    return merge_clusters(last.d2, last.square.sqrt()[:, None], W)


def recommend(
    known: Known, steps: int, limits: tuple[float, float] = (0.0, math.inf)
) -> Recommendation:
    """Return the β between two limits whose predicted clusters after `steps` iterations score best;
    if an interval of β gives equally good ones, its middle on a logarithmic scale."""
    n = len(known.d2)
    if reason := _refuse_clusters(known):
        return _without_clusters(known, reason)
    share, number = ENDS
    ends = find_beta(known, max(1.0, share * n)), find_beta(known, number)
    low, high = (min(max(end, limits[0]), limits[1]) for end in ends)
    betas = [low * (high / low) ** (k / (BETAS - 1)) for k in range(BETAS)]
    found = [predict_clusters(known, beta, steps) for beta in betas]
    graph = cluster(known.d2, known.square.sqrt()[:, None])
    scores = [score(known.d2, labels, graph) for labels in found]
    best = max(scores)
    if best < LEAST:
        return _without_clusters(known, "No β is predicted to give clear clusters.")
    good = [score >= NEARLY * best for score in scores]
    start = end = scores.index(best)
    while start > 0 and good[start - 1]:
        start -= 1
    while end < BETAS - 1 and good[end + 1]:
        end += 1
    clusters = int(found[(start + end) // 2].max()) + 1
    return Recommendation(math.sqrt(betas[start] * betas[end]), clusters, betas[start], betas[end])


def score(d2: Matrix, labels: Labels, graph: Labels) -> float:
    """Return -½ log(1 - s), where s is the silhouette of clusters, plus their adjusted Rand index
    with those of the graph; 0 for a single cluster.

    1 - s is about the ratio of d² within and between clusters, so the first term is about the
    logarithm of the ratio of distances. It outweighs the graph if the images of a cluster are
    nearly equal, as are copies without noise.
    """
    if int(labels.max()) == 0:
        return 0.0
    ratio = max(1 - silhouette(d2, labels), SMALLEST)
    return -math.log(ratio) / 2 + score_clusters(graph, labels).ari


def silhouette(d2: Matrix, labels: Labels) -> float:
    """Return the mean of (b - a) / max(a, b), where a is the mean d² from an image to the others in
    its cluster, and b is that to the images of the nearest other cluster.

    An image that forms a cluster by itself counts as 0. For a single cluster, the result is 0.
    """
    count = int(labels.max()) + 1
    if count == 1:
        return 0.0
    member = one_hot(labels, count).to(d2)
    size = member.sum(0)
    sums = ((d2 + d2.T) / 2) @ member
    own = sums.gather(1, labels[:, None])[:, 0] / (size[labels] - 1).clamp_min(1)
    other = (sums / size).scatter(1, labels[:, None], torch.inf).amin(1)
    scores = (other - own) / torch.maximum(other, own).clamp_min(torch.finfo(d2.dtype).tiny)
    return float(torch.where(size[labels] > 1, scores, 0).mean())


@dataclass(frozen=True)
class Advice:
    """The effect of a β, and a β that is recommended instead."""

    beta: float
    """The recommended β, rounded to three digits, within the range of the setting."""
    sentence: str
    kept: float | None = None
    """The β that keeps the weights of earlier distances, e.g. those with another σ."""
    kept_sentence: str = ""


@dataclass(frozen=True, eq=False)
class Earlier:
    """The weights of the same images with another σ."""

    known: Known
    beta: float
    sigma: float


def advise(
    known: Known, beta: float, steps: int, sigma: float = 0.0, earlier: Earlier | None = None
) -> Advice:
    """Describe the weights for a β, and recommend a β; `earlier` adds the β that keeps its
    weights."""
    found = recommend(known, steps, (BETA.low, BETA.high))
    best = to_setting(found.beta)
    advice = Advice(best, f"{_describe_weights(known, beta)}{_describe(known, found, beta, best)}")
    if earlier is None:
        return advice
    kept = to_setting(keep_weights(earlier.known, earlier.beta, known))
    before, after = (1 / _scale(one) for one in (earlier.known, known))
    verb = "reduced" if after < before else "increased"
    return replace(
        advice,
        kept=kept,
        kept_sentence=f"Changing σ from {earlier.sigma:g} to {sigma:g} px {verb} the median d² "
        f"from {before:.2g} to {after:.2g}. With β ≈ {kept:g}, a mean averages as many images as "
        "before.",
    )


def list_averaged(known: Known, betas: Sequence[float]) -> list[float]:
    """Return the mean of n_j for every β."""
    return [float(count_averaged(known.weigh(beta)).mean()) for beta in betas]


def to_setting(beta: float) -> float:
    """Return β rounded to three digits, within the range of the setting."""
    return float(f"{min(max(beta, BETA.low), BETA.high):.3g}")


def _describe_weights(known: Known, beta: float) -> str:
    W = known.weigh(beta)
    own, averaged = float(W.diagonal().mean()), float(count_averaged(W).mean())
    if own > DIAGONAL:
        return f"At β = {beta:g}, {100 * own:.0f} % of the weight is on the diagonal"
    return f"At β = {beta:g}, a mean averages {_number(averaged)} of the {len(W)} images"


def _number(averaged: float) -> str:
    return f"{averaged:.2g}" if averaged < 99 else f"{averaged:.0f}"


def _describe(known: Known, found: Recommendation, beta: float, best: float) -> str:
    """Continue the text on the weights at β with the recommended β."""
    low, high = (to_setting(end) for end in (found.low, found.high))
    if found.clusters is not None and found.low <= beta <= found.high:
        return (
            f", and {found.clusters} clusters are predicted, as for any β from {low:g} to {high:g}."
        )
    (averaged,) = list_averaged(known, [best])
    start, images = f". Recommended: β ≈ {best:g}", f"a mean averages {_number(averaged)} images"
    if found.clusters is None:
        return f"{start}, at which {images}. {found.reason}"
    clusters = f"{found.clusters} clusters are predicted"
    if low >= high:
        return f"{start}, for which {clusters}; {images}."
    interval = f"from {low:g} to {high:g}"
    return f"{start}, the middle of the interval {interval}, in which {clusters}; {images}."


def _refuse_clusters(known: Known) -> str:
    """Return why the clusters of these distances cannot be predicted; "" if they can."""
    n = len(known.d2)
    if n > MOST:
        return f"For more than {MOST} images, clusters are not predicted."
    if n < 3:
        return "For fewer than 3 images, clusters are not predicted."
    if float(known.d2.max()) <= 0:
        return "All images are equal, so every β gives the same weights."
    return ""


def _without_clusters(known: Known, reason: str) -> Recommendation:
    beta = find_beta(known, min(NEIGHBOURS, float(len(known.d2))))
    return Recommendation(beta, None, beta, beta, reason)


def _average(known: Known, W: Matrix) -> Known:
    """Return the distances and norms of the means."""
    products = W.T @ ((known.d2 + known.d2.T) / 2) @ W
    own = products.diagonal() / 2
    apart = (products - own[:, None] - own).clamp_min(0).fill_diagonal_(0)
    return replace(known, d2=apart, square=(W.T @ known.square - own).clamp_min(0))


def _scale(known: Known) -> float:
    """Return 1/(median d²) over pairs that differ."""
    differing = known.d2[known.d2 > 0]
    return 1 / float(differing.median()) if differing.numel() else 1.0
