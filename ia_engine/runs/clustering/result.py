"""Evaluates a trained model on images: assigns clusters, transforms prototypes, and collects
samples of each prototype, which are also converted to arrays for a file."""

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ia_engine.clustering.reading import knobs, means, move, read, unfold
from ia_engine.clustering.state import State
from ia_engine.images import Images, Labels, resize
from ia_engine.metrics import Agreement, agree

MAX_SIDE: Final = 128
"""Images with a longer side are reduced to this side [px] by averaging pixels."""
VALUES: Final = 2**21
"""Approximate number of pixel values that are evaluated at once."""
SMALL: Final = 2**17
"""Approximate maximum size of a picture in the animation [bytes]."""
LARGE: Final = 2**20
"""Approximate maximum size of a picture of which only the newest version is stored [bytes]."""
SAMPLES: Final = 8
"""Maximum number of samples of a prototype."""

Picture = NDArray[np.uint8]
"""Several images as bytes, [k h w c]."""
Knob = tuple[str, str, float, float, str]
"""Name, symbol, minimum, maximum and unit of a parameter."""


@dataclass(frozen=True, eq=False)
class Result:
    """The clusters and errors of a set of images, and their agreement with the labels."""

    rows: Tensor
    """[m]: the rows of the images in the data set."""
    assignments: Tensor
    """[m]: the cluster of each image."""
    error: Tensor
    """[m]: the squared error per pixel between each image and the prototype that fits best."""
    agreement: Agreement | None

    def members(self, k: int) -> list[int]:
        """Return the rows of the images in cluster `k`, sorted by increasing error."""
        own = self.assignments == k
        return self.rows[own][self.error[own].argsort(stable=True)].tolist()

    def outliers(self, most: int) -> list[int]:
        """Return the rows of the images with the largest errors, sorted by decreasing error."""
        return self.rows[self.error.argsort(descending=True, stable=True)][:most].tolist()

    def error_of(self, row: int) -> float:
        return float(self.error[self.rows == row][0])


def read_result(state: State, images: Images, labels: Labels | None, rows: Tensor) -> Result:
    """Evaluate the model on the given rows of the data set."""
    found, errors = [], []
    for part in split(images, rows):
        own = select_rows(state, part)
        reading = read(own, shrink(images[part]), own.rows)
        found.append(reading.assignments)
        errors.append(reading.error)
    assignments, error = torch.cat(found), torch.cat(errors)
    agreement = None
    if labels is not None:
        agreement = agree(labels[rows], assignments, state.config.k)
    return Result(rows, assignments, error, agreement)


def read_part(state: State, images: Images, labels: Labels | None, most: int) -> Result:
    """Evaluate the model on at most `most` images, evenly spaced."""
    return read_result(state, images, labels, spread(len(images), most, images))


def select_rows(state: State, rows: Tensor) -> State:
    """Restrict a state to the given images, because TI stores transformations for each image."""
    own = {name: x[rows] for name, x in state.tensors.items() if name.startswith("poses")}
    return replace(state, n=len(rows), tensors={**state.tensors, **own})


def split(images: Images, rows: Tensor) -> Iterator[Tensor]:
    """Split rows into parts that are small enough to be evaluated at once."""
    pixels = images[0].numel() if len(images) else 1
    return iter(rows.split(max(16, VALUES // pixels)))


def spread(n: int, most: int, like: Tensor) -> Tensor:
    """Select at most `most` of n rows, evenly spaced."""
    count = min(n, most)
    return torch.arange(count, device=like.device) * n // max(1, count)


def shrink(images: Images) -> Images:
    """Reduce the images to at most `MAX_SIDE` pixels per side, as for clustering."""
    height, width = images.shape[-2:]
    side = max(height, width)
    if side <= MAX_SIDE:
        return images
    return resize(images, max(1, height * MAX_SIDE // side), max(1, width * MAX_SIDE // side))


def draw(prototypes: Images, most: int) -> Picture:
    """Convert prototypes to bytes. They are reduced if they would need more than about `most`
    bytes."""
    height, width = prototypes.shape[-2:]
    factor = sqrt(most / max(1, prototypes.numel()))
    if factor < 1:
        prototypes = resize(prototypes, max(4, int(height * factor)), max(4, int(width * factor)))
    levels = (prototypes.detach().cpu() * 255).nan_to_num().round().clamp(0, 255).byte()
    drawn: Picture = levels.permute(0, 2, 3, 1).contiguous().numpy()
    return drawn


@dataclass(frozen=True, eq=False)
class AlignmentSteps:
    """An image, its prototype, and this prototype after every module."""

    row: int
    cluster: int
    distance: float
    stages: tuple[str, ...]
    picture: Picture
    """[1 + stages h w c]: the image, followed by the stages of the prototype."""


@dataclass(frozen=True, eq=False)
class Alignments:
    """An image and all K prototypes, each aligned with the image."""

    row: int
    winner: int
    second: int
    distances: tuple[float, ...]
    picture: Picture
    """[1 + K 2h w c]: the image, followed by the prototypes, each above its difference from the
    image."""


def trace_winner(state: State, images: Images, rows: Sequence[int]) -> list[AlignmentSteps]:
    """Follow the best prototype of each image through all modules, one image at a time."""
    return [_follow(_of(state, row), shrink(images[row : row + 1]), row) for row in rows]


def stack(chains: Sequence[AlignmentSteps], only: int | None = None) -> Picture:
    """Stack the pictures of all chains, stage by stage, or only those of one stage."""
    stages = range(len(chains[0].picture)) if only is None else [only]
    return np.stack([chain.picture[stage] for stage in stages for chain in chains])


def contest(state: State, images: Images, row: int) -> Alignments:
    """Align every prototype with one image, to show why the chosen prototype fits best."""
    state, image = _of(state, row), shrink(images[row : row + 1])
    distances = read(state, image, state.rows).distances[0]
    aligned = unfold(state, image, state.rows)[-1][1][0]
    order = distances.argsort(stable=True)
    shown = torch.cat([image, aligned])
    differences = torch.cat([torch.zeros_like(image), (aligned - image).abs()])
    return Alignments(
        row=row,
        winner=int(order[0]),
        second=int(order[min(1, len(order) - 1)]),
        distances=tuple(distances.tolist()),
        picture=np.concatenate([draw(shown, LARGE), draw(differences, LARGE)], 1),
    )


def list_knobs(state: State) -> Mapping[str, Sequence[Knob]]:
    """Return the parameters of each module, with their ranges."""
    return knobs(state)


def transform_prototype(state: State, k: int, values: Mapping[str, list[float]]) -> Picture:
    """Return a prototype, and the same prototype transformed by the given parameters."""
    moved = move(state, k, dict(values))
    return draw(torch.stack([state.prototypes[k], moved]), LARGE)


def separate(state: State, k: int) -> Picture:
    """Return the channels of a prototype as grey images [c h w 1], each scaled separately."""
    low, high = (bound[:, None, None] for bound in state.prototypes[k].flatten(1).aminmax(dim=1))
    return draw(((state.prototypes[k] - low) / (high - low).clamp_min(1e-6))[:, None], LARGE)


def average(state: State, images: Images, k: int, rows: Sequence[int]) -> Picture:
    """Return a prototype, and the mean of its images before and after alignment."""
    chosen = torch.tensor(rows, device=images.device)
    own = select_rows(state, chosen)
    before, after = means(own, shrink(images[chosen]), own.rows)
    return draw(torch.stack([state.prototypes[k], before[k], after[k]]), LARGE)


def _of(state: State, row: int) -> State:
    return select_rows(state, torch.tensor([row], device=state.prototypes.device))


def _follow(state: State, image: Images, row: int) -> AlignmentSteps:
    reading = read(state, image, state.rows)
    winner = int(reading.assignments[0])
    chain = unfold(state, image, state.rows)
    found = torch.cat([image, *(images[:, winner] for _, images in chain)])
    names = tuple(name for name, _ in chain)
    distance = float(reading.distances[0, winner])
    return AlignmentSteps(row, winner, distance, names, draw(found, LARGE))


@dataclass(frozen=True, eq=False)
class PrototypeSamples:
    """Images of one prototype, from the best fit to the worst, and the number of its images."""

    total: int
    chains: tuple[AlignmentSteps, ...]


def collect_samples(state: State, images: Images, result: Result) -> list[PrototypeSamples]:
    """Return the samples of each prototype."""
    members = [result.members(k) for k in range(state.config.k)]
    return [
        PrototypeSamples(len(rows), tuple(trace_winner(state, images, spread_evenly(rows))))
        for rows in members
    ]


def spread_evenly(members: Sequence[int], most: int = SAMPLES) -> list[int]:
    """Return at most `most` members: the first, the last, and others evenly spaced between them.

    >>> spread_evenly(range(10), 4)
    [0, 3, 6, 9]
    """
    if len(members) <= most:
        return list(members)
    return [members[at * (len(members) - 1) // (most - 1)] for at in range(most)]


def pack_samples(samples: Sequence[PrototypeSamples]) -> dict[str, NDArray[Any]]:
    """Convert samples to arrays, in which the pictures are compressed."""
    chains = [chain for own in samples for chain in own.chains]
    pictures = np.stack([chain.picture for chain in chains])
    known = {
        "totals": [own.total for own in samples],
        "counts": [len(own.chains) for own in samples],
        "stages": chains[0].stages,
        "shape": pictures.shape,
        "chains": [(chain.row, chain.cluster, chain.distance) for chain in chains],
    }
    return {
        "samples": np.frombuffer(json.dumps(known).encode(), np.uint8),
        "sample pictures": np.frombuffer(zlib.compress(pictures.tobytes(), 9), np.uint8),
    }


def unpack_samples(arrays: Mapping[str, NDArray[Any]]) -> list[PrototypeSamples]:
    """Read the samples that `pack_samples` converted."""
    known = json.loads(arrays["samples"].tobytes())
    flat = np.frombuffer(zlib.decompress(arrays["sample pictures"].tobytes()), np.uint8)
    stages = tuple(known["stages"])
    chains = [
        AlignmentSteps(row, cluster, distance, stages, picture)
        for (row, cluster, distance), picture in zip(
            known["chains"], flat.reshape(known["shape"]), strict=True
        )
    ]
    samples, start = [], 0
    for total, count in zip(known["totals"], known["counts"], strict=True):
        samples.append(PrototypeSamples(total, tuple(chains[start : start + count])))
        start += count
    return samples
