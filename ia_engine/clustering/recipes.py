"""The paper's data sets with the transformations and the schedules it used on them (section 5)."""

from dataclasses import dataclass, replace
from typing import Final

from ia_engine.clustering.config import ClusterConfig
from ia_engine.datasets.blobs import PointSet
from ia_engine.datasets.imageset import ImageSet, Recipe
from ia_engine.datasets.recipes import RECIPES as DATA
from ia_engine.datasets.recipes import make
from ia_engine.datasets.subset import NamedConfig
from ia_engine.errors import EngineError


@dataclass(frozen=True)
class PaperRecipe:
    """A set of the paper: its data, its config, and for how many of the paper's epochs."""

    title: str
    data: Recipe | None
    """None where no source of the set is known."""
    config: ClusterConfig
    epochs: int

    def load(self) -> ImageSet:
        """The images, or an EngineError that names the missing file."""
        if self.data is None:
            raise EngineError(f"{self.title} has no public source: load it as your own data")
        found = make(self.data)
        if isinstance(found, PointSet):
            raise EngineError(f"{self.title} needs images, points came")
        return found

    def iterations(self, n: int) -> int:
        """The paper's number of steps for n images."""
        return self.epochs * max(1, n // self.config.batch)


def _recipe(
    title: str, data: Recipe | None, epochs: tuple[int, ...], config: ClusterConfig
) -> PaperRecipe:
    """Modules, the drop of the rate and the end at these epochs."""
    shares = tuple(epoch / epochs[-1] for epoch in epochs[:-1])
    return PaperRecipe(title, data, replace(config, shares=shares), epochs[-1])


def _named(name: str, split: str) -> Recipe:
    return Recipe(name, NamedConfig(name, split=split))


def _as_paper(sequence: str) -> ClusterConfig:
    return ClusterConfig(encoder="resnet20", sequence=sequence, rate=1e-3, exchange=0.0, period=100)


ALIGN: Final = _as_paper("affine,morphology,tps")
TINT: Final = _as_paper("color,affine,tps")
PHOTO: Final = _as_paper("color,projective")

PAPER: Final[dict[str, PaperRecipe]] = {
    "mnist": _recipe("MNIST", _named("mnist", "train"), (5, 15, 20, 35, 40), ALIGN),
    "mnist-test": _recipe("MNIST-test", _named("mnist", "test"), (50, 150, 200, 280, 300), ALIGN),
    "mnist-1k": _recipe(
        "MNIST-1k", DATA["mnist-1k"], (100, 500, 700, 1200, 1700), replace(ALIGN, batch=100)
    ),
    "affnist": _recipe(
        "affNIST-test", DATA["affnist"], (5, 20, 25, 37, 45), replace(ALIGN, rate=1e-4)
    ),
    "fashion": _recipe("Fashion-MNIST", _named("fashion", "train"), (5, 15, 25, 35, 40), TINT),
    "mnist-color": _recipe("MNIST-color", DATA["mnist-color"], (5, 15, 30, 45, 50), TINT),
    "usps": _recipe("USPS", DATA["usps"], (60, 120, 200, 250, 270), replace(TINT, outside="zeros")),
    "frgc": _recipe("FRGC", None, (50, 200, 400, 650, 700), replace(TINT, k=20)),
    "svhn": _recipe("SVHN", DATA["svhn"], (2, 18, 30, 33), replace(PHOTO, focus=7.0)),
    "photos": _recipe(
        "photo collections",
        None,
        (150, 400, 900, 1100),
        replace(PHOTO, encoder="resnet18", k=20, batch=64),
    ),
}
"""As the paper trained them, ResNets and epochs included; for quick work see `quicken`."""


MOVED: Final = ClusterConfig(
    sequence="affine,tps",
    shares=(0.0, 0.7, 0.93),
    batch=64,
    exchange=0.1,
    colors="fitted",
    predictors="shared",
)
"""For images in any pose and any colours, where seconds are few: one way to learn poses for all
prototypes, and colours that are not learned."""
GARMENTS: Final = ClusterConfig(sequence="affine,tps", colors="fitted")
"""For images of many brightnesses in one pose: fitted rather than learned."""
QUICK: Final = {
    "mnist-color": MOVED,
    "affnist": replace(MOVED, colors="kept"),
    "fashion": GARMENTS,
}


def quicken(config: ClusterConfig, recipe: str = "") -> ClusterConfig:
    """The same set for a small budget: the quick encoder, and what a recipe needs to be quick."""
    if recipe in QUICK:
        return replace(QUICK[recipe], model=config.model, k=config.k)
    usual = ClusterConfig()
    return replace(
        config,
        encoder=usual.encoder,
        shares=usual.shares,
        rate=usual.rate,
        exchange=usual.exchange,
        period=usual.period,
    )
