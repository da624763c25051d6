"""Published sets that are not here: a button that fetches one, and the way to do without it."""

from typing import Final

import streamlit as st

from ia_engine.datasets.published import NAMED, Fetched, available
from ia_engine.datasets.recipes import DATASETS
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.unsaved import FETCH
from pages._ui.panels import plain
from pages._ui.runs.current import shown_run
from pages._ui.runs.start import start
from pages._ui.runs.watch import Status, watch

AWAY: Final = ("to fetch", "missing")
NEEDS: Final = {
    name: entry.default.set for name, entry in DATASETS.items() if hasattr(entry.default, "set")
}
"""The published set that a name of the catalogue reads."""


def absent_sets() -> frozenset[str]:
    """The published sets of which nothing is here."""
    return frozenset(NAMED) - {row.set.name for row in available() if row.place not in AWAY}


def absent(source: str) -> str:
    """The published set that a source needs and that is not here, if there is one."""
    needed = NEEDS.get(source, "")
    return needed if needed in absent_sets() else ""


def offer(name: str) -> None:
    """A button that fetches; nothing is fetched unless it is pressed."""
    named = NAMED[name]
    splits = [row.split for row in available() if row.set.name == name]
    files = dict.fromkeys(file for split in splits for file in split.files)
    title = f"Fetch {named.title}"
    st.subheader(f"{plain(named.title)} is not on this machine")
    st.markdown(
        f"It can be fetched from {plain(named.host)}: {len(files)} "
        f"file{'s' * (len(files) != 1)}, kept on this machine and checked "
        f"({plain(named.verified)}). Nothing is fetched unless you say so."
    )
    st.button(
        title,
        icon=":material/cloud_download:",
        key=f"fetch {name}",
        on_click=start,
        args=(FETCH, title, name),
    )
    job = shown_run(FETCH.id)
    if job is not None and job.title == title and job.state != "done":
        watch(job, _show, Status("step"))
    own = [split.npz for split in splits if split.npz]
    st.caption(
        f"Without a network, put {plain(' or '.join(own))} into the folder that the environment "
        "variable IA_DATA names, and reload the page."
    )


def _show(job: Job[Fetched]) -> None:
    item = job.history[-1]
    of = f" of {item.total / 1e6:.1f}" if item.total else ""
    st.caption(f"{plain(item.file)}: {item.done / 1e6:.1f}{of} MB")
