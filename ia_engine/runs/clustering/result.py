"""Where every image of a data set belongs, and the film of a run with its numbers."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import torch
from torch import Tensor

from ia_engine.clustering.reading import read
from ia_engine.clustering.state import State
from ia_engine.images import resize
from ia_engine.metrics import Agreement, agree
from ia_engine.shapes import Images, Labels

LONGEST: Final = 128
"""Larger images are averaged down to so many pixels a side."""


VALUES: Final = 2**21
"""So many values of images are read at once."""


@dataclass(frozen=True, eq=False)
class Result:
    """The cluster and the error of some images, and how that fits their labels."""

    rows: Tensor
    """[m] which images of the data set."""
    assignments: Tensor
    """[m]"""
    error: Tensor
    """[m] squared error per pixel of the winner."""
    agreement: Agreement | None

    def members(self, k: int) -> list[int]:
        """The images of a cluster, by their number in the data set, best first."""
        own = self.assignments == k
        return self.rows[own][self.error[own].argsort(stable=True)].tolist()

    def outliers(self, most: int) -> list[int]:
        """The images that fit worst, worst first."""
        return self.rows[self.error.argsort(descending=True, stable=True)][:most].tolist()

    def error_of(self, row: int) -> float:
        return float(self.error[self.rows == row][0])


def read_result(state: State, images: Images, labels: Labels | None, rows: Tensor) -> Result:
    """Read these rows of the data set."""
    found, errors = [], []
    for part in split(images, rows):
        own = narrow(state, part)
        reading = read(own, fit(images[part]), own.rows)
        found.append(reading.assignments)
        errors.append(reading.error)
    assignments, error = torch.cat(found), torch.cat(errors)
    agreement = None
    if labels is not None:
        agreement = agree(labels[rows], assignments, state.config.k)
    return Result(rows, assignments, error, agreement)


def read_part(state: State, images: Images, labels: Labels | None, most: int) -> Result:
    """Read at most so many images, evenly spread."""
    return read_result(state, images, labels, spread(len(images), most, images))


def narrow(state: State, rows: Tensor) -> State:
    """The state for these images: searched transformations (TI) belong to single ones."""
    own = {name: x[rows] for name, x in state.tensors.items() if name.startswith("poses")}
    return replace(state, n=len(rows), tensors={**state.tensors, **own})


def split(images: Images, rows: Tensor) -> Iterator[Tensor]:
    """Rows in parts that may be read at once."""
    pixels = images[0].numel() if len(images) else 1
    return iter(rows.split(max(16, VALUES // pixels)))


def spread(n: int, most: int, like: Tensor) -> Tensor:
    """At most so many of n rows, evenly spread."""
    count = min(n, most)
    return torch.arange(count, device=like.device) * n // max(1, count)


def fit(images: Images) -> Images:
    """The images as they are clustered: at most `LONGEST` pixels a side."""
    height, width = images.shape[-2:]
    side = max(height, width)
    if side <= LONGEST:
        return images
    return resize(images, max(1, height * LONGEST // side), max(1, width * LONGEST // side))
