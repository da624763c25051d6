"""Plots of a run, one at a time, each with a word on how it misleads."""

from collections.abc import Callable, Mapping
from typing import Final

import streamlit as st

from ia_engine.attention.clusters.embedding import Plane, embed_steps
from ia_engine.figures.plots import plot_contraction, plot_distances, plot_embedding, plot_tree
from ia_engine.figures.style import NAMES
from ia_engine.figures.weights import Weighed, draw_weights, order_by
from ia_engine.runs.plan import Plan
from ia_engine.runs.shown import Shown, recall_distances, recall_weights
from pages._ui.controls import choose_one
from pages._ui.drawing import show_drawing
from pages._ui.iterations.clusters import show_clusters
from pages._ui.iterations.misleading import warn
from pages._ui.iterations.seen import Runs, Seen
from pages._ui.iterations.table import show_numbers
from pages._ui.panels import shown
from pages._ui.plots import show_plot
from pages._ui.selection import select_pair, selected
from pages._ui.steps import jump_to

VIEW: Final = "view"
DISTANCES: Final = "Distances"
CONTRACTION: Final = "Contraction"
MATRICES: Final = "Weights, first and last"
MOST: Final = 200
"""So many images are placed in the plane."""


def show_views(seen: Seen) -> None:
    """The chosen plot, and the table of numbers, as wide as its columns need."""
    usual = DISTANCES if seen.plan.labels else CONTRACTION
    chosen = choose_one("View", list(VIEWS), usual, key=VIEW, hidden=True)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        VIEWS[chosen](seen)
    with right:
        warn(chosen, seen)
    show_numbers(seen)


def _distances(seen: Seen) -> None:
    if seen.plan.labels:
        own = pair_lines(seen.runs, seen.pair) if seen.pair else {}
        figure = plot_distances(seen.numbers, seen.step, own)
        show_plot(figure, "distances", seen.key, lambda _, p: jump_to(seen.key, p))
    else:
        st.info("The images have no class labels: choose another view.")


def pair_lines(runs: Runs, pair: tuple[int, int]) -> dict[str, list[float]]:
    """d² of the pair at every iteration."""
    return {
        method: [float(d2[pair]) for d2 in recall_distances(steps)]
        for method, steps in runs.items()
    }


def _contraction(seen: Seen) -> None:
    figure = plot_contraction(seen.numbers, seen.step)
    show_plot(figure, "contraction", seen.key, lambda _, p: jump_to(seen.key, p))


def _tree(seen: Seen) -> None:
    plan, numbers = seen.plan, seen.numbers
    figure = plot_tree(numbers, plan.labels, plan.names, plan.classes, seen.pair)
    orders = [steps[-1].tree.order for steps in numbers.values()]

    def clicked(curve: int, at: int) -> None:  # every method has branches, and then leaves
        if curve % 2 and curve // 2 < len(orders):
            image = orders[curve // 2][at]
            select_pair(seen.rows, (image, image))

    show_plot(figure, "tree", seen.key, clicked)
    st.caption(
        "Each marker is an image; a bar joins images that are the same from that iteration on."
    )


def _plane(seen: Seen) -> None:
    plan, runs, stride = seen.plan, seen.runs, _stride(seen.plan)
    names, rows = plan.names[::stride], seen.rows[::stride]
    planes = _embed(seen.key, stride, sum(map(len, runs.values())), runs)
    groups = {
        method: (plan.labels or steps[-1].numbers.assignments)[::stride]
        for method, steps in runs.items()
    }
    classes = plan.classes if plan.labels else ()
    figure = plot_embedding(planes, groups, names, classes, selected().pair(rows))
    show_plot(figure, "plane", seen.key, lambda _, at: select_pair(rows, (at, at)))
    if len(names) < len(plan.names):
        shown(len(names), len(plan.names), "images")
    kept = [f"{100 * steps[-1].kept:.0f} % ({NAMES[method]})" for method, steps in planes.items()]
    st.caption("Of the last step's spread the plane holds " + ", ".join(kept))


def _matrices(seen: Seen) -> None:
    pairs = {m: (_weighed(steps[0]), _weighed(steps[-1])) for m, steps in seen.runs.items()}
    dark = st.context.theme.type == "dark"
    orders = [order_by(seen.plan.labels or last.numbers.assignments) for _, last in pairs.values()]

    def clicked(row: int, column: int) -> None:  # without classes the methods' orders may differ
        select_pair(seen.rows, (orders[0][row], orders[0][column]))

    drawn = draw_weights(pairs, seen.plan.labels, seen.pair, dark=dark)
    show_drawing(drawn, "matrices", clicked if len({*map(tuple, orders)}) == 1 else None)
    st.caption(
        "Within classes: the share of the weight off the diagonal that stays within the classes."
        if seen.plan.labels
        else "Without classes, rows and columns are in the order of the last step's clusters."
    )


def _weighed(step: Shown) -> Weighed:
    return Weighed(recall_weights(step), step.numbers)


def _stride(plan: Plan) -> int:
    return -(-len(plan.names) // MOST)


@st.cache_resource(max_entries=8, show_spinner=False)
def _embed(key: str, stride: int, steps: int, _runs: Runs) -> dict[str, list[Plane]]:
    return {
        method: list(embed_steps(d2[::stride, ::stride] for d2 in recall_distances(items)))
        for method, items in _runs.items()
    }


VIEWS: Final[Mapping[str, Callable[[Seen], None]]] = {
    DISTANCES: _distances,
    CONTRACTION: _contraction,
    "Clusters": show_clusters,
    "Merge tree": _tree,
    "Plane": _plane,
    MATRICES: _matrices,
}
