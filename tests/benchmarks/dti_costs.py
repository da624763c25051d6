"""Measures the cost of a training step of DTI clustering: time in bare passes of its encoder, and
memory.

Memory is measured in a separate process, by `python -m tests.benchmarks.dti_costs K BATCH SIDE
CHANNELS`.
"""

import resource
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Generator

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.learner import DtiLearner
from ia_engine.clustering.predictors import build_encoder
from tests.benchmarks.clock import cpu_seconds, one_thread
from tests.benchmarks.results import Found

BATCH, SIDE = 128, 28
FULL = "affine,morphology,tps"
STEP_LIMIT, MORPHOLOGY_LIMIT, MANY_LIMIT = 1.6, 0.15, 2.0
MANY_BYTES, COLOUR_BYTES = 0.7e9, 1.5e9


def make_bare(encoder: str = "resnet20") -> Callable[[], None]:
    """A forward and backward pass of the encoder alone."""
    generator = Generator().manual_seed(0)
    v = torch.rand(BATCH, 1, SIDE, SIDE, generator=generator)
    network = build_encoder(encoder, 1, SIDE, v, generator)

    def bare() -> None:
        network.zero_grad()
        network(v).sum().backward()

    return bare


def make_step(
    config: ClusterConfig, batch: int = BATCH, side: int = SIDE, channels: int = 1
) -> Callable[[], None]:
    """A training step with every module active and no transformation equal to the identity."""
    generator = Generator().manual_seed(0)
    v = torch.rand(batch, channels, side, side, generator=generator)
    learner = DtiLearner(config, v[torch.arange(config.k) % batch].clone(), generator)
    with torch.no_grad():
        for name, x in learner.model.named_parameters():
            if name.startswith("heads.") and name.endswith("weights.2"):
                x.normal_(0, 0.005, generator=generator)
    rows, stage = torch.arange(batch), len(config.modules)
    return lambda: (learner.step(v, rows, stage, 1e-6), None)[1]


def fastest(tasks: dict[str, Callable[[], None]], rounds: int) -> dict[str, float]:
    """CPU seconds of each task: the tasks are measured in turn, and the minimum of all rounds
    counts.
    """
    with one_thread():
        for task in tasks.values():
            task()
        times = [{name: cpu_seconds(task) for name, task in tasks.items()} for _ in range(rounds)]
    return {name: min(time[name] for time in times) for name in tasks}


def step_costs(rounds: int, encoder: str = "resnet20") -> dict[str, float]:
    """Step times in bare passes of ResNet-20, with K = 10 unless another K is stated."""

    def step(sequence: str, k: int = 10) -> Callable[[], None]:
        return make_step(ClusterConfig(k=k, encoder=encoder, sequence=sequence))

    tasks = {
        "bare": make_bare(),
        "affine": step("affine"),
        "affine, tps": step("affine,tps"),
        "affine, morphology, tps": step(FULL),
        "the same, K = 40": step(FULL, 40),
    }
    found = fastest(tasks, rounds)
    return {name: found[name] / found["bare"] for name in tasks if name != "bare"}


def morphology_share(costs: dict[str, float]) -> float:
    """The additional time that a step takes due to morphology, as a share of its total time."""
    return 1 - costs["affine, tps"] / costs["affine, morphology, tps"]


def step_bytes(k: int, batch: int, side: int, channels: int) -> int:
    """Increase in peak memory due to two steps, measured in a separate process."""
    numbers = [str(number) for number in (k, batch, side, channels)]
    command = [sys.executable, "-m", "tests.benchmarks.dti_costs", *numbers]
    ended = subprocess.run(command, check=True, capture_output=True, text=True, timeout=1800)
    return int(ended.stdout)


@dataclass(frozen=True)
class Costs:
    """Time and memory of a training step, for both encoders of small images."""

    name: str = "DTI clustering: costs"

    def measure(self) -> Found:
        costs, quick = step_costs(7), step_costs(7, "quick")
        full, part = costs["affine, morphology, tps"], morphology_share(costs)
        many = costs["the same, K = 40"] / full
        grey, colour = step_bytes(40, BATCH, SIDE, 1), step_bytes(20, 64, 128, 3)
        figures = {
            "step in bare ResNet-20 passes": _round(costs),
            "step with the quick encoder in bare ResNet-20 passes": _round(quick),
            "morphology's share of a step": round(part, 3),
            "K = 40 in steps with K = 10": round(many, 2),
            "memory of K = 40, 28² [GB]": round(grey / 1e9, 2),
            "memory of K = 20, colour 128², batch 64, ResNet-18 [GB]": round(colour / 1e9, 2),
        }
        claims = {
            f"a step takes at most {STEP_LIMIT:g} bare passes": full <= STEP_LIMIT,
            f"morphology takes at most {MORPHOLOGY_LIMIT:.0%} of a step": part <= MORPHOLOGY_LIMIT,
            f"K = 40 takes at most {MANY_LIMIT:g} times as long as K = 10": many <= MANY_LIMIT,
            "K = 40 stays below 0.7 GB": grey < MANY_BYTES,
            "colour 128² stays below 1.5 GB": colour < COLOUR_BYTES,
        }
        return Found(figures, claims, "seed 0")


def _round(costs: dict[str, float]) -> dict[str, float]:
    return {name: round(cost, 2) for name, cost in costs.items()}


def _measure_here(k: int, batch: int, side: int, channels: int) -> int:
    torch.set_num_threads(1)
    make_step(ClusterConfig(k=2, sequence=FULL), 4)()  # during the first step, torch loads code
    sequence, encoder = (FULL, "resnet20") if channels == 1 else ("color,projective", "resnet18")
    step = make_step(ClusterConfig(k=k, sequence=sequence, encoder=encoder), batch, side, channels)
    before = _resident()
    step()
    step()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - before


def _resident() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


if __name__ == "__main__":
    print(_measure_here(*(int(number) for number in sys.argv[1:])))
