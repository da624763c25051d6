"""Kernel and invariant attention side by side, iteration by iteration."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from ia_engine.attention.clusters.merges import Merge, MergeTree
from ia_engine.attention.iteration import AttentionConfig
from ia_engine.figures.history import Numbers
from ia_engine.runs.kept.keeping import Codec, from_text, tell_damage, to_bytes, to_text
from ia_engine.runs.library import Kept
from ia_engine.runs.plan import Plan
from ia_engine.runs.record import Arrays
from ia_engine.runs.shown import Iteration, Shown

KIND: Final = "iterations"


def describe(plan: Plan) -> str:
    """The plan as text, for the record."""
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


@tell_damage
def read_plan(kept: Kept) -> Plan:
    """What `describe` wrote."""
    known = json.loads(kept.record.config)
    configs = {m: AttentionConfig.from_json(text) for m, text in known.pop("configs").items()}
    names, labels, classes = (tuple(known.pop(name)) for name in ("names", "labels", "classes"))
    return Plan(configs, kept.record.recipe, names, labels, classes, **known)


def pack(item: Iteration) -> Arrays:
    """All methods at one iteration."""
    return {
        f"{method}.{name}": array
        for method, shown in item.shown.items()
        for name, array in _pack(shown).items()
    }


@tell_damage
def unpack(kept: Kept) -> Sequence[Iteration]:
    """The iterations that are there."""
    plan = read_plan(kept)
    steps = (kept.arrays(step) for step in range(1, kept.steps + 1))
    return [Iteration(plan, {m: _unpack(m, arrays) for m in plan.configs}) for arrays in steps]


def _pack(shown: Shown) -> dict[str, NDArray[Any]]:
    known = {
        "config": shown.config.to_json(),
        "beta": shown.beta,
        "white": shown.white,
        "numbers": asdict(shown.numbers),
    }
    arrays: dict[str, NDArray[Any]] = {
        "known": to_text(known), "frame": to_bytes(shown.frame), "mu": shown.mu.numpy()
    }  # fmt: skip
    return arrays if shown.rough is None else {**arrays, "rough": shown.rough.numpy()}


def _unpack(method: str, arrays: Mapping[str, NDArray[Any]]) -> Shown:
    known, rough = from_text(arrays[f"{method}.known"]), arrays.get(f"{method}.rough")
    return Shown(
        config=AttentionConfig.from_json(known["config"]),
        beta=known["beta"],
        white=known["white"],
        frame=arrays[f"{method}.frame"].tobytes(),
        mu=torch.from_numpy(np.array(arrays[f"{method}.mu"])),
        numbers=_read_numbers(known["numbers"]),
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


ITERATIONS: Final = Codec(KIND, pack, unpack)
