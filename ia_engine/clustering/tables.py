"""Tables 1 to 3 of the paper: every row with the paper's accuracies and its published config."""

from dataclasses import dataclass, replace
from typing import Final

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.recipes import PUBLISHED

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


def _cell(recipe: str, model: str, average: float, least: float | None) -> Cell:
    name = {"kmeans": "K-means", "gmm": "GMM", KMEANS: "DTI K-means", GMM: "DTI GMM"}[model]
    return Cell(recipe, name, average, least, replace(PUBLISHED[recipe].config, model=model))


def _plain(recipe: str, kmeans: float, gmm: float) -> tuple[Cell, ...]:
    """Averages without transformations."""
    return _cell(recipe, "kmeans", kmeans, None), _cell(recipe, "gmm", gmm, None)


def _deep(recipe: str, kmeans: Both, gmm: Both) -> tuple[Cell, ...]:
    """Average and least loss with transformations."""
    return _cell(recipe, KMEANS, *kmeans), _cell(recipe, GMM, *gmm)


def ablate(config: ClusterConfig, sequence: str) -> ClusterConfig:
    """The config with another sequence: its modules start at the first epochs of the full one.

    The paper does not say when they start.
    """
    count = len(sequence.split(","))
    shares = (*config.shares[:count], config.shares[-1]) if config.shares else ()
    return replace(config, sequence=sequence, shares=shares)


def list_ablations(config: ClusterConfig) -> dict[str, ClusterConfig]:
    """The rows of Table 3 for a config that has all three modules."""
    names = {
        "affine, morphology, tps": "affine,morphology,tps",
        "affine, tps, morphology": "affine,tps,morphology",
        "morphology, affine, tps": "morphology,affine,tps",
        "without morphology": "affine,tps",
        "without tps": "affine,morphology",
        "without affine": "morphology,tps",
        "affine only": "affine",
    }
    searched = replace(config, model=TI)
    return {
        **{name: ablate(config, sequence) for name, sequence in names.items()},
        "without reassignment": replace(config, reassign=0.0),
        "without curriculum": replace(config, curriculum="off"),
        "TI, all three": searched,
        "TI, affine only": ablate(searched, "affine"),
    }


ABLATIONS: Final[dict[str, Both]] = {
    "affine, morphology, tps": (97.3, 97.2),
    "affine, tps, morphology": (95.5, 96.9),
    "morphology, affine, tps": (27.5, 97.0),
    "without morphology": (94.8, 95.8),
    "without tps": (90.0, 82.5),
    "without affine": (85.1, 96.8),
    "affine only": (90.1, 90.5),
    "without reassignment": (80.9, 78.6),
    "without curriculum": (83.9, 78.9),
    "TI, all three": (26.3, 26.3),
    "TI, affine only": (73.0, 73.1),
}
"""Table 3: ACC [%], average and run with the least loss."""
_FULL: Final = list_ablations(PUBLISHED["mnist"].config)
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
    3: tuple(Cell("mnist", name, *both, _FULL[name]) for name, both in ABLATIONS.items()),
}  # fmt: skip
