"""One look at a run: numbers of every step, pictures of some, and a state of the last only."""

from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ia_engine.clustering.state import State
from ia_engine.images import resize
from ia_engine.runs.clustering.plan import ClusterPlan
from ia_engine.runs.clustering.result import Result
from ia_engine.shapes import Images

Picture = NDArray[np.uint8]
"""All prototypes as bytes, [k h w c]."""

SMALL: Final = 2**17
"""A picture that is kept has at most about so many bytes."""
LARGE: Final = 2**20
"""And the newest one, of which there is only one."""


@dataclass(frozen=True)
class Score:
    """How well the clusters fit the labels of so many images."""

    acc: float
    nmi: float
    rule: str
    seen: int
    named: tuple[int, ...]
    """The class that most images of each cluster have; -1 where there are none."""


@dataclass(eq=False)
class Newest:
    """What is large: of a run only the last one is kept."""

    state: State | None = None
    picture: Picture | None = None
    score: Score | None = None
    result: Result | None = None
    """All images, once the run is over."""


@dataclass(frozen=True, eq=False)
class Look:
    """The numbers of one moment."""

    plan: ClusterPlan
    newest: Newest
    iteration: int
    share: float
    seconds: float
    loss: float
    stage: tuple[str, ...]
    cooling: bool
    sizes: tuple[float, ...]
    reassigned: tuple[tuple[int, int], ...]
    picture: Picture | None = None
    """Of some moments, evenly spread."""
    score: Score | None = None


def draw(prototypes: Images, most: int) -> Picture:
    """Prototypes as bytes, averaged down where they would take more than about so many."""
    height, width = prototypes.shape[-2:]
    factor = sqrt(most / max(1, prototypes.numel()))
    if factor < 1:
        prototypes = resize(prototypes, max(4, int(height * factor)), max(4, int(width * factor)))
    levels = (prototypes.detach().cpu() * 255).nan_to_num().round().clamp(0, 255).byte()
    drawn: Picture = levels.permute(0, 2, 3, 1).contiguous().numpy()
    return drawn
