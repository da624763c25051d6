"""Runs that are listed and watched like all others, but never saved."""

from typing import Final

from ia_engine.datasets.published import Fetched, count_steps, fetch_steps
from ia_engine.figures.mean_figures import EXPECTED, Again, solve_again
from ia_engine.runs.clustering.compare import Compared, compare, expected_compared
from ia_engine.runs.kinds.kind import RunKind
from ia_engine.runs.papers.entry import Progress, run_entry

OTHER_POSES: Final = RunKind[Again](
    id="other-poses",
    title="Mean, other poses",
    unit="iteration",
    work=lambda few, _, __: solve_again(few),
    expected=lambda _, __: EXPECTED,
)
SIDE_BY_SIDE: Final = RunKind[Compared](
    id="side-by-side",
    title="Clustering, side by side",
    unit="iteration",
    work=lambda plans, data, _: compare(plans, data),
    expected=lambda plans, _: expected_compared(plans),
)
PAPER_ENTRY: Final = RunKind[Progress](
    id="paper-entry",
    title="Papers",
    unit="step",
    work=lambda plan, _, __: run_entry(*plan),  # an entry and an effort
    expected=lambda plan, _: plan[0].steps + 1,
)
FETCH: Final = RunKind[Fetched](
    id="fetch",
    title="Data, fetch a set",
    unit="step",
    work=lambda name, _, __: fetch_steps(name),
    expected=lambda name, _: count_steps(name),
)
