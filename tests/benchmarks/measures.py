"""What is measured: name, ratio to the floor, and the limit where there is one."""

from collections.abc import Callable
from dataclasses import dataclass

from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.iteration import AttentionConfig, iterate, normalise
from ia_engine.datasets.imageset import ImageSet
from ia_engine.datasets.named import NamedSet, read_split
from ia_engine.datasets.published import FASHION, MNIST
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.datasets.written import WrittenConfig, make_affine, make_turned
from ia_engine.errors import EngineError
from ia_engine.shapes import Images
from ia_engine.transforms import GROUPS
from tests.benchmarks.clock import Floor, ratio
from tests.benchmarks.clustering import RIVALS, SEEDS, Rival, compare


@dataclass(frozen=True)
class Measured:
    """A CPU time in floors, all pairs × 8 bare passes of grid_sample over the same canvas; or ARI.

    The unit says which.
    """

    ratio: float
    limit: float | None
    unit: str


@dataclass(frozen=True)
class Benchmark:
    """Some images, and what is done with them."""

    name: str
    load: Callable[[], Images]
    run: Callable[[Images], object]
    limit: float | None = None
    repeats: int = 5

    def measure(self) -> Measured:
        v = normalise(self.load())
        n, _, height, width = v.shape
        pairs = n * (n - 1) // 2
        found = ratio(lambda: self.run(v), Floor(pairs, height, width), self.repeats)
        unit = f"CPU time in floors of {pairs} pairs × 8 passes at {height}×{width}"
        return Measured(round(found, 2), self.limit, unit)


@dataclass(frozen=True)
class Agreement:
    """How well one method sorts one set by class."""

    named: NamedSet
    rival: Rival
    limit: None = None

    @property
    def name(self) -> str:
        return f"{self.named.title}, five classes in unknown poses: {self.rival.name}"

    def measure(self) -> Measured:
        (scores,) = compare(self.named, (self.rival,))
        untold = "" if scores.untold is None else f"; untold {scores.untold:.3f}"
        unit = f"mean ARI of {SEEDS} seeds, told the number of classes{untold}"
        return Measured(round(scores.told, 3), None, unit)


def align(v: Images) -> object:
    return GlobalSearch(GROUPS["se2"]).align(v)


def align_affine(v: Images) -> object:
    return GlobalSearch(GROUPS["affine"]).align(v)


def attend(v: Images) -> object:
    return list(iterate(AttentionConfig(steps=2), v))


def experiment_1() -> Images:
    return _images(make(RECIPES["experiment-1"]))


def digits() -> Images:
    """scikit-learn's digits on the canvas of affNIST."""
    return make_affine(WrittenConfig(source="digits", count=200)).images


def turned_digits() -> Images:
    """scikit-learn's digits, each turned by any angle."""
    return make_turned(WrittenConfig(source="digits", count=120)).images


def mnist() -> Images:
    read_split(MNIST, "train")  # says which file is missing
    return make_affine(WrittenConfig(source="mnist", count=200)).images


def _images(made: object) -> Images:
    if not isinstance(made, ImageSet):
        raise EngineError(f"a benchmark needs images, {type(made).__name__} came")
    return made.images


PAIRS = Benchmark("all pairs of Experiment 1", experiment_1, align, limit=5)
DIGITS = Benchmark("all pairs of 200 digits at 40×40", digits, align, limit=4, repeats=1)
SMALL = Benchmark("all pairs of 120 digits at 28×28", turned_digits, align, limit=4, repeats=2)
ITERATIONS = Benchmark("two iterations of Experiment 1", experiment_1, attend, limit=100)
BENCHMARKS = (
    PAIRS,
    DIGITS,
    ITERATIONS,
    Benchmark("all pairs of Experiment 1, affine", experiment_1, align_affine),
    Benchmark("all pairs of 200 digits of MNIST at 40×40", mnist, align, repeats=1),
    *(Agreement(named, rival) for named in (MNIST, FASHION) for rival in RIVALS),
)
