"""The methods of a comparison, and the images, K, seed and budget that are the same for all of
them."""

from dataclasses import dataclass, replace
from typing import Annotated, Final

from ia_engine.datasets.data import Data, ImageSet, PointSet, thin
from ia_engine.datasets.generated import SEED
from ia_engine.errors import EngineError
from ia_engine.images import Labels
from ia_engine.params import Config, Range
from ia_engine.runs.clustering.result import MAX_SIDE, shrink
from ia_engine.runs.comparison.catalogue import METHODS
from ia_engine.runs.comparison.methods import SIGMA, Task

TITLES: Final[dict[str, str]] = {name: method.title for name, method in METHODS.items()}
"""The titles of all methods by name, in the order in which the methods run."""


@dataclass(frozen=True)
class ComparisonConfig(Config):
    """The settings of a comparison, including the names of its methods."""

    methods: tuple[str, ...] = tuple(TITLES)
    k: Annotated[int, Range("K", 0, 50, "number of clusters; 0 to estimate it")] = 0
    budget: Annotated[
        float,
        Range("", 0.1, 600, "maximum computing time of each method, on one core", "s", log=True),
    ] = 10.0
    images: Annotated[
        int, Range("n", 4, 1000, "maximum number of images, spread evenly over the classes")
    ] = 100
    averagings: Annotated[
        int, Range("P", 0, 5, "averaging steps of attention before its clusters are extracted")
    ] = 0
    beta: Annotated[
        float, Range("β", 0, 200, "bandwidth of attention; 0 for the default of each method")
    ] = 0.0
    sigma: Annotated[
        float, Range("σ", 0, 8, "smoothing of the images before attention compares them", "px")
    ] = SIGMA
    seed: Annotated[int, replace(SEED, about="seed of all random choices of the methods")] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.methods, tuple) or not self.methods:
            raise EngineError(
                f"methods must contain at least one of {', '.join(TITLES)}; got {self.methods!r}"
            )
        for name in self.methods:
            if name not in TITLES:
                raise EngineError(f"a method must be one of {', '.join(TITLES)}; got {name!r}")
        if len(set(self.methods)) < len(self.methods):
            raise EngineError(
                f"methods must differ; got {', '.join(self.methods)}: list each method once"
            )


FEWEST = 4


@dataclass(frozen=True)
class ComparisonPlan:
    """The settings and the data of a comparison."""

    config: ComparisonConfig
    recipe: str
    digest: str
    size: int
    """Number of images that are clustered."""
    total: int
    classes: tuple[str, ...]
    """The names of the classes; empty if the images have no labels."""
    reduced: bool
    """True if the run uses images that are smaller than those of the data set."""


def plan_comparison(config: ComparisonConfig, data: Data) -> ComparisonPlan:
    """Plan a comparison. Raises EngineError if there are too few images."""
    if isinstance(data, PointSet):
        raise EngineError("the data for a comparison must be images; got points: choose images")
    total = len(data.images)
    size = min(total, config.images)
    if size < max(FEWEST, config.k + 1):
        raise EngineError(
            f"the data for a comparison with K = {config.k or 'estimated'} must have at least "
            f"{max(FEWEST, config.k + 1)} images; got {size}: lower K or choose different data"
        )
    return ComparisonPlan(
        config=config,
        recipe=data.recipe.to_json(),
        digest=data.digest,
        size=size,
        total=total,
        classes=data.classes if data.labels is not None else (),
        reduced=max(data.images.shape[-2:]) > MAX_SIDE,
    )


def set_task(plan: ComparisonPlan, data: ImageSet) -> tuple[Task, Labels | None]:
    """Return the task, which all methods receive, and the labels, which no method receives."""
    part = thin(data, plan.size)
    if isinstance(part, PointSet):
        raise EngineError("the data for a comparison must be images; got points: choose images")
    config = plan.config
    task = Task(
        images=shrink(part.images),
        k=config.k or None,
        budget=config.budget,
        seed=config.seed,
        averagings=config.averagings,
        beta=config.beta or None,
        sigma=config.sigma,
    )
    return task, part.labels
