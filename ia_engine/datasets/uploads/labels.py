"""Labels of an upload: given with the images, in a file of their own, or by folders."""

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

import torch
from torch import Tensor

from ia_engine.datasets.uploads.limits import show_name


def folders_of(path: str) -> tuple[str, ...]:
    """The folders on the way to a file, outermost first."""
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
    """The image file with as many images; among several, the one whose name begins alike."""
    fitting = [source for source, total in totals.items() if total == length]
    alike = [source for source in fitting if _first_word(source) == _first_word(name)]
    return next(iter(alike or fitting), None)


def number_labels(labels: Sequence[str]) -> tuple[Tensor, tuple[str, ...]]:
    """Each label's place among the classes, which stand in the order of their numbers or names."""
    classes = sorted(set(labels), key=_by_number)
    place = {label: i for i, label in enumerate(classes)}
    numbers = [place[label] for label in labels]
    return torch.tensor(numbers, dtype=torch.int64, device="cpu"), tuple(classes)


def _by_number(label: str) -> tuple[int, int, str]:
    digits = label.removeprefix("-")
    whole = digits.isascii() and digits.isdigit()
    return (0, int(label), label) if whole else (1, 0, label)


def _first_word(name: str) -> str:
    """train of train-labels-idx1-ubyte.gz."""
    return PurePosixPath(name).name.replace("_", "-").split("-")[0]
