"""What a run of clustering is of: enough to caption all of it, without holding the images."""

from dataclasses import dataclass
from typing import Final

from ia_engine.clustering.config import ClusterConfig
from ia_engine.datasets.imageset import ImageSet
from ia_engine.errors import EngineError
from ia_engine.images import resize
from ia_engine.shapes import Images

LONGEST: Final = 128
"""Larger images are averaged down to so many pixels a side."""


@dataclass(frozen=True)
class ClusterPlan:
    """What is clustered, and how."""

    config: ClusterConfig
    seed: int
    budget: float
    """CPU seconds in all."""
    recipe: str
    digest: str
    total: int
    """How many images there are; all of them take part."""
    classes: tuple[str, ...]
    """Empty where nothing says which images are of one class."""
    reduced: bool
    """Whether the images have fewer pixels here than in the data set."""
    done: float = 0.0
    """So many CPU seconds are of the run that this one goes on from."""
    origin: str = ""
    """What was done to an earlier run that this one goes on from."""


def plan_clusters(config: ClusterConfig, data: ImageSet, seed: int, budget: float) -> ClusterPlan:
    """A plan, if there are images enough."""
    n = len(data.images)
    if n < 2:
        raise EngineError(f"Clusters need at least 2 images; got {n}: choose other data")
    if n < config.k:
        raise EngineError(
            f"K = {config.k} clusters need as many images; got {n}: lower K or choose other data"
        )
    return ClusterPlan(
        config=config,
        seed=seed,
        budget=budget,
        recipe=data.recipe.to_json(),
        digest=data.digest,
        total=n,
        classes=data.classes if data.labels is not None else (),
        reduced=max(data.images.shape[-2:]) > LONGEST,
    )


def fit(images: Images) -> Images:
    """The images as they are clustered: at most `LONGEST` pixels a side."""
    height, width = images.shape[-2:]
    side = max(height, width)
    if side <= LONGEST:
        return images
    return resize(images, max(1, height * LONGEST // side), max(1, width * LONGEST // side))
