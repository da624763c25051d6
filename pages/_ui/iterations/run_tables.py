"""The tables of a run: the numbers of each iteration, and the cluster of each image."""

from base64 import b64encode
from typing import Any, Final

import streamlit as st

from ia_engine.figures.export import draw_each, name_classes
from ia_engine.figures.player import METHOD_TITLES
from ia_engine.figures.plots import tabulate_steps
from ia_engine.figures.style import NAMES
from pages._ui.state.fields import read_value
from pages._ui.state.iterations import ShownRun
from pages._ui.state.selection import select_pair, show_step

IMAGE_WIDTH: Final = 48
"""Size of an image in the table of clusters [px]."""
TABLE_HEIGHT: Final = 420
"""Height of the table of clusters [px], about the same as the plots."""

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


def show_numbers(run: ShownRun) -> None:
    """Show the numbers of each iteration; a click on a row shows its iteration."""
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


def show_cluster_table(run: ShownRun) -> None:
    """Show the cluster of each image; a click on a row selects its image."""
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
