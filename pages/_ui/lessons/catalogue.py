"""The eight lessons in their order, and the precomputed runs that their captions show."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from pages._ui.lessons.lesson import Caption, Knob, Lesson, Place
from pages._ui.lessons.poses import BASIN, MEAN, ORDER, SIGMA, STRIDE
from pages._ui.lessons.weights import BETA, MUSH, SIX_NINE
from pages._ui.state.lessons import usual

LESSONS: Final[tuple[Lesson, ...]] = (
    MUSH,
    BETA,
    SIGMA,
    BASIN,
    MEAN,
    SIX_NINE,
    ORDER,
    STRIDE,
)


LOOKS: Final = ("view",)
"""Knobs that no run hangs on."""


def run_of(place: Place) -> str:
    """The name of a caption's run, which is the first's that asks for the same; "" without one."""
    return _name(_first()[_asks(place.caption)]) if place.caption.runs else ""


def places_of_runs() -> tuple[Place, ...]:
    """The captions after which the runs are called."""
    return tuple(_first().values())


Asked = tuple[str, str, frozenset[tuple[str, Knob]]]


@cache
def _first() -> Mapping[Asked, Place]:
    """What is asked, and the first caption that asks for it."""
    places = [Place(lesson, at) for lesson in LESSONS for at in range(len(lesson.captions))]
    return {_asks(place.caption): place for place in reversed(places) if place.caption.runs}


def _asks(caption: Caption) -> Asked:
    told = {**usual(caption.page), **caption.knobs}
    knobs = {name: value for name, value in told.items() if name not in LOOKS}
    return caption.page, caption.data, frozenset(knobs.items())


def _name(place: Place) -> str:
    return f"lesson-{place.lesson.name}-{place.at + 1}"
