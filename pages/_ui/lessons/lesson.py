"""What a lesson is, the list of lessons, and the precomputed run that each caption shows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

ADDRESS: Final = "lesson"
"""The name in an address under which it asks for a caption: lesson=mush.2."""
LEFT: Final = "left"
"""Ends a caption's name where what the viewer left there shall come back: lesson=mush.2.left."""

Knob = float | int | str | tuple[str, ...]


@dataclass(frozen=True)
class Caption:
    """A few sentences, and where they are true."""

    title: str
    text: str
    page: str
    knobs: Mapping[str, Knob] = field(default_factory=dict)
    """What is not as usual, by the name that the page's address gives it."""
    data: str = ""
    """A recipe, or its name; nothing where the page has no data."""
    runs: bool = False
    """Whether the page shall compute when the caption is opened."""
    step: int = 0
    """The iteration that the film shows, at rest, until the reader plays it."""
    poses: str = ""
    """How the images lie in it: "own" or "common"; "" leaves it to the page."""


@dataclass(frozen=True)
class Trial:
    """Something to try, and what comes of it."""

    task: str
    expect: str
    why: str


@dataclass(frozen=True)
class Lesson:
    """One thing to understand, caption by caption, and then by hand."""

    name: str
    title: str
    about: str
    captions: tuple[Caption, ...]
    trial: Trial


@dataclass(frozen=True)
class Place:
    """Where one is: a lesson, and which of its captions, from 0."""

    lesson: Lesson
    at: int

    @property
    def name(self) -> str:
        """As the address has it, where captions count from 1."""
        return f"{self.lesson.name}.{self.at + 1}"

    @property
    def caption(self) -> Caption:
        return self.lesson.captions[self.at]

    def beside(self, step: int) -> "Place | None":
        """The caption so many further on; None beyond the first and the last."""
        at = self.at + step
        return Place(self.lesson, at) if 0 <= at < len(self.lesson.captions) else None


def find_place(name: str, lessons: tuple[Lesson, ...]) -> tuple[Place | None, bool]:
    """The place that an address names, and whether what was left there shall come back."""
    which, number, left = [*name.split("."), "", ""][:3]
    for lesson in lessons:
        if which == lesson.name:
            count = len(lesson.captions)
            at = int(number) if number.isascii() and number.isdecimal() else 1
            return Place(lesson, min(max(at, 1), count) - 1), left == LEFT
    return None, False
