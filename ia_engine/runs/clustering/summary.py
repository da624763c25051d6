"""The frames of a clustering run in order, with the measurements of each frame."""

import json
import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ia_engine.runs.clustering.result import Picture
from ia_engine.runs.clustering.run import Snapshot


@dataclass(frozen=True)
class Numbers:
    """One entry for each picture; None if nothing was measured."""

    model: str
    k: int
    budget: float
    modules: tuple[str, ...]
    total: int
    seconds: tuple[float, ...]
    iterations: tuple[int, ...]
    losses: tuple[float | None, ...]
    """The mean since the previous picture."""
    stages: tuple[int, ...]
    """Number of active modules."""
    cooling: tuple[bool, ...]
    sizes: tuple[tuple[float, ...], ...]
    acc: tuple[float | None, ...]
    nmi: tuple[float | None, ...]
    rule: str
    seen: int
    """Number of images in the last measurement."""
    named: tuple[str, ...]
    """The most frequent class of each cluster, "" if it is unknown."""
    events: tuple[tuple[float, tuple[tuple[int, int], ...]], ...]
    """Times at which clusters were reassigned, with (cluster, the one that it copied)."""


@dataclass(frozen=True, eq=False)
class Film:
    """Numbers and pictures; the last numbers may be newer than the last picture."""

    numbers: Numbers
    pictures: tuple[Picture, ...]


def summarise(looks: Sequence[Snapshot]) -> Film:
    """The film of these snapshots; there must be at least one."""
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
    """The film as compressed arrays, for a file."""
    pictures = np.stack(film.pictures)
    known = {"numbers": asdict(film.numbers), "shape": pictures.shape}
    # Differences between consecutive pictures are small, so they compress well.
    steps = np.concatenate([pictures[:1], np.diff(pictures, axis=0)])
    return {
        "known": np.frombuffer(json.dumps(known, ensure_ascii=False).encode(), np.uint8),
        "pictures": np.frombuffer(zlib.compress(steps.tobytes(), 9), np.uint8),
    }


def unpack_film(arrays: Mapping[str, NDArray[Any]]) -> Film:
    """The inverse of `pack_film`."""
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
    """Replace lists by tuples, since JSON has no tuples."""
    return tuple(_to_tuple(item) for item in value) if isinstance(value, list) else value
