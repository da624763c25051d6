"""A kept run of attention: its steps as arrays and back, and the run taken up again."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ia_engine.attention.iteration import AttentionConfig, Step, iterate
from ia_engine.errors import EngineError
from ia_engine.runs.library import Kept, Library, Writer

KIND = "attention"


def to_arrays(step: Step) -> dict[str, NDArray[Any]]:
    """Everything the step holds but v, which is what the run began with, or the mu before."""
    named = {
        "d2": step.d2, "tau": step.tau, "rough": step.rough,
        "W": step.W, "beta": step.beta, "mu": step.mu,
    }  # fmt: skip
    arrays = {name: x.detach().cpu().numpy() for name, x in named.items() if x is not None}
    return {**arrays, "seconds": np.array(step.seconds)}


def read_steps(kept: Kept, device: torch.device) -> Iterator[Step]:
    """The finished steps of a run."""
    v = torch.from_numpy(kept.given()["v"]).to(device)
    for k in range(1, kept.steps + 1):
        arrays = kept.arrays(k)
        seconds = float(arrays.pop("seconds"))
        read = {name: torch.from_numpy(x).to(device) for name, x in arrays.items()}
        yield Step(k=k, v=v, tau=read.pop("tau", None), seconds=seconds, **read)
        v = read["mu"]


def keep_steps(writer: Writer, steps: Iterator[Step]) -> Iterator[Step]:
    """The same steps, each kept before it is shown; the run is over when they are."""
    state, error = "cancelled", ""
    try:
        for step in steps:
            writer.append(to_arrays(step))
            yield step
        state = "done"
    except EngineError as cause:
        state, error = "failed", str(cause)
        raise
    finally:
        writer.end(state, error)


def take_up(library: Library, run: str, device: torch.device) -> Iterator[Step]:
    """The steps that a run still lacks, kept in its folder as the first ones were."""
    writer = library.go_on(run)
    kept = library.open(run)
    config = AttentionConfig.from_json(kept.record.config)
    v = torch.from_numpy(kept.arrays(kept.steps)["mu"] if kept.steps else kept.given()["v"])
    left = config.steps - kept.steps
    rest = iterate(replace(config, steps=left), v.to(device), done=kept.steps) if left > 0 else ()
    return keep_steps(writer, iter(rest))
