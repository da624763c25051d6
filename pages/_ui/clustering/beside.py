"""K-means, GMM, TI and DTI on the same images, side by side."""

from dataclasses import dataclass
from typing import Annotated, Final

import streamlit as st

from ia_engine.datasets.data import ImageSet
from ia_engine.params import Config, Range
from ia_engine.runs.catalogue import SIDE_BY_SIDE
from ia_engine.runs.clustering.changes import MOST, Compared, newest_of, plan_methods
from ia_engine.runs.clustering.run import ClusterPlan
from ia_engine.runs.job import Job
from pages._ui.components.picture_table import Words, show_pictures
from pages._ui.controls import edit
from pages._ui.panels import misleads, shown
from pages._ui.runs.start import start
from pages._ui.runs.watch import watch
from pages._ui.wording import number

NAMES: Final = {
    "kmeans": "K-means",
    "gmm": "GMM",
    "ti": "TI K-means",
    "dti-kmeans": "DTI K-means",
    "dti-gmm": "DTI GMM",
}
ERROR: Final = "squared error per pixel"
DIGITS: Final = {
    name: st.column_config.NumberColumn(format=f"%.{places}f")
    for name, places in (("NMI", 4), ("CPU s", 2))
}
ROOM: Final = 12
"""So many prototypes of each method are shown."""


@dataclass(frozen=True)
class Each(Config):
    """How long each method computes."""

    each: Annotated[
        float, Range("", 1, 120, "computing time of each method: one core's", "s", log=True)
    ] = 12


def show_beside(plan: ClusterPlan, data: ImageSet, about: str, job: Job[Compared] | None) -> None:
    """The button, and how far the methods are."""
    st.markdown(
        "The same images, K and seed for every method: plain **K-means** and **GMM**, **TI**, "
        "which searches the transformations of each image, and **DTI**, which learns to predict "
        "them."
    )
    left, right = st.columns([2, 1], vertical_alignment="bottom", gap="medium")
    with left:
        plans = plan_methods(plan, edit(Each()).each)
    right.button(
        "Compare",
        icon=":material/compare:",
        on_click=start,
        args=(SIDE_BY_SIDE, f"Side by side: {about}", plans, data),
        width="stretch",
    )
    if job is None:
        return
    if job.finished:
        _show(job)
    else:
        watch(job, _show)


def _show(job: Job[Compared]) -> None:
    found = newest_of(job.history)
    if not found:
        return
    plan = found[0].plan
    for look in found:
        _row(look)
    shown(min(ROOM, plan.config.k), plan.config.k, "prototypes")
    shown(min(MOST, plan.total), plan.total, "images")
    rule = next((look.agreement.rule for look in found if look.agreement), "")
    measure = f"ACC [%], {rule}" if rule else "ACC [%]"
    rows = [_numbers(look, measure) for look in found if look.done]
    if rows:
        st.dataframe(rows, hide_index=True, width="stretch", placeholder="–", column_config=DIGITS)
    misleads(
        "Equal computing time is not a fair comparison: K-means ends within a second, and DTI has "
        "hardly begun if the budget is small. The error falls with every transformation that "
        "is allowed, also where the clusters get no better.",
        key="misleads error beside",
        draw=lambda: _draw_errors(rows),
    )


def _draw_errors(rows: list[dict[str, float | str | None]]) -> None:
    """By the error alone, whoever may do most wins."""
    told = [{name: row[name] for name in ("method", ERROR)} for row in rows]
    told.sort(key=lambda row: float(row[ERROR] or 0))
    st.dataframe(told, hide_index=True, width="stretch", key="misleading errors")
    st.caption("The best first, if only the error counts.")


def _row(look: Compared) -> None:
    name = NAMES[look.plan.config.model]
    st.markdown(f"**{name}**" + ("" if look.done else f", {100 * look.share:.0f} %"))
    k = min(ROOM, len(look.picture))
    show_pictures(
        look.picture[:k],
        Words(columns=ROOM, about=[f"{name}, prototype {at + 1}" for at in range(k)]),
        key=f"beside {look.plan.config.model}",
    )


def _numbers(look: Compared, measure: str) -> dict[str, float | str | None]:
    agreement = look.agreement
    return {
        "method": NAMES[look.plan.config.model],
        measure: round(100 * agreement.acc, 2) if agreement else None,
        "NMI": round(agreement.nmi, 4) if agreement else None,
        ERROR: float(number(look.loss)),
        "CPU s": round(look.seconds, 2),
    }
