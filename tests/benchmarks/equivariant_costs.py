"""Measures the cost of a training step of an attentive network, relative to a p4 step: time and
memory.

Memory is measured in a separate process, by
`python -m tests.benchmarks.equivariant_costs NAME BATCH`.
"""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch.nn import functional

from ia_engine.equivariant.groups import P4
from ia_engine.equivariant.maps import compose, trace
from ia_engine.equivariant.networks import build_network, find_network
from tests.benchmarks.clock import cpu_seconds, one_thread
from tests.benchmarks.results import Found

BATCH = 64
STEP_LIMIT, MEMORY_LIMIT = 12.0, 6.0
ALL_CNN, ALL_CNN_BATCH, ALL_CNN_LIMIT = "all-cnn-alpha-p4", 8, 1.5e9
REDRAW_LIMIT = 0.2
"""CPU seconds for all maps of a picture; the Equivariance page redraws them at every rotation."""
NAMES = ("z2", "alpha-rh-p4", "alpha-f-p4", "alpha-ch-p4", "alpha-sp-p4", "alpha-p4")


def make_step(name: str, batch: int) -> Callable[[], None]:
    """A forward and backward pass and an Adam step on random images."""
    entry, generator = find_network(name), torch.Generator().manual_seed(0)
    network = build_network(name, generator)
    optimiser = torch.optim.Adam(network.parameters())
    v = torch.rand(batch, entry.channels, entry.side, entry.side, generator=generator)
    labels = torch.randint(entry.classes, (batch,), generator=generator)

    def step() -> None:
        optimiser.zero_grad()
        functional.cross_entropy(network(v), labels).backward()
        optimiser.step()

    return step


def step_ratios(names: tuple[str, ...], rounds: int, batch: int = BATCH) -> dict[str, float]:
    """CPU time of a step relative to a p4 step: both are measured in turn, and their minima are
    compared.
    """
    with one_thread():
        steps = {name: make_step(name, batch) for name in ("p4", *names)}
        for step in steps.values():
            step()
        found = {
            name: min(cpu_seconds(step) for _ in range(rounds)) for name, step in steps.items()
        }
        floor = min(found["p4"], *(cpu_seconds(steps["p4"]) for _ in range(3)))
    return {name: round(found[name] / floor, 2) for name in names}


def step_bytes(name: str, batch: int) -> int:
    """Increase in peak memory due to two steps, measured in a separate process."""
    command = [sys.executable, "-m", "tests.benchmarks.equivariant_costs", name, str(batch)]
    ended = subprocess.run(command, check=True, capture_output=True, text=True, timeout=1800)
    return int(ended.stdout)


def redraw_seconds() -> float:
    """CPU time of all maps of one picture, from the picture to the drawings."""
    network = build_network("alpha-f-p4", torch.Generator().manual_seed(0))
    v = torch.rand(1, 1, 28, 28, generator=torch.Generator().manual_seed(0))

    def redraw() -> None:
        compose(trace(network, v).maps, P4, 28)

    with one_thread():
        redraw()
        return min(cpu_seconds(redraw) for _ in range(5))


@dataclass(frozen=True)
class Costs:
    """Every attentive network relative to p4, and an All-CNN with full attention.

    In the paper, the latter did not fit into memory.
    """

    name: str = "attentive group convolutions: costs"

    def measure(self) -> Found:
        ratios = step_ratios(NAMES, rounds=5)
        plain = step_bytes("p4", BATCH)
        memory = {name: round(step_bytes(name, BATCH) / plain, 2) for name in NAMES}
        big = step_bytes(ALL_CNN, ALL_CNN_BATCH)
        redraw = redraw_seconds()
        figures = {
            "step in p4 steps": ratios,
            "memory relative to p4": memory,
            "p4 memory [MB]": round(plain / 1e6),
            f"{ALL_CNN} at batch {ALL_CNN_BATCH} [GB]": round(big / 1e9, 2),
            "all maps of α_F-p4 [CPU s]": round(redraw, 3),
        }
        claims = {
            f"a step of α-p4 takes at most {STEP_LIMIT:g} times as long as one of p4": ratios[
                "alpha-p4"
            ]
            <= STEP_LIMIT,
            f"α-p4 needs at most {MEMORY_LIMIT:g} times the memory of p4": memory["alpha-p4"]
            <= MEMORY_LIMIT,
            "α-p4-All-CNN stays below 1.5 GB at batch 8": big < ALL_CNN_LIMIT,
            f"all maps of a picture take less than {REDRAW_LIMIT:g} CPU s": redraw < REDRAW_LIMIT,
        }
        return Found(figures, claims, "seed 0")


def _measure_here(name: str, batch: int) -> int:
    torch.set_num_threads(1)
    make_step("p4", 1)()  # during the first step, torch loads code
    step = make_step(name, batch)
    before = _memory("VmRSS")
    step()
    step()
    return _memory("VmHWM") - before


def _memory(name: str) -> int:
    """Current (VmRSS) or peak (VmHWM) memory in bytes; unlike in getrusage, both are reset at
    exec.
    """
    with open("/proc/self/status", encoding="ascii") as file:
        (line,) = (line for line in file if line.startswith(name))
    return int(line.split()[1]) * 1024


if __name__ == "__main__":
    print(_measure_here(sys.argv[1], int(sys.argv[2])))
