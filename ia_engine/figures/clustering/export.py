"""Exports of a clustering run: prototypes, animation, assignments, and a script that repeats it."""

from collections.abc import Sequence
from math import ceil, sqrt

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ia_engine.figures.formats import write_gif, write_npz, write_script, write_table
from ia_engine.figures.mosaic import draw_mosaic
from ia_engine.images import Images

SCRIPT = """from ia_engine.clustering.config import ClusterConfig
from ia_engine.datasets.recipes import load_recipe, make
from ia_engine.runs.clustering.run import cluster
from ia_engine.runs.clustering.run import plan_clusters

RECIPE = {recipe!r}
CONFIG = {config!r}
SEED, SECONDS = {seed!r}, {budget!r}  # CPU seconds; the end depends on the machine

data = make(load_recipe(RECIPE))
plan = plan_clusters(ClusterConfig.from_json(CONFIG), data, SEED, SECONDS)
*_, last = cluster(plan, data)
print(last.iteration, last.loss, last.score and last.score.acc)
print(last.newest.result.assignments.tolist())
"""
RESUMED = "# This run continued an earlier run ({origin}); this script starts from the beginning.\n"
HEAD = ("image", "name", "cluster", "squared error per pixel", "class")


def draw_prototypes(prototypes: Images) -> bytes:
    """Draw all prototypes in a nearly square grid, as PNG."""
    columns = ceil(sqrt(len(prototypes)))
    places = [divmod(k, columns) for k in range(len(prototypes))]
    return draw_mosaic(prototypes.clamp(0, 1), places, columns)


def pack_arrays(prototypes: Images, assignments: Tensor | None) -> bytes:
    """Return the prototypes [k c h w] and, if known, the assignments [n], as npz."""
    arrays = {"prototypes": prototypes.detach().cpu().numpy()}
    if assignments is not None:
        arrays["assignments"] = assignments.cpu().numpy()
    return write_npz(arrays)


def draw_film(pictures: Sequence[NDArray[np.uint8]]) -> bytes:
    """Return an animated GIF of the prototypes. Each picture has the axes [k h w c]."""
    images = (torch.from_numpy(np.array(picture)).movedim(-1, 1) / 255 for picture in pictures)
    return write_gif([draw_prototypes(own) for own in images])


def pack_film(pictures: Sequence[NDArray[np.uint8]], seconds: Sequence[float]) -> bytes:
    """Return the prototypes [pictures k h w c] as bytes, and the CPU seconds [pictures], as npz."""
    return write_npz({"prototypes": np.stack(pictures), "seconds": np.array(seconds)})


def write_python(
    title: str, recipe: str, config: str, seed: int, budget: float, *, origin: str, uploaded: bool
) -> bytes:
    """Return a script that repeats the clustering and prints its result."""
    body = SCRIPT.format(recipe=recipe, config=config, seed=seed, budget=budget)
    resumed = RESUMED.format(origin=origin) if origin else ""
    return write_script(title, resumed + body, uploaded=uploaded)


def write_assignments(
    rows: Tensor, names: Sequence[str], assignments: Tensor, error: Tensor, labels: Sequence[str]
) -> bytes:
    """Return a CSV table with one row per image. Clusters and images are counted from 1."""
    lines = [
        (row + 1, names[row], k + 1, f"{e:.6g}", labels[row] if labels else "")
        for row, k, e in zip(rows.tolist(), assignments.tolist(), error.tolist(), strict=True)
    ]
    return write_table(HEAD, lines)
