"""Measures how well clusters agree with classes within a budget of bare ResNet-20 passes. In this
unit, the budget is the same on any machine.

1,300 passes with batches of 128 took four minutes of one core on the machine on which the targets
were set. The option `--part` shortens every budget, as in `python -m
tests.benchmarks.dti_clustering NAME --part 0.1`.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from statistics import mean, median

import torch
from torch import Generator

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.recipes import GARMENTS, MOVED
from ia_engine.clustering.seeds import train_seeds
from ia_engine.datasets.handwriting import WrittenConfig, make_affine, make_colored
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.datasets.subset import NamedConfig, load_named
from ia_engine.images import Images, Labels
from ia_engine.metrics import agree
from tests.benchmarks.clock import one_thread
from tests.benchmarks.dti_costs import fastest, make_bare
from tests.benchmarks.dti_photos import load_photos
from tests.benchmarks.results import Found

FOUR_MINUTES, TWO_MINUTES, ONE_MINUTE = 1300, 650, 325
DIGITS = ClusterConfig()
Data = tuple[Images, Labels]


@dataclass(frozen=True)
class Runs:
    """A config, a data set, the number of seeds (from 0), and the number of bare passes per
    seed.
    """

    label: str
    load: Callable[[], Data]
    config: ClusterConfig
    seeds: int
    passes: int


@dataclass(frozen=True)
class Outcome:
    """Accuracy, NMI, loss and iterations of every seed; `least` is the accuracy at the lowest
    loss."""

    acc: list[float]
    nmi: list[float]
    loss: list[float]
    iterations: list[int]

    @property
    def least(self) -> float:
        return self.acc[self.loss.index(min(self.loss))]

    def show(self) -> dict[str, object]:
        return {
            "ACC": [round(100 * x, 1) for x in self.acc],
            "mean": round(100 * mean(self.acc), 1),
            "median": round(100 * median(self.acc), 1),
            "least loss": round(100 * self.least, 1),
            "NMI": round(100 * mean(self.nmi), 1),
            "loss": [round(x, 5) for x in self.loss],
            "iterations": self.iterations,
        }


@cache
def bare_seconds() -> float:
    """CPU seconds of a bare pass (forward and backward) of ResNet-20 with batches of 128, measured
    once.
    """
    return fastest({"bare": make_bare()}, rounds=5)["bare"]


Judge = Callable[[dict[str, Outcome]], dict[str, bool]]


@dataclass(frozen=True)
class Quality:
    """Several runs, and the claims about them."""

    title: str
    runs: tuple[Runs, ...]
    judge: Judge
    part: float = 1.0

    @property
    def name(self) -> str:
        return f"DTI clustering: {self.title}"

    def measure(self) -> Found:
        bare = bare_seconds()
        with one_thread():
            found = {one.label: train_all(one, bare * self.part) for one in self.runs}
        figures = {
            "bare pass [ms]": round(1000 * bare, 1),
            "budgets [passes]": {one.label: round(self.part * one.passes) for one in self.runs},
            **{label: outcome.show() for label, outcome in found.items()},
        }
        seeds = ", ".join(f"{one.label}: 0 to {one.seeds - 1}" for one in self.runs)
        return Found(figures, self.judge(found), seeds)


@cache
def train_all(runs: Runs, bare: float) -> Outcome:
    """Run all seeds in order and print a line after each; runs shared by two tables are run
    once.
    """
    images, labels = runs.load()
    budget, outcome = runs.passes * bare, Outcome([], [], [], [])
    steps = train_seeds(runs.config, images, runs.seeds, budget=budget, rhythm=budget)
    for step in steps:
        if step.final is None:
            continue
        found = agree(labels, step.final.assignments, runs.config.k)
        outcome.acc.append(found.acc)
        outcome.nmi.append(found.nmi)
        outcome.loss.append(step.final.loss)
        outcome.iterations.append(step.step.progress.iteration)
        print(
            f"    {runs.label}, seed {step.seed}: ACC {found.acc:.3f}, loss {step.final.loss:.5f}, "
            f"{step.step.progress.iteration} iterations in {budget:.0f} s",
            flush=True,
        )
    return outcome


def digits() -> Data:
    return _named("mnist", "test", 0)


def thousand() -> Data:
    return _named("mnist", "test", 1000)


def garments() -> Data:
    return _named("fashion", "test", 0)


def tinted() -> Data:
    """Digits on 40×40 pixels, distorted as in affNIST and in random colours."""
    plain = WrittenConfig(source="mnist", count=10_000)
    moved, coloured = make_affine(plain), make_colored(plain)
    # Digits, poses and colours are the same: ink and background come from the coloured images.
    ground = coloured.images[..., :1, :1]
    ink = coloured.images.flatten(2)
    far = (ink - ground.flatten(2)).abs().argmax(2, keepdim=True)
    ink = ink.gather(2, far)[..., None]
    assert moved.labels is not None
    return ground + (ink - ground) * moved.images, moved.labels


def plain_affine() -> Data:
    """The digits from which `tinted` starts."""
    data = make(replace(RECIPES["mnist"], config=NamedConfig("mnist", "train", 10_000)))
    return data.images, data.labels


def _named(name: str, split: str, count: int) -> Data:
    data = load_named(NamedConfig(name, split=split, count=count))
    assert data.labels is not None
    return data.images, data.labels


def spoil(clutter: bool) -> Callable[[], Data]:
    return lambda: load_photos(clutter, Generator().manual_seed(0))


PHOTOS = ClusterConfig(k=4, sequence="color,projective", batch=64, start="kmeans", period=20)
_AFFINE = replace(DIGITS, sequence="affine")
_SHARED = replace(_AFFINE, predictors="shared")
QUICK = Runs("dti-kmeans", digits, DIGITS, 5, FOUR_MINUTES)

DTI: tuple[Quality, ...] = (
    Quality(
        "MNIST's 10,000 test digits",
        (QUICK,),
        lambda x: {
            "median ACC ≥ 94 %": median(x["dti-kmeans"].acc) >= 0.94,
            "least-loss run ≥ 96.5 %": x["dti-kmeans"].least >= 0.965,
        },
    ),
    Quality(
        "morphology, equation (6) and signed",
        (
            Runs("morphology", digits, DIGITS, 3, ONE_MINUTE),
            Runs(
                "morphology-signed",
                digits,
                replace(DIGITS, sequence="affine,morphology-signed,tps"),
                3,
                ONE_MINUTE,
            ),
        ),
        lambda x: {
            "equation (6) loses at most 3 points": mean(x["morphology"].acc)
            >= mean(x["morphology-signed"].acc) - 0.03
        },
    ),
    Quality(
        "MNIST-1k",
        (Runs("quick", thousand, DIGITS, 10, ONE_MINUTE),),
        lambda x: {"mean ACC ≥ 79.8 %": mean(x["quick"].acc) >= 0.798},
    ),
    Quality(
        "ResNet-20 and the quick encoder",
        (
            Runs("quick", thousand, _SHARED, 5, ONE_MINUTE),
            Runs("resnet20", thousand, replace(_SHARED, encoder="resnet20"), 1, FOUR_MINUTES),
        ),
        lambda x: {"within 5 points": abs(mean(x["quick"].acc) - mean(x["resnet20"].acc)) <= 0.05},
    ),
    Quality(
        "models on MNIST-1k",
        (
            Runs("kmeans", thousand, replace(DIGITS, model="kmeans"), 3, ONE_MINUTE),
            Runs("gmm", thousand, replace(DIGITS, model="gmm"), 3, ONE_MINUTE),
            Runs("ti, affine", thousand, replace(_AFFINE, model="ti"), 1, FOUR_MINUTES),
            Runs("dti-kmeans, affine", thousand, _AFFINE, 3, ONE_MINUTE),
            Runs("dti-kmeans", thousand, DIGITS, 3, ONE_MINUTE),
            Runs("dti-gmm", thousand, replace(DIGITS, model="dti-gmm"), 3, ONE_MINUTE),
        ),
        lambda x: {
            "TI lies between K-means and DTI": mean(x["kmeans"].acc)
            < mean(x["ti, affine"].acc)
            < mean(x["dti-kmeans, affine"].acc),
            "DTI GMM within 2 points of DTI K-means": abs(
                mean(x["dti-gmm"].acc) - mean(x["dti-kmeans"].acc)
            )
            <= 0.02,
        },
    ),
    Quality(
        "digits in random colours and poses",
        (
            Runs("plain", plain_affine, replace(DIGITS, sequence="affine,tps"), 2, TWO_MINUTES),
            Runs("tinted", tinted, MOVED, 2, FOUR_MINUTES),
        ),
        lambda x: {
            "within 3 points in the run of least loss": x["plain"].least - x["tinted"].least <= 0.03
        },
    ),
    Quality(
        "Fashion-MNIST's 10,000 test garments",
        (Runs("quick", garments, GARMENTS, 5, FOUR_MINUTES),),
        lambda x: {"median ACC ≥ 60 %": median(x["quick"].acc) >= 0.60},
    ),
    Quality(
        "four photographs × 60 copies",
        (
            Runs("clean", spoil(False), PHOTOS, 2, TWO_MINUTES),
            Runs("clutter", spoil(True), PHOTOS, 2, TWO_MINUTES),
            Runs("clutter, σ = 32", spoil(True), replace(PHOTOS, focus=32.0), 2, TWO_MINUTES),
        ),
        lambda x: {
            "ACC ≥ 95 % in the run of least loss": x["clean"].least >= 0.95,
            "with clutter, Gaussian weights are better than none": mean(x["clutter, σ = 32"].acc)
            > mean(x["clutter"].acc),
        },
    ),
)


def main() -> None:
    """Run a shortened version of one benchmark."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.dti_clustering")
    parser.add_argument("name", help="part of the benchmark's name")
    parser.add_argument("--part", type=float, default=0.1, help="share of every budget")
    parser.add_argument("--seeds", type=int, help="number of seeds")
    values = parser.parse_args()
    torch.manual_seed(0)
    for quality in DTI:
        if values.name in quality.title:
            runs = tuple(replace(one, seeds=values.seeds or one.seeds) for one in quality.runs)
            print(quality.name)
            print(replace(quality, runs=runs, part=values.part).measure())


if __name__ == "__main__":
    main()
