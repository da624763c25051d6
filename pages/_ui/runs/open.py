"""Open the saved run that the address names."""

from collections.abc import Iterator
from typing import Any, Final

import streamlit as st

from ia_engine.errors import EngineError
from ia_engine.runs.catalogue import RUN_KINDS
from ia_engine.runs.job import CutOff
from ia_engine.runs.kinds.data import find_data, makes_own
from ia_engine.runs.library import Kept
from pages._ui.chosen import choose
from pages._ui.panels import explain, plain
from pages._ui.runs.current import jobs
from pages._ui.runs.kind_pages import page_of
from pages._ui.runs.saved import LINK, deleted, find_saved
from pages._ui.viewer import viewer

MAX_WAIT_S: Final = 1.0
"""A page waits this long for a saved run, which is usually read by then."""


def open_linked_run(kind: str) -> None:
    """Read the run that the address names, with its data, if the page of this kind shows it."""
    name = st.query_params.get(LINK, "").partition(".")[0]
    if not name or (jobs().get(viewer(), name) and name not in deleted()):
        return
    try:
        kept = find_saved(name)
        if kept is not None and kept.kind in RUN_KINDS and page_of(kept.kind) == page_of(kind):
            _open(kept, name)
            return
    except EngineError as error:
        explain(error)
        return
    st.info(
        "The address names a run that is not kept on this machine: the settings are there, press "
        "Run to compute it."
    )


def _open(kept: Kept, name: str) -> None:
    try:
        if not makes_own(kept):
            choose(*find_data(kept), lent=bool(kept.owner) and not kept.belongs_to(viewer()))
    except EngineError as error:
        explain(error)
    if kept.damage:
        st.warning(plain(kept.damage))

    def read() -> Iterator[Any]:
        yield from RUN_KINDS[kept.kind].open(kept)
        if kept.state != "done":
            raise CutOff

    job = jobs().submit(viewer(), kept.title, read, kept.steps, kept.kind, name=name)
    job.paused = kept.state not in ("done", "failed")
    job.reopened = True
    job.wait(MAX_WAIT_S)
