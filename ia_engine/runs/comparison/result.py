"""What a method made of the data, in numbers, and its centres."""

from dataclasses import dataclass

import torch
from torch import Tensor

from ia_engine.metrics import agree, score_clusters
from ia_engine.runs.comparison.limits import Outcome
from ia_engine.shapes import Images, Labels


@dataclass(frozen=True)
class Measures:
    """How well clusters fit the classes."""

    acc: float
    """By the best one-to-one map; images of clusters without a class of their own are wrong."""
    nmi: float
    ari: float
    purity: float | None
    """Where there are not as many clusters as classes: each counts as its largest class."""


@dataclass(frozen=True, eq=False)
class Result:
    """One row of the table; a method that found nothing has no clusters."""

    method: str
    seconds: float
    memory: int | None
    """Bytes by which the process grew."""
    finished: bool
    """Whether it ended within its budget."""
    note: str
    clusters: int
    measures: Measures | None
    """None without labels."""
    assignments: Tensor
    """[n]; empty where nothing was found."""
    centres: Tensor
    """[k c h w]"""

    @property
    def nbytes(self) -> int:
        return self.centres.nbytes + self.assignments.nbytes


def judge(method: str, outcome: Outcome, labels: Labels | None, images: Images) -> Result:
    """Compare what was found with the labels."""
    best = outcome.best
    notes = [outcome.error, best.note if best else "", "" if outcome.finished else "out of time"]
    if outcome.error:
        notes = notes[:2]
    found = images.new_zeros(0, dtype=torch.int64) if best is None else best.assignments
    return Result(
        method=method,
        seconds=outcome.seconds,
        memory=outcome.memory,
        finished=outcome.finished,
        note="; ".join(filter(None, notes)),
        clusters=len(found.unique()),
        measures=None if labels is None or best is None else _measure(labels, found),
        assignments=found,
        centres=images[:0] if best is None else best.centres,
    )


def _measure(labels: Labels, found: Labels) -> Measures:
    scores, agreement = score_clusters(labels, found), agree(labels, found)
    equal = len(found.unique()) == len(agreement.classes)
    purity = None if equal else float(agreement.confusion.amax(0).sum() / max(1, len(labels)))
    return Measures(scores.acc, scores.nmi, scores.ari, purity)
