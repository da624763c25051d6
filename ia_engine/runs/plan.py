"""What a run of attention shall be: both methods' settings, the data and the device."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.datasets.blobs import PointSet
from ia_engine.datasets.data import Data, keep_rows, thin


@dataclass(frozen=True, eq=False)
class Plan:
    """What is run on what, and where: enough to make the run again and to caption it."""

    configs: Mapping[str, AttentionConfig]
    """One for each method."""
    recipe: str
    names: Sequence[str]
    labels: Sequence[int]
    classes: Sequence[str]
    total: int
    """So many rows the data set has; `names` are those that take part."""
    device: str = "cpu"
    kept: int = 0
    """So many iterations are those of the run that this one leaves."""
    origin: str = ""
    """The name of that run."""

    @property
    def iterations(self) -> int:
        """How often the images will have been replaced by their means."""
        return self.kept + min(config.steps for config in self.configs.values())

    @property
    def moments(self) -> int:
        """How many states there are to see: the data, and what every iteration makes of them."""
        return self.iterations + 1

    @property
    def size(self) -> int:
        """How many images or points take part."""
        return len(self.names)


def plan(configs: Sequence[AttentionConfig], data: Data, limit: int, device: str = "cpu") -> Plan:
    """The configs on at most `limit` rows; invariant attention does not run on points."""
    part = thin(data, limit)
    labels = [] if part.labels is None else part.labels.tolist()
    if isinstance(part, PointSet):
        configs = [config for config in configs if config.method == "ka"]
        names = tuple(f"point {row + 1}" for row in keep_rows(data, limit).tolist())
        classes = tuple(f"blob {k + 1}" for k in range(max(labels) + 1))
    else:
        names, classes = part.names, part.classes
    return Plan(
        configs={config.method: config for config in configs},
        recipe=data.recipe.to_json(),
        names=names,
        labels=labels,
        classes=classes,
        total=len(data.points if isinstance(data, PointSet) else data.images),
        device=device,
    )
