"""Runs of Mean: the invariant mean by Algorithm 1."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from ia_engine.attention.means.algorithm1 import MeanConfig
from ia_engine.datasets.data import ImageSet
from ia_engine.figures.mean import (
    FilmedMean,
    MeanFilm,
    MeanPlan,
    film_mean,
    pack_film,
    plan_mean,
    unpack_film,
)
from ia_engine.runs.folder import Arrays, Record, SavedRun, reports_damage
from ia_engine.runs.kinds.kind import Row, RunKind, format_number
from ia_engine.runs.paragraphs import INVARIANT, Statement, name_group, read_stored


def pack(film: MeanFilm) -> Arrays:
    """Convert the last step of an animation to arrays."""
    return pack_film(replace(film, steps=film.steps[-1:]))


def read_steps(arrays: Arrays) -> Sequence[FilmedMean]:
    """Read the steps that `pack` converted."""
    return unpack_film(arrays).steps


@reports_damage
def unpack(kept: SavedRun) -> Sequence[MeanFilm]:
    """Return the animation after each step."""
    films: list[MeanFilm] = []
    for step in range(1, kept.steps + 1):
        film = unpack_film(kept.arrays(step))
        before = films[-1].steps if films else ()
        films.append(replace(film, steps=(*before, *film.steps)))
    return films


def _work(plan: MeanPlan, data: ImageSet, _: None) -> Iterator[MeanFilm]:
    return film_mean(*plan_mean(plan.config, data, plan.of, plan.rows))


def state_run(record: Record) -> Statement:
    """Return what a record states; it does not contain the number of images."""
    stored = read_stored(MeanConfig, record.config)
    config = stored.config
    starts = {
        "pairwise": "from the poses of all pairs, by second-order steps",
        "identity": "from the identity, by gradient descent",
        "random": "from random poses, by second-order steps",
    }
    done = (
        "The invariant mean μ of the images, the minimum of (2.3) over μ and a pose τ_i of every "
        f"image in {name_group(config.group)}, was found by Algorithm 1 of Invariant Attention "
        f"with N = {config.steps} updates, {starts[config.start]}"
    )
    return Statement(done, [stored], (INVARIANT,))


def _last(kept: SavedRun) -> FilmedMean:
    return read_steps(kept.arrays(kept.steps))[-1]


def _compared_numbers(kept: SavedRun) -> dict[str, str]:
    step = _last(kept)
    return {"objective": format_number(step.objective), "sharpness": format_number(step.sharpness)}


def _rows(film: MeanFilm) -> list[Row]:
    """Return a row for the newest step, with the same keys as the shell command `mean`."""
    step = film.steps[-1]
    return [
        {
            "step": step.k,
            "iteration": step.k,
            "objective": step.objective,
            "sigma": step.sigma,
        }
    ]


@reports_damage
def _export(kept: SavedRun) -> Arrays:
    """Return the means [steps h w c], the last aligned images [n h w c] and the metrics."""
    steps = unpack(kept)[-1].steps
    frames = [step.frame.arrays["images"] for step in steps]
    return {
        "mu": np.stack([images[0] for images in frames]),
        "aligned": np.array(frames[-1][1:]),
        "iteration": np.array([step.k for step in steps]),
        "objective": np.array([step.objective for step in steps]),
        "sigma": np.array([step.sigma for step in steps]),
    }


MEANS: Final = RunKind[MeanFilm](
    id="mean",
    title="Mean",
    unit="iteration",
    work=_work,
    expected=lambda plan, _: len(plan.kept),
    describe=lambda plan: plan.config.to_json(),
    statement=state_run,
    pack=pack,
    unpack=unpack,
    count=lambda kept: _last(kept).k,
    numbers=_compared_numbers,
    rows=_rows,
    export=lambda kept, _: _export(kept),
)
