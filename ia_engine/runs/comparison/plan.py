"""What a comparison is of: enough to caption all of it, without holding the images."""

from dataclasses import dataclass

from ia_engine.datasets.blobs import PointSet
from ia_engine.datasets.data import Data, thin
from ia_engine.datasets.imageset import ImageSet
from ia_engine.errors import EngineError
from ia_engine.runs.clustering.plan import LONGEST, fit
from ia_engine.runs.comparison.config import ComparisonConfig
from ia_engine.runs.comparison.task import Task
from ia_engine.shapes import Labels

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
        reduced=max(data.images.shape[-2:]) > LONGEST,
    )


def set_task(plan: ComparisonPlan, data: ImageSet) -> tuple[Task, Labels | None]:
    """What every method is given, and what none is shown."""
    part = thin(data, plan.size)
    if isinstance(part, PointSet):
        raise EngineError("a comparison needs images; got points: choose data with images")
    config = plan.config
    task = Task(
        images=fit(part.images),
        k=config.k or None,
        budget=config.budget,
        seed=config.seed,
        averagings=config.averagings,
    )
    return task, part.labels
