"""Plots and tables of a run, one at a time, each with a note on how it misleads."""

from base64 import b64encode
from collections.abc import Callable, Mapping
from typing import Final

import streamlit as st

from ia_engine.attention.clusters.embedding import Plane, embed_steps
from ia_engine.figures.export import draw_each, name_classes
from ia_engine.figures.matrices import Weighed, draw_weights, order_by
from ia_engine.figures.plots import (
    plot_contraction,
    plot_distances,
    plot_embedding,
    plot_tree,
    tabulate_steps,
)
from ia_engine.figures.style import NAMES
from ia_engine.runs.attend import Plan, Shown, recall_distances, recall_weights
from pages._ui.components.drawing import show_drawing
from pages._ui.components.player import METHOD_TITLES
from pages._ui.controls import choose_one
from pages._ui.iterations.misleading import warn
from pages._ui.panels import show_plot, shown
from pages._ui.state.iterations import Runs, Seen
from pages._ui.state.selection import jump_to, select_pair, selected


def show_numbers(seen: Seen) -> None:
    """A click on a row brings the player to its iteration."""
    table = tabulate_steps(seen.numbers, seen.step)
    key = f"numbers {seen.key} {seen.step}"

    def clicked() -> None:
        rows = st.session_state[key].selection.rows
        if rows:
            jump_to(seen.key, int(table[rows[0]]["iteration"] or 0))

    st.dataframe(
        table,
        width="stretch",
        hide_index=True,
        column_config=EXPLAINED,
        placeholder="–",
        key=key,
        on_select=clicked,
        selection_mode="single-row",
    )


EXPLAINED: Final = {
    "shown": st.column_config.TextColumn(
        width="small", help="▶: the player shows this iteration; click a row to go to its own"
    ),
    "iteration": st.column_config.NumberColumn(help="0: the data; p: after p averagings"),
    "clusters": st.column_config.NumberColumn(
        help="Number of clusters: images that have become the same count as one"
    ),
    "ARI": st.column_config.NumberColumn(
        format="%.3f",
        help="Adjusted Rand index of the clusters against the classes: 1 equal, 0 as by chance",
    ),
    "block mass": st.column_config.NumberColumn(
        format="percent",
        help="Weight within classes: Σ Wᵢⱼ over i ≠ j of one class, divided by Σ Wᵢⱼ over i ≠ j",
    ),
    "d² within": st.column_config.NumberColumn(
        format="%.3g", help="Mean d² of two images of one class"
    ),
    "d² between": st.column_config.NumberColumn(
        format="%.3g", help="Mean d² of two images of two classes"
    ),
    "contraction": st.column_config.NumberColumn(
        format="%.4f",
        help="The largest d(p)/d(p-1) of any pair: Theorem 4.1 says when it is below 1",
    ),
    "CPU s": st.column_config.NumberColumn(
        format="%.3f", help="CPU time of this iteration in seconds"
    ),
}


WIDTH: Final = 48
"""Of an image in the table [px]."""
HIGH: Final = 420
"""Of the table [px]: about as high as the plots."""

COLUMNS: Final = {
    "image": st.column_config.ImageColumn(width="small"),
    "no.": st.column_config.NumberColumn(
        width="small",
        help="Among the chosen data, from 1, as in the address and in W. Where a name counts "
        "otherwise, it says in what",
    ),
    **{
        name: st.column_config.NumberColumn(
            width="small", help=f"The cluster by {METHOD_TITLES[method].lower()}, at the last step"
        )
        for method, name in NAMES.items()
    },
}


def show_clusters(seen: Seen) -> None:
    """All images, those of one cluster below each other."""
    last = {method: steps[-1] for method, steps in seen.numbers.items()}
    first = next(iter(last.values())).assignments
    order = sorted(range(seen.plan.size), key=lambda i: first[i])
    key = f"clusters {seen.key}"

    def clicked() -> None:
        for at in st.session_state[key].selection.rows[:1]:
            select_pair(seen.rows, (order[at], order[at]))

    told = _names_tell(seen.plan)
    st.dataframe(
        [_row(seen, i, told=told) for i in order],
        width="stretch",
        height=HIGH,
        hide_index=True,
        column_config=COLUMNS,
        key=key,
        on_select=clicked,
        selection_mode="single-row",
    )
    counts = [f"{numbers.clusters} by {METHOD_TITLES[m].lower()}" for m, numbers in last.items()]
    st.caption(
        f"Clusters at iteration {next(iter(last.values())).p}: {', '.join(counts)}. The same table "
        "is below, among the files of this run."
    )


def _row(seen: Seen, i: int, *, told: bool) -> dict[str, str | int]:
    plan = seen.plan
    row: dict[str, str | int] = {"no.": seen.rows[i] + 1, "name": plan.names[i]}
    if pictures := _pictures(seen.key, seen):
        row = {"image": pictures[i], **row}
    if plan.labels and not told:
        row["class"] = name_classes(plan.labels, plan.classes, plan.size)[i]
    for method, steps in seen.numbers.items():
        row[NAMES[method]] = steps[-1].assignments[i] + 1
    return row


def _names_tell(plan: Plan) -> bool:
    """Whether every image is called by its class, so that a column of them says nothing more."""
    if not plan.labels:
        return False
    known = name_classes(plan.labels, plan.classes, plan.size)
    pairs = zip(plan.names, known, strict=True)
    return all(name.lower().startswith(class_.lower()) for name, class_ in pairs)


@st.cache_resource(max_entries=4, show_spinner=False)
def _pictures(key: str, _seen: Seen) -> list[str]:
    """The data as addresses that hold the pictures themselves; none of points."""
    step = next(iter(_seen.runs.values()))[0]
    if step.mu.ndim != 4:
        return []
    pictures = draw_each(step.frame, WIDTH)
    return [f"data:image/png;base64,{b64encode(picture).decode()}" for picture in pictures]


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
