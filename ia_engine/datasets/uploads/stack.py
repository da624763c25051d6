"""What goes in, and what the readers make of it."""

from dataclasses import dataclass, replace
from typing import Protocol, Self

from ia_engine.datasets.uploads.kinds import HEAD
from ia_engine.shapes import Images


class File(Protocol):
    """What may be read: bytes that have come, or a file that is opened only when it is its turn."""

    @property
    def name(self) -> str:
        """Which may hold folders."""

    @property
    def size(self) -> int:
        """How many bytes it has."""

    @property
    def head(self) -> bytes:
        """The first of them, which tell its kind."""

    @property
    def content(self) -> bytes:
        """All of them."""


@dataclass(frozen=True)
class Upload:
    """A file as it came: its name, which may hold folders, and its bytes."""

    name: str
    content: bytes

    @property
    def size(self) -> int:
        return len(self.content)

    @property
    def head(self) -> bytes:
        return self.content[:HEAD]


@dataclass(frozen=True)
class Refusal:
    """A file that was not read, or not wholly, and why, in one sentence."""

    name: str
    reason: str


@dataclass(frozen=True, eq=False)
class Stack:
    """Images of one size out of one file, in [0, 1], with their own background."""

    names: tuple[str, ...]
    images: Images
    alpha: Images | None = None
    labels: tuple[str, ...] | None = None
    noise: float = 0.0
    """How far the file's format alone moves a pixel from its value."""
    total: int = 1
    """How many images the file holds; the stack may be a part of them."""
    note: str = ""

    def first(self, limit: int) -> Self:
        """The first so many images."""
        return replace(
            self,
            names=self.names[:limit],
            images=self.images[:limit],
            alpha=None if self.alpha is None else self.alpha[:limit],
            labels=None if self.labels is None else self.labels[:limit],
        )


@dataclass(frozen=True)
class LabelList:
    """Labels that came without images."""

    labels: tuple[str, ...]
    """Of the first images only, where there are more than can be read."""
    total: int


Found = Stack | LabelList
