"""Pictures of a run that mislead, for the notes beside its plots."""

from dataclasses import replace
from typing import Final

import streamlit as st

from ia_engine.attention.clusters.embedding import embed, find_illusion
from ia_engine.figures.matrices import Weighed, draw_weights
from ia_engine.figures.player import METHOD_TITLES
from ia_engine.figures.plots import plot_contraction, plot_tree, plot_within
from ia_engine.runs.attend import MethodStep, list_distances, rebuild_tree, restore_weights
from pages._ui.components.drawing import show_drawing
from pages._ui.panels import show_plot
from pages._ui.state.iterations import ShownRun
from pages._ui.state.selection import select_pair
from pages._ui.wording import number

LARGE_THRESHOLD: Final = 8.0
"""Multiple of the usual d² below which images count as one in the misleading merge tree."""
LARGE_BETA: Final = 30.0
"""Multiple of β in the misleading weights, where every image is its own mean."""


def weighed(step: MethodStep) -> Weighed:
    """Return the weights of a step with its metrics."""
    return Weighed(restore_weights(step), step.numbers)


def draw_within(run: ShownRun) -> None:
    """Draw the distances within classes alone."""
    if not run.plan.labels:
        st.caption("The images have no classes, so there is no distance within classes.")
        return
    show_plot(plot_within(run.numbers), "misleading distances", run.key)
    st.caption(
        "If the lines **between** classes are hidden and values are relative to iteration 0, "
        "kernel attention seems to behave like invariant attention."
    )


def draw_contraction(run: ShownRun) -> None:
    """Draw the contraction of kernel attention alone."""
    steps = run.numbers["ka"]
    show_plot(plot_contraction({"ka": steps}), "misleading contraction", run.key)
    first, last = steps[0], steps[-1]
    change = f"the largest d decreased from {number(first.radius)} to {number(last.radius)}"
    if first.d2_between is not None and last.d2_between is not None:
        change += f", and d² between classes from {first.d2_between:.3g} to {last.d2_between:.3g}"
    st.caption(f"Kernel attention contracts too: {change}. All images become one.")


def draw_large_threshold(run: ShownRun) -> None:
    """Draw the tree for a large threshold."""
    plan = run.plan
    trees = {
        method: [
            *numbers[:-1],
            replace(numbers[-1], tree=rebuild_tree(run.runs[method], LARGE_THRESHOLD)),
        ]
        for method, numbers in run.numbers.items()
    }
    figure = plot_tree(trees, plan.labels, plan.names, plan.classes, run.pair)
    show_plot(figure, "misleading tree", run.key)
    counts = [f"{METHOD_TITLES[m].lower()}: {len(n[-1].tree.clusters)}" for m, n in trees.items()]
    st.caption(
        f"The same run if images within {number(LARGE_THRESHOLD)} times that distance count as "
        f"one. Number of clusters, {'; '.join(counts)}."
    )


def draw_large_beta(run: ShownRun) -> None:
    """Draw the weights for a large β."""
    pairs = {}
    for method, steps in run.runs.items():
        first, last = (
            Weighed(restore_weights(step, LARGE_BETA), replace(step.numbers, block_mass=None))
            for step in (steps[0], steps[-1])
        )
        pairs[method] = (first, last)
    dark = st.context.theme.type == "dark"
    show_drawing(draw_weights(pairs, run.plan.labels, dark=dark), "misleading matrices")
    shares = [
        f"{METHOD_TITLES[method].lower()} {100 * float(first.W.diagonal().mean()):.0f} %"
        for method, (first, _) in pairs.items()
    ]
    st.caption(
        f"The same distances with a β that is {number(LARGE_BETA)} times as large. Weight on the "
        f"diagonal of the first W: {', '.join(shares)}. No images are averaged, but W looks right."
    )


def select_illusion(run: ShownRun) -> None:
    """Select the pair whose distance at iteration 0 the plane distorts most."""
    d2 = list_distances(next(iter(run.runs.values())))[0]
    select_pair(run.rows, find_illusion(embed(d2).points, d2))
