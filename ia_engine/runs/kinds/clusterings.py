"""DTI clustering, snapshot by snapshot; the state is saved together with every picture."""

import json
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any, Final

import numpy as np

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.reading import read
from ia_engine.clustering.state import load_state, pack_state
from ia_engine.datasets.data import PointSet
from ia_engine.errors import EngineError
from ia_engine.runs.clustering.result import shrink
from ia_engine.runs.clustering.run import (
    ClusterPlan,
    Latest,
    Score,
    Snapshot,
    cluster,
    count_snapshots,
    last_state,
    resume_run,
)
from ia_engine.runs.folder import STATE, Arrays, SavedRun, reports_damage
from ia_engine.runs.kinds.kind import (
    Resumption,
    Row,
    RunKind,
    format_number,
    from_text,
    read_data,
    to_text,
)
from ia_engine.shapes import Images

NUMBERS: Final = ("iteration", "share", "seconds", "loss", "stage", "cooling", "sizes",
                  "reassigned")  # fmt: skip


def describe(plan: ClusterPlan) -> str:
    """The plan as text, for the record."""
    known = {part.name: getattr(plan, part.name) for part in fields(plan)}
    return json.dumps(known | {"config": plan.config.to_json()}, ensure_ascii=False)


@reports_damage
def read_plan(kept: SavedRun) -> ClusterPlan:
    """Read the plan that `describe` wrote."""
    known = json.loads(kept.record.config)
    config, classes = ClusterConfig.from_json(known.pop("config")), tuple(known.pop("classes"))
    return ClusterPlan(config=config, classes=classes, **known)


def pack(look: Snapshot) -> Arrays:
    """The numbers, and the picture if there is one."""
    known = {name: getattr(look, name) for name in NUMBERS}
    known["score"] = None if look.score is None else asdict(look.score)
    arrays: dict[str, Any] = {"known": to_text(known)}
    return arrays if look.picture is None else {**arrays, "picture": look.picture}


def state_of(look: Snapshot) -> bytes | None:
    """The newest state; None for snapshots without a picture."""
    state = look.newest.state
    return None if look.picture is None or state is None else pack_state(state)


@reports_damage
def unpack(kept: SavedRun) -> Sequence[Snapshot]:
    """The snapshots up to the last saved state."""
    if kept.kept_state() is None or not kept.steps:  # the state is written before its snapshot
        raise EngineError(
            f"run {kept.id} ended before its first step, so nothing was saved: run it again"
        )
    state = load_state(kept.folder / STATE)
    plan, newest = read_plan(kept), Latest(state=state)
    looks = []
    for step in range(1, kept.steps + 1):
        arrays = kept.arrays(step)
        known = from_text(arrays["known"])
        if known["iteration"] <= state.iteration:
            looks.append(_unpack(plan, newest, known, arrays))
    pictures = [look.picture for look in looks if look.picture is not None]
    if not pictures:
        raise EngineError(
            f"run {kept.id} is damaged: none of its steps has a picture; compute it again"
        )
    newest.picture = pictures[-1]
    newest.score = next((look.score for look in reversed(looks) if look.score), None)
    return looks


def _unpack(plan: ClusterPlan, newest: Latest, known: dict[str, Any], arrays: Arrays) -> Snapshot:
    score, picture = known.pop("score"), arrays.get("picture")
    for name in ("stage", "sizes"):
        known[name] = tuple(known[name])
    known["reassigned"] = tuple((k, source) for k, source in known["reassigned"])
    return Snapshot(
        plan=plan,
        newest=newest,
        picture=None if picture is None else np.array(picture),
        score=Score(**score | {"named": tuple(score["named"])}) if score else None,
        **known,
    )


def _last(kept: SavedRun) -> dict[str, Any]:
    return from_text(kept.arrays(kept.steps)["known"])


def _compared_numbers(kept: SavedRun) -> dict[str, str]:
    known = _last(kept)
    numbers = {name: known[name] for name in ("iteration", "seconds", "loss")}
    numbers["ACC"] = (known["score"] or {}).get("acc")
    return {name: format_number(x) for name, x in numbers.items()}


def _rows(look: Snapshot) -> list[Row]:
    """A line for every picture, with the keys of the shell's `cluster`."""
    if look.picture is None:
        return []
    return [
        {
            "seed": look.plan.seed,
            "iteration": look.iteration,
            "seconds": look.seconds,
            "loss": look.loss,
            "acc": look.score.acc if look.score else None,
            "nmi": look.score.nmi if look.score else None,
            "stage": ",".join(look.stage) or "identity",
        }
    ]


def _read_images(kept: SavedRun) -> Images:
    data = read_data(kept)
    if isinstance(data, PointSet):
        raise EngineError(f"run {kept.id} needs images; got points")
    return data.images


@reports_damage
def _export(kept: SavedRun) -> Arrays:
    """The arrays of the shell command `cluster`, and the history in numbers."""
    looks, images = unpack(kept), shrink(_read_images(kept))
    state = last_state(looks)
    reading = read(state, images, state.rows)
    arrays = {
        "prototypes": state.prototypes.numpy(),
        "assignments": reading.assignments.numpy(),
        "aligned": reading.aligned.numpy(),
    }
    history = {
        name: np.array([getattr(look, name) for look in looks])
        for name in ("iteration", "seconds", "loss")
    }
    return arrays | history


def _resume(looks: Sequence[Snapshot]) -> Resumption:
    return Resumption(*resume_run(looks), len(looks))


CLUSTERINGS: Final = RunKind[Snapshot](
    id="clustering",
    title="Clustering",
    unit="step",
    work=cluster,
    expected=count_snapshots,
    describe=describe,
    seed=lambda plan: plan.seed,
    pack=pack,
    unpack=unpack,
    state=state_of,
    count=lambda kept: int(_last(kept)["iteration"]),
    numbers=_compared_numbers,
    resume=_resume,
    rows=_rows,
    export=lambda kept, _: _export(kept),
)
