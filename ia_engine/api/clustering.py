"""`cluster` and `evaluate`: clusters of images, and their agreement with labels."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray

from ia_engine.api.alignment import Device
from ia_engine.api.attention import make_model
from ia_engine.api.inputs import Source, read_images
from ia_engine.api.progress import Progress, follow
from ia_engine.api.result import to_floats, to_whole
from ia_engine.api.results import ClusterResult
from ia_engine.api.statements import state_graph, state_training
from ia_engine.attention.clusters.detection import cluster as detect
from ia_engine.attention.iteration import KERNEL_BETA, AttentionConfig, iterate, normalise
from ia_engine.clustering.config import MODELS, ClusterConfig
from ia_engine.clustering.reading import Reading, put_back, read
from ia_engine.clustering.seeds import SeedStep, train_seeds
from ia_engine.datasets.data import ImageSet
from ia_engine.errors import EngineError
from ia_engine.metrics import Scores, score_clusters
from ia_engine.predict import PrototypeModel
from ia_engine.runs.comparison.methods import (
    BATCH,
    COLOUR,
    GREY,
    RATES,
    Task,
    choose_k,
)

METHODS: Final = ("ia", "ka", *MODELS)
SIGMA: Final = 1.0
"""Smoothing before attention compares images [px], as in the app's comparison of methods."""
PARTS: Final = 100
"""Number of parts in which the progress of one seed is counted."""


def cluster(
    images: Source,
    k: int | None = None,
    method: str = "ia",
    *,
    group: str = "se2",
    sequence: str | None = None,
    iterations: int = 2000,
    budget: float | None = None,
    seeds: int = 1,
    config: ClusterConfig | None = None,
    device: Device = "cpu",
    seed: int = 0,
    progress: Progress | None = None,
) -> ClusterResult:
    """Find clusters of images although their members are rotated, shifted or deformed.

    `method` is "ia" (a graph of the distances up to `group`), "ka" (the same without poses),
    "dti-kmeans" or "dti-gmm" (prototypes with learned transformations in `sequence`, such as
    "affine,morphology,tps"), "ti", "kmeans" or "gmm". If `k` is None, the number of clusters is
    estimated: by "ia" and "ka" from the graph, by the others as the best silhouette of K-means.
    The other methods train for `iterations` or up to `budget` CPU seconds, from `seeds` seeds
    beginning with `seed`, of which the one with the lowest loss is returned; `config` replaces
    these settings. If `progress` requests a stop, the result is that of the finished steps.

    >>> from ia_engine import cluster, evaluate, load
    >>> data = load("experiment-1")
    >>> result = cluster(data, k=3)
    >>> evaluate(data.labels, result.labels).acc
    1.0
    >>> cluster(data, k=3, method="kmeans").means.shape
    (3, 1, 64, 64)
    """
    data = read_images(images, seed)
    n = len(data.images)
    if method not in METHODS:
        raise EngineError(f"method must be one of {', '.join(METHODS)}; got {method!r}")
    if k is not None and not 1 <= k <= n:
        raise EngineError(f"k must be between 1 and the number of images, {n}; got {k}")
    if config is None and method in ("ia", "ka"):
        beta = KERNEL_BETA if method == "ka" else AttentionConfig.beta
        attention = AttentionConfig(method, group, beta, SIGMA, steps=1)
        return _attend(data, k, attention, device, progress)
    if config is None:
        k = choose_k(Task(data.images, k, 0.0, seed))
        default = COLOUR if data.images.shape[1] == 3 else GREY
        rate = RATES.get(method, ClusterConfig.rate)
        config = ClusterConfig(
            method, k, sequence or default, iterations=iterations, batch=BATCH, rate=rate,
            start="kmeans",
        )  # fmt: skip
    v = data.images.to(device)
    found = train_seeds(config, v, seeds, seed=seed, budget=budget)
    steps = follow(found, PARTS * seeds, _describe, progress, lambda step: _count(step, seed))
    return _read(data, config, [*steps], {"seeds": seeds, "budget": budget, "device": str(device)})


def evaluate(labels: ArrayLike, found: ArrayLike) -> Scores:
    """Compare clusters with labels: accuracy, NMI and adjusted Rand index.

    The accuracy uses the best one-to-one mapping from clusters to classes. Labels may be numbers
    or strings.

    >>> from ia_engine import evaluate
    >>> evaluate(["cat", "cat", "dog", "dog"], [1, 1, 0, 0])
    Scores(ari=1.0, nmi=1.0, acc=1.0)
    """
    truth, clusters = _number(labels), _number(found)
    if truth.shape != clusters.shape or truth.ndim != 1:
        raise EngineError(
            "labels and found must have one value for each image; got the shapes "
            f"{truth.shape} and {clusters.shape}"
        )
    return score_clusters(torch.from_numpy(truth), torch.from_numpy(clusters))


def _attend(
    data: ImageSet,
    k: int | None,
    config: AttentionConfig,
    device: Device,
    progress: Progress | None,
) -> ClusterResult:
    """Divide the graph of the distances between all images."""
    found = iterate(config, normalise(data.images).to(device))
    (step,) = follow(found, 1, lambda _: "distances of all pairs", progress)
    assignments = detect(step.d2, step.v, k)
    model = make_model(config, data.images.to(device), assignments, step)
    settings = {"function": "cluster", **asdict(config), "k": k, "device": str(device)}
    return ClusterResult(
        data,
        settings,
        state_graph(config, k, len(data.images)),
        to_whole(assignments),
        to_floats(model.centres),
        to_floats(model.aligned),
        to_floats(step.d2),
        None if step.tau is None else to_floats(model.poses),
        to_floats(step.W),
        (step,),
        model,
    )


def _read(
    data: ImageSet, config: ClusterConfig, steps: Sequence[SeedStep], more: dict[str, object]
) -> ClusterResult:
    """Read the result of the best seed or, if no seed has finished, of the last step."""
    best = next((step for step in reversed(steps) if step.best), steps[-1])
    state = best.step.state
    v = data.images.to(state.prototypes.device)
    reading: Reading = best.final or read(state, v, state.rows)
    own = [step.step.progress for step in steps if step.seed == best.seed]
    return ClusterResult(
        data,
        {"function": "cluster", **asdict(config), **more, "seed": best.seed},
        state_training(config, len(data.images)),
        to_whole(reading.assignments),
        to_floats(state.prototypes.clamp(0, 1)),
        to_floats(put_back(state, v, state.rows).images.clamp(0, 1)),
        to_floats(reading.distances),
        None,
        None,
        tuple(own),
        PrototypeModel.of(state, reading),
    )


def _count(step: SeedStep, first: int) -> int:
    return PARTS * (step.seed - first) + int(PARTS * min(1.0, step.step.progress.share))


def _describe(step: SeedStep) -> str:
    progress = step.step.progress
    return f"seed {step.seed}, iteration {progress.iteration}, loss {progress.loss:.4f}"


def _number(labels: ArrayLike) -> NDArray[np.int64]:
    array: NDArray[Any] = (
        labels.cpu().numpy() if isinstance(labels, torch.Tensor) else np.asarray(labels)
    )
    return np.unique(array, return_inverse=True)[1].reshape(array.shape).astype(np.int64)
