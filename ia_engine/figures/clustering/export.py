"""Exports of a clustering: prototypes, film, assignments and a script; its film for the browser."""

from collections.abc import Mapping, Sequence
from math import ceil, sqrt
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ia_engine.figures.formats import write_gif, write_npz, write_script, write_table
from ia_engine.figures.frames import encode_arrays
from ia_engine.figures.mosaic import draw_mosaic
from ia_engine.shapes import Images

Pixels = NDArray[np.uint8]

CHUNK: Final = 2**19
"""Approximate size of a piece of a film [bytes]; all pieces except the last never change."""
LONGEST: Final = 16
"""Largest number of pictures per piece."""


def pack_pixels(header: Mapping[str, object], pixels: Pixels) -> bytes:
    """Images [… h w c] with their header, for the browser."""
    return encode_arrays({"pixels": pixels}, header)


def encode_film(run: str, pictures: Sequence[Pixels]) -> list[bytes]:
    """The pictures of a run in pieces; each has the index of its first picture."""
    if not pictures:
        return []
    size = max(1, min(LONGEST, CHUNK // max(1, pictures[0].size)))
    return [
        pack_pixels({"run": run, "first": first}, np.stack(pictures[first : first + size]))
        for first in range(0, len(pictures), size)
    ]


def pack_newest(run: str, picture: Pixels) -> bytes:
    """The current picture, which the film may not contain."""
    return pack_pixels({"run": run, "first": -1}, picture[None])


SCRIPT = """from ia_engine.clustering.config import ClusterConfig
from ia_engine.datasets.recipes import load_recipe, make
from ia_engine.runs.clustering.run import cluster
from ia_engine.runs.clustering.run import plan_clusters

RECIPE = {recipe!r}
CONFIG = {config!r}
SEED, SECONDS = {seed!r}, {budget!r}  # CPU seconds; the end depends on the machine

data = make(load_recipe(RECIPE))
plan = plan_clusters(ClusterConfig.from_json(CONFIG), data, SEED, SECONDS)
*_, look = cluster(plan, data)
print(look.iteration, look.loss, look.score and look.score.acc)
print(look.newest.result.assignments.tolist())
"""
RESUMED = "# The run continued another one ({origin}); this script starts from the beginning.\n"
HEAD = ("image", "name", "cluster", "squared error per pixel", "class")


def draw_prototypes(prototypes: Images) -> bytes:
    """All prototypes as a PNG, in a nearly square grid."""
    columns = ceil(sqrt(len(prototypes)))
    places = [divmod(k, columns) for k in range(len(prototypes))]
    return draw_mosaic(prototypes.clamp(0, 1), places, columns)


def pack_arrays(prototypes: Images, assignments: Tensor | None) -> bytes:
    """prototypes [k c h w] and, if known, assignments [n], as npz."""
    arrays = {"prototypes": prototypes.detach().cpu().numpy()}
    if assignments is not None:
        arrays["assignments"] = assignments.cpu().numpy()
    return write_npz(arrays)


def draw_film(pictures: Sequence[NDArray[np.uint8]]) -> bytes:
    """The prototypes [k h w c] of all pictures, as an animated GIF."""
    images = (torch.from_numpy(np.array(picture)).movedim(-1, 1) / 255 for picture in pictures)
    return write_gif([draw_prototypes(own) for own in images])


def pack_film(pictures: Sequence[NDArray[np.uint8]], seconds: Sequence[float]) -> bytes:
    """prototypes [pictures k h w c] in 0 to 255 and CPU seconds [pictures], as npz."""
    return write_npz({"prototypes": np.stack(pictures), "seconds": np.array(seconds)})


def write_python(
    title: str, recipe: str, config: str, seed: int, budget: float, *, origin: str, uploaded: bool
) -> bytes:
    """A script that repeats the clustering and prints its result."""
    body = SCRIPT.format(recipe=recipe, config=config, seed=seed, budget=budget)
    resumed = RESUMED.format(origin=origin) if origin else ""
    return write_script(title, resumed + body, uploaded=uploaded)


def write_assignments(
    rows: Tensor, names: Sequence[str], assignments: Tensor, error: Tensor, labels: Sequence[str]
) -> bytes:
    """One row per image; clusters and images are counted from 1."""
    lines = [
        (row + 1, names[row], k + 1, f"{e:.6g}", labels[row] if labels else "")
        for row, k, e in zip(rows.tolist(), assignments.tolist(), error.tolist(), strict=True)
    ]
    return write_table(HEAD, lines)
