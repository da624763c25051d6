"""Tables 1 to 3 of the paper beside what is reached here: python -m ia_engine.clustering.tables.

--table 1|2|3 --budget SECONDS (CPU seconds for each run) --runs N --encoder quick|resnet20
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

import torch

from ia_engine.clustering.agreement import agree
from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.recipes import PAPER, PaperRecipe, quicken
from ia_engine.clustering.seeds import train_seeds
from ia_engine.errors import EngineError

KMEANS, GMM, TI = "dti-kmeans", "dti-gmm", "ti"
Both = tuple[float, float]


@dataclass(frozen=True)
class Cell:
    """A figure of the paper [% ACC]: the average over its runs and the run with the least loss."""

    recipe: str
    method: str
    average: float | None
    least: float | None
    config: ClusterConfig


@dataclass(frozen=True)
class Reached:
    """The same figures, reached here; or why they were not measured."""

    average: float | None
    spread: float | None
    least: float | None
    nmi: float | None
    rule: str
    runs: int
    budget: float
    note: str = ""


def _cell(recipe: str, model: str, average: float, least: float | None) -> Cell:
    name = {"kmeans": "K-means", "gmm": "GMM", KMEANS: "DTI K-means", GMM: "DTI GMM"}[model]
    return Cell(recipe, name, average, least, replace(PAPER[recipe].config, model=model))


def _plain(recipe: str, kmeans: float, gmm: float) -> tuple[Cell, ...]:
    """Averages without transformations."""
    return _cell(recipe, "kmeans", kmeans, None), _cell(recipe, "gmm", gmm, None)


def _deep(recipe: str, kmeans: Both, gmm: Both) -> tuple[Cell, ...]:
    """Average and least loss with transformations."""
    return _cell(recipe, KMEANS, *kmeans), _cell(recipe, GMM, *gmm)


def _ablation(name: str, average: float, least: float, config: ClusterConfig) -> Cell:
    return Cell("mnist", name, average, least, replace(config, shares=()))


_FULL = PAPER["mnist"].config
_FREE = replace(_FULL, shares=())
TABLES: Final[dict[int, tuple[Cell, ...]]] = {
    1: (
        *_plain("mnist", 54.8, 54.2), *_deep("mnist", (97.3, 97.2), (95.9, 97.1)),
        *_plain("mnist-test", 55.9, 55.6), *_deep("mnist-test", (96.6, 98.0), (97.8, 98.0)),
        *_plain("usps", 65.3, 66.0), *_deep("usps", (86.4, 89.8), (84.5, 87.3)),
        *_plain("fashion", 54.1, 49.7), *_deep("fashion", (61.2, 57.4), (59.6, 68.2)),
        *_plain("frgc", 22.7, 24.2), *_deep("frgc", (39.6, 41.1), (40.1, 41.6)),
        *_plain("svhn", 12.2, 11.6), *_deep("svhn", (44.5, 62.6), (57.4, 63.3)),
    ),
    2: (
        *_deep("mnist-1k", (79.8, 90.5), (80.8, 87.1)),
        *_deep("mnist-color", (96.7, 96.8), (96.0, 95.8)),
        *_deep("affnist", (95.5, 97.0), (93.3, 97.0)),
    ),
    3: (
        _ablation("affine, morphology, tps", 97.3, 97.2, _FULL),
        _ablation(
            "affine, tps, morphology", 95.5, 96.9,
            replace(_FREE, sequence="affine,tps,morphology"),
        ),
        _ablation(
            "morphology, affine, tps", 27.5, 97.0,
            replace(_FREE, sequence="morphology,affine,tps"),
        ),
        _ablation(
            "without morphology", 94.8, 95.8, replace(_FREE, sequence="affine,tps")
        ),
        _ablation(
            "without tps", 90.0, 82.5, replace(_FREE, sequence="affine,morphology")
        ),
        _ablation(
            "without affine", 85.1, 96.8, replace(_FREE, sequence="morphology,tps")
        ),
        _ablation("affine only", 90.1, 90.5, replace(_FREE, sequence="affine")),
        _ablation("without reassignment", 80.9, 78.6, replace(_FREE, reassign=0.0)),
        _ablation("without curriculum", 83.9, 78.9, replace(_FREE, curriculum="off")),
        _ablation("TI, all three", 26.3, 26.3, replace(_FREE, model=TI)),
        _ablation(
            "TI, affine only", 73.0, 73.1, replace(_FREE, model=TI, sequence="affine")
        ),
    ),
}  # fmt: skip


def reach(cell: Cell, runs: int, budget: float, quick: bool) -> Reached:
    """Train from several seeds within the budget each; a set that is not here is said."""
    recipe = PAPER[cell.recipe]
    config = quicken(cell.config, cell.recipe) if quick else cell.config
    if cell.config.reassign == 0:
        config = replace(config, exchange=0.0)
    try:
        return _measure(recipe, config, runs, budget)
    except EngineError as error:
        return Reached(None, None, None, None, "", 0, budget, f"not measured: {error}")


def _measure(recipe: PaperRecipe, config: ClusterConfig, runs: int, budget: float) -> Reached:
    data = recipe.load()
    if data.labels is None:
        raise EngineError(f"{recipe.title} has no labels to compare with")
    found, least = [], None
    for step in train_seeds(config, data.images, runs, budget=budget, rhythm=budget):
        if step.final is not None:
            agreement = agree(data.labels, step.final.assignments, config.k)
            found.append(agreement)
            least = agreement if step.best else least
    acc = torch.tensor([one.acc for one in found], device="cpu")
    nmi = torch.tensor([one.nmi for one in found], device="cpu")
    return Reached(
        average=round(100 * float(acc.mean()), 1),
        spread=round(100 * float(acc.std(correction=0)), 1),
        least=None if least is None else round(100 * least.acc, 1),
        nmi=round(100 * float(nmi.mean()), 1),
        rule=found[0].rule,
        runs=runs,
        budget=budget,
        note=f"{len(data.images):,} images, {config.encoder}",
    )


def fill(table: int, runs: int, budget: float, quick: bool) -> Iterator[tuple[Cell, Reached]]:
    """The cells of a table, one after the other."""
    for cell in TABLES[table]:
        yield cell, reach(cell, runs, budget, quick)


def main(argv: Sequence[str]) -> None:
    """Print a table, each figure of the paper beside ours."""
    parser = argparse.ArgumentParser("python -m ia_engine.clustering.tables", description=__doc__)
    parser.add_argument("--table", type=int, choices=sorted(TABLES), required=True)
    parser.add_argument("--budget", type=float, default=60.0, help="CPU seconds for each run")
    parser.add_argument("--runs", type=int, default=10, help="seeds; the paper took ten")
    parser.add_argument("--encoder", choices=("quick", "resnet20"), default="quick")
    parser.add_argument("--json", action="store_true", help="one object a line")
    values = parser.parse_args(argv)
    torch.set_num_threads(1)
    if not values.json:
        print(
            f"{'set':12} {'method':24} {'paper avg, minLoss':>20} {'here avg, minLoss':>20}  note"
        )
    for cell, got in fill(values.table, values.runs, values.budget, values.encoder == "quick"):
        print(_line(cell, got, values.json), flush=True)


def _line(cell: Cell, got: Reached, as_json: bool) -> str:
    if as_json:
        paper = {"average": cell.average, "least": cell.least}
        return json.dumps(
            {"set": cell.recipe, "method": cell.method, "paper": paper, "here": asdict(got)}
        )
    printed = f"{_show(cell.average)} {_show(cell.least)}"
    here = f"{_show(got.average)} {_show(got.least)}"
    how = f"{got.runs} × {got.budget:g} s, {got.rule}; " if got.runs else ""
    return f"{cell.recipe:12} {cell.method:24} {printed:>20} {here:>20}  {how}{got.note}"


def _show(figure: float | None) -> str:
    return "-" if figure is None else f"{figure:.1f}"


if __name__ == "__main__":
    main(sys.argv[1:])
