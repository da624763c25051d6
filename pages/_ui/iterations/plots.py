"""Plots of a run, one at a time, each with a note on how it can mislead, and the table of its
numbers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import streamlit as st

from ia_engine.attention.clusters.embedding import Plane, embed_steps
from ia_engine.figures.matrices import draw_weights, order_by
from ia_engine.figures.plots import (
    plot_contraction,
    plot_distances,
    plot_embedding,
    plot_tree,
    tabulate_steps,
)
from ia_engine.figures.style import NAMES
from ia_engine.runs.attend import list_distances
from pages._ui.components.drawing import show_drawing
from pages._ui.controls import choose_one
from pages._ui.iterations.clusters import show_cluster_table
from pages._ui.iterations.misleading import (
    draw_contraction,
    draw_large_beta,
    draw_large_threshold,
    draw_within,
    select_illusion,
    weighed,
)
from pages._ui.iterations.true_poses import POSES_NOTE, draw_absolute, show_pose_errors
from pages._ui.panels import show_count, show_misleading, show_plot
from pages._ui.state.fields import read_selected_rows
from pages._ui.state.iterations import Runs, ShownRun
from pages._ui.state.selection import select_pair, selected, show_step

DISTANCES: Final = "Distances"
CONTRACTION: Final = "Contraction"
MATRICES: Final = "Weights, first and last"

MAX_EMBEDDED: Final = 200
"""Maximum number of images in the Plane view."""
NUMBER_COLUMNS: Final = {
    "shown": st.column_config.TextColumn(
        width="small",
        help="▶: the iteration shown in the player; click a row to show its iteration",
    ),
    "iteration": st.column_config.NumberColumn(help="0: the data; p: after p averaging steps"),
    "clusters": st.column_config.NumberColumn(
        help="Number of clusters: images that have become identical count as one"
    ),
    "ARI": st.column_config.NumberColumn(
        format="%.3f",
        help="Adjusted Rand index of the clusters and the classes: 1 if equal, 0 if random",
    ),
    "block mass": st.column_config.NumberColumn(
        format="percent",
        help="Weight within classes: Σ Wᵢⱼ over i ≠ j of one class, divided by Σ Wᵢⱼ over i ≠ j",
    ),
    "d² within": st.column_config.NumberColumn(
        format="%.3g", help="Mean d² between images of the same class"
    ),
    "d² between": st.column_config.NumberColumn(
        format="%.3g", help="Mean d² between images of different classes"
    ),
    "contraction": st.column_config.NumberColumn(
        format="%.4f",
        help="The largest d(p)/d(p-1) of any pair; Theorem 4.1 shows when it is below 1",
    ),
    "CPU s": st.column_config.NumberColumn(
        format="%.3f", help="CPU time of this iteration in seconds"
    ),
}


def show_views(run: ShownRun, alone: ShownRun) -> None:
    """Show the chosen plot and the table of numbers; misleading plots show the run `alone`."""
    default = DISTANCES if run.plan.labels else CONTRACTION
    name = choose_one("View", list(VIEWS), default, key=run.view_control, hidden=True)
    view = VIEWS[name]
    left, right = st.columns([3, 2], gap="medium")
    with left:
        view.show(run)
    with right:
        if view.draw is None:
            show_misleading(view.note, key=f"misleads {name}", show=lambda: select_illusion(alone))
        else:
            draw = view.draw
            show_misleading(view.note, key=f"misleads {name}", draw=lambda: draw(alone))
    show_numbers(run)


def show_numbers(run: ShownRun) -> None:
    """Show the numbers of each iteration; a click on a row shows its iteration."""
    table = tabulate_steps(run.numbers, run.step)
    key = f"numbers {run.key} {run.step}"

    def select() -> None:
        for row in read_selected_rows(key):
            show_step(run.key, int(table[row]["iteration"] or 0))

    st.dataframe(
        table,
        width="stretch",
        hide_index=True,
        column_config=NUMBER_COLUMNS,
        placeholder="–",
        key=key,
        on_select=select,
        selection_mode="single-row",
    )


def _show_distances(run: ShownRun) -> None:
    if not run.plan.labels:
        st.info(
            "This view needs class labels, which these images do not have. Choose a different view."
        )
        return
    pair = run.pair
    lines = {
        method: [float(d2[pair]) for d2 in list_distances(steps)]
        for method, steps in (run.runs if pair else {}).items()
    }
    figure = plot_distances(run.numbers, run.step, lines)
    show_plot(figure, "distances", run.key, lambda _, p: show_step(run.key, p))


def _show_contraction(run: ShownRun) -> None:
    figure = plot_contraction(run.numbers, run.step)
    show_plot(figure, "contraction", run.key, lambda _, p: show_step(run.key, p))


def _show_tree(run: ShownRun) -> None:
    plan, numbers = run.plan, run.numbers
    figure = plot_tree(numbers, plan.labels, plan.names, plan.classes, run.pair)
    orders = [steps[-1].tree.order for steps in numbers.values()]

    def select(curve: int, at: int) -> None:  # each method has a curve of branches, then of leaves
        if curve % 2 and curve // 2 < len(orders):
            image = orders[curve // 2][at]
            select_pair(run.rows, (image, image))

    show_plot(figure, "tree", run.key, select)
    st.caption(
        "Each marker is an image. A bar joins images that are identical from its iteration on."
    )


def _show_plane(run: ShownRun) -> None:
    plan, runs = run.plan, run.runs
    stride = -(-len(plan.names) // MAX_EMBEDDED)
    names, rows = plan.names[::stride], run.rows[::stride]
    planes = _embed(f"{run.key} {run.beside}", stride, sum(map(len, runs.values())), runs)
    groups = {
        method: (plan.labels or steps[-1].numbers.assignments)[::stride]
        for method, steps in runs.items()
    }
    classes = plan.classes if plan.labels else ()
    figure = plot_embedding(planes, groups, names, classes, selected().pair(rows))
    show_plot(figure, "plane", run.key, lambda _, at: select_pair(rows, (at, at)))
    if len(names) < len(plan.names):
        show_count(len(names), len(plan.names), "images")
    shares = [f"{100 * steps[-1].kept:.0f} % ({NAMES[method]})" for method, steps in planes.items()]
    st.caption(f"The plane contains {', '.join(shares)} of the variance at the last iteration.")


@st.cache_resource(max_entries=8, show_spinner=False)
def _embed(key: str, stride: int, steps: int, _runs: Runs) -> dict[str, list[Plane]]:
    return {
        method: list(embed_steps(d2[::stride, ::stride] for d2 in list_distances(items)))
        for method, items in _runs.items()
    }


def _show_matrices(run: ShownRun) -> None:
    pairs = {method: (weighed(steps[0]), weighed(steps[-1])) for method, steps in run.runs.items()}
    orders = [order_by(run.plan.labels or last.numbers.assignments) for _, last in pairs.values()]

    def select(row: int, column: int) -> None:
        select_pair(run.rows, (orders[0][row], orders[0][column]))

    dark = st.context.theme.type == "dark"
    drawing = draw_weights(pairs, run.plan.labels, run.pair, dark=dark)
    same_order = len({*map(tuple, orders)}) == 1  # without classes each method has its own
    show_drawing(drawing, "matrices", select if same_order else None)
    st.caption(
        "Block mass is the share of the weight off the diagonal that is within the classes."
        if run.plan.labels
        else "Without classes, rows and columns are in the order of the clusters at the last "
        "iteration."
    )


@dataclass(frozen=True)
class View:
    """A plot or table of a run, and how it can mislead."""

    show: Callable[[ShownRun], None]
    draw: Callable[[ShownRun], None] | None
    """Draws an example that misleads; None if the button selects the most misleading pair."""
    note: str


VIEWS: Final[Mapping[str, View]] = {
    DISTANCES: View(
        _show_distances,
        draw_within,
        "Both lines of kernel attention decrease too, because all images become one grey image. "
        "The classes are separated only if the distance **within** goes to 0 while the distance "
        "**between** does not. The two methods measure different distances, so their values cannot "
        "be compared.",
    ),
    CONTRACTION: View(
        _show_contraction,
        draw_contraction,
        "Below 1, the images of every pair come closer, **even those of different classes**: "
        "contraction alone is not clustering. Theorem 4.1 guarantees it if β < c′/R² and R is "
        "below a bound that cannot be computed from the paper's text. Pairs closer than 2 % of the "
        "initial R are omitted, because their distance is mostly interpolation error.",
    ),
    "Clusters": View(
        show_cluster_table,
        draw_large_threshold,
        "Cluster numbers are arbitrary: cluster 1 of one method is unrelated to cluster 1 of the "
        "other. Each image that has not merged yet is a separate cluster, so a run that is too "
        "short has many clusters. Images count as one below a threshold of d²; if many pairs are "
        "near the threshold, a small change of the threshold changes the clusters.",
    ),
    "Merge tree": View(
        _show_tree,
        draw_large_threshold,
        "Two images count as one if d² is below a tenth of their squared norm; a different "
        "threshold gives a different tree. A chain of similar images also merges its two ends, and "
        "kernel attention with a small β merges all images.",
    ),
    "Plane": View(
        _show_plane,
        None,
        "Distances between manifolds cannot be represented exactly in a plane, and the remaining "
        "dimensions are not drawn, so points at the same position may be far apart. Axes, rotation "
        "and reflection have no meaning, and each method has its own scale. The button selects the "
        "pair whose distance at iteration 0 the plane distorts most: compare its positions with "
        "its d² in the player.",
    ),
    MATRICES: View(
        _show_matrices,
        draw_large_beta,
        "With a large β every image is its own mean, and **the diagonal alone** makes W look "
        "perfect. Block mass ignores the diagonal, so if nearly all weight is on the diagonal, "
        "block mass describes only the small remainder. For kernel attention it can be high for "
        "this reason.",
    ),
    "True poses": View(show_pose_errors, draw_absolute, POSES_NOTE),
}
