"""Runs of Iterations: new, forked or resumed runs of kernel and invariant attention."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ia_engine.attention.clusters.measures import Merge, MergeTree, Numbers, measure
from ia_engine.attention.distances.alignment import Alignment
from ia_engine.attention.iteration import AttentionConfig, Step, normalise
from ia_engine.datasets.data import Data, PointSet, thin
from ia_engine.errors import EngineError
from ia_engine.figures.frames import name_arrays, read_frame
from ia_engine.runs.attend import (
    Iteration,
    MethodStep,
    Plan,
    Start,
    attend,
    build_model,
    restore_step,
    restore_steps,
)
from ia_engine.runs.folder import Arrays, Record, SavedRun, reports_damage
from ia_engine.runs.kinds.attention import describe_attention, stack_steps
from ia_engine.runs.kinds.kind import (
    Resumption,
    Row,
    RunKind,
    format_number,
    from_text,
    read_data,
    to_text,
)
from ia_engine.runs.paragraphs import Statement, count_images, read_stored


def begin(plan: Plan, history: Sequence[Iteration], data: Tensor) -> Mapping[str, Start]:
    """Return the start of each method: the iterations that the plan keeps, and what else can be
    reused.

    A method whose settings have not changed keeps all its iterations. If only the settings of its
    weights have changed, the distances of the first new images are known.
    """
    starts = {}
    for method, config in plan.configs.items():
        steps = [moment.shown[method] for moment in history if method in moment.shown]
        if steps:
            starts[method] = _begin(plan, config, steps, data)
    return starts


def find_like(plan: Plan, histories: Iterable[Sequence[Iteration]]) -> Sequence[Iteration]:
    """Return the last run whose distances can be reused, or an empty run if there is none."""
    found: Sequence[Iteration] = ()
    for history in histories:
        if history and not history[0].plan.kept and same_data(history[0].plan, plan):
            first = history[0].shown
            both = first.keys() & plan.configs
            alike = (_alike(first[m].config, plan.configs[m], plan.size) for m in both)
            found = history if any(alike) else found
    return found


def same_data(one: Plan, other: Plan) -> bool:
    """Return True if two runs use the same rows of the same data."""
    return (one.recipe, one.size, one.total) == (other.recipe, other.size, other.total)


def _begin(plan: Plan, config: AttentionConfig, steps: Sequence[MethodStep], data: Tensor) -> Start:
    kept = min(plan.kept, len(steps) - 1)
    while kept < len(steps) and _settings(steps[kept].config) == _settings(config):
        kept += 1
    cut_off = kept == len(steps) and len(steps[-1].mu) > 0
    if kept >= plan.moments or cut_off:
        return Start(data, steps)
    kept = min(kept, len(steps) - 1)
    start, after = Start(data, steps[:kept]), steps[kept]
    if after.config.build(plan.size).distance != config.build(plan.size).distance:
        return start
    step = restore_step(after, start.v.to(plan.device))
    return replace(start, known=Alignment(step.d2, step.tau, step.rough))


def _alike(before: AttentionConfig, config: AttentionConfig, n: int) -> bool:
    """Return True if both configs define the same distances, which are expensive to compute."""
    return config.method == "ia" and before.build(n).distance == config.build(n).distance


def _settings(config: AttentionConfig) -> AttentionConfig:
    return replace(config, steps=1)


COMPARED: Final = ("clusters", "ari", "block_mass", "d2_within", "d2_between")
"""The metrics of a step that are compared between two runs."""


def describe(plan: Plan) -> str:
    """Convert the plan to text for the record."""
    known = {
        "configs": {method: config.to_json() for method, config in plan.configs.items()},
        "names": plan.names,
        "labels": plan.labels,
        "classes": plan.classes,
        "total": plan.total,
        "device": plan.device,
        "kept": plan.kept,
        "origin": plan.origin,
    }
    return json.dumps(known, ensure_ascii=False)


def state_run(record: Record) -> Statement:
    """Return what a record states; its data may be points."""
    known = json.loads(record.config)
    titles = {"ia": "invariant attention", "ka": "kernel attention"}
    configs = [
        read_stored(AttentionConfig, text, titles.get(method, method))
        for method, text in known["configs"].items()
    ]
    kept, origin = known.get("kept", 0), known.get("origin", "")
    iterations = kept + min(stored.config.steps for stored in configs)
    unit = "points" if json.loads(record.recipe).get("source") == "blobs" else "images"
    on = count_images(len(known["names"]), known["total"], unit)
    facts = {"iterations of an earlier run": f"{kept} of {origin}"} if kept else {}
    return replace(describe_attention(configs, iterations, on), facts=facts)


@reports_damage
def read_plan(kept: SavedRun) -> Plan:
    """Read the plan that `describe` wrote."""
    known = json.loads(kept.record.config)
    configs = {m: AttentionConfig.from_json(text) for m, text in known.pop("configs").items()}
    names, labels, classes = (tuple(known.pop(name)) for name in ("names", "labels", "classes"))
    return Plan(configs, kept.record.recipe, names, labels, classes, **known)


def pack(item: Iteration) -> Arrays:
    """Convert the steps of all methods at one iteration to arrays."""
    return {
        f"{method}.{name}": array
        for method, shown in item.shown.items()
        for name, array in _pack(shown).items()
    }


@reports_damage
def unpack(kept: SavedRun) -> Sequence[Iteration]:
    """Read the saved iterations."""
    plan = read_plan(kept)
    steps = (kept.arrays(step) for step in range(1, kept.steps + 1))
    return [Iteration(plan, {m: _unpack(m, arrays) for m in plan.configs}) for arrays in steps]


def _pack(shown: MethodStep) -> dict[str, NDArray[Any]]:
    known = {
        "config": shown.config.to_json(),
        "beta": shown.beta,
        "white": shown.white,
        "numbers": asdict(shown.numbers),
    }
    arrays: dict[str, NDArray[Any]] = {
        "known": to_text(known), "mu": shown.mu.numpy(), **name_arrays("frame", shown.frame)
    }  # fmt: skip
    return arrays if shown.rough is None else {**arrays, "rough": shown.rough.numpy()}


def _unpack(method: str, arrays: Mapping[str, NDArray[Any]]) -> MethodStep:
    known, rough = from_text(arrays[f"{method}.known"]), arrays.get(f"{method}.rough")
    numbers = _read_numbers(known["numbers"])
    return MethodStep(
        config=AttentionConfig.from_json(known["config"]),
        beta=known["beta"],
        white=known["white"],
        frame=read_frame(f"{method}.frame", numbers.p, arrays),
        mu=torch.from_numpy(np.array(arrays[f"{method}.mu"])),
        numbers=numbers,
        rough=None if rough is None else torch.from_numpy(np.array(rough)),
    )


def _read_numbers(values: dict[str, Any]) -> Numbers:
    tree = values.pop("tree")
    merges = tuple(
        Merge(merge["k"], (tuple(merge["joined"][0]), tuple(merge["joined"][1])), merge["d2"])
        for merge in tree["merges"]
    )
    values["assignments"] = tuple(values["assignments"])
    return Numbers(tree=MergeTree(tree["n"], merges), **values)


def _work(plan: Plan, data: Data, start: Sequence[Iteration] | None) -> Iterator[Iteration]:
    return attend(plan, data, partial(begin, plan, start or ()))


def _count(kept: SavedRun) -> int:
    """Return the number of iterations; the first item, the data, is iteration 0."""
    return kept.steps - 1


def _compared_numbers(kept: SavedRun) -> dict[str, str]:
    arrays, found = kept.arrays(kept.steps), dict[str, str]()
    for name in sorted(arrays):
        if name.endswith(".known"):
            numbers = from_text(arrays[name])["numbers"]
            method = name.removesuffix(".known")
            found |= {f"{method}: {key}": format_number(numbers[key]) for key in COMPARED}
    return found


def read_steps(kept: SavedRun, device: torch.device, method: str = "") -> Iterator[Step]:
    """Yield the steps of one method that have means, rebuilt from the saved items and the data."""
    history, data = unpack(kept), read_data(kept)
    methods = [*history[0].plan.configs] if history else []
    if method and method not in methods:
        raise EngineError(
            f"the method of run {kept.id} must be one of {', '.join(methods)}; got {method}"
        )
    shown = [item.shown[method or methods[0]] for item in history]
    part = thin(data, history[0].plan.size) if history else data
    v = part.points if isinstance(part, PointSet) else normalise(part.images)
    return restore_steps([one for one in shown if len(one.mu)], v.to(device))


def _export(kept: SavedRun, method: str) -> Arrays:
    steps = list(read_steps(kept, torch.device("cpu"), method))
    return stack_steps(steps, next(measure(steps[-1:], None)).assignments)


def _rows(item: Iteration) -> list[Row]:
    """Return a row for each method, with the keys of the shell command `attend`."""
    return [
        {
            "method": method,
            "step": shown.numbers.p + 1,
            "iteration": shown.numbers.p,
            "seconds": shown.numbers.seconds,
            "beta": shown.beta,
            "d2_within": shown.numbers.d2_within,
            "d2_between": shown.numbers.d2_between,
            "block_mass": shown.numbers.block_mass,
            "contraction": shown.numbers.contraction,
            "clusters": shown.numbers.clusters,
            "ari": shown.numbers.ari,
            "compared": shown.numbers.compared,
        }
        for method, shown in item.shown.items()
    ]


def _resume(history: Sequence[Iteration]) -> Resumption:
    return Resumption(history[0].plan, history, len(history))


ITERATIONS: Final = RunKind[Iteration](
    id="iterations",
    title="Iterations",
    unit="iteration",
    work=_work,
    expected=lambda plan, _: plan.moments,
    describe=describe,
    statement=state_run,
    device=lambda plan: plan.device,
    pack=pack,
    unpack=unpack,
    rows=_rows,
    export=_export,
    model=lambda kept, method: build_model(unpack(kept), read_data(kept), method),
    count=_count,
    numbers=_compared_numbers,
    resume=_resume,
)
