"""`cluster` and `evaluate`: clusters of images, and their agreement with labels."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray

from ia_engine.api.alignment import align_pairs
from ia_engine.api.arguments import (
    SEEDED,
    Device,
    check_visible,
    read_device,
    read_integer,
    read_k,
    read_number,
    refuse_given,
)
from ia_engine.api.attention import make_model
from ia_engine.api.base_result import to_floats, to_whole
from ia_engine.api.inputs import Source, read_images
from ia_engine.api.progress import Progress, follow
from ia_engine.api.result_classes import ClusterResult
from ia_engine.api.statements import state_graph, state_training
from ia_engine.attention.clusters.detection import cluster as detect
from ia_engine.attention.distances.alignment import GlobalSearch
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
ITERATIONS: Final = 2000
PARTS: Final = 100
"""Number of parts in which the progress of one seed is counted."""


def cluster(
    images: Source,
    k: int | None = None,
    method: str | None = None,
    *,
    group: str | None = None,
    sequence: str | None = None,
    iterations: int | None = None,
    budget: float | None = None,
    seeds: int | None = None,
    config: ClusterConfig | None = None,
    device: Device = "cpu",
    seed: int | None = None,
    progress: Progress | None = None,
) -> ClusterResult:
    """Find clusters of images although their members are rotated, shifted or deformed.

    `method` is "ia" (the default: a graph of the distances up to `group`, by default "se2"), "ka"
    (the same without poses), "dti-kmeans" or "dti-gmm" (prototypes with learned transformations in
    `sequence`, such as "affine,morphology,tps"), "ti", "kmeans" or "gmm". If `k` is None, the
    number of clusters is estimated: by "ia" and "ka" from the graph, by the others as the best
    silhouette of K-means. The other methods train for `iterations` (default 2000) or up to `budget`
    CPU seconds, from `seeds` seeds (default 1) beginning with `seed` (default 0), of which the one
    with the lowest loss is returned; instead of method, k, sequence and iterations, `config` can be
    given. `progress(done, total, message)` returns False to stop: the result is then that of the
    finished steps, or an error from "ia", whose distances are incomplete.

    >>> from ia_engine import cluster, evaluate, load
    >>> data = load("experiment-1")
    >>> result = cluster(data, k=3)
    >>> evaluate(data.labels, result.labels).acc
    1.0
    >>> cluster(data, k=3, method="kmeans").means.shape
    (3, 1, 64, 64)
    """
    device = read_device(device)
    training = {"sequence": sequence, "iterations": iterations}
    if config is not None:
        own = {"method": method, "k": k, "group": group, **training}
        refuse_given(own, "a config replaces them: set them in the config")
    chosen = "ia" if method is None else method
    if chosen not in METHODS:
        raise EngineError(f"method must be one of {', '.join(METHODS)}; got {method!r}")
    data = read_images(images)
    k = read_k(k, len(data.images))
    check_visible(data)
    if config is None and chosen in ("ia", "ka"):
        trained = {**training, "budget": budget, "seeds": seeds}
        refuse_given(trained, f"the method {chosen} trains nothing: leave them out")
        refuse_given({"seed": seed}, SEEDED.format(f"the method {chosen}"))
        if chosen == "ka":
            refuse_given({"group": group}, "the method ka compares pixels: leave it out")
        beta = KERNEL_BETA if chosen == "ka" else AttentionConfig.beta
        attention = AttentionConfig(chosen, group or AttentionConfig.group, beta, SIGMA, steps=1)
        return _attend(data, k, attention, device, progress)
    if group is not None:
        raise EngineError(
            f"group is used only by the method ia, not by {chosen}: leave it out, or give the "
            "transformations of a prototype as sequence"
        )
    if chosen in ("kmeans", "gmm"):
        refuse_given({"sequence": sequence}, f"the method {chosen} compares pixels: leave it out")
    first = 0 if seed is None else read_integer("seed", seed, least=0)
    count = 1 if seeds is None else read_integer("seeds", seeds, least=1)
    limit = None if budget is None else read_number("budget", budget)
    if limit is not None and not limit > 0:
        raise EngineError(f"budget must be more than 0 CPU seconds; got {budget}")
    estimated = config is None and k is None
    if config is None:
        config = ClusterConfig(
            chosen,
            choose_k(Task(data.images, k, 0.0, first)),
            sequence or (COLOUR if data.images.shape[1] == 3 else GREY),
            iterations=2000 if iterations is None else read_integer("iterations", iterations),
            batch=BATCH,
            rate=RATES.get(chosen, ClusterConfig.rate),
            start="kmeans",
        )
    found = train_seeds(config, data.images.to(device), count, seed=first, budget=limit)
    steps = follow(found, PARTS * count, _describe, progress, lambda step: _count(step, first))
    plan = _Plan(config, range(first, first + count), limit, estimated, str(device))
    return _read(data, plan, [*steps])


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
    if not len(truth):
        raise EngineError("labels and found must have at least one value; got none")
    return score_clusters(torch.from_numpy(truth), torch.from_numpy(clusters))


def _attend(
    data: ImageSet,
    k: int | None,
    config: AttentionConfig,
    device: Device,
    progress: Progress | None,
) -> ClusterResult:
    """Divide the graph of the distances between all images."""
    v, known = normalise(data.images).to(device), None
    distance = config.build(len(v)).distance
    if isinstance(distance, GlobalSearch):
        known = align_pairs(distance, v, progress, "cluster")
    (step,) = iterate(config, v, known)
    assignments = detect(step.d2, step.v, k)
    model = make_model(config, data.images.to(device), assignments, step)
    settings = {"function": "cluster", **asdict(config), "k": k, "device": str(device)}
    del settings["steps"]  # it is always 1
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


@dataclass(frozen=True)
class _Plan:
    """The arguments of a training run."""

    config: ClusterConfig
    seeds: range
    budget: float | None
    estimated: bool
    """True if the number of clusters was estimated."""
    device: str


def _read(data: ImageSet, plan: _Plan, steps: Sequence[SeedStep]) -> ClusterResult:
    """Read the result of the best seed or, if no seed has finished, of the last step."""
    best = next((step for step in reversed(steps) if step.best), steps[-1])
    state = best.step.state
    v = data.images.to(state.prototypes.device)
    reading: Reading = best.final or read(state, v, state.rows)
    own = [step.step.progress for step in steps if step.seed == best.seed]
    return ClusterResult(
        data,
        {
            "function": "cluster",
            **asdict(plan.config),
            "k_estimated": plan.estimated,
            "budget": plan.budget,
            "seeds": len(plan.seeds),
            "seed": plan.seeds[0],
            "best_seed": best.seed,
            "device": plan.device,
        },
        state_training(
            plan.config,
            plan.budget,
            plan.seeds,
            best.seed,
            len(data.images),
            stopped=_note_stop(steps[-1], plan.seeds[-1]),
        ),
        to_whole(reading.assignments),
        to_floats(state.prototypes.clamp(0, 1)),
        to_floats(put_back(state, v, state.rows).images.clamp(0, 1)),
        to_floats(reading.distances),
        None,
        None,
        tuple(own),
        PrototypeModel.of(state, reading),
    )


def _note_stop(end: SeedStep, last: int) -> str:
    """Return where training was stopped, or "" if it finished."""
    if end.final is not None and end.seed == last:
        return ""
    done = end.step.progress.iteration
    return f"after {done} iteration{'' if done == 1 else 's'} of seed {end.seed}"


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
