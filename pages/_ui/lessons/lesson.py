"""A lesson, its captions and its exercise, and the names of captions in addresses."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from pages._ui.state.viewer import Setting

ADDRESS: Final = "lesson"
"""The URL parameter that selects a caption: lesson=mush.2."""
LEFT: Final = "left"
"""Suffix of a caption's name that restores the page as the viewer left it: lesson=mush.2.left."""


@dataclass(frozen=True)
class Caption:
    """A short text, and the page that it describes."""

    title: str
    text: str
    page: str
    settings: Mapping[str, Setting] = field(default_factory=dict)
    """The controls that differ from their defaults, by their names in the page's address."""
    data: str = ""
    """The data set: a recipe or its name, "" for a page without data."""
    runs: bool = False
    """True if the caption shows a run."""
    step: int = 0
    """The iteration at which the animation stops until the viewer plays it."""
    poses: str = ""
    """The poses of the animation's images, "own" or "common"; "" leaves them unchanged."""


@dataclass(frozen=True)
class Trial:
    """An exercise, its result and the explanation."""

    task: str
    expect: str
    why: str


@dataclass(frozen=True)
class Lesson:
    """Captions about one idea, and an exercise at the end."""

    name: str
    title: str
    about: str
    captions: tuple[Caption, ...]
    trial: Trial


@dataclass(frozen=True)
class Place:
    """A lesson and the index of one of its captions."""

    lesson: Lesson
    index: int

    @property
    def name(self) -> str:
        """The name in the address, where captions are numbered from 1: mush.2."""
        return f"{self.lesson.name}.{self.index + 1}"

    @property
    def caption(self) -> Caption:
        """The caption of this lesson at this index."""
        return self.lesson.captions[self.index]

    def neighbour(self, offset: int) -> "Place | None":
        """Return the place `offset` captions later in this lesson, or None if there is none."""
        index = self.index + offset
        return Place(self.lesson, index) if 0 <= index < len(self.lesson.captions) else None


def find_place(name: str, lessons: tuple[Lesson, ...]) -> tuple[Place | None, bool]:
    """Return the place with this name (None if there is none), and True if the page must be
    restored as the viewer left it."""
    lesson_name, number, suffix = [*name.split("."), "", ""][:3]
    for lesson in lessons:
        if lesson.name == lesson_name:
            count = len(lesson.captions)
            at = int(number) if number.isascii() and number.isdecimal() else 1
            return Place(lesson, min(max(at, 1), count) - 1), suffix == LEFT
    return None, False
