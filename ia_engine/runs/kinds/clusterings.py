"""Runs of Clustering, and their animations: a sequence of pictures with measurements for each.

The state of a run is saved together with every picture.
"""

import json
import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.reading import read
from ia_engine.clustering.state import load_state, pack_state
from ia_engine.datasets.data import PointSet
from ia_engine.errors import EngineError
from ia_engine.images import Images
from ia_engine.runs.clustering.result import Picture, shrink
from ia_engine.runs.clustering.run import (
    ClusterPlan,
    Latest,
    Score,
    Snapshot,
    build_model,
    cluster,
    count_snapshots,
    last_state,
    resume_run,
)
from ia_engine.runs.folder import STATE, Arrays, Record, SavedRun, reports_damage
from ia_engine.runs.kinds.kind import (
    Resumption,
    Row,
    RunKind,
    format_number,
    from_text,
    read_data,
    to_text,
)
from ia_engine.runs.paragraphs import DTI, Statement, count_images, list_words, read_stored


@dataclass(frozen=True)
class Numbers:
    """Measurements with one entry per picture, which is None if nothing was measured."""

    model: str
    k: int
    budget: float
    modules: tuple[str, ...]
    total: int
    seconds: tuple[float, ...]
    iterations: tuple[int, ...]
    losses: tuple[float | None, ...]
    """Mean loss since the previous picture."""
    stages: tuple[int, ...]
    """Number of active modules for each picture."""
    cooling: tuple[bool, ...]
    sizes: tuple[tuple[float, ...], ...]
    acc: tuple[float | None, ...]
    nmi: tuple[float | None, ...]
    rule: str
    seen: int
    """Number of images on which the last measurement was made."""
    named: tuple[str, ...]
    """The most frequent class of each cluster, "" if it is unknown."""
    events: tuple[tuple[float, tuple[tuple[int, int], ...]], ...]
    """Times at which clusters were reassigned, each with pairs of the reassigned and the copied
    cluster."""


@dataclass(frozen=True, eq=False)
class Film:
    """The metrics and the pictures of a run. The last metrics may be newer than the last
    picture."""

    numbers: Numbers
    pictures: tuple[Picture, ...]


def summarise(looks: Sequence[Snapshot]) -> Film:
    """Combine one or more snapshots into an animation."""
    last = looks[-1]
    marks = [at for at, look in enumerate(looks) if look.picture is not None]
    if marks[-1:] != [len(looks) - 1]:
        marks.append(len(looks) - 1)
    if len(marks) > 1 and looks[marks[-2]].iteration == last.iteration:
        del marks[-2]  # the same iteration, measured again on all images
    shown = [looks[at] for at in marks]
    score, plan = last.newest.score, last.plan
    classes = plan.classes
    numbers = Numbers(
        model=plan.config.model,
        k=plan.config.k,
        budget=plan.budget,
        modules=plan.config.modules,
        total=plan.total,
        seconds=tuple(round(look.seconds, 2) for look in shown),
        iterations=tuple(look.iteration for look in shown),
        losses=_losses(looks, marks),
        stages=tuple(len(look.stage) for look in shown),
        cooling=tuple(look.cooling for look in shown),
        sizes=tuple(tuple(round(size, 4) for size in look.sizes) for look in shown),
        acc=tuple(look.score.acc if look.score else None for look in shown),
        nmi=tuple(look.score.nmi if look.score else None for look in shown),
        rule=score.rule if score else "",
        seen=score.seen if score else 0,
        named=tuple(classes[i] if i >= 0 else "" for i in score.named) if score else (),
        events=tuple((look.seconds, look.reassigned) for look in looks if look.reassigned),
    )
    return Film(numbers, tuple(look.picture for look in shown if look.picture is not None))


def pack_film(film: Film) -> dict[str, NDArray[Any]]:
    """Convert the animation to compressed arrays for a file."""
    pictures = np.stack(film.pictures)
    known = {"numbers": asdict(film.numbers), "shape": pictures.shape}
    # Consecutive pictures differ only slightly, so their differences compress well.
    steps = np.concatenate([pictures[:1], np.diff(pictures, axis=0)])
    return {
        "known": np.frombuffer(json.dumps(known, ensure_ascii=False).encode(), np.uint8),
        "pictures": np.frombuffer(zlib.compress(steps.tobytes(), 9), np.uint8),
    }


def unpack_film(arrays: Mapping[str, NDArray[Any]]) -> Film:
    """Read an animation from the arrays that `pack_film` returned."""
    known = json.loads(arrays["known"].tobytes())
    values: dict[str, Any] = {name: _to_tuple(value) for name, value in known["numbers"].items()}
    steps = np.frombuffer(zlib.decompress(arrays["pictures"].tobytes()), np.uint8)
    pictures = np.cumsum(steps.reshape(known["shape"]), axis=0, dtype=np.uint8)
    return Film(Numbers(**{part.name: values[part.name] for part in fields(Numbers)}), (*pictures,))


def _losses(looks: Sequence[Snapshot], marks: Sequence[int]) -> tuple[float | None, ...]:
    means: list[float | None] = []
    before = -1
    for mark in marks:
        losses = [look.loss for look in looks[before + 1 : mark + 1] if not math.isnan(look.loss)]
        means.append(sum(losses) / len(losses) if losses else None)
        before = mark
    return tuple(means)


def _to_tuple(value: object) -> object:
    """Replace lists with tuples, because JSON has no tuples."""
    return tuple(_to_tuple(item) for item in value) if isinstance(value, list) else value


NUMBERS: Final = ("iteration", "share", "seconds", "loss", "stage", "cooling", "sizes",
                  "reassigned")  # fmt: skip


def describe(plan: ClusterPlan) -> str:
    """Convert the plan to text for the record."""
    known = {part.name: getattr(plan, part.name) for part in fields(plan)}
    return json.dumps(known | {"config": plan.config.to_json()}, ensure_ascii=False)


@reports_damage
def read_plan(kept: SavedRun) -> ClusterPlan:
    """Read the plan that `describe` wrote."""
    known = json.loads(kept.record.config)
    config, classes = ClusterConfig.from_json(known.pop("config")), tuple(known.pop("classes"))
    return ClusterPlan(config=config, classes=classes, **known)


def state_run(record: Record) -> Statement:
    """Return what a record states. That of a precomputed example contains only the config."""
    known = json.loads(record.config)
    plan = known if "config" in known else {}
    stored = read_stored(ClusterConfig, plan.get("config", record.config))
    config = stored.config
    modules = list_words(config.modules) or "none"
    moved = f"the transformations of a prototype ({modules})"
    methods = {
        "dti-kmeans": f"DTI K-means, loss (4), in which encoders predict {moved}",
        "dti-gmm": f"DTI GMM, loss (5), in which encoders predict {moved}",
        "ti": f"TI K-means, loss (4), with {moved} optimised for every image",
        "kmeans": "K-means of the pixels",
        "gmm": "a Gaussian mixture model of the pixels",
    }
    budget = f", within {plan['budget']:.12g} CPU seconds" if "budget" in plan else ""
    done = (
        f"The images were divided into K = {config.k} clusters by {methods[config.model]}{budget}"
    )
    facts = {"budget": f"{plan['budget']:.12g} CPU s"} if budget else {}
    if plan.get("reduced"):
        facts["images"] = "reduced to fewer pixels"
    if plan.get("origin"):
        facts["derived from"] = f"{plan['origin']}, after {plan.get('done', 0.0):.12g} CPU s"
    on = count_images(plan["total"], plan["total"]) if plan else ""
    learned = config.model not in ("kmeans", "gmm")
    return Statement(done, [stored], (DTI,) if learned else (), on, facts)


def pack(look: Snapshot) -> Arrays:
    """Convert a snapshot to arrays: its metrics, and its picture if it has one."""
    known = {name: getattr(look, name) for name in NUMBERS}
    known["score"] = None if look.score is None else asdict(look.score)
    arrays: dict[str, Any] = {"known": to_text(known)}
    return arrays if look.picture is None else {**arrays, "picture": look.picture}


def state_of(look: Snapshot) -> bytes | None:
    """Return the state of a snapshot, or None if the snapshot has no picture."""
    state = look.newest.state
    return None if look.picture is None or state is None else pack_state(state)


@reports_damage
def unpack(kept: SavedRun) -> Sequence[Snapshot]:
    """Read the snapshots up to the last saved state."""
    if kept.kept_state() is None or not kept.steps:  # states are written before their snapshots
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
            f"run {kept.id} is damaged (none of its steps has a picture): compute it again"
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
    """Return a row for each picture, with the same keys as the shell command `cluster`."""
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
        raise EngineError(f"the data of run {kept.id} must be images; got points")
    return data.images


@reports_damage
def _export(kept: SavedRun) -> Arrays:
    """Return the arrays that the shell command `cluster` writes, and the history of the metrics."""
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
    statement=state_run,
    seed=lambda plan: plan.seed,
    pack=pack,
    unpack=unpack,
    state=state_of,
    count=lambda kept: int(_last(kept)["iteration"]),
    numbers=_compared_numbers,
    resume=_resume,
    rows=_rows,
    export=lambda kept, _: _export(kept),
    model=lambda kept, _: build_model(last_state(unpack(kept)), _read_images(kept)),
)
