"""The clusters of a run: the mean of each, iteration by iteration, and a link that computes it by
Algorithm 1."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from ia_engine.figures.mosaic import draw_row
from ia_engine.figures.player import METHOD_TITLES
from ia_engine.runs.attend import MethodStep
from ia_engine.runs.cluster_means import follow_mean, list_members
from pages._ui.panels import show_count
from pages._ui.state.dataset import ADDRESS, requested_recipe
from pages._ui.state.iterations import ShownRun
from pages._ui.state.mean import ROWS, format_rows
from pages._ui.state.selection import START, runs_state
from pages._ui.wording import number

MAX_CLUSTERS: Final = 8
COLUMNS: Final = 4
FEWEST: Final = 2
"""Minimum number of images of a cluster that is shown."""


def show_clusters(run: ShownRun) -> None:
    """Show the first clusters of the first method, each with a link to Mean."""
    method, steps = next(iter(run.runs.items()))
    if "images" not in steps[-1].frame.arrays:
        return
    clusters = dict(enumerate(list_members(steps[-1]), start=1))
    shown = [(k, own) for k, own in clusters.items() if len(own) >= FEWEST][:MAX_CLUSTERS]
    if not shown:
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
