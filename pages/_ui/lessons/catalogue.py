"""The twelve lessons in their order, and the precomputed runs that their captions show."""

from collections.abc import Mapping
from functools import cache
from typing import Final

from pages._ui.lessons.captions_learning import LAYERS, ORDER, STRIDE
from pages._ui.lessons.captions_limits import ARROWS, CHOICE, NOISE
from pages._ui.lessons.captions_poses import BASIN, MEAN, SIGMA
from pages._ui.lessons.captions_weights import BETA, MUSH, SIX_NINE
from pages._ui.lessons.lesson import Caption, Lesson, Place
from pages._ui.lessons.page_settings import default_settings
from pages._ui.state.viewer import Setting

LESSONS: Final[tuple[Lesson, ...]] = (
    *(MUSH, BETA, SIGMA, BASIN, MEAN, SIX_NINE, ORDER, STRIDE),
    *(NOISE, ARROWS, CHOICE, LAYERS),
)

RunKey = tuple[str, str, frozenset[tuple[str, Setting]]]
"""A page, its data and its settings: captions with equal keys share a run."""


def run_of(place: Place) -> str:
    """Return the name of the run that a caption shows, or "" if it shows none."""
    if not place.caption.runs:
        return ""
    first = _first_places()[_make_key(place.caption)]
    return f"lesson-{first.lesson.name}-{first.index + 1}"


def places_of_runs() -> tuple[Place, ...]:
    """Return the first caption of each run; the run is named after it."""
    return tuple(_first_places().values())


@cache
def _first_places() -> Mapping[RunKey, Place]:
    places = [Place(lesson, at) for lesson in LESSONS for at in range(len(lesson.captions))]
    return {_make_key(place.caption): place for place in reversed(places) if place.caption.runs}


def _make_key(caption: Caption) -> RunKey:
    settings = {**default_settings(caption.page), **caption.settings}
    settings.pop("view", None)  # does not change the run
    return caption.page, caption.data, frozenset(settings.items())
