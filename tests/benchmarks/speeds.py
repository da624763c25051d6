"""Measures the CPU time of attention in floors: all pairs × 8 bare grid_sample passes on the same
canvas.
"""

from collections.abc import Callable
from dataclasses import dataclass

from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.iteration import AttentionConfig, iterate, normalise
from ia_engine.datasets.experiments import EXPERIMENT_1, make_experiment_1
from ia_engine.datasets.handwriting import WrittenConfig, make_affine, make_turned
from ia_engine.datasets.named import read_split
from ia_engine.datasets.published import MNIST
from ia_engine.images import Images
from ia_engine.transforms import GROUPS
from tests.benchmarks.clock import Floor, ratio
from tests.benchmarks.results import Found


@dataclass(frozen=True)
class Speed:
    """CPU time of a task on images, and its claimed limit, if any."""

    name: str
    load: Callable[[], Images]
    run: Callable[[Images], object]
    limit: float | None = None
    repeats: int = 5

    def measure(self) -> Found:
        v = normalise(self.load())
        n, _, height, width = v.shape
        pairs = n * (n - 1) // 2
        floors = round(ratio(lambda: self.run(v), Floor(pairs, height, width), self.repeats), 2)
        unit = f"CPU time in floors of {pairs} pairs × 8 passes at {height}×{width}"
        claims = {} if self.limit is None else {f"at most {self.limit:g}": floors <= self.limit}
        return Found({"value": floors, "unit": unit}, claims, "those of the data sets")


def align(v: Images) -> object:
    return GlobalSearch(GROUPS["se2"]).align(v)


def align_affine(v: Images) -> object:
    return GlobalSearch(GROUPS["affine"]).align(v)


def attend(v: Images) -> object:
    return list(iterate(AttentionConfig(steps=2), v))


def experiment_1() -> Images:
    return make_experiment_1(EXPERIMENT_1).images


def digits() -> Images:
    """scikit-learn's digits on the canvas of affNIST."""
    return make_affine(WrittenConfig(source="digits", count=200)).images


def turned_digits() -> Images:
    """scikit-learn's digits, each rotated by a random angle."""
    return make_turned(WrittenConfig(source="digits", count=120)).images


def mnist() -> Images:
    read_split(MNIST, "train")  # if the file is missing, the error names it
    return make_affine(WrittenConfig(source="mnist", count=200)).images


SPEEDS = (
    Speed("all pairs of Experiment 1", experiment_1, align, limit=5),
    Speed("all pairs of 200 digits at 40×40", digits, align, limit=4, repeats=3),
    Speed("all pairs of 120 digits at 28×28", turned_digits, align, limit=4, repeats=3),
    Speed("two iterations of Experiment 1", experiment_1, attend, limit=100),
    Speed("all pairs of Experiment 1, affine", experiment_1, align_affine),
    Speed("all pairs of 200 digits of MNIST at 40×40", mnist, align, repeats=3),
)
