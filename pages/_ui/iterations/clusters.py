"""The clusters of a run: the mean of each, iteration by iteration, with a link that computes it by
Algorithm 1, and the cluster of each image as a table."""

from base64 import b64encode
from collections.abc import Sequence
from typing import Final

import streamlit as st

from ia_engine.figures.export import draw_each, name_classes
from ia_engine.figures.mosaic import draw_row
from ia_engine.figures.player import METHOD_TITLES
from ia_engine.figures.style import NAMES
from ia_engine.runs.attend import MethodStep
from ia_engine.runs.attend_measures import follow_mean, list_members
from pages._ui.panels import show_count
from pages._ui.state.dataset import ADDRESS, requested_recipe
from pages._ui.state.fields import read_selected_rows
from pages._ui.state.iterations import ShownRun
from pages._ui.state.mean import ROWS, format_rows
from pages._ui.state.selection import START, runs_state, select_pair
from pages._ui.wording import number

MAX_CLUSTERS: Final = 8
COLUMNS: Final = 4
FEWEST: Final = 2
"""Minimum number of images of a cluster that is shown."""
IMAGE_WIDTH: Final = 48
"""Size of an image in the table of clusters [px]."""
TABLE_HEIGHT: Final = 420
"""Height of the table of clusters [px], about the same as the plots."""
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


def show_clusters(run: ShownRun) -> None:
    """Show the first clusters of the first method, each with a link to Mean."""
    method, steps = next(iter(run.runs.items()))
    if "images" not in steps[-1].frame.arrays:
        return
    clusters = dict(enumerate(list_members(steps[-1]), start=1))
    shown = [(k, own) for k, own in clusters.items() if len(own) >= FEWEST][:MAX_CLUSTERS]
    if not shown:
        st.caption(f"No cluster has at least {FEWEST} images at the last iteration.")
        return
    st.markdown(
        f"**Clusters of {METHOD_TITLES[method].lower()}** at the last iteration. Each row shows "
        "the most central image of a cluster and, after it, the means that replace this image. The "
        "link computes the mean of the whole cluster by Algorithm 1."
    )
    for start in range(0, len(shown), COLUMNS):
        for column, (k, own) in zip(st.columns(COLUMNS), shown[start:], strict=False):
            with column, st.container(gap="xsmall"):
                _show_cluster(run, steps, k, own)
    if len(shown) < len(clusters):
        show_count(len(shown), len(clusters), "clusters")


def _show_cluster(
    run: ShownRun, steps: Sequence[MethodStep], k: int, members: Sequence[int]
) -> None:
    config = steps[-1].config
    picture, iterations = _draw(f"{run.key} {config.method} {members}", steps, members)
    st.image(
        picture,
        width="stretch",
        alt=f"Cluster {k}: its mean at iterations {', '.join(map(str, iterations))}",
    )
    st.page_link(
        "pages/mean.py",
        label=f"Mean of cluster {k}: {len(members)} images",
        icon=":material/join_inner:",
        query_params={
            ADDRESS: requested_recipe(),
            START: runs_state.make_start(),
            ROWS: format_rows([run.rows[i] for i in members]),
            "sigma": number(config.sigma),
            "group": config.group,
        },
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def _draw(
    key: str, _steps: Sequence[MethodStep], _members: Sequence[int]
) -> tuple[bytes, list[int]]:
    iterations, means = follow_mean(_steps, _members)
    return draw_row(means, len(iterations)), iterations


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
        for row in read_selected_rows(key):
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
