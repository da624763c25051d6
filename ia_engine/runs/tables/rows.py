"""Lists the rows of the papers' tables that `make tables` computes, with the most important ones
first.

A row is a network or a clustering model, with the recipe of the paper and a number of seeds.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.recipes import PUBLISHED, TABLES, Cell, list_ablations
from ia_engine.equivariant.networks import find_network
from ia_engine.equivariant.recipes import RECIPES, TrainingConfig
from ia_engine.errors import EngineError

VERSIONS: Final[Mapping[str, int]] = {
    "rotated MNIST": 1,
    "group convolutions": 1,
    "attention": 1,
    "training": 1,
    "prototypes and predictors": 1,
    "clustering": 1,
    "quick encoder": 1,
    "resnet20 encoder": 1,
    "affine": 1,
    "color": 1,
    "morphology": 1,
    "tps": 1,
    "MNIST-color": 1,
}
"""Versions of the results that modules compute. The keys do not depend on the names of files.

Increment a version when a code change affects these results. Stored results of older versions
are then rejected and computed again. `tests/unit/runs/test_versions.py` pins outputs of each
module.
"""


@dataclass(frozen=True)
class Row:
    """A row of a table."""

    order: str
    """Letter of the batch; batch "a" is computed first."""
    table: str
    """The folder of the results."""
    name: str
    title: str
    config: TrainingConfig | ClusterConfig
    data: str
    """Key of `SPLITS` or `IMAGES` in `work`."""
    seeds: int
    paper: str
    """The result of the paper."""
    modules: tuple[str, ...]
    """The keys of VERSIONS on which the results depend."""

    @property
    def versions(self) -> dict[str, int]:
        return {name: VERSIONS[name] for name in self.modules}


@dataclass(frozen=True)
class Task:
    """One seed of a row."""

    row: Row
    seed: int

    @property
    def name(self) -> str:
        """The name of the result file without its suffix, such as rot-mnist/p4-seed-0."""
        return f"{self.row.table}/{self.row.name}-seed-{self.seed}"


def _rotated(order: str, network: str, seeds: int, paper: str) -> Row:
    entry = find_network(network)
    attention = () if entry.attention == "none" else ("attention",)
    return Row(
        order, "rot-mnist", network, entry.title, replace(RECIPES["rot-mnist"], network=network),
        "rotated MNIST", seeds, paper,
        ("rotated MNIST", "group convolutions", *attention, "training"),
    )  # fmt: skip


def _clustered(order: str, recipe: str, model: str, seeds: int, encoder: str = "quick") -> Row:
    """Return a row of Table 1 or 2 with the published settings, except for the encoder, which the
    title names."""
    published = PUBLISHED[recipe]
    config = replace(published.config, model=model, encoder=encoder)
    (cell,) = (cell for table in (1, 2) for cell in TABLES[table]
               if cell.recipe == recipe and cell.config.model == model)  # fmt: skip
    return _row(order, recipe, f"{model}-{encoder}", cell.method, (config, seeds, cell))


def _ablated(name: str, config: ClusterConfig) -> Row:
    """Return a row of Table 3.

    The first row of Table 3 repeats DTI K-means on MNIST from Table 1.
    """
    (cell,) = (cell for cell in TABLES[3] if cell.method == name)
    short = name.replace(", ", "-").replace(" ", "-")
    row = _row("d", "mnist", f"{short}-quick", name, (config, 10, cell))
    return replace(row, table="table-3")


def _row(
    order: str, recipe: str, name: str, title: str, rest: tuple[ClusterConfig, int, Cell]
) -> Row:
    config, seeds, cell = rest
    own = ("MNIST-color",) if recipe == "mnist-color" else ()
    modules = (*own, "prototypes and predictors", "clustering", f"{config.encoder} encoder",
               *sorted(set(config.modules)))  # fmt: skip
    paper = f"{cell.average} % on average, {cell.least} % for the run with the lowest loss"
    return Row(order, recipe, name, f"{title}, {config.encoder} encoder", config,
               PUBLISHED[recipe].title, seeds, paper, modules)  # fmt: skip


_QUICK: Final = replace(PUBLISHED["mnist"].config, encoder="quick")

ROWS: Final = (
    _rotated("a", "p4", 5, "2.048 ± 0.045 %"),
    _rotated("a", "alpha-f-p4", 5, "1.795 ± 0.028 %"),
    _rotated("a", "alpha-rh-p4", 5, "1.980 ± 0.032 %"),
    _rotated("a", "big11-p4", 5, "1.996 ± 0.083 %"),
    _clustered("b", "mnist-test", "dti-kmeans", 10),
    _clustered("b", "mnist-test", "dti-gmm", 10),
    _clustered("b", "mnist-1k", "dti-kmeans", 10),
    _clustered("b", "mnist-1k", "dti-gmm", 10),
    _clustered("c", "mnist", "dti-kmeans", 10),
    _clustered("c", "mnist", "dti-gmm", 10),
    _clustered("c", "mnist-color", "dti-kmeans", 10),
    _clustered("c", "mnist-color", "dti-gmm", 10),
    _clustered("c", "fashion", "dti-kmeans", 10),
    _clustered("c", "fashion", "dti-gmm", 10),
    *(_ablated(name, config) for name, config in list_ablations(_QUICK).items()
      if config.model != "ti" and config != _QUICK),
    _rotated("e", "big15-p4", 5, "1.848 ± 0.019 %"),
    _rotated("e", "big19-p4", 5, "1.796 ± 0.035 %"),
    _rotated("e", "alpha-sp-p4", 5, "1.761 ± 0.027 %"),
    _rotated("e", "alpha-ch-p4", 5, "1.825 ± 0.048 %"),
    _rotated("e", "alpha-p4", 5, "1.696 ± 0.021 %"),
    _clustered("f", "mnist-test", "dti-kmeans", 1, "resnet20"),
)  # fmt: skip


def list_tasks(rows: tuple[Row, ...] = ROWS) -> Iterator[Task]:
    """Yield all seeds, batch by batch. Within a batch, seed 0 of each row comes first."""
    for order in sorted({row.order for row in rows}):
        batch = [row for row in rows if row.order == order]
        for seed in range(max(row.seeds for row in batch)):
            yield from (Task(row, seed) for row in batch if seed < row.seeds)


def find_tasks(name: str, rows: tuple[Row, ...] = ROWS) -> list[Task]:
    """Return the tasks of a batch ("a"), a table, a row ("rot-mnist/p4") or a seed; "" stands for
    all."""
    found = [
        task for task in list_tasks(rows)
        if name in ("", task.row.order, task.row.table, task.name,
                    f"{task.row.table}/{task.row.name}")
    ]  # fmt: skip
    if not found:
        known = ", ".join(dict.fromkeys(f"{row.table}/{row.name}" for row in rows))
        raise EngineError(
            f"--only must be a batch (a to f), a table or one of {known}; got {name!r}"
        )
    return found
