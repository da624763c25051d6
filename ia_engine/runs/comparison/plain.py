"""What scikit-learn offers, on pixels as they are: K-means, GMM, mean shift, spectral."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import KMeans, MeanShift, SpectralClustering, estimate_bandwidth
from sklearn.mixture import GaussianMixture
from torch import Tensor

from ia_engine.clustering.losses import LEAST_VARIANCE
from ia_engine.runs.comparison.task import Best, Task, average, choose_k, note_k
from ia_engine.shapes import Labels

STARTS: Final = 10
"""K-means and mixtures begin so often from other images; the likeliest result counts."""
MOST_SEEDS: Final = 1 << 32
"""scikit-learn takes so many."""
HALVINGS: Final = 10
"""So many bandwidths are tried to find the one that leaves K clusters."""
SHARE: Final = 0.3
"""Mean shift, untold, reaches as far as this share of the images on average (scikit-learn's)."""

Points = NDArray[np.float64]


def solve_kmeans(task: Task) -> Iterator[Best]:
    """The least squared error of several starts."""
    k, points, least = choose_k(task), _points(task), float("inf")
    for start in range(STARTS):
        found = KMeans(k, n_init=1, random_state=_seed(task, start)).fit(points)
        if found.inertia_ < least:
            least = float(found.inertia_)
            best = Best(
                _labels(found.labels_, task),
                _pictures(found.cluster_centers_, task),
                note_k(task, k),
            )
        yield best


def solve_gmm(task: Task) -> Iterator[Best]:
    """The likeliest of several mixtures of Gaussians with a variance for every pixel."""
    k, points, most = choose_k(task), _points(task), -float("inf")
    for start in range(STARTS):
        model = GaussianMixture(
            k,
            covariance_type="diag",
            reg_covar=LEAST_VARIANCE,
            random_state=_seed(task, start),
            max_iter=300,
        )
        found = model.fit(points)
        if found.lower_bound_ > most:
            most = float(found.lower_bound_)
            best = Best(
                _labels(found.predict(points), task), _pictures(found.means_, task), note_k(task, k)
            )
        yield best


def solve_mean_shift(task: Task) -> Iterator[Best]:
    """The peaks of a density: K of them, or as near as a bandwidth comes, if K is told."""
    points = _points(task)
    if task.k is None:
        yield _shift(task, points, float(estimate_bandwidth(points, quantile=SHARE)))
        return
    low, high = 0.0, float(pdist(points).max())
    best: Best | None = None
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        found = _shift(task, points, middle)
        count = len(found.centres)
        if best is None or abs(count - task.k) < abs(len(best.centres) - task.k):
            best = found
        yield best
        if count == task.k:
            return
        low, high = (middle, high) if count > task.k else (low, middle)


def solve_spectral(task: Task) -> Iterator[Best]:
    """A graph of all pairs, exp(-d²/d₀²) with the median distance d₀, cut into K."""
    k, d2 = choose_k(task), squareform(pdist(_points(task), "sqeuclidean"))
    if k == 1:
        whole = torch.zeros(len(d2), dtype=torch.int64, device=task.images.device)
        yield Best(whole, average(task.images, whole), note_k(task, k))
        return
    scale = max(float(np.median(d2)), 1e-12)
    model = SpectralClustering(k, affinity="precomputed", random_state=task.seed)
    found = _labels(model.fit_predict(np.exp(-d2 / scale)), task)
    yield Best(found, average(task.images, found), note_k(task, k))


def _shift(task: Task, points: Points, bandwidth: float) -> Best:
    found = MeanShift(bandwidth=max(bandwidth, 1e-6)).fit(points)
    assignments = _labels(found.labels_, task).unique(return_inverse=True)[1]
    return Best(assignments, average(task.images, assignments))


def _points(task: Task) -> Points:
    points: Points = task.images.flatten(1).double().cpu().numpy()
    return points


def _seed(task: Task, start: int) -> int:
    return (task.seed * STARTS + start) % MOST_SEEDS


def _labels(found: NDArray[Any], task: Task) -> Labels:
    return torch.from_numpy(np.asarray(found, dtype=np.int64)).to(task.images.device)


def _pictures(rows: NDArray[Any], task: Task) -> Tensor:
    return torch.from_numpy(rows).to(task.images).view(-1, *task.images.shape[1:])
