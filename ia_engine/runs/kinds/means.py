"""The invariant mean by Algorithm 1, step by step."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

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
from ia_engine.runs.folder import Arrays, Kept, reports_damage
from ia_engine.runs.kinds.kind import RunKind, format_number


def pack(film: MeanFilm) -> Arrays:
    """The last step of the film."""
    return pack_film(replace(film, steps=film.steps[-1:]))


def read_steps(arrays: Arrays) -> Sequence[FilmedMean]:
    """The inverse of `pack`."""
    return unpack_film(arrays).steps


@reports_damage
def unpack(kept: Kept) -> Sequence[MeanFilm]:
    """The film, one step longer each time."""
    films: list[MeanFilm] = []
    for step in range(1, kept.steps + 1):
        film = unpack_film(kept.arrays(step))
        before = films[-1].steps if films else ()
        films.append(replace(film, steps=(*before, *film.steps)))
    return films


def _work(plan: MeanPlan, data: ImageSet, _: None) -> Iterator[MeanFilm]:
    return film_mean(*plan_mean(plan.config, data, plan.of))


def _last(kept: Kept) -> FilmedMean:
    return read_steps(kept.arrays(kept.steps))[-1]


def _compared_numbers(kept: Kept) -> dict[str, str]:
    step = _last(kept)
    return {"objective": format_number(step.objective), "sharpness": format_number(step.sharpness)}


MEANS: Final = RunKind[MeanFilm](
    id="mean",
    title="Mean",
    unit="iteration",
    work=_work,
    expected=lambda plan, _: len(plan.kept),
    describe=lambda plan: plan.config.to_json(),
    pack=pack,
    unpack=unpack,
    count=lambda kept: _last(kept).k,
    numbers=_compared_numbers,
)
