"""The rows of the Runs page."""

import hashlib
from datetime import datetime
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ia_engine.errors import EngineError
from ia_engine.runs.catalogue import RUN_KINDS, count_done
from ia_engine.runs.library import Note, SavedRun
from pages._ui.panels import escape, explain
from pages._ui.runs.current import KIND_PAGES, KindPage, library
from pages._ui.state.selection import LINK, runs_state

UNKNOWN_KIND: Final = KindPage("", "terminal")
STATES: Final = {
    "done": "done",
    "running": "under way",
    "interrupted": "interrupted",
    "cancelled": "cancelled",
    "failed": "failed",
}
RESUMABLE: Final = "open it to resume"
NOT_RESUMABLE: Final = "cannot be resumed; open it and press Run to compute it again"
MAX_NAME: Final = 120
"""Maximum number of characters of a name."""
MAX_NOTE: Final = 2000
"""Maximum number of characters of a note."""


def show_damaged(run: str, reason: str, *, own: bool = True) -> None:
    """Show the row of an unreadable run: the reason and, if it is the viewer's or everyone's, a
    button that deletes the run."""
    with st.container(border=True, gap="small", key=f"damaged-{_hash_name(run)}"):
        words, delete = st.columns([12, 2], vertical_alignment="center")
        words.warning(escape(reason), icon=":material/warning:")
        if own:
            _show_delete(delete, run, run)


def show_row(kept: SavedRun, *, own: bool = True) -> bool:
    """Show the row of a run; return True if it is marked for the comparison.

    A run that another browser has started cannot be named or deleted.
    """
    with st.container(border=True, gap="small", key=f"kept-{kept.id}"):
        words, compare, edit, delete = st.columns([8, 2, 2, 2], vertical_alignment="center")
        with words:
            _describe(kept, own=own)
        marked = compare.checkbox("Compare", key=make_mark_key(kept))
        if not own:
            return marked
        key = f"name {kept.id} {runs_state.times_named[kept.id]}"  # a new key closes the form
        help_ = "Name, tags and note"
        with edit.popover("Name", icon=":material/edit:", width="stretch", key=key, help=help_):
            _edit_note(kept)
        _show_delete(delete, kept.id, kept.title, disabled=kept.state == "running")
    return marked


def make_mark_key(kept: SavedRun) -> str:
    """Return the key of the box that marks a run."""
    return f"compare {kept.id}"


def show_undo() -> None:
    """Show the name of the last deleted run, and a button that restores it."""
    if runs_state.deleted is not None:
        run, title = runs_state.deleted
        words, button = st.columns([6, 1], vertical_alignment="center")
        words.info(f"Deleted: {escape(title)}")
        button.button("Undo", icon=":material/undo:", on_click=_restore, args=(run,))


def _hash_name(run: str) -> str:
    """Return a valid key for a folder of any name."""
    return hashlib.sha256(run.encode("utf-8", "replace")).hexdigest()[:16]


def _show_delete(place: DeltaGenerator, run: str, title: str, *, disabled: bool = False) -> None:
    place.button(
        "Delete",
        icon=":material/delete:",
        key=f"delete {run}",
        on_click=_delete,
        args=(run, title),
        disabled=disabled,
        width="stretch",
        help="You can restore the run",
    )


def _describe(kept: SavedRun, *, own: bool) -> None:
    """Show a run's name, kind, length, state, date, tags and note, and its damage."""
    kind, page = RUN_KINDS.get(kept.kind), KIND_PAGES.get(kept.kind, UNKNOWN_KIND)
    if page.script:
        st.page_link(
            page.script,
            label=escape(kept.title),
            icon=f":material/{page.icon}:",
            query_params={LINK: kept.name},
        )
    else:
        st.markdown(f":material/{page.icon}: {escape(kept.title)}")
    title = escape(kind.title if kind else kept.kind)
    count, damage = _count_items(kept)
    state = STATES.get(kept.state, kept.state)
    if kept.state in ("interrupted", "cancelled") and kind is not None:
        state += f": {RESUMABLE if kind.resumable else NOT_RESUMABLE}"
    date = f"{datetime.fromisoformat(kept.record.created):%d %b %Y, %H:%M:%S} UTC"
    tags = " ".join(f":blue-badge[{escape(tag)}]" for tag in kept.note.tags)
    whose = () if own else ("another browser",)
    st.caption(" · ".join((title, count, escape(state), *whose, f"{date}  {tags}")))
    if kept.note.text:
        st.caption(escape(kept.note.text))
    if damage:
        st.warning(escape(damage), icon=":material/warning:")


def _count_items(kept: SavedRun) -> tuple[str, str]:
    """Return the number of finished items in words, and the damage of the run."""
    try:
        (count, unit), damage = _count(kept.id, kept.steps, kept), kept.damage
    except EngineError as error:
        count, unit, damage = kept.steps, "saved file", str(error)
    return (f"1 {unit}" if count == 1 else f"{count:,} {unit}s"), damage


@st.cache_data(max_entries=500, show_spinner=False)
def _count(name: str, steps: int, _kept: SavedRun) -> tuple[int, str]:
    """Return the number of finished items and their unit; only new files are read again."""
    return count_done(_kept)


def _edit_note(kept: SavedRun) -> None:
    with st.form(f"note {kept.id}", border=False):
        name = st.text_input("Name", kept.title[:MAX_NAME], max_chars=MAX_NAME)
        tags = st.text_input("Tags", ", ".join(kept.note.tags), help="Separated by commas")
        text = st.text_area("Note", kept.note.text[:MAX_NOTE], max_chars=MAX_NOTE)
        if st.form_submit_button("Save"):
            note = Note(name.strip(), tuple(tags.split(",")), text.strip())
            try:
                library().write_note(kept.id, note)
            except EngineError as error:
                explain(error)
            else:
                runs_state.times_named[kept.id] += 1
                st.toast(f"Saved: {escape(name.strip() or kept.title)}")
                st.rerun()


def _delete(run: str, title: str) -> None:
    try:
        library().delete(run)
    except EngineError as error:
        explain(error)
    else:
        runs_state.deleted = (run, title)


def _restore(run: str) -> None:
    try:
        library().restore(run)
    except EngineError as error:
        explain(error)
    runs_state.deleted = None
