"""What a benchmark found, kept as a small file beside the benchmarks."""

import json
import os
import platform
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import torch

FOLDER = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Found:
    """Figures by name, what is claimed of them, and which random numbers they come from."""

    figures: Mapping[str, object]
    claims: Mapping[str, bool]
    seeds: str

    def __str__(self) -> str:
        claims = (f"{'    ' if held else 'NOT '}{claim}" for claim, held in self.claims.items())
        return "\n".join([*(f"    {name}: {x}" for name, x in self.figures.items()), *claims])


class Experiment(Protocol):
    """What can be measured, under a name."""

    @property
    def name(self) -> str: ...

    def measure(self) -> Found: ...


def share(held: torch.Tensor) -> float:
    """How many of all are true, to four digits."""
    return round(float(held.double().mean()), 4)


def run(experiment: Experiment) -> Found:
    """Measure, and keep what was found."""
    started = time.process_time()
    found = experiment.measure()
    keep(experiment.name, found, time.process_time() - started)
    return found


def keep(name: str, found: Found, seconds: float) -> Path:
    """Write the file of one benchmark: figures, claims, seeds, command, date, machine, time."""
    content = {
        "name": name,
        "figures": dict(found.figures),
        "claims": dict(found.claims),
        "seeds": found.seeds,
        "command": f'python -m tests.benchmarks --only "{name}"',
        "date": datetime.now(UTC).date().isoformat(),
        "cpu_seconds": round(seconds, 1),
        "machine": f"torch {torch.__version__}, Python {platform.python_version()}, "
        f"{os.cpu_count()} cores, one thread",
    }
    FOLDER.mkdir(exist_ok=True)
    path = FOLDER / f"{_slug(name)}.json"
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", "utf-8")
    return path


def _slug(name: str) -> str:
    plain = name.lower().replace("×", "x").replace("²", "2")
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")
