"""Measures the errors of tiny vision transformers on rotated digits, with and without invariant
attention.

All networks train on the same digits in the same order for the same number of steps, and their
numbers of parameters differ by at most 2 %. Run `python -m tests.benchmarks.rotated_digits`.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import nn

from ia_engine.attention.layer.rotated_digits import DigitTrainingConfig, draw_digits, train
from ia_engine.attention.layer.vision import (
    VisionConfig,
    build_invariant,
    build_plain,
    build_unaligned,
)
from tests.benchmarks.clock import one_thread
from tests.benchmarks.results import Found

SEEDS = 3
LIMIT = 2 / 3
EVEN = 0.02


@dataclass(frozen=True)
class Rival:
    """A network and its name in the table."""

    name: str
    build: Callable[[VisionConfig], nn.Module]


PLAIN = Rival("softmax attention", build_plain)
INVARIANT = Rival("invariant attention", build_invariant)
UNALIGNED = Rival("softmax attention to every rotation", build_unaligned)


@dataclass(frozen=True)
class Learned:
    """The result of one network, and the CPU seconds that it took."""

    name: str
    seed: int
    parameters: int
    loss: float
    error: float
    seconds: float

    def __str__(self) -> str:
        return (
            f"{self.name:32} seed {self.seed}: error {self.error:.3f}, loss {self.loss:.3f}, "
            f"{self.parameters} parameters, {self.seconds:.1f} s"
        )


def learn(rival: Rival, seed: int) -> Learned:
    """Train from this seed; digits, order and rotations are the same for all networks."""
    started = time.thread_time()
    generator = torch.Generator().manual_seed(seed)
    digits = draw_digits(generator)
    with torch.random.fork_rng(), one_thread():
        torch.manual_seed(seed)  # the initial parameters of torch's layers depend on this seed
        network = rival.build(VisionConfig())
        *_, last = train(network, digits, DigitTrainingConfig(), generator)
    count = sum(p.numel() for p in network.parameters())
    seconds = time.thread_time() - started
    return Learned(rival.name, seed, count, last.loss, last.error, seconds)


@dataclass(frozen=True)
class VisionBenchmark:
    """Errors on unseen rotations; as a fair control, softmax attention sees the same views."""

    name: str = "errors on turned digits"
    seeds: int = SEEDS

    def measure(self) -> Found:
        rows = {
            rival.name: [learn(rival, seed) for seed in range(self.seeds)]
            for rival in (INVARIANT, PLAIN, UNALIGNED)
        }
        with_it, without, same_views = ([row.error for row in learned] for learned in rows.values())
        worst = max(a / b for a, b in zip(with_it, without, strict=True))
        mean = sum(with_it) / sum(without)
        counts = {name: learned[0].parameters for name, learned in rows.items()}
        even = abs(counts[INVARIANT.name] / counts[PLAIN.name] - 1) <= EVEN
        return Found(
            {
                f"{name}, error": [round(row.error, 4) for row in learned]
                for name, learned in rows.items()
            }
            | {f"{name}, parameters": count for name, count in counts.items()}
            | {
                "mean error, relative to softmax attention": round(mean, 3),
                "largest of these ratios over the seeds": round(worst, 3),
                "mean error, relative to softmax attention to every rotation": round(
                    sum(with_it) / sum(same_views), 3
                ),
            },
            {
                "a third lower on average": mean <= LIMIT,
                "a third lower on every seed": worst <= LIMIT,
                f"parameters equal up to {EVEN:.0%}": even,
            },
            f"0-{self.seeds - 1}",
        )


VISION = (VisionBenchmark(),)


if __name__ == "__main__":
    for seed in range(SEEDS):
        for rival in (PLAIN, INVARIANT, UNALIGNED):
            print(learn(rival, seed), flush=True)
