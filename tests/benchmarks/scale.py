"""Compares thousands of rotated digits in ten classes: time, memory, and the effect of pruning.

Every size is solved in a separate process, whose peak memory Linux reports.
`python -m tests.benchmarks.scale N [β]` prints one size as JSON.
"""

import json
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Tensor

from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.distances.nearest import align_nearest
from ia_engine.attention.distances.refinement import Pruning
from ia_engine.attention.iteration import normalise
from ia_engine.attention.weights import weigh
from ia_engine.datasets.handwriting import WrittenConfig, make_turned
from ia_engine.images import Images
from ia_engine.transforms import GROUPS
from tests.benchmarks.clock import Floor, cpu_seconds, one_thread
from tests.benchmarks.results import Found

SE2 = GROUPS["se2"]
BETA = 30.0
"""A β at which a digit on 28×28 pixels has few neighbours."""
NEIGHBOURS = 10
GIGABYTE = 1 << 30
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Size:
    """The cost of one size, measured in one process."""

    n: int
    floors: float
    """CPU time of all pairs without pruning, in floors."""
    microseconds: float
    """CPU time of one pair without pruning."""
    pruned: float
    """CPU time of all pairs with pruning, in floors."""
    share: float
    """Share of the pairs that were pruned."""
    change: float
    """Largest total change of a column of W."""
    memory: float
    """Increase in peak memory since the start [GB], before the comparison."""


def load(n: int) -> Images:
    """n digits on 28×28 pixels, each rotated by a random angle."""
    return normalise(make_turned(WrittenConfig(count=n)).images)


def measure_size(n: int, beta: float = BETA) -> Size:
    """Measure all pairs of n digits, without and with pruning."""
    v, pairs, found = load(n), n * (n - 1) / 2, []
    with one_thread():
        before = _status("VmRSS")
        plain = cpu_seconds(lambda: found.append(GlobalSearch(SE2).align(v).d2))
        memory = _status("VmHWM") - before
        floor = Floor(10_000, *v.shape[-2:]).seconds() / 10_000
        solver = GlobalSearch(SE2, pruning=Pruning(beta))
        pruned = cpu_seconds(lambda: found.append(solver.align(v)))
    exact, alignment = found
    change = (weigh(exact, beta) - weigh(alignment.d2, beta)).abs().sum(0).max()
    return Size(
        n=n,
        floors=round(plain / pairs / floor, 2),
        microseconds=round(1e6 * plain / pairs, 1),
        pruned=round(1e6 * pruned / pairs, 1),
        share=round(_share(alignment.rough), 4),
        change=float(change),
        memory=round(memory / GIGABYTE, 3),
    )


def _status(key: str) -> int:
    """Current memory (VmRSS) or peak memory (VmHWM) of this process [bytes]."""
    lines = Path("/proc/self/status").read_text("utf-8").splitlines()
    (size,) = (line.split()[1] for line in lines if line.startswith(key))
    return 1024 * int(size)


def _share(spared: Tensor) -> float:
    n = len(spared)
    return float(spared.sum()) / (n * (n - 1))


def in_a_process(n: int, beta: float) -> Size:
    """One size, measured in a new process."""
    command = [sys.executable, "-m", "tests.benchmarks.scale", str(n), str(beta)]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return Size(**json.loads(done.stdout))


@dataclass(frozen=True)
class Scale:
    """How the cost of a pair depends on the number of images."""

    sizes: tuple[int, ...]
    beta: float = BETA

    @property
    def name(self) -> str:
        return f"scale to {self.sizes[-1]} rotated digits at 28×28"

    def measure(self) -> Found:
        sizes = [in_a_process(n, self.beta) for n in self.sizes]
        first, last = sizes[0], sizes[-1]
        return Found(
            {f"n = {size.n}": asdict(size) for size in sizes},
            {
                f"at most 4 floors at n = {last.n}": last.floors <= 4,
                "with pruning, the cost of a pair decreases": last.pruned < first.pruned,
                "no column of W changes by more than 1e-3": max(s.change for s in sizes) <= 1e-3,
                "memory below 1 GB": max(s.memory for s in sizes) < 1,
            },
            f"rotated digits, seed 0; β = {self.beta:g}",
        )


@dataclass(frozen=True)
class Nearest:
    """A search for the k nearest images only, compared with all pairs."""

    n: int

    @property
    def name(self) -> str:
        return f"{NEIGHBOURS} nearest of {self.n} rotated digits"

    def measure(self) -> Found:
        v, found = load(self.n), []
        with one_thread():
            every = cpu_seconds(lambda: found.append(GlobalSearch(SE2).align(v).d2))
            few = cpu_seconds(lambda: found.append(align_nearest(v, SE2, NEIGHBOURS)))
        d2, neighbours = found
        wanted = d2.fill_diagonal_(torch.inf).topk(NEIGHBOURS, 0, largest=False).indices.T
        hit = (neighbours.index[:, :, None] == wanted[:, None]).any(1)
        return Found(
            {
                "share of the nearest images found": round(float(hit.double().mean()), 4),
                "share of the single nearest images found": round(
                    float(hit[:, 0].double().mean()), 4
                ),
                "CPU time, relative to all pairs": round(few / every, 3),
            },
            {"at least 90 % of the nearest images found": float(hit.double().mean()) >= 0.9},
            "rotated digits, seed 0",
        )


SCALES = (Scale((100, 1000)), Scale((100, 500, 2000)), Nearest(1000))


if __name__ == "__main__":
    count, *bandwidth = sys.argv[1:]
    print(json.dumps(asdict(measure_size(int(count), *map(float, bandwidth)))))
