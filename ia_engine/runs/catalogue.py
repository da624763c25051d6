"""Lists all kinds of runs, and reads the progress and the results of saved runs."""

from collections.abc import Mapping
from typing import Any, Final

from ia_engine.datasets.published import Fetched, count_steps, fetch_steps
from ia_engine.figures.mean_figures import EXPECTED, OtherStarts, solve_other_starts
from ia_engine.runs.folder import SavedRun, reports_damage
from ia_engine.runs.kinds.attention import ATTENTION
from ia_engine.runs.kinds.clusterings import CLUSTERINGS
from ia_engine.runs.kinds.comparisons import COMPARISONS, SWEEPS
from ia_engine.runs.kinds.iterations import ITERATIONS
from ia_engine.runs.kinds.kind import RunKind
from ia_engine.runs.kinds.means import MEANS
from ia_engine.runs.kinds.races import RACES
from ia_engine.runs.papers.entry import Progress, run_entry

OTHER_POSES: Final = RunKind[OtherStarts](
    id="other-poses",
    title="Mean, other poses",
    unit="iteration",
    work=lambda few, _, __: solve_other_starts(few),
    expected=lambda _, __: EXPECTED,
)
PAPER_ENTRY: Final = RunKind[Progress](
    id="paper-entry",
    title="Papers",
    unit="step",
    work=lambda plan, _, __: run_entry(*plan),  # the plan is an entry and an effort
    expected=lambda plan, _: plan[0].steps + 1,
)
FETCH: Final = RunKind[Fetched](
    id="fetch",
    title="Data, fetch a set",
    unit="step",
    work=lambda name, _, __: fetch_steps(name),
    expected=lambda name, _: count_steps(name),
)


RUN_KINDS: Final[Mapping[str, RunKind[Any]]] = {
    kind.id: kind
    for kind in (
        *(ITERATIONS, ATTENTION, MEANS, CLUSTERINGS, COMPARISONS, SWEEPS, RACES),
        *(OTHER_POSES, PAPER_ENTRY, FETCH),
    )
}


@reports_damage
def count_done(kept: SavedRun) -> tuple[int, str]:
    """Return the progress of a saved run, and its unit. For an unknown kind, the files are counted.

    >>> count_done(kept)  # doctest: +SKIP
    (10, 'iteration')
    """
    kind = RUN_KINDS.get(kept.kind)
    if kind is None:
        return kept.steps, "step"
    return (kind.count(kept) if kept.steps else 0), kind.unit


@reports_damage
def last_numbers(kept: SavedRun) -> Mapping[str, str]:
    """Return the metrics of the last step of a saved run by name."""
    kind = RUN_KINDS.get(kept.kind)
    return kind.numbers(kept) if kind is not None and kept.steps else {}
