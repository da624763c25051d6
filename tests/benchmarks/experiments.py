"""Measures Experiment 1 with twenty seeds: unchanged, with noise, and with a hole in every
drawing.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import torch
from torch import Generator, Tensor

from ia_engine.attention.clusters.detection import cluster, merge_clusters
from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.iteration import AttentionConfig, iterate, normalise
from ia_engine.datasets.experiments import EXPERIMENT_1, make_experiment_1
from ia_engine.images import Images
from ia_engine.metrics import score_clusters
from ia_engine.transforms import GROUPS
from tests.benchmarks.clock import one_thread
from tests.benchmarks.results import Found

SEEDS = 20
NOISE = 0.15
HOLE = 0.1
"""Area of the hole as a share of the drawing's bounding box."""
INK = 0.05

Spoil = Callable[[Images, Generator], Images]


def leave(v: Images, generator: Generator) -> Images:
    return v


def add_noise(v: Images, generator: Generator) -> Images:
    return (v + NOISE * torch.randn(v.shape, generator=generator)).clamp(0, 1)


def cut_hole(v: Images, generator: Generator) -> Images:
    return torch.stack([_cut(image.clone(), generator) for image in v])


def _cut(image: Tensor, generator: Generator) -> Tensor:
    """Set a random square in the bounding box to zero."""
    ink = image[0] > INK
    rows, columns = ink.any(1).nonzero()[:, 0], ink.any(0).nonzero()[:, 0]
    top, left = int(rows[0]), int(columns[0])
    height, width = int(rows[-1]) + 1 - top, int(columns[-1]) + 1 - left
    side = min(round((HOLE * height * width) ** 0.5), height, width)
    row = top + int(torch.randint(height - side + 1, (), generator=generator))
    column = left + int(torch.randint(width - side + 1, (), generator=generator))
    image[:, row : row + side, column : column + side] = 0
    return image


@dataclass(frozen=True)
class Spoilt:
    """ARI for every seed: with K estimated, with K = 3 given, and by merging after two
    iterations.
    """

    what: str
    spoil: Spoil
    seeds: int = SEEDS

    @property
    def name(self) -> str:
        return f"Experiment 1, {self.what}"

    def measure(self) -> Found:
        with one_thread():
            rows = torch.tensor([self._score(seed) for seed in range(self.seeds)])
        estimated, given, merged = (round(float(x), 3) for x in rows.amin(0))
        return Found(
            {
                "least ARI, K estimated": estimated,
                "least ARI, K = 3 given": given,
                "least ARI of images merged after two iterations": merged,
                "seeds with ARI 1, K estimated": int((rows[:, 0] == 1).sum()),
            },
            {f"ARI 1 on all {self.seeds} seeds, K estimated": estimated == 1},
            f"0-{self.seeds - 1}",
        )

    def _score(self, seed: int) -> tuple[float, float, float]:
        made = make_experiment_1(replace(EXPERIMENT_1, seed=seed))
        v = normalise(self.spoil(made.images, Generator().manual_seed(seed)))
        labels = made.labels
        if labels is None:
            raise TypeError("the drawings have labels")
        steps = list(iterate(AttentionConfig(steps=2), v))
        third = GlobalSearch(GROUPS["se2"]).align(steps[1].mu)
        found = (
            cluster(steps[0].d2, v),
            cluster(steps[0].d2, v, 3),
            merge_clusters(third.d2, steps[1].mu),
        )
        estimated, given, merged = (score_clusters(labels, one).ari for one in found)
        return estimated, given, merged


PLAIN = Spoilt("as it is", leave)
NOISY = Spoilt(f"noise of σ = {NOISE:g}", add_noise)
HOLED = Spoilt(f"a hole of {HOLE:.0%} of the box", cut_hole)
EXPERIMENTS = (PLAIN, NOISY, HOLED)
