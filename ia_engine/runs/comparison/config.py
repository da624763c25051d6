"""What is compared: the methods, and on equal terms the images, K, seed and CPU seconds."""

from dataclasses import dataclass, replace
from typing import Annotated, Final

from ia_engine.datasets.data import Data, ImageSet, PointSet, thin
from ia_engine.datasets.generated import SEED
from ia_engine.errors import EngineError
from ia_engine.params import Config, Range
from ia_engine.runs.clustering.result import MAX_SIDE, shrink
from ia_engine.runs.comparison.methods import Task
from ia_engine.shapes import Labels
from ia_engine.transforms import GROUPS

TITLES: Final[dict[str, str]] = {
    "kmeans": "K-means",
    "gmm": "GMM",
    "mean-shift": "Mean shift",
    "spectral": "Spectral clustering",
    "ka": "Kernel attention",
    **{f"ia-{group}": f"Invariant attention, {group.replace('se2', 'SE(2)')}" for group in GROUPS},
    "ti": "TI K-means",
    "dti-kmeans": "DTI K-means",
    "dti-gmm": "DTI GMM",
}
"""All methods by their names, in the order in which they run."""


@dataclass(frozen=True)
class ComparisonConfig(Config):
    """What a viewer may choose; `methods` is checked on construction."""

    methods: tuple[str, ...] = tuple(TITLES)
    k: Annotated[int, Range("K", 0, 50, "number of clusters; 0: it is estimated")] = 0
    budget: Annotated[
        float,
        Range("", 0.1, 600, "computing time of each method at most: one core's", "s", log=True),
    ] = 10.0
    images: Annotated[
        int, Range("n", 4, 1000, "maximum number of images, spread evenly over the classes")
    ] = 100
    averagings: Annotated[
        int, Range("P", 0, 5, "averaging steps of attention before its clusters are read")
    ] = 0
    seed: Annotated[int, replace(SEED, about="of whatever a method draws by chance")] = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.methods, tuple) or not self.methods:
            raise EngineError(f"methods needs one of {', '.join(TITLES)}; got {self.methods!r}")
        for name in self.methods:
            if name not in TITLES:
                raise EngineError(f"a method is one of {', '.join(TITLES)}; got {name!r}")
        if len(set(self.methods)) < len(self.methods):
            raise EngineError(f"methods must differ; got {', '.join(self.methods)}: name each once")


FEWEST = 4


@dataclass(frozen=True)
class ComparisonPlan:
    """What is compared, and on what."""

    config: ComparisonConfig
    recipe: str
    digest: str
    size: int
    """So many images take part."""
    total: int
    classes: tuple[str, ...]
    """Empty where nothing says which images are of one class."""
    reduced: bool
    """Whether the images have fewer pixels here than in the data set."""


def plan_comparison(config: ComparisonConfig, data: Data) -> ComparisonPlan:
    """A plan, if there are images enough."""
    if isinstance(data, PointSet):
        raise EngineError("a comparison needs images; got points: choose data with images")
    total = len(data.images)
    size = min(total, config.images)
    if size < max(FEWEST, config.k + 1):
        raise EngineError(
            f"{config.k or 'estimated'} clusters need at least {max(FEWEST, config.k + 1)} images; "
            f"got {size}: lower K or choose other data"
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
    """What every method is given, and what none is shown."""
    part = thin(data, plan.size)
    if isinstance(part, PointSet):
        raise EngineError("a comparison needs images; got points: choose data with images")
    config = plan.config
    task = Task(
        images=shrink(part.images),
        k=config.k or None,
        budget=config.budget,
        seed=config.seed,
        averagings=config.averagings,
    )
    return task, part.labels
