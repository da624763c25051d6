"""The results of benchmarks, stored in results/.

`python -m tests.benchmarks.results` lists stale results. A result is fresh as long as the measured
sources are unchanged, and is valid only for its processor.
"""

import json
import os
import platform
import re
import resource
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from tests.benchmarks.sources import digest_sources

if TYPE_CHECKING:  # listing stale results must not import torch
    import torch

FOLDER = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Found:
    """Values by name, the claims about them, and their random seeds."""

    figures: Mapping[str, object]
    claims: Mapping[str, bool]
    seeds: str

    def __str__(self) -> str:
        claims = (
            f"    {'held' if held else 'MISSED'}: {claim}" for claim, held in self.claims.items()
        )
        return "\n".join([*(f"    {name}: {x}" for name, x in self.figures.items()), *claims])


class Missing(Exception):
    """Raised if this machine lacks something that a benchmark needs."""


class Experiment(Protocol):
    """An experiment that can be measured."""

    @property
    def name(self) -> str: ...

    def measure(self) -> Found: ...


@dataclass(frozen=True)
class Benchmark:
    """An experiment and the packages that it measures."""

    experiment: Experiment
    packages: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.experiment.name

    @property
    def module(self) -> str:
        return type(self.experiment).__module__


@dataclass(frozen=True)
class Result:
    """One file in results/."""

    content: Mapping[str, Any]

    @property
    def name(self) -> str:
        return str(self.content["name"])

    @property
    def cpu_seconds(self) -> float:
        return float(self.content["cpu_seconds"])

    @property
    def processor(self) -> str:
        return str(self.content.get("processor", "not recorded"))

    @property
    def missed(self) -> list[str]:
        """The claims that do not hold."""
        return [claim for claim, held in self.content["claims"].items() if not held]

    @property
    def stale(self) -> bool:
        """True if the measured sources have changed since, or were not recorded."""
        sources = self.content.get("sources")
        return not sources or sources["digest"] != digest_sources(
            sources["module"], sources["packages"]
        )


def share(held: "torch.Tensor") -> float:
    """The share of true elements, rounded to four digits."""
    return round(float(held.double().mean()), 4)


def run(benchmark: Benchmark) -> Result:
    """Measure a benchmark and store its result immediately."""
    digest = digest_sources(benchmark.module, benchmark.packages)
    started = _cpu_seconds()
    found = benchmark.experiment.measure()
    return keep(benchmark, found, _cpu_seconds() - started, digest)


def keep(benchmark: Benchmark, found: Found, seconds: float, digest: str) -> Result:
    """Write the file of one benchmark atomically."""
    import torch

    content = {
        "name": benchmark.name,
        "figures": dict(found.figures),
        "claims": dict(found.claims),
        "seeds": found.seeds,
        "command": f'python -m tests.benchmarks --only "{benchmark.name}"',
        "date": datetime.now(UTC).date().isoformat(),
        "cpu_seconds": round(seconds, 1),
        "processor": describe_processor(),
        "machine": f"torch {torch.__version__}, Python {platform.python_version()}, "
        f"{os.cpu_count()} cores, one thread, load average {os.getloadavg()[0]:.1f}",
        "sources": {
            "module": benchmark.module,
            "packages": list(benchmark.packages),
            "digest": digest,
        },
    }
    FOLDER.mkdir(exist_ok=True)
    path, partial = find_path(benchmark.name), FOLDER / "result.partial"
    partial.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", "utf-8")
    partial.replace(path)
    return Result(content)


def read(name: str) -> Result | None:
    """The stored result of the benchmark of this name."""
    path = find_path(name)
    return Result(json.loads(path.read_text("utf-8"))) if path.is_file() else None


def read_all() -> list[Result]:
    return [Result(json.loads(path.read_text("utf-8"))) for path in sorted(FOLDER.glob("*.json"))]


def find_path(name: str) -> Path:
    plain = name.lower().replace("×", "x").replace("²", "2")
    return FOLDER / f"{re.sub(r'[^a-z0-9]+', '-', plain).strip('-')}.json"


def is_fresh(result: Result | None) -> bool:
    """True if the result has the same sources and the same processor."""
    return bool(result and not result.stale and result.processor == describe_processor())


@cache
def describe_processor() -> str:
    """Model and instruction set: `AMD EPYC, AVX512`."""
    import torch

    lines = Path("/proc/cpuinfo")
    text = lines.read_text("utf-8") if lines.is_file() else ""
    model = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    name = model[1].strip() if model else platform.processor() or platform.machine()
    return f"{name}, {torch.backends.cpu.get_cpu_capability()}"


def _cpu_seconds() -> float:
    """CPU time of this process and of all its ended children."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def list_stale() -> None:
    """Print a warning instead of failing, because measuring everything again takes hours."""
    results = read_all()
    stale = [result.name for result in results if result.stale]
    print(f"benchmark results: {len(results) - len(stale)} fresh, {len(stale)} stale")
    for name in stale:
        print(f"    stale: {name}")
    if stale:
        print("    `make bench` measures them again")


if __name__ == "__main__":
    list_stale()
