"""Plots and tables of a run, one at a time, each with a note on how it can mislead."""

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import streamlit as st

from ia_engine.attention.clusters.embedding import Plane, embed, embed_steps, find_illusion
from ia_engine.figures.export import draw_each, name_classes
from ia_engine.figures.matrices import Weighed, draw_weights, order_by
from ia_engine.figures.player import METHOD_TITLES
from ia_engine.figures.plots import (
    plot_contraction,
    plot_distances,
    plot_embedding,
    plot_tree,
    plot_within,
    tabulate_steps,
)
from ia_engine.figures.style import NAMES
from ia_engine.runs.attend import MethodStep, list_distances, rebuild_tree, restore_weights
from pages._ui.components.drawing import show_drawing
from pages._ui.controls import choose_one
from pages._ui.iterations.true_poses import POSES_NOTE, draw_absolute, show_pose_errors
from pages._ui.panels import show_count, show_misleading, show_plot
from pages._ui.state.fields import read_value
from pages._ui.state.iterations import Runs, ShownRun
from pages._ui.state.selection import select_pair, selected, show_step
from pages._ui.wording import number

DISTANCES: Final = "Distances"
CONTRACTION: Final = "Contraction"
MATRICES: Final = "Weights, first and last"

IMAGE_WIDTH: Final = 48
"""Size of an image in the table of clusters [px]."""
TABLE_HEIGHT: Final = 420
"""Height of the table of clusters [px], about the same as the plots."""
MAX_EMBEDDED: Final = 200
"""Maximum number of images in the Plane view."""
LARGE_THRESHOLD: Final = 8.0
"""Multiple of the usual d² below which images count as one in the misleading merge tree."""
LARGE_BETA: Final = 30.0
"""Multiple of β in the misleading weights, where every image is its own mean."""

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
CLUSTER_COLUMNS: Final = {
    "image": st.column_config.ImageColumn(width="small"),
    "no.": st.column_config.NumberColumn(
        width="small",
        help="Number of the image in the data set, counted from 1, as in the address and in W",
    ),
    **{
        name: st.column_config.NumberColumn(
            width="small", help=f"Cluster by {METHOD_TITLES[method].lower()} at the last iteration"
        )
        for method, name in NAMES.items()
    },
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
            show_misleading(view.note, key=f"misleads {name}", show=lambda: _select_illusion(alone))
        else:
            draw = view.draw
            show_misleading(view.note, key=f"misleads {name}", draw=lambda: draw(alone))
    _show_numbers(run)


def _show_numbers(run: ShownRun) -> None:
    table = tabulate_steps(run.numbers, run.step)
    key = f"numbers {run.key} {run.step}"

    def select() -> None:
        for row in _selected_rows(key):
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


def _selected_rows(key: str) -> list[int]:
    """Return the clicked row of the table with this key, if any, as a list."""
    table: Any = read_value(key, None)
    return table.selection.rows[:1]


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


def _show_clusters(run: ShownRun) -> None:
    plan = run.plan
    last = {method: steps[-1] for method, steps in run.numbers.items()}
    first = next(iter(last.values()))
    order = sorted(range(plan.size), key=lambda i: first.assignments[i])
    pictures = _pictures(run.key, run)
    classes = name_classes(plan.labels, plan.classes, plan.size) if plan.labels else []
    pairs = zip(plan.names, classes, strict=False)
    if all(name.lower().startswith(class_.lower()) for name, class_ in pairs):
        classes = []  # the names contain the classes
    key = f"clusters {run.key}"

    def write_row(i: int) -> dict[str, str | int]:
        row: dict[str, str | int] = {"image": pictures[i]} if pictures else {}
        row |= {"no.": run.rows[i] + 1, "name": plan.names[i]}
        row |= {"class": classes[i]} if classes else {}
        return row | {NAMES[method]: own.assignments[i] + 1 for method, own in last.items()}

    def select() -> None:
        for row in _selected_rows(key):
            select_pair(run.rows, (order[row], order[row]))

    st.dataframe(
        [write_row(i) for i in order],
        width="stretch",
        height=TABLE_HEIGHT,
        hide_index=True,
        column_config=CLUSTER_COLUMNS,
        key=key,
        on_select=select,
        selection_mode="single-row",
    )
    counts = [f"{numbers.clusters} by {METHOD_TITLES[m].lower()}" for m, numbers in last.items()]
    st.caption(
        f"Clusters at iteration {first.p}: {', '.join(counts)}. This table is also below, in "
        "“Files of this run”."
    )


@st.cache_resource(max_entries=4, show_spinner=False)
def _pictures(key: str, _run: ShownRun) -> list[str]:
    """Return the images as data URLs; [] for points."""
    step = next(iter(_run.runs.values()))[0]
    if step.mu.ndim != 4:
        return []
    pictures = draw_each(step.frame, IMAGE_WIDTH)
    return [f"data:image/png;base64,{b64encode(picture).decode()}" for picture in pictures]


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
    pairs = {
        method: (_weighed(steps[0]), _weighed(steps[-1])) for method, steps in run.runs.items()
    }
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


def _weighed(step: MethodStep) -> Weighed:
    return Weighed(restore_weights(step), step.numbers)


def _draw_within(run: ShownRun) -> None:
    if not run.plan.labels:
        st.caption("The images have no classes, so there is no distance within classes.")
        return
    show_plot(plot_within(run.numbers), "misleading distances", run.key)
    st.caption(
        "If the lines **between** classes are hidden and values are relative to iteration 0, "
        "kernel attention seems to behave like invariant attention."
    )


def _draw_contraction(run: ShownRun) -> None:
    steps = run.numbers["ka"]
    show_plot(plot_contraction({"ka": steps}), "misleading contraction", run.key)
    first, last = steps[0], steps[-1]
    change = f"the largest d decreased from {number(first.radius)} to {number(last.radius)}"
    if first.d2_between is not None and last.d2_between is not None:
        change += f", and d² between classes from {first.d2_between:.3g} to {last.d2_between:.3g}"
    st.caption(f"Kernel attention contracts too: {change}. All images become one.")


def _draw_large_threshold(run: ShownRun) -> None:
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


def _draw_large_beta(run: ShownRun) -> None:
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


def _select_illusion(run: ShownRun) -> None:
    """Select the pair whose distance at iteration 0 the plane distorts most."""
    d2 = list_distances(next(iter(run.runs.values())))[0]
    select_pair(run.rows, find_illusion(embed(d2).points, d2))


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
        _draw_within,
        "Both lines of kernel attention decrease too, because all images become one grey image. "
        "The classes are separated only if the distance **within** goes to 0 while the distance "
        "**between** does not. The two methods measure different distances, so their values cannot "
        "be compared.",
    ),
    CONTRACTION: View(
        _show_contraction,
        _draw_contraction,
        "Below 1, the images of every pair come closer, **even those of different classes**: "
        "contraction alone is not clustering. Theorem 4.1 guarantees it if β < c′/R² and R is "
        "below a bound that cannot be computed from the paper's text. Pairs closer than 2 % of the "
        "initial R are omitted, because their distance is mostly interpolation error.",
    ),
    "Clusters": View(
        _show_clusters,
        _draw_large_threshold,
        "Cluster numbers are arbitrary: cluster 1 of one method is unrelated to cluster 1 of the "
        "other. Each image that has not merged yet is a separate cluster, so a run that is too "
        "short has many clusters. Images count as one below a threshold of d²; if many pairs are "
        "near the threshold, a small change of the threshold changes the clusters.",
    ),
    "Merge tree": View(
        _show_tree,
        _draw_large_threshold,
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
        _draw_large_beta,
        "With a large β every image is its own mean, and **the diagonal alone** makes W look "
        "perfect. Block mass ignores the diagonal, so if nearly all weight is on the diagonal, "
        "block mass describes only the small remainder. For kernel attention it can be high for "
        "this reason.",
    ),
    "True poses": View(show_pose_errors, draw_absolute, POSES_NOTE),
}
