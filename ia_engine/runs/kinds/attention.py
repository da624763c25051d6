"""Runs of the shell command `attend`, which store all arrays of each step of one method."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ia_engine.attention.beta import nominal
from ia_engine.attention.clusters.detection import cluster
from ia_engine.attention.clusters.measures import Measured, measure
from ia_engine.attention.iteration import AttentionConfig, Step, iterate
from ia_engine.attention.kernels import KERNELS
from ia_engine.attention.rules import RULES
from ia_engine.errors import EngineError
from ia_engine.images import Labels
from ia_engine.metrics import score_clusters
from ia_engine.runs.attend import Iteration, build_model, find_white, make_shown, plan
from ia_engine.runs.folder import Arrays, Record, reporting_damage, reports_damage
from ia_engine.runs.kinds.kind import Resumption, Row, RunKind, format_number, read_data
from ia_engine.runs.kinds.saving import write_items
from ia_engine.runs.library import Library, SavedRun
from ia_engine.runs.paragraphs import (
    INVARIANT,
    Statement,
    StoredConfig,
    list_words,
    name_group,
    read_stored,
)


def to_arrays(step: Step) -> dict[str, NDArray[Any]]:
    """Return all arrays of a step except v, which is the data or the `mu` of the previous step."""
    named = {
        "d2": step.d2, "tau": step.tau, "rough": step.rough,
        "W": step.W, "beta": step.beta, "mu": step.mu,
    }  # fmt: skip
    arrays = {name: x.detach().cpu().numpy() for name, x in named.items() if x is not None}
    return {**arrays, "seconds": np.array(step.seconds)}


def stack_steps(steps: Sequence[Step], assignments: Labels) -> dict[str, NDArray[Any]]:
    """Stack v [steps+1 n c h w], d2, W [steps n n], seconds [steps] and tau [steps n n p].

    `tau` is omitted if it is unknown. The assignments [n] are those of the last step.
    """
    arrays = {
        "v": np.stack([_array(step.v) for step in steps] + [_array(steps[-1].mu)]),
        "d2": np.stack([_array(step.d2) for step in steps]),
        "W": np.stack([_array(step.W) for step in steps]),
        "seconds": np.array([step.seconds for step in steps], dtype=np.float32),
        "assignments": assignments.cpu().numpy(),
    }
    poses = [_array(step.tau) for step in steps if step.tau is not None]
    return {**arrays, "tau": np.stack(poses)} if len(poses) == len(steps) else arrays


def _array(x: Tensor) -> NDArray[Any]:
    return x.detach().cpu().numpy().astype(np.float32)


def read_steps(kept: SavedRun, device: torch.device, method: str = "") -> Iterator[Step]:
    """Yield the finished steps of a run. Raises EngineError if `method` is not the method of the
    run."""
    own = _read_last(kept)[0].method
    if method not in ("", own):
        raise EngineError(f"the method of run {kept.id} must be {own}; got {method}")
    with reporting_damage(kept):
        v = torch.from_numpy(kept.given()["v"]).to(device)
    for k in range(1, kept.steps + 1):
        with reporting_damage(kept):
            step = _read_step(kept, k, v)
        yield step
        v = step.mu


def _read_step(kept: SavedRun, k: int, v: Tensor) -> Step:
    arrays = kept.arrays(k)
    seconds = float(arrays.pop("seconds"))
    read = {name: torch.from_numpy(x).to(v.device) for name, x in arrays.items()}
    step = Step(k=k, v=v, tau=read.pop("tau", None), seconds=seconds, **read)
    n = len(v)
    if (step.mu.shape, step.d2.shape, step.W.shape) != (v.shape, (n, n), (n, n)):
        raise ValueError(f"the arrays of step {k} must have {n} rows, one per image")
    return step


def resume_steps(library: Library, run: str, device: torch.device) -> Iterator[Step]:
    """Compute the missing steps of a run, and save them in its folder."""
    writer = library.go_on(run)
    kept = library.open(writer.id)
    config, v = _read_last(kept)
    left = config.steps - kept.steps
    rest = iterate(replace(config, steps=left), v.to(device), done=kept.steps) if left > 0 else ()
    return write_items(writer, ATTENTION, iter(rest))


@reports_damage
def _read_last(kept: SavedRun) -> tuple[AttentionConfig, Tensor]:
    """Read the config of a run and its current images."""
    last = kept.arrays(kept.steps)["mu"] if kept.steps else kept.given()["v"]
    return AttentionConfig.from_json(kept.record.config), torch.from_numpy(last)


def measure_saved(
    kept: SavedRun, steps: Iterable[Step], device: torch.device
) -> Iterator[Measured]:
    """Measure saved steps with the stored labels and the stored number of clusters."""
    with reporting_damage(kept):
        given = kept.given()
        labels = torch.from_numpy(given["labels"]).to(device) if "labels" in given else None
        k = int(given["k"]) if "k" in given else None
    return measure_in_clusters(steps, labels, k)


def measure_in_clusters(
    steps: Iterable[Step], labels: Labels | None, k: int | None
) -> Iterator[Measured]:
    """Measure steps, with their images divided into `k` clusters; if k is None, their number is
    estimated."""
    for measured in measure(steps, labels):
        yield measured if k is None else _divide(measured, k, labels)


def to_row(measured: Measured) -> Row:
    """Return the row that the shell prints for a step."""
    scores = measured.scores
    return {
        "step": measured.step.k,
        "iteration": measured.step.k - 1,
        "seconds": measured.step.seconds,
        "beta": float(measured.step.beta.median()),
        "d2_within": measured.d2_within,
        "d2_between": measured.d2_between,
        "block_mass": measured.block_mass,
        "contraction": measured.contraction,
        "clusters": measured.clusters,
        "ari": None if scores is None else scores.ari,
        "nmi": None if scores is None else scores.nmi,
        "acc": None if scores is None else scores.acc,
        "compared": measured.step.compared,
    }


def _divide(measured: Measured, k: int, labels: Labels | None) -> Measured:
    """Return the same measures with the images divided into `k` clusters."""
    found = cluster(measured.step.d2, measured.step.v, k)
    scores = None if labels is None else score_clusters(labels, found)
    return replace(measured, assignments=found, clusters=len(found.unique()), scores=scores)


@reports_damage
def to_iterations(kept: SavedRun) -> Sequence[Iteration]:
    """Convert the steps to the items that the page shows; step k becomes iteration k - 1.

    A run on the page has one more item, the last means with their distances, which is computed when
    the run is resumed.
    """
    cpu, config = torch.device("cpu"), _read_last(kept)[0]
    data, v = read_data(kept), torch.from_numpy(kept.given()["v"])
    planned, white = plan((config,), data, len(v)), find_white(v)
    items: list[Iteration] = []
    for measured in measure_saved(kept, read_steps(kept, cpu), cpu):
        beta = items[0].shown[config.method].beta if items else nominal(measured.step, config)
        items.append(Iteration(planned, {config.method: make_shown(measured, config, beta, white)}))
    return items


def _export(kept: SavedRun, method: str) -> Arrays:
    cpu = torch.device("cpu")
    steps = list(read_steps(kept, cpu, method))
    return stack_steps(steps, next(measure_saved(kept, steps[-1:], cpu)).assignments)


def state_run(record: Record) -> Statement:
    """Return what the record of a run of the shell states."""
    stored = read_stored(AttentionConfig, record.config)
    return describe_attention([stored], stored.config.steps)


def describe_attention(
    configs: Sequence[StoredConfig[AttentionConfig]], iterations: int, on: str = ""
) -> Statement:
    """Describe kernel attention, invariant attention or both."""
    methods = list_words([_describe_method(stored) for stored in configs])
    plural = "" if iterations == 1 else "s"
    done = (
        f"Every image was replaced by a weighted mean of all images, with weights W_ij = κ_ij / "
        f"Σ_k κ_kj, in {iterations} iteration{plural} of {methods}"
    )
    return Statement(done, configs, (INVARIANT,), on)


def state_clusters(stated: Statement, k: int | None) -> Statement:
    """Add the number of clusters that was requested, if any, to what a run did."""
    if k is None:
        return stated
    done = f"{stated.done}; the images were then divided into K = {k} clusters"
    return replace(stated, done=done, facts={**stated.facts, "k (K)": str(k)})


def _describe_method(stored: StoredConfig[AttentionConfig]) -> str:
    """Return the formulas of a method, as far as its settings are stored."""
    config, parts = stored.config, []
    if config.method == "ia":
        found = "d²(i, j) = ‖v_i‖² + ‖v_j‖² - 2 max_τ ⟨U(τ)v_i, v_j⟩"
        parts.append(f"{found} over {name_group(config.group)}")
        if stored.stores("solver"):
            parts.append(SOLVED[config.solver])
    else:
        parts.append("d²(i, j) = ‖v_i - v_j‖²")
    if stored.stores("kernel"):
        parts.append(f"κ = {KERNELS[config.kernel].formula}")
    rule = config.bandwidth if stored.stores("bandwidth") else "fixed"
    parts.append(RULES[rule].formula.format(config=config))
    parts.append("invariant means (Algorithm 1)" if config.method == "ia" else "arithmetic means")
    name = "invariant attention" if config.method == "ia" else "kernel attention"
    return f"{name} ({'; '.join(parts)})"


SOLVED: Final = {
    "global": "poses by an exhaustive coarse search and second-order refinement",
    "descent": "poses by gradient descent",
}


@reports_damage
def _compared_numbers(kept: SavedRun) -> dict[str, str]:
    """Summarise the weights and distances of the last step, without reading any other step."""
    arrays = kept.arrays(kept.steps)
    beta = float(np.median(arrays["beta"]))
    return {"beta": format_number(beta), "d2 mean": format_number(float(arrays["d2"].mean()))}


ATTENTION: Final = RunKind[Step](
    id="attention",
    title="Iterations, from the shell",
    unit="iteration",
    work=lambda config, v, done: iterate(config, v, done=done or 0),
    expected=lambda config, done: config.steps - (done or 0),
    describe=lambda config: config.to_json(),
    statement=state_run,
    pack=to_arrays,
    unpack=lambda kept: list(read_steps(kept, torch.device("cpu"))),
    show=to_iterations,
    export=_export,
    model=lambda kept, method: build_model(to_iterations(kept), read_data(kept), method),
    numbers=_compared_numbers,
    resume=lambda items: Resumption(
        items[0].plan, items, len(items)
    ),  # which the page shows like its own runs
)
