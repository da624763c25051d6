"""A comparison on the screen: the current run or the example, and the centres of each method."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from ia_engine.datasets.data import ImageSet
from ia_engine.figures.comparison.plots import plot_scores
from ia_engine.figures.mosaic import draw_row
from ia_engine.runs.comparison.compare import Moment, Result, results_of
from ia_engine.runs.comparison.config import TITLES, ComparisonPlan
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.comparisons import COMPARISONS
from pages._ui.compare.actions import comparison_status, show_changes
from pages._ui.compare.exports import show_files
from pages._ui.compare.sweep import example, show_sweep
from pages._ui.compare.table import show_table
from pages._ui.panels import explaining, show_plot
from pages._ui.runs.current import shown_run
from pages._ui.runs.watch import watch
from pages._ui.state.compare import compare_state
from pages._ui.wording import number

MIN_COLUMNS: Final = 3
MAX_CENTRES: Final = 12
"""Maximum number of centres shown for each method."""


def show_page(planned: ComparisonPlan, data: ImageSet) -> None:
    """Show the current or the precomputed comparison, and the sweep below it."""
    job = shown_run(COMPARISONS.id)
    if job is None:
        st.markdown(f":material/play_arrow: {_describe_run(planned)}")
        with explaining():
            _show_example(planned)
    else:
        watch(job, _show_run, comparison_status(data))
        if job.finished and job.history:
            show_changes(job, planned, data)
    show_sweep(planned.config)


def _describe_run(planned: ComparisonPlan) -> str:
    """Describe what the Run button will do, and on how many images."""
    count, size, total = len(planned.config.methods), planned.size, planned.total
    images = f"{size:,} of the {total:,} images chosen above, spread evenly over the classes"
    if size == total:
        images = f"all {total:,} images chosen above"
    methods = "1 method" if count == 1 else f"{count} methods"
    return f"Press **Run** to run {methods} on {images}."


def _show_example(planned: ComparisonPlan) -> None:
    kept = example()
    plan = kept.plan
    caption = (
        f"Precomputed example: Experiment 1, {plan.size} of {plan.total} images, "
        f"K = {plan.config.k} given, {number(plan.config.budget)} s for each method."
    )
    if plan.recipe != planned.recipe:
        caption += " It is not a result for the data chosen above."
    st.caption(caption)
    _show_pictures(kept.results, "example")
    show_table(kept.plan, kept.results)
    show_files(kept.plan, kept.results)


def _show_run(job: Job[Moment]) -> None:
    plan, results = job.history[-1].plan, results_of(job.history)
    if not results:
        return
    _show_pictures(results, job.id)
    show_table(plan, results)
    if job.finished:
        show_files(plan, results)


def _show_pictures(results: Sequence[Result], key: str) -> None:
    """Show the centres of every method beside the plot of their scores."""
    pictures, plot = st.columns([3, 2], gap="medium")
    with plot:
        _show_scores(results, key)
    with pictures:
        _show_centres(results, key)


def _show_scores(results: Sequence[Result], key: str) -> None:
    """Show the time and the ARI of every method as a plot; a click highlights the method."""
    scored = [(result, result.measures.ari) for result in results if result.measures]
    if not scored:
        return
    scores = {TITLES[result.method]: (result.seconds, ari) for result, ari in scored}
    show_plot(
        plot_scores(scores, marked=TITLES.get(compare_state.highlighted)),
        f"scores {key}",
        f"scores {key}",
        lambda curve, _: compare_state.highlight(scored[curve][0].method),
    )


def _show_centres(results: Sequence[Result], key: str) -> None:
    """Show the centres of every method that found any, two methods per row."""
    found = [result for result in results if len(result.centres)]
    if not found:
        return
    st.markdown("#### Centres")
    most = max(len(result.centres) for result in found)
    columns = max(MIN_COLUMNS, min(MAX_CENTRES, most))
    for at in range(0, len(found), 2):
        pair = found[at : at + 2]
        for cell, result in zip(st.columns(2, gap="medium"), pair, strict=False):
            with cell:
                _show_centres_of(result, _draw(f"{key} {result.method}", columns, result))
    if most > MAX_CENTRES:
        st.caption(
            f"Only the first {MAX_CENTRES} centres of each method are shown; one method has "
            f"{most:,}."
        )
    st.caption(
        "The centre of a cluster is the mean of its images: for invariant attention, aligned with "
        "the most central image; for TI and DTI, the learned prototype; for all other methods, "
        "pixel by pixel."
    )


def _show_centres_of(result: Result, picture: bytes) -> None:
    name = TITLES[result.method]
    ari = f", ARI {result.measures.ari:.2f}".replace("-", "−") if result.measures else ""
    with st.container(gap="xsmall"):
        highlighted = result.method == compare_state.highlighted
        st.button(
            f":orange-background[**{name}**{ari}]" if highlighted else f"**{name}**{ari}",
            key=f"mark {result.method}",
            type="tertiary",
            on_click=compare_state.highlight,
            args=(result.method,),
            help="Highlights this method in the table and in the plot, or removes the highlight",
        )
        st.image(
            picture, width="stretch", alt=f"{name}: the centres of {len(result.centres)} clusters"
        )


@st.cache_resource(max_entries=64, show_spinner=False)
def _draw(key: str, columns: int, _result: Result) -> bytes:
    return draw_row(_result.centres.clamp(0, 1), columns)
