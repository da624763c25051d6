"""Results of seeds by the program of `make tables`, for altered models, after a few iterations."""

from dataclasses import replace
from functools import cache
from unittest.mock import patch

import torch

from ia_engine.clustering.config import ClusterConfig
from ia_engine.datasets.handwriting import DigitsConfig, load_plain
from ia_engine.equivariant.splits import rotated_digits
from ia_engine.runs.tables import work
from ia_engine.runs.tables.results import make_result
from ia_engine.runs.tables.rows import ROWS, Task

ITERATIONS = 3


def compute_row(row):
    """Return results for all seeds of a row, which are those of one run: clusters of blank images,
    or a network that is trained for a short time."""
    last = _run(_shorten(row.config))
    return [make_result(Task(row, seed), last) for seed in range(row.seeds)]


def _shorten(config):
    if isinstance(config, ClusterConfig):
        return replace(config, iterations=ITERATIONS, batch=16, shares=(), curriculum="off")
    return replace(config, iterations=ITERATIONS, every=ITERATIONS, batch=8)


@cache
def _run(config):
    """Return the last moment of seed 0."""
    row = next(row for row in ROWS if type(row.config) is type(config))
    with (
        patch.object(work, "_load_images", lambda _: blank_images()),
        patch.object(work, "_load_splits", lambda _: rotated_digits(24, 8, 40, 0)),
    ):
        *_, last = work.work(Task(replace(row, config=config), 0), None, ())
    return last


def blank_images():
    """Equal images of ten classes of the same size, which all are in one cluster."""
    data = load_plain(DigitsConfig(count=60))
    labels = torch.arange(len(data.images), device="cpu") % 10
    return replace(data, images=torch.full_like(data.images, 0.5), labels=labels)
