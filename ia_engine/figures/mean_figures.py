"""Exports of Algorithm 1 (pictures, an animation, arrays, a table and a script), and other drawings
of means.

The other drawings show noise, which is sharper than any mean but has no content, and the means from
several starts (Theorem 3.1), aligned with the first one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Generator, Tensor

from ia_engine.attention.manifolds.sample import ImageSample
from ia_engine.attention.means.mean import sharpness
from ia_engine.attention.theory.uniqueness import TRIALS, Solution, start_again
from ia_engine.figures.export import read_images
from ia_engine.figures.formats import Cell, write_csv, write_gif, write_npz, write_script
from ia_engine.figures.mean import MeanFilm
from ia_engine.figures.mosaic import draw_mosaic, draw_row
from ia_engine.figures.svg import Pixels, draw, picture, side_by_side, write

MEANS_WIDTH: Final = 720
"""Approximate width of both means together [px]."""
SCRIPT: Final = """from ia_engine.attention.means.algorithm1 import MeanConfig
from ia_engine.datasets.recipes import load_recipe, make
from ia_engine.figures.mean import film_mean, plan_mean

RECIPE = {recipe!r}
CONFIG = {config!r}
CLASS = {of!r}
ROWS = {rows!r}

plan, sample = plan_mean(MeanConfig.from_json(CONFIG), make(load_recipe(RECIPE)), CLASS, ROWS)
for film in film_mean(plan, sample):
    step = film.steps[-1]
    print(step.k, step.objective, step.sharpness)
"""


def draw_mean(film: MeanFilm, at: int = -1) -> bytes:
    """Draw the invariant mean of a step next to the plain average, as PNG."""
    means = [read_images(frame)[:1] for frame in (film.steps[at].frame, film.plain)]
    return draw_mosaic(torch.cat(means), [(0, 0), (0, 1)], gap=8, width=MEANS_WIDTH)


def draw_mean_film(film: MeanFilm) -> bytes:
    """Return an animated GIF of the mean becoming sharper, next to the plain average."""
    return write_gif([draw_mean(film, at) for at in range(len(film.steps))])


def pack_mean(film: MeanFilm) -> bytes:
    """Return an npz file with mu [steps c h w], aligned [steps n c h w], poses [steps n 3], and the
    metrics of each step."""
    images = torch.stack([read_images(step.frame) for step in film.steps]).numpy()
    plain = read_images(film.plain).numpy()
    numbers = {
        name: np.array([getattr(step, name) for step in film.steps])
        for name in ("k", "objective", "sigma", "sharpness", "poses")
    }
    means = {"mu": images[:, 0], "aligned": images[:, 1:]}
    return write_npz({**means, "average": plain[0], "given": plain[1:], **numbers})


def write_mean(film: MeanFilm) -> bytes:
    """Return a CSV table with one row per step and image: the metrics of the step, and the pose of
    the image."""
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


def write_mean_python(title: str, film: MeanFilm, *, uploaded: bool) -> bytes:
    """Return a script that computes the mean again and prints its metrics."""
    plan = film.plan
    body = SCRIPT.format(
        recipe=plan.recipe, config=plan.config.to_json(), of=plan.of, rows=plan.rows
    )
    return write_script(title, body, uploaded=uploaded)


NOISE_SIDE, CAPTION_HEIGHT, MIN_TILE = 200, 26, 150
NOISE_SEED: Final = 0


def draw_noise(film: MeanFilm) -> str:
    """Draw the last mean of the animation next to noise of the same brightness, both with their
    sharpness."""
    images, mean = read_images(film.plain), read_images(film.steps[-1].frame)[:1]
    generator = Generator(device="cpu").manual_seed(NOISE_SEED)
    noise = torch.rand(mean.shape, generator=generator, device="cpu")
    noise *= mean.norm() / noise.norm()
    titled = ((mean, "invariant mean"), (noise, "noise"))
    tiles = (
        _draw_tile(v, f"{title}: sharpness {float(sharpness(v, images[1:])[0]):.2f}")
        for v, title in titled
    )
    return side_by_side(tiles, MIN_TILE)


def _draw_tile(v: Tensor, caption: str) -> str:
    grey = (v[0].mean(0) / v.max().clamp_min(1e-12)).clamp(0, 1).numpy()
    pixels: Pixels = np.repeat(np.rint(255 * grey)[..., None], 3, 2).astype(np.uint8)
    return draw(
        NOISE_SIDE,
        NOISE_SIDE + CAPTION_HEIGHT,
        caption,
        [
            picture(pixels, 0, 0, NOISE_SIDE, NOISE_SIDE),
            write(NOISE_SIDE / 2, NOISE_SIDE + 18, caption, "middle"),
        ],
        title=None,
    )


MOST: Final = 10
"""Maximum number of images. It is small, because all poses are optimised jointly."""
STARTS: Final = 2
START_SEED: Final = 0
EXPECTED: Final = TRIALS * (STARTS + 1)
"""Number of times the picture is updated."""


@dataclass(frozen=True, eq=False)
class OtherStarts:
    """A picture of the means found so far, with the first solution on the left, and their
    measures."""

    png: bytes
    shown: int
    total: int
    radius: float
    objective: float
    solutions: tuple[Solution, ...]
    digest: str


def solve_other_starts(sample: ImageSample) -> Iterator[OtherStarts]:
    """Solve the problem repeatedly, from the poses of different images and from randomly
    transformed inputs."""
    n = len(sample.v)
    rows = torch.arange(min(n, MOST), device=sample.v.device) * n // min(n, MOST)
    v = sample.v[rows]
    generator = Generator(device="cpu").manual_seed(START_SEED)
    for found in start_again(v, torch.ones_like(v[:, 0, 0, 0]), STARTS, generator):
        means = torch.stack([found.mu, *(solution.mu for solution in found.solutions)])
        means = (means / means.max().clamp_min(1e-12)).clamp(0, 1)
        yield OtherStarts(
            png=draw_row(means, STARTS + 1),
            shown=len(v),
            total=sample.total,
            radius=found.radius,
            objective=found.objective,
            solutions=found.solutions,
            digest=sample.digest,
        )
