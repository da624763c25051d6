"""Single images and prototypes from near: how one is moved onto the other, and what it costs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from ia_engine.clustering.reading import knobs, means, move, read, unfold
from ia_engine.clustering.state import State
from ia_engine.runs.clustering.result import fit, narrow
from ia_engine.runs.clustering.run import LARGE, Picture, draw
from ia_engine.shapes import Images

Knob = tuple[str, str, float, float, str]
"""Name, symbol, least, most, unit."""


@dataclass(frozen=True, eq=False)
class Chain:
    """An image, its prototype, and the prototype after every module."""

    row: int
    cluster: int
    distance: float
    stages: tuple[str, ...]
    picture: Picture
    """[1 + stages h w c]: the image first."""


@dataclass(frozen=True, eq=False)
class Contest:
    """An image and all K prototypes, each transformed onto it."""

    row: int
    winner: int
    second: int
    distances: tuple[float, ...]
    picture: Picture
    """[1 + K 2h w c]: the image first; below each prototype how much it differs from the image."""


def follow(state: State, images: Images, rows: Sequence[int]) -> list[Chain]:
    """The winner's way onto each image; one image at a time, so that memory is bounded."""
    return [_follow(_of(state, row), fit(images[row : row + 1]), row) for row in rows]


def stack(chains: Sequence[Chain], only: int | None = None) -> Picture:
    """All pictures of the chains, stage by stage; or one stage of them."""
    stages = range(len(chains[0].picture)) if only is None else [only]
    return np.stack([chain.picture[stage] for stage in stages for chain in chains])


def contest(state: State, images: Images, row: int) -> Contest:
    """Why the winner won."""
    state, image = _of(state, row), fit(images[row : row + 1])
    distances = read(state, image, state.rows).distances[0]
    aligned = unfold(state, image, state.rows)[-1][1][0]
    order = distances.argsort(stable=True)
    shown = torch.cat([image, aligned])
    differences = torch.cat([torch.zeros_like(image), (aligned - image).abs()])
    return Contest(
        row=row,
        winner=int(order[0]),
        second=int(order[min(1, len(order) - 1)]),
        distances=tuple(distances.tolist()),
        picture=np.concatenate([draw(shown, LARGE), draw(differences, LARGE)], 1),
    )


def list_knobs(state: State) -> Mapping[str, Sequence[Knob]]:
    """The parameters of every module, with their ranges."""
    return knobs(state)


def turn(state: State, k: int, values: Mapping[str, list[float]]) -> Picture:
    """A prototype, and the same moved by these parameters."""
    moved = move(state, k, dict(values))
    return draw(torch.stack([state.prototypes[k], moved]), LARGE)


def separate(state: State, k: int) -> Picture:
    """The channels of a prototype, each in grey and from its darkest to its brightest [c h w 1]."""
    low, high = (bound[:, None, None] for bound in state.prototypes[k].flatten(1).aminmax(dim=1))
    return draw(((state.prototypes[k] - low) / (high - low).clamp_min(1e-6))[:, None], LARGE)


def average(state: State, images: Images, k: int, rows: Sequence[int]) -> Picture:
    """The prototype, the mean of its images as they are, and of them brought back onto it."""
    chosen = torch.tensor(rows, device=images.device)
    own = narrow(state, chosen)
    before, after = means(own, fit(images[chosen]), own.rows)
    return draw(torch.stack([state.prototypes[k], before[k], after[k]]), LARGE)


def _of(state: State, row: int) -> State:
    return narrow(state, torch.tensor([row], device=state.prototypes.device))


def _follow(state: State, image: Images, row: int) -> Chain:
    reading = read(state, image, state.rows)
    winner = int(reading.assignments[0])
    chain = unfold(state, image, state.rows)
    found = torch.cat([image, *(images[:, winner] for _, images in chain)])
    names = tuple(name for name, _ in chain)
    distance = float(reading.distances[0, winner])
    return Chain(row, winner, distance, names, draw(found, LARGE))
