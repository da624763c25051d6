"""Exports of an attention run: arrays, tables, pictures, animation and a script that repeats it."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from ia_engine.attention.clusters.measures import Numbers
from ia_engine.attention.iteration import AttentionConfig
from ia_engine.figures.formats import write_gif, write_npz, write_script, write_table
from ia_engine.figures.frames import Frame
from ia_engine.figures.mosaic import draw_all, draw_mosaic
from ia_engine.images import Images

COLUMNS: Final = tuple(
    part.name for part in fields(Numbers) if part.name not in ("tree", "assignments")
)
SCRIPT: Final = """from ia_engine.attention.clusters.measures import measure
from ia_engine.attention.iteration import AttentionConfig, iterate, normalise
from ia_engine.datasets.recipes import load_recipe, make
from ia_engine.datasets.data import thin

RECIPE = {recipe!r}
CONFIGS = [
{configs}
]

data = thin(make(load_recipe(RECIPE)), {n})
v = data.points if hasattr(data, "points") else normalise(data.images)
for text in CONFIGS:
    config = AttentionConfig.from_json(text)
    for measured in measure(iterate(config, v), data.labels):
        print(config.method, measured.step.k, measured.clusters, measured.block_mass)
"""


def pack_history(
    frames: Mapping[str, Sequence[Frame]],
    names: Sequence[str],
    labels: Sequence[int] = (),
    classes: Sequence[str] = (),
) -> bytes:
    """Return an npz file with the arrays of all frames, called method.name [moments ...], and the
    names of the images [n].

    If the classes are known, it also contains labels [n], which are indices into classes [k].
    """
    arrays: dict[str, NDArray[Any]] = {"names": np.array(names, dtype=np.str_)}
    if labels:
        arrays["labels"] = np.array(labels)
        arrays["classes"] = np.array(classes, dtype=np.str_)
    for method, own in frames.items():
        moments = [frame.arrays for frame in own]
        for name in moments[0]:
            arrays[f"{method}.{name}"] = np.stack([moment[name] for moment in moments])
    return write_npz(arrays)


def write_history(numbers: Mapping[str, Sequence[Numbers]]) -> bytes:
    """Return a CSV table with one row per method and iteration."""
    rows = (
        (method, *(getattr(step, name) for name in COLUMNS))
        for method, steps in numbers.items()
        for step in steps
    )
    return write_table(("method", *COLUMNS), rows)


def draw_moment(frame: Frame) -> bytes:
    """Draw the images of an iteration side by side, as PNG."""
    return draw_all(read_images(frame))


def draw_each(frame: Frame, width: int) -> list[bytes]:
    """Draw each image of an iteration as a separate PNG, about `width` px wide."""
    images = read_images(frame)
    return [draw_mosaic(image[None], [(0, 0)], gap=0, width=width) for image in images]


def draw_film(frames: Sequence[Frame]) -> bytes:
    """Return an animated GIF of the images converging to their means."""
    return write_gif([draw_moment(frame) for frame in frames])


def write_python(
    title: str, recipe: str, configs: Sequence[AttentionConfig], n: int, *, uploaded: bool
) -> bytes:
    """Return a script that repeats the run and prints its metrics."""
    lines = "\n".join(f"    {config.to_json()!r}," for config in configs)
    return write_script(title, SCRIPT.format(recipe=recipe, configs=lines, n=n), uploaded=uploaded)


def read_images(frame: Frame) -> Images:
    """Return the images [n c h w] of a frame, with values in [0, 1]."""
    pixels = np.array(frame.arrays["images"])
    return torch.from_numpy(pixels).permute(0, 3, 1, 2).float() / 255


def name_classes(labels: Sequence[int], classes: Sequence[str], n: int) -> list[str]:
    """Return the class of each of n images; an empty list if the classes are unknown."""
    return [classes[label] for label in labels] if labels else [""] * n


def write_clusters(
    last: Mapping[str, Numbers],
    rows: Sequence[int],
    names: Sequence[str],
    classes: Sequence[str],
) -> bytes:
    """Return a CSV table with one row per image: its cluster at the last step of each method,
    counted from 1."""
    head = ("image", "name", "class", *(f"cluster {method}" for method in last), "iteration")
    p = min(numbers.p for numbers in last.values())
    found = zip(*(numbers.assignments for numbers in last.values()), strict=True)
    lines = [
        (row + 1, name, known, *(k + 1 for k in clusters), p)
        for row, name, known, clusters in zip(rows, names, classes, found, strict=True)
    ]
    return write_table(head, lines)
