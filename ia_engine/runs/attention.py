"""A kept run of attention: its steps as arrays and back, and the run taken up again."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ia_engine.attention.iteration import AttentionConfig, Step, iterate
from ia_engine.errors import EngineError
from ia_engine.files import writing
from ia_engine.runs.kept.keeping import tell_damage, telling_damage
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
    with telling_damage(kept):
        v = torch.from_numpy(kept.given()["v"]).to(device)
    for k in range(1, kept.steps + 1):
        with telling_damage(kept):
            step = _read_step(kept, k, v)
        yield step
        v = step.mu


def _read_step(kept: Kept, k: int, v: Tensor) -> Step:
    arrays = kept.arrays(k)
    seconds = float(arrays.pop("seconds"))
    read = {name: torch.from_numpy(x).to(v.device) for name, x in arrays.items()}
    step = Step(k=k, v=v, tau=read.pop("tau", None), seconds=seconds, **read)
    n = len(v)
    if (step.mu.shape, step.d2.shape, step.W.shape) != (v.shape, (n, n), (n, n)):
        raise ValueError(f"step {k} is not one of {n} images")
    return step


def keep_steps(writer: Writer, steps: Iterator[Step]) -> Iterator[Step]:
    """The same steps, each kept before it is shown; the run is over when they are."""
    state, error = "cancelled", ""
    try:
        for step in steps:
            with writing(writer.folder):
                writer.append(to_arrays(step))
            yield step
        state = "done"
    except EngineError as cause:
        state, error = "failed", str(cause)
        raise
    finally:
        with suppress(OSError):  # a full disk: then it counts as interrupted
            writer.end(state, error)


def take_up(library: Library, run: str, device: torch.device) -> Iterator[Step]:
    """The steps that a run still lacks, kept in its folder as the first ones were."""
    writer = library.go_on(run)
    kept = library.open(writer.id)
    config, v = _read_last(kept)
    left = config.steps - kept.steps
    rest = iterate(replace(config, steps=left), v.to(device), done=kept.steps) if left > 0 else ()
    return keep_steps(writer, iter(rest))


@tell_damage
def _read_last(kept: Kept) -> tuple[AttentionConfig, Tensor]:
    """How the run computes, and the images that it has come to."""
    last = kept.arrays(kept.steps)["mu"] if kept.steps else kept.given()["v"]
    return AttentionConfig.from_json(kept.record.config), torch.from_numpy(last)
