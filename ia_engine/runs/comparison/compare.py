"""Runs methods one after the other on the same images, and measures each result."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import torch
from numpy.typing import NDArray
from torch import Tensor

from ia_engine.datasets.data import ImageSet
from ia_engine.images import Images, Labels
from ia_engine.metrics import agree, score_clusters
from ia_engine.runs.comparison.config import TITLES, ComparisonConfig, ComparisonPlan, set_task
from ia_engine.runs.comparison.helper import Helper
from ia_engine.runs.comparison.limits import Outcome


@dataclass(frozen=True)
class Measures:
    """The agreement between clusters and classes."""

    acc: float
    """Accuracy under the best one-to-one mapping from clusters to classes. Images in unmapped
    clusters count as errors."""
    nmi: float
    ari: float
    purity: float | None
    """Fraction of the images that belong to the largest class of their cluster; None if K is the
    number of classes."""


@dataclass(frozen=True, eq=False)
class Result:
    """The result of one method. If it found nothing, the number of clusters is 0."""

    method: str
    seconds: float
    memory: int | None
    """Growth of the memory of the process [bytes]; None if unknown."""
    finished: bool
    """True if the method ended within its budget."""
    note: str
    clusters: int
    measures: Measures | None
    """The agreement with the labels; None if there are none."""
    assignments: Tensor
    """[n]: the cluster of each image; empty if nothing was found."""
    centres: Tensor
    """[k c h w]: the centre of each cluster."""
    error: float | None = None
    """Mean squared error per pixel between the images and their (transformed) centres, if known."""

    @property
    def nbytes(self) -> int:
        return self.centres.nbytes + self.assignments.nbytes


def judge(method: str, outcome: Outcome, labels: Labels | None, images: Images) -> Result:
    """Convert an outcome to a result, and compare its clusters with the labels."""
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
        error=None if best is None else best.error,
    )


def _measure(labels: Labels, found: Labels) -> Measures:
    scores, agreement = score_clusters(labels, found), agree(labels, found)
    equal = len(found.unique()) == len(agreement.classes)
    purity = None if equal else float(agreement.confusion.amax(0).sum() / max(1, len(labels)))
    return Measures(scores.acc, scores.nmi, scores.ari, purity)


Cell = str | int | float | None
MEGABYTE = 1e6


def to_row(result: Result) -> dict[str, Cell]:
    """Return a result as a row. Scripts depend on its column names; memory is in bytes."""
    measures = result.measures
    return {
        "method": result.method,
        "seconds": result.seconds,
        "acc": measures.acc if measures else None,
        "nmi": measures.nmi if measures else None,
        "ari": measures.ari if measures else None,
        "clusters": result.clusters,
        "purity": measures.purity if measures else None,
        "squared_error": result.error,
        "memory": result.memory,
        "finished": int(result.finished),
        "note": result.note,
    }


def to_arrays(results: Sequence[Result]) -> dict[str, NDArray[Any]]:
    """Return the centres [k c h w] and the assignments [n] of each method, for a file."""
    arrays = {}
    for result in results:
        name = result.method.replace("-", "_")
        arrays[f"centres_{name}"] = result.centres.cpu().numpy()
        arrays[f"assignments_{name}"] = result.assignments.cpu().numpy()
    return arrays


def to_screen_row(result: Result) -> dict[str, Cell]:
    """Return a result as a row with column names and units for display."""
    measures, memory = result.measures, result.memory
    return {
        "method": TITLES[result.method],
        "ACC [%]": round(100 * measures.acc, 1) if measures else None,
        "NMI": round(measures.nmi, 3) if measures else None,
        "ARI": round(measures.ari, 3) if measures else None,
        "purity [%]": _percent(measures.purity) if measures else None,
        "clusters": result.clusters,
        "squared error": None if result.error is None else round(result.error, 5),
        "CPU s": round(result.seconds, 3),
        "memory [MB]": None if memory is None else round(memory / MEGABYTE, 1),
        "note": result.note,
    }


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 1)


POLL: Final = 0.3
"""Seconds between two moments while a method is running."""


@dataclass(frozen=True, eq=False)
class Moment:
    """The method that is running and its elapsed time, or its result."""

    plan: ComparisonPlan
    method: str
    waited: float
    """Elapsed time [s], including waiting."""
    result: Result | None = None

    @property
    def nbytes(self) -> int:
        return self.result.nbytes if self.result else 0


def compare(
    plan: ComparisonPlan,
    data: ImageSet,
    known: Sequence[Result] = (),
    helper: Helper | None = None,
) -> Iterator[Moment]:
    """Run the methods in turn, and yield moments. The last moment of each method contains its
    result.

    Results in `known` are reused.
    """
    if helper is None:
        with Helper() as own:
            yield from compare(plan, data, known, own)
        return
    task, labels = set_task(plan, data)
    before = {result.method: result for result in known}
    for method in plan.config.methods:
        if method in before:
            yield Moment(plan, method, 0.0, before[method])
            continue
        helper.begin(method, task)
        started = time.monotonic()
        yield Moment(plan, method, 0.0)
        while (outcome := helper.wait(POLL)) is None:
            yield Moment(plan, method, time.monotonic() - started)
        found = judge(method, outcome, labels, task.images)
        yield Moment(plan, method, time.monotonic() - started, found)


def expected_moments(config: ComparisonConfig) -> int:
    """Return the approximate maximum number of moments."""
    return int(len(config.methods) * (config.budget / POLL + 2))


def results_of(history: Sequence[Moment]) -> list[Result]:
    """Return all results so far, in the order in which the methods ran."""
    return [moment.result for moment in history if moment.result is not None]
