"""The methods of a comparison: attention, scikit-learn's methods on pixels, and TI and DTI
clustering."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.spatial.distance import pdist, squareform
from sklearn.cluster import KMeans, MeanShift, SpectralClustering, estimate_bandwidth
from sklearn.metrics import silhouette_score
from sklearn.mixture import GaussianMixture
from torch import Tensor

from ia_engine.attention.clusters.detection import cluster
from ia_engine.attention.distances.alignment import Alignment, find_anchors
from ia_engine.attention.iteration import KERNEL_BETA, AttentionConfig, iterate, normalise
from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.model import LEAST_VARIANCE
from ia_engine.clustering.reading import read
from ia_engine.clustering.training import train
from ia_engine.devices import cpu_seconds
from ia_engine.images import Images, Labels, Matrix, Poses
from ia_engine.ties import first_min
from ia_engine.transforms import GROUPS

MAX_K: Final = 12
"""Largest number of clusters that is tried if K is not set."""
SIGMA: Final = 1.0
"""Gaussian smoothing of the images before attention compares them [px]."""


@dataclass(frozen=True, eq=False)
class Task:
    """The images and the limits, which are the same for all methods."""

    images: Images
    """[n c h w], with values in [0, 1]."""
    k: int | None
    """The number of clusters; None if the method has to find it."""
    budget: float
    """Maximum CPU seconds."""
    seed: int = 0
    averagings: int = 0
    beta: float | None = None
    """The bandwidth of attention; None for the default of the method."""
    sigma: float = SIGMA


@dataclass(frozen=True, eq=False)
class Best:
    """The best result of a method so far."""

    assignments: Labels
    """[n]: consecutive cluster numbers from 0, or indices into `centres`."""
    centres: Images
    """[k c h w]: the centre of each cluster."""
    note: str = ""
    """A sentence that states how the result deviates from the task; "" if it does not."""
    error: float | None = None
    """Mean squared error per pixel between the images and their (transformed) centres, if known."""


Solve = Callable[[Task], Iterator[Best]]
"""A function that yields a first result quickly, and better ones later."""


@dataclass(frozen=True)
class Method:
    """A method of Compare."""

    title: str
    """Its name on the screen."""
    solve: Solve
    settings: tuple[str, ...] = ()
    """The names of the settings of attention in `Task` that it uses: "beta" and "sigma"."""


def average(images: Images, assignments: Labels) -> Images:
    """Return the mean image [k c h w] of each cluster, pixel by pixel."""
    within = torch.nn.functional.one_hot(assignments).to(images)
    total = torch.einsum("nk,nchw->kchw", within, images)
    return total / within.sum(0).clamp_min(1)[:, None, None, None]


def choose_k(task: Task) -> int:
    """Return the K of the task or, if it is not set, the K with the best silhouette (Rousseeuw
    1987)."""
    if task.k is not None:
        return task.k
    points = task.images.flatten(1).double().cpu().numpy()
    scores = {}
    for k in range(2, min(MAX_K, len(points) - 1) + 1):
        found = KMeans(k, n_init=3, random_state=task.seed).fit_predict(points)
        if len(set(found.tolist())) > 1:
            scores[k] = float(silhouette_score(points, found))
    return max(scores, key=scores.__getitem__, default=1)


def note_k(task: Task, k: int) -> str:
    """Describe how K was chosen, or return "" if the task sets it."""
    return "" if task.k is not None else f"K = {k} by K-means' silhouette"


PARTS: Final = (9, 3)
"""Denominators of the fractions of the images that are aligned before all images, which may take
too long."""
FEWEST: Final = 12
"""Minimum number of images in a fraction that is aligned."""
NOTHING: Final = "no image was aligned in time: these are the clusters of kernel attention"


def attend_by_pixels(task: Task) -> Iterator[Best]:
    """Cluster by kernel attention."""
    beta, steps = task.beta or KERNEL_BETA, task.averagings + 1
    config = AttentionConfig("ka", beta=beta, sigma=task.sigma, steps=steps)
    for step in iterate(config, normalise(task.images)):
        found = cluster(step.d2, step.v, task.k)
        yield Best(found, average(task.images, found))


def attend_up_to(group: str) -> Solve:
    """Return the function that clusters by invariant attention over the given group."""

    def solve(task: Task) -> Iterator[Best]:
        beta, steps = task.beta or AttentionConfig.beta, task.averagings + 1
        config = AttentionConfig("ia", group, beta=beta, sigma=task.sigma, steps=steps)
        v, n = normalise(task.images), len(task.images)
        *_, plain = attend_by_pixels(replace(task, averagings=0))
        yield replace(plain, note=NOTHING)
        for part in PARTS:
            rows = torch.arange(0, n, part, device=v.device)
            if len(rows) >= max(FEWEST, task.k or 0):
                yield _solve_part(config, task, rows)
        for step in iterate(config, v):
            found = cluster(step.d2, step.v, task.k)
            known = Alignment(step.d2, step.tau)
            yield Best(found, centre(task.images, found, known, group))

    return solve


def centre(images: Images, assignments: Labels, found: Alignment, group: str) -> Images:
    """Return the mean image [k c h w] of each cluster, in the pose of its most central image."""
    aligned = GROUPS[group].act(images, pose_in_clusters(assignments, found))
    return average(aligned, assignments).clamp(0, 1)  # Keys' interpolation overshoots at edges


def pose_in_clusters(assignments: Labels, found: Alignment) -> Poses:
    """Return the poses [n p] that warp every image onto the most central image of its cluster."""
    assert found.tau is not None
    anchors = find_anchors(found.d2, assignments)
    _, places = assignments.unique(return_inverse=True)
    return found.tau[torch.arange(len(places), device=places.device), anchors[places]]


def _solve_part(config: AttentionConfig, task: Task, rows: torch.Tensor) -> Best:
    """Cluster the given rows, and assign every other image to the cluster of the nearest of these
    rows, compared pixel by pixel."""
    part, n = task.images[rows], len(task.images)
    v = normalise(part)
    found = config.build().distance.align(v)
    own = cluster(found.d2, v, task.k)
    nearest = first_min(_distances(normalise(task.images), v))
    note = f"{len(rows):,} of {n:,} images were aligned in time; the others joined the nearest"
    return Best(own[nearest], centre(part, own, found, config.group), note)


def _distances(v: Images, to: Images) -> Matrix:
    return torch.cdist(v.flatten(1), to.flatten(1))


STARTS: Final = 10
"""Number of random starts of K-means and of mixtures; the best result is used."""
MOST_SEEDS: Final = 1 << 32
"""Number of different seeds that scikit-learn accepts."""
HALVINGS: Final = 10
"""Maximum number of bandwidths that are tried to obtain K clusters."""
SHARE: Final = 0.3
"""Quantile of the distances that is used as the bandwidth of mean shift if K is not set."""

Points = NDArray[np.float64]


def solve_kmeans(task: Task) -> Iterator[Best]:
    """Cluster by K-means. Of several starts, the one with the smallest squared error is used."""
    k, points, least = choose_k(task), _points(task), float("inf")
    for start in range(STARTS):
        found = KMeans(k, n_init=1, random_state=_seed(task, start)).fit(points)
        if found.inertia_ < least:
            least = float(found.inertia_)
            best = Best(
                _labels(found.labels_, task),
                _pictures(found.cluster_centers_, task),
                note_k(task, k),
                least / points.size,
            )
        yield best


def solve_gmm(task: Task) -> Iterator[Best]:
    """Cluster by Gaussian mixtures with one variance per pixel. Of several starts, the most likely
    mixture is used."""
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
            rows = found.predict(points)
            best = Best(
                _labels(rows, task),
                _pictures(found.means_, task),
                note_k(task, k),
                float(np.square(points - found.means_[rows]).mean()),
            )
        yield best


def solve_mean_shift(task: Task) -> Iterator[Best]:
    """Cluster by mean shift, which finds the peaks of a density. If K is set, search for a
    bandwidth that gives K peaks."""
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
    """Cluster by cutting the graph of all pairs into K parts. Its weights are exp(-d²/d₀²), where
    d₀ is the median distance."""
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


GREY: Final = "affine"
COLOUR: Final = "color,projective"
"""Sequences of modules for grey and for colour images. They are short, because each further module
needs thousands of steps, more than a budget allows."""
RATES: Final = {"dti-gmm": 1e-3}
"""Learning rates that differ from the default: with few images, mixtures diverge at the learning
rate of the other models."""
TRAINING: Final = 0.8
"""Fraction of the budget that is used for training; the rest is for evaluation."""
LOOKS: Final = 3
"""Number of results that are evaluated during training."""
BATCH: Final = 64


def learn(model: str) -> Solve:
    """Return the function that runs DTI or TI clustering, starting from K-means and with a schedule
    that fits the budget."""

    def solve(task: Task) -> Iterator[Best]:
        started, k = cpu_seconds(), choose_k(task)
        sequence = COLOUR if task.images.shape[1] == 3 else GREY
        rate = RATES.get(model, ClusterConfig.rate)
        config = ClusterConfig(model, k, sequence=sequence, batch=BATCH, rate=rate, start="kmeans")
        budget = max(0.01, TRAINING * (task.budget - (cpu_seconds() - started)))
        due = 0.0
        for step in train(config, task.images, task.seed, budget, budget / LOOKS):
            if step.progress.share >= due:
                found = read(step.state, task.images, step.state.rows)
                prototypes = step.progress.prototypes.clamp(0, 1)
                error = float(found.error.mean())
                yield Best(found.assignments, prototypes, note_k(task, k), error)
                due = 1.0 if step.progress.share > 1 - 1 / LOOKS else due + 1 / LOOKS

    return solve
