"""Algorithm 1 as files: pictures, a film, arrays, a table, and the Python that makes it again."""

from typing import Final

import numpy as np
import torch

from ia_engine.figures.export import read_images
from ia_engine.figures.formats import Cell, write_csv, write_gif, write_npz, write_script
from ia_engine.figures.mean import Film
from ia_engine.figures.mosaic import draw_mosaic

SIDE: Final = 720
"""About so many pixels are both means wide together."""
SCRIPT: Final = """from ia_engine.attention.means.algorithm1 import MeanConfig
from ia_engine.datasets.recipes import load_recipe, make
from ia_engine.figures.mean import film_mean, plan_mean

RECIPE = {recipe!r}
CONFIG = {config!r}
CLASS = {of!r}

plan, few = plan_mean(MeanConfig.from_json(CONFIG), make(load_recipe(RECIPE)), CLASS)
for film in film_mean(plan, few):
    step = film.steps[-1]
    print(step.k, step.objective, step.sharpness)
"""


def draw_mean(film: Film, at: int = -1) -> bytes:
    """The invariant mean of a step, and right of it the plain average, as PNG."""
    means = [read_images(frame)[:1] for frame in (film.steps[at].frame, film.plain)]
    return draw_mosaic(torch.cat(means), [(0, 0), (0, 1)], gap=8, width=SIDE)


def draw_mean_film(film: Film) -> bytes:
    """The mean becoming sharp beside the plain average, as an animated GIF."""
    return write_gif([draw_mean(film, at) for at in range(len(film.steps))])


def pack_mean(film: Film) -> bytes:
    """mu [steps c h w], aligned [steps n c h w], poses [steps n 3], and a number for each step."""
    images = torch.stack([read_images(step.frame) for step in film.steps]).numpy()
    plain = read_images(film.plain).numpy()
    numbers = {
        name: np.array([getattr(step, name) for step in film.steps])
        for name in ("k", "objective", "sigma", "sharpness", "poses")
    }
    laid = {"mu": images[:, 0], "aligned": images[:, 1:]}
    return write_npz({**laid, "average": plain[0], "given": plain[1:], **numbers})


def write_mean(film: Film) -> bytes:
    """A line for every step and image: the numbers of the step, and the image's pose."""
    rows: list[dict[str, Cell]] = [
        {
            "k": step.k,
            "objective": step.objective,
            "sharpness": step.sharpness,
            "sigma [px]": step.sigma,
            "image": i + 1,
            "theta [deg]": theta,
            "shift down [px]": down,
            "shift right [px]": right,
        }
        for step in film.steps
        for i, (theta, down, right) in enumerate(step.poses)
    ]
    return write_csv(rows)


def write_mean_python(title: str, film: Film, *, brought: bool) -> bytes:
    """A script that computes the mean again and prints its numbers."""
    plan = film.plan
    told = SCRIPT.format(recipe=plan.recipe, config=plan.config.to_json(), of=plan.of)
    return write_script(title, told, brought=brought)
