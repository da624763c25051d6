"""Types of uploads: files, stacks of images, lists of labels, refusals; and labels by folder."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Protocol, Self

import torch
from torch import Tensor

from ia_engine.datasets.uploads.limits import HEAD, show_name
from ia_engine.shapes import Images


class File(Protocol):
    """A readable file: bytes in memory, or a file that is opened only when it is read."""

    @property
    def name(self) -> str:
        """The name, which may contain folders."""

    @property
    def size(self) -> int:
        """Size in bytes."""

    @property
    def head(self) -> bytes:
        """The first bytes, by which its kind is recognised."""

    @property
    def content(self) -> bytes:
        """All bytes."""


@dataclass(frozen=True)
class Upload:
    """An uploaded file: its name, which may contain folders, and its bytes."""

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
    """A file that was not read completely, and the reason in one sentence."""

    name: str
    reason: str


@dataclass(frozen=True, eq=False)
class Stack:
    """Images of one size from one file, in [0, 1], with their own background."""

    names: tuple[str, ...]
    images: Images
    alpha: Images | None = None
    labels: tuple[str, ...] | None = None
    noise: float = 0.0
    """Largest error of a pixel that the file format causes."""
    total: int = 1
    """Number of images in the file; the stack may be a part of them."""
    note: str = ""

    def first(self, limit: int) -> Self:
        """The first `limit` images."""
        return replace(
            self,
            names=self.names[:limit],
            images=self.images[:limit],
            alpha=None if self.alpha is None else self.alpha[:limit],
            labels=None if self.labels is None else self.labels[:limit],
        )


@dataclass(frozen=True)
class LabelList:
    """Labels without images."""

    labels: tuple[str, ...]
    """Only those of the first images, if there are more than can be read."""
    total: int


Found = Stack | LabelList


def folders_of(path: str) -> tuple[str, ...]:
    """The folders of a path, outermost first."""
    return PurePosixPath(path.replace("\\", "/").lstrip("/")).parts[:-1]


def classes_by_folder(folders: Sequence[tuple[str, ...]]) -> list[str | None]:
    """The outermost folder in which the images differ; None for all if there is none."""
    depth = 0
    while len({path[depth : depth + 1] for path in folders}) == 1:
        if depth >= len(folders[0]):
            return [None] * len(folders)
        depth += 1
    named = [show_name(path[depth]) if len(path) > depth else None for path in folders]
    return named if None not in named else [None] * len(folders)


def find_partner(name: str, length: int, totals: Mapping[str, int]) -> str | None:
    """The image file with as many images; of several, the one with the same first word."""
    fitting = [source for source, total in totals.items() if total == length]
    alike = [source for source in fitting if _first_word(source) == _first_word(name)]
    return next(iter(alike or fitting), None)


def number_labels(labels: Sequence[str]) -> tuple[Tensor, tuple[str, ...]]:
    """The index of each label among the classes, which are sorted by number or name."""
    classes = sorted(set(labels), key=_by_number)
    place = {label: i for i, label in enumerate(classes)}
    numbers = [place[label] for label in labels]
    return torch.tensor(numbers, dtype=torch.int64, device="cpu"), tuple(classes)


def _by_number(label: str) -> tuple[int, int, str]:
    digits = label.removeprefix("-")
    whole = digits.isascii() and digits.isdigit()
    return (0, int(label), label) if whole else (1, 0, label)


def _first_word(name: str) -> str:
    """The first word: train of train-labels-idx1-ubyte.gz."""
    return PurePosixPath(name).name.replace("_", "-").split("-")[0]
