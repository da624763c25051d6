"""The rows of the papers' tables that `make tables` computes, in the order of their importance.

A row is a network or a clustering model with the paper's recipe, and the seeds it is trained from.
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
"""The version of the numbers that a module computes, independent of its file name.

Raise the number when a change of the code changes these numbers: results of older versions are then
rejected and computed again. `tests/unit/runs/test_versions.py` pins outputs of each module.
"""


@dataclass(frozen=True)
class Row:
    """One row of a table."""

    order: str
    """Letter of the batch: "a" is computed first."""
    table: str
    """The folder of its results."""
    name: str
    title: str
    config: TrainingConfig | ClusterConfig
    data: str
    """Key of `SPLITS` or `IMAGES` in `work`."""
    seeds: int
    paper: str
    """The paper's result."""
    modules: tuple[str, ...]
    """The names in VERSIONS on which its numbers depend."""

    @property
    def versions(self) -> dict[str, int]:
        return {name: VERSIONS[name] for name in self.modules}


@dataclass(frozen=True)
class Task:
    """One seed of one row."""

    row: Row
    seed: int

    @property
    def name(self) -> str:
        """The name of its file without the suffix, such as rot-mnist/p4-seed-0."""
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
    """A row of Tables 1 and 2 as published, except for the encoder, which the title names."""
    published = PUBLISHED[recipe]
    config = replace(published.config, model=model, encoder=encoder)
    (cell,) = (cell for table in (1, 2) for cell in TABLES[table]
               if cell.recipe == recipe and cell.config.model == model)  # fmt: skip
    return _row(order, recipe, f"{model}-{encoder}", cell.method, (config, seeds, cell))


def _ablated(name: str, config: ClusterConfig) -> Row:
    """A row of Table 3, here on MNIST-test; the first row of Table 3 belongs to batch b."""
    (cell,) = (cell for cell in TABLES[3] if cell.method == name)
    short = name.replace(", ", "-").replace(" ", "-")
    return _row("c", "mnist-test", f"{short}-quick", name, (config, 3, cell))


def _row(
    order: str, recipe: str, name: str, title: str, rest: tuple[ClusterConfig, int, Cell]
) -> Row:
    config, seeds, cell = rest
    own = ("MNIST-color",) if recipe == "mnist-color" else ()
    modules = (*own, "prototypes and predictors", "clustering", f"{config.encoder} encoder",
               *sorted(set(config.modules)))  # fmt: skip
    table = "table-3" if order == "c" else recipe
    paper = f"{cell.average} % on average, {cell.least} % with the least loss"
    return Row(order, table, name, f"{title}, {config.encoder} encoder", config,
               PUBLISHED[recipe].title, seeds, paper, modules)  # fmt: skip


_QUICK: Final = replace(PUBLISHED["mnist-test"].config, encoder="quick")

ROWS: Final = (
    _rotated("a", "p4", 5, "2.048 ± 0.045 %"),
    _rotated("a", "alpha-f-p4", 5, "1.795 ± 0.028 %"),
    _rotated("a", "alpha-rh-p4", 5, "1.980 ± 0.032 %"),
    _rotated("a", "big11-p4", 5, "1.996 ± 0.083 %"),
    _clustered("b", "mnist-test", "dti-kmeans", 10),
    _clustered("b", "mnist-test", "dti-gmm", 10),
    _clustered("b", "mnist-1k", "dti-kmeans", 10),
    _clustered("b", "mnist-1k", "dti-gmm", 10),
    *(_ablated(name, config) for name, config in list_ablations(_QUICK).items()
      if config.model != "ti" and config != _QUICK),
    _clustered("d", "mnist-color", "dti-kmeans", 3),
    _clustered("d", "fashion", "dti-kmeans", 3),
    _rotated("e", "big15-p4", 1, "1.848 ± 0.019 %"),
    _rotated("e", "big19-p4", 1, "1.796 ± 0.035 %"),
    _rotated("e", "alpha-sp-p4", 1, "1.761 ± 0.027 %"),
    _rotated("e", "alpha-ch-p4", 1, "1.825 ± 0.048 %"),
    _rotated("e", "alpha-p4", 1, "1.696 ± 0.021 %"),
    _clustered("f", "mnist-test", "dti-kmeans", 1, "resnet20"),
)  # fmt: skip


def list_tasks(rows: tuple[Row, ...] = ROWS) -> Iterator[Task]:
    """All seeds in their order: batch by batch, and in a batch seed 0 of every row first."""
    for order in sorted({row.order for row in rows}):
        batch = [row for row in rows if row.order == order]
        for seed in range(max(row.seeds for row in batch)):
            yield from (Task(row, seed) for row in batch if seed < row.seeds)


def find_tasks(name: str, rows: tuple[Row, ...] = ROWS) -> list[Task]:
    """The tasks of a batch ("a"), a table, a row ("rot-mnist/p4") or a seed; all for ""."""
    found = [
        task for task in list_tasks(rows)
        if name in ("", task.row.order, task.row.table, task.name,
                    f"{task.row.table}/{task.row.name}")
    ]  # fmt: skip
    if not found:
        known = ", ".join(dict.fromkeys(f"{row.table}/{row.name}" for row in rows))
        raise EngineError(f"expected a batch (a to f), a table or one of {known}; got {name!r}")
    return found
