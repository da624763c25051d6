"""How far a kept run has come, in what its page counts: not in files, which may be fewer."""

from collections.abc import Callable, Mapping
from typing import Final

from ia_engine.runs.kept import clusters, comparisons, iterations, means, races
from ia_engine.runs.kept.keeping import from_text, tell_damage
from ia_engine.runs.library import Kept


@tell_damage
def count_done(kept: Kept) -> tuple[int, str]:
    """So many, and what is counted; of an unknown kind, of which nothing is read, its files."""
    count, unit = COUNTED.get(kept.kind, (_files, "step"))
    return (count(kept) if kept.steps else 0), unit


def _files(kept: Kept) -> int:
    return kept.steps


def _after_data(kept: Kept) -> int:
    """The first file holds the data as they were."""
    return kept.steps - 1


def _of_mean(kept: Kept) -> int:
    return means.read_steps(kept.arrays(kept.steps))[-1].k


def _of_clusters(kept: Kept) -> int:
    return int(from_text(kept.arrays(kept.steps)["known"])["iteration"])


def _of_race(kept: Kept) -> int:
    lanes = races.read_curves(kept.arrays(kept.steps)).values()
    return max((lane[-1].iteration for lane in lanes if lane), default=0)


COUNTED: Final[Mapping[str, tuple[Callable[[Kept], int], str]]] = {
    iterations.KIND: (_after_data, "iteration"),
    means.KIND: (_of_mean, "iteration"),
    clusters.KIND: (_of_clusters, "step"),
    comparisons.KIND: (_files, "result"),
    comparisons.SWEEP: (_files, "result"),
    races.KIND: (_of_race, "iteration"),
}
