"""Saved runs in the list on Runs, and two of them side by side."""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ia_engine.errors import EngineError
from ia_engine.runs.catalogue import RUN_KINDS, compare_runs, count_done
from ia_engine.runs.library import Kept, Note
from pages._ui.panels import explain, plain
from pages._ui.runs.current import KIND_PAGES, KindPage
from pages._ui.runs.saved import LINK, library

UNKNOWN: Final = KindPage("", "terminal")
DELETED: Final = "run that was deleted last"
SAVED: Final = "times that a name was saved of"
STATES: Final = {
    "done": "done",
    "running": "under way",
    "interrupted": "cut off",
    "cancelled": "stopped",
    "failed": "failed",
}
REST: Final = "open it to resume"
AGAIN: Final = "it cannot be resumed: open it, and press Run for all of it"
MOST: Final = 120
"""Maximum number of characters of a name."""


def show_damaged(run: str, reason: str) -> None:
    """The row of a run that cannot be read: what is wrong with it, and the way to delete it."""
    with st.container(border=True, gap="small", key=f"damaged-{hash_name(run)}"):
        words, delete = st.columns([12, 2], vertical_alignment="center")
        words.warning(plain(reason), icon=":material/warning:")
        _offer_delete(delete, run, run)


def hash_name(run: str) -> str:
    """A key for a folder of any name."""
    return hashlib.sha256(run.encode("utf-8", "replace")).hexdigest()[:16]


def show_row(kept: Kept) -> bool:
    """The row; whether it is wanted for a comparison."""
    with st.container(border=True, gap="small", key=f"kept-{kept.id}"):
        words, compare, edit, delete = st.columns([8, 2, 2, 2], vertical_alignment="center")
        with words:
            _show_words(kept)
        wanted = compare.checkbox("Compare", key=f"compare {kept.id}")
        times = st.session_state.get(f"{SAVED} {kept.id}", 0)  # another key: it is closed again
        with edit.popover(
            "Name", icon=":material/edit:", width="stretch", key=f"name {kept.id} {times}"
        ):
            _edit(kept)
        _offer_delete(delete, kept.id, kept.title, disabled=kept.state == "running")
    return wanted


def _offer_delete(place: DeltaGenerator, run: str, title: str, *, disabled: bool = False) -> None:
    place.button(
        "Delete",
        icon=":material/delete:",
        key=f"delete {run}",
        on_click=_delete,
        args=(run, title),
        disabled=disabled,
        width="stretch",
        help="It can be restored",
    )


def show_undo() -> None:
    """What was deleted last, and the way back."""
    deleted: tuple[str, str] | None = st.session_state.get(DELETED)
    if deleted is not None:
        run, title = deleted
        words, button = st.columns([6, 1], vertical_alignment="center")
        words.info(f"Deleted: {plain(title)}")
        button.button("Undo", icon=":material/undo:", on_click=_restore, args=(run,))


def _show_words(kept: Kept) -> None:
    kind, page = RUN_KINDS.get(kept.kind), KIND_PAGES.get(kept.kind, UNKNOWN)
    title = kind.title if kind else kept.kind
    if page.script:
        st.page_link(
            page.script,
            label=plain(kept.title),
            icon=f":material/{page.icon}:",
            query_params={LINK: kept.name},
        )
    else:
        st.markdown(f":material/{page.icon}: {plain(kept.title)}")
    made = datetime.fromisoformat(kept.record.created)
    tags = " ".join(f":blue-badge[{plain(tag)}]" for tag in kept.note.tags)
    when = f"{made:%d %b %Y, %H:%M:%S} UTC"
    count, damage = _tell_count(kept)
    st.caption(" · ".join((plain(title), count, plain(_tell_state(kept)), f"{when}  {tags}")))
    if damage:
        st.warning(plain(damage), icon=":material/warning:")


def _tell_count(kept: Kept) -> tuple[str, str]:
    """How far the run is, and what is wrong with it."""
    try:
        (count, what), damage = _count(kept.id, kept.steps, kept), kept.damage
    except EngineError as error:
        count, what, damage = kept.steps, "kept file", str(error)
    return (f"1 {what}" if count == 1 else f"{count:,} {what}s"), damage


@st.cache_data(max_entries=500, show_spinner=False)
def _count(name: str, steps: int, _kept: Kept) -> tuple[int, str]:
    """Read once, as long as nothing has come."""
    return count_done(_kept)


def _tell_state(kept: Kept) -> str:
    state = STATES.get(kept.state, kept.state)
    kind = RUN_KINDS.get(kept.kind)
    if kept.state not in ("interrupted", "cancelled") or kind is None:
        return state
    return f"{state}: {REST if kind.resumable else AGAIN}"


def _edit(kept: Kept) -> None:
    with st.form(f"note {kept.id}", border=False):
        name = st.text_input("Name", kept.title[:MOST], max_chars=MOST)
        tags = st.text_input("Tags", ", ".join(kept.note.tags), help="Words with commas between")
        if st.form_submit_button("Save"):
            try:
                library().write_note(kept.id, Note(name.strip(), tuple(tags.split(","))))
            except EngineError as error:
                explain(error)
            else:
                times = f"{SAVED} {kept.id}"
                st.session_state[times] = st.session_state.get(times, 0) + 1
                st.toast(f"Saved: {plain(name.strip() or kept.title)}")
                st.rerun()


def _delete(run: str, title: str) -> None:
    try:
        library().delete(run)
    except EngineError as error:
        explain(error)
    else:
        st.session_state[DELETED] = (run, title)


def _restore(run: str) -> None:
    try:
        library().restore(run)
    except EngineError as error:
        explain(error)
    del st.session_state[DELETED]


WIDEST: Final = 44
"""So many letters of a title a heading has room for."""


def show_comparison(chosen: Sequence[Kept]) -> None:
    """A table of what differs, once two are marked."""
    if not chosen:
        return
    st.subheader("Compare")
    if len(chosen) != 2:
        st.info(f"Mark two runs to compare them; {len(chosen)} marked.")
        return
    one, other = chosen
    try:
        lines = compare_runs(one, other)
    except EngineError as error:
        explain(error)
        return
    titles = _head(one, other)
    table = {
        "": [line.name for line in lines],
        titles[0]: [line.one for line in lines],
        titles[1]: [line.other for line in lines],
    }
    columns = {
        title: st.column_config.TextColumn(help=plain(run.title))
        for title, run in zip(titles, chosen, strict=True)
    }
    st.dataframe(table, hide_index=True, width="stretch", column_config=columns)
    st.caption(
        "Settings that are equal are left out. To see both films side by side, open one run of the "
        "same images after the other: Iterations then offers the first beside the second."
    )


def _head(one: Kept, other: Kept) -> tuple[str, str]:
    """Two headings that differ: where titles are equal, or equally cut, by when they were begun."""
    first, second = _cut(one.title), _cut(other.title)
    if first == second:
        first, second = _date(one), _date(other)
    return first, second if first != second else f"{second} (second)"


def _date(kept: Kept) -> str:
    begun = datetime.fromisoformat(kept.record.created)
    return f"{begun:%d %b, %H:%M:%S} · {_cut(kept.title)}"


def _cut(title: str) -> str:
    return title if len(title) <= WIDEST else f"{title[: WIDEST - 1].rstrip()}…"
