"""The work of one seed: iterations with what is shown of them, and a file to go on from."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

from ia_engine.equivariant.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from ia_engine.equivariant.splits import Splits, rotated_mnist
from ia_engine.equivariant.training import train
from ia_engine.runs.tables.results import Curve, Moment
from ia_engine.runs.tables.rows import Task

SPLITS: Final[dict[str, Callable[[], Splits]]] = {"rotated MNIST": rotated_mnist}
"""The data sets that networks are trained on, by name."""


def work(task: Task, resume: Path | None, curve: Curve) -> Iterator[Moment]:
    """The iterations of a seed from the start, or from a checkpoint with the curve up to it."""
    data = _load_splits(task.row.data)
    columns = ("epoch", "validation error")
    checkpoint = None if resume is None else load_checkpoint(resume)
    config = task.row.config
    epoch = max(1, len(data.train) // config.batch)
    for step in train(config, data, task.seed, checkpoint):
        error = step.validation_error
        at = step.iteration / epoch
        if error is not None and not (curve and at <= curve[-1][0]):
            curve = (*curve, (at, error))
        figures = None
        if step.test_error is not None:
            figures = {
                "test error": step.test_error,
                "validation error": step.best_error,
                "iterations": step.iteration,
            }

        def save(path: Path, note: str, keep: Callable[[], Checkpoint] = step.keep) -> None:
            save_checkpoint(path, keep(), note)

        yield Moment(
            step.iteration, config.iterations, step.seconds, curve, columns, save, data.about,
            figures,
        )  # fmt: skip


@lru_cache(maxsize=1)
def _load_splits(name: str) -> Splits:
    return SPLITS[name]()
