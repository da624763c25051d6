"""Which image is in which cluster at the last step, by each method; a row selects its image."""

from base64 import b64encode
from typing import Final

import streamlit as st

from ia_engine.figures.export import draw_each, name_classes
from ia_engine.figures.style import NAMES
from ia_engine.runs.plan import Plan
from pages._ui.iterations.seen import Seen
from pages._ui.player import METHOD_TITLES
from pages._ui.selection import select_pair

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
