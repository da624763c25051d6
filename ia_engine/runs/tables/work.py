"""Trains a network or a clustering model from one seed, and yields its progress and its final
result."""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Final

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.reading import Reading, read
from ia_engine.clustering.recipes import PUBLISHED
from ia_engine.clustering.state import State, load_state, save_state
from ia_engine.clustering.training import begin, resume
from ia_engine.datasets.data import ImageSet
from ia_engine.equivariant.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from ia_engine.equivariant.recipes import TrainingConfig
from ia_engine.equivariant.splits import Splits, rotated_mnist
from ia_engine.equivariant.training import train
from ia_engine.errors import EngineError
from ia_engine.metrics import agree
from ia_engine.runs.tables.results import Curve, Moment
from ia_engine.runs.tables.rows import Task

SPLITS: Final[dict[str, Callable[[], Splits]]] = {"rotated MNIST": rotated_mnist}
"""The data sets on which networks are trained, by name."""
IMAGES: Final[dict[str, Callable[[], ImageSet]]] = {
    recipe.title: recipe.load for recipe in PUBLISHED.values()
}
"""The data sets that are clustered, by name."""
POINTS: Final = 30
"""Number of points on the curve of a clustering run."""
SAMPLE: Final = 2000
"""Number of images, from the beginning of the set, on which these points are measured."""
RHYTHM_S: Final = 1.0
"""CPU seconds between two moments of a clustering run."""


def work(task: Task, checkpoint: Path | None, curve: Curve) -> Iterator[Moment]:
    """Yield the moments of a seed, starting from the beginning, or from a checkpoint and the curve
    up to it."""
    config = task.row.config
    if isinstance(config, TrainingConfig):
        return _train(task, config, checkpoint, curve)
    return _cluster(task, config, checkpoint, curve)


def _train(
    task: Task, config: TrainingConfig, checkpoint: Path | None, curve: Curve
) -> Iterator[Moment]:
    data = _load_splits(task.row.data)
    start = None if checkpoint is None else load_checkpoint(checkpoint)
    epoch = max(1, len(data.train) // config.batch)
    for step in train(config, data, task.seed, start):
        at, error, figures = step.iteration / epoch, step.validation_error, None
        if error is not None and not (curve and at <= curve[-1][0]):
            curve = (*curve, (at, error))
        if step.test_error is not None:
            figures = {
                "test error": step.test_error,
                "validation error": step.best_error,
                "iterations": step.iteration,
            }
        yield Moment(
            step.iteration, config.iterations, step.seconds, curve, ("epoch", "validation error"),
            partial(_save_checkpoint, step.keep), data.about, figures,
        )  # fmt: skip


def _save_checkpoint(keep: Callable[[], Checkpoint], path: Path, note: str) -> None:
    save_checkpoint(path, keep(), note)


def _cluster(
    task: Task, config: ClusterConfig, checkpoint: Path | None, curve: Curve
) -> Iterator[Moment]:
    data = _load_images(task.row.data)
    images, n = data.images, len(data.images)
    start = begin(config, images, task.seed) if checkpoint is None else load_state(checkpoint)
    every = max(1, config.iterations // POINTS)
    epoch = max(1, n // config.batch)
    for step in resume(start, images, None, RHYTHM_S, every=every):
        iteration, at = step.progress.iteration, step.progress.iteration / epoch
        if iteration % every == 0 and not (curve and at <= curve[-1][0]):
            rows = step.state.rows[:SAMPLE]
            found = read(step.state, images[rows], rows)
            curve = (*curve, (at, found.loss, _measure(data, found, config.k)["ACC"]))
        figures = None
        if step.progress.share >= 1:
            found = read(step.state, images, step.state.rows)
            figures = _measure(data, found, config.k)
            figures |= {"loss": found.loss, "iterations": iteration}
        yield Moment(
            iteration, config.iterations, step.progress.seconds, curve, ("epoch", "loss", "ACC"),
            partial(_save_state, step.state), "; ".join(data.notes), figures,
        )  # fmt: skip


def _save_state(state: State, path: Path, note: str) -> None:
    save_state(path, state, note)


def _measure(data: ImageSet, found: Reading, k: int) -> dict[str, float]:
    if data.labels is None:
        raise EngineError(
            "the data for a row of a table must have labels; got a data set without labels: "
            "choose data with labels"
        )
    agreement = agree(data.labels[: len(found.assignments)], found.assignments, k)
    return {"ACC": agreement.acc, "NMI": agreement.nmi}


@lru_cache(maxsize=1)
def _load_splits(name: str) -> Splits:
    return SPLITS[name]()


@lru_cache(maxsize=1)
def _load_images(name: str) -> ImageSet:
    return IMAGES[name]()
