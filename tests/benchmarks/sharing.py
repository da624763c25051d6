"""Compares all pairs in one process and in two processes, with one thread each.

Run `python -m tests.benchmarks.sharing N`. Under torchrun, every rank prints its times as JSON. On
a shared machine, wall times mean little, and the rank that is disturbed less does more of the work.
The mean of the ranks' CPU times therefore estimates the time of each rank on an idle machine.
"""

import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass

import torch

from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.distances.shared import share
from ia_engine.distributed.ranks import ALONE, Workshop, finish, join, leave
from tests.benchmarks.results import Found
from tests.benchmarks.scale import ROOT, SE2, load

LEAST = 1.7
"""Minimum speed-up of two ranks over one; the maximum is 2.0."""
TORCHRUN = ("-m", "torch.distributed.run", "--nproc-per-node", "2")


@dataclass(frozen=True)
class Spent:
    """Wall time and CPU time of one rank [s], and a digest of its result."""

    wall: float
    cpu: float
    sum: float


def measure_rank(n: int) -> Spent:
    """Measure all pairs; loading the images does not count."""
    torch.set_num_threads(1)
    ranks = join() if "RANK" in os.environ else ALONE
    v = load(n)
    ranks.wait()
    wall, cpu = time.monotonic(), time.process_time()
    found = share(GlobalSearch(SE2), Workshop(ranks)).align(v)
    spent = Spent(time.monotonic() - wall, time.process_time() - cpu, float(found.d2.sum()))
    if ranks.size > 1:
        leave()
    return spent


def in_processes(n: int, *before: str) -> list[Spent]:
    """The times of every process."""
    command = [sys.executable, *before, "-m", "tests.benchmarks.sharing", str(n)]
    threads = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        command, cwd=ROOT, env=threads, check=True, capture_output=True, text=True
    )
    return [Spent(**json.loads(line)) for line in done.stdout.splitlines()]


@dataclass(frozen=True)
class Sharing:
    """The speed of two ranks, compared with one process."""

    n: int

    @property
    def name(self) -> str:
        return f"all pairs of {self.n} rotated digits by two processes"

    def measure(self) -> Found:
        (one,), two = in_processes(self.n), in_processes(self.n, *TORCHRUN)
        busiest = one.cpu / max(rank.cpu for rank in two)
        evenly = one.cpu / (sum(rank.cpu for rank in two) / len(two))
        faster = one.wall / max(rank.wall for rank in two)
        return Found(
            {
                "speed-up in wall time": round(faster, 2),
                "CPU time of one process, relative to the busiest rank (at most 2.0)": round(
                    busiest, 2
                ),
                "CPU time of one process, relative to the mean of the ranks": round(evenly, 2),
                "CPU time of one process [s]": round(one.cpu, 1),
                "CPU time of a pair [µs]": round(1e6 * one.cpu / (self.n * (self.n - 1) / 2), 1),
            },
            {
                f"at least {LEAST} times as fast in wall time": faster >= LEAST,
                f"at least {LEAST} times as fast in the mean CPU time of the ranks": evenly
                >= LEAST,
                "the same distances": all(abs(x.sum - one.sum) < 1e-5 * one.sum for x in two),
            },
            "rotated digits, seed 0",
        )


SHARINGS = (Sharing(1000),)


if __name__ == "__main__":
    print(json.dumps(asdict(measure_rank(int(sys.argv[1])))), flush=True)
    finish(0)
