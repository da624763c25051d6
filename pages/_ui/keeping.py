"""Runs that outlive the server: kept in the library as they come, and brought back by a link."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from ia_engine.datasets.data import Data
from ia_engine.errors import EngineError
from ia_engine.runs.catalogue import KINDS
from ia_engine.runs.job import CutOff, new_name
from ia_engine.runs.kinds.data import OWN, find_data, makes_own, to_given
from ia_engine.runs.kinds.kind import RunKind
from ia_engine.runs.kinds.saving import Destination, Origin, save_items
from ia_engine.runs.library import Kept
from ia_engine.runs.record import Arrays, Record
from pages._ui.chosen import choose
from pages._ui.jobs import jobs, own_runs, show_again, start
from pages._ui.panels import explain, plain
from pages._ui.ready import find_ready
from pages._ui.shelf import LINK, deleted, library, put_aside
from pages._ui.viewer import viewer

PLACES: Final[dict[str, tuple[str, ...]]] = {
    "pages/iterations.py": ("iterations", "attention"),
    "pages/clustering.py": ("clustering",),
    "pages/mean.py": ("mean",),
    "pages/compare.py": ("comparison", "sweep"),
    "pages/equivariance.py": ("race",),
}
"""The pages whose runs are saved, and the kinds of them."""
SOON: Final = 1.0
"""Seconds that a page waits for a run from the library, which is mostly there at once."""

GOING: Final = "records of runs under way"

Work = Callable[[], Iterator[Any]]


@dataclass(frozen=True)
class Instead:
    """The run that a new one continues: it is put aside once the new one has saved this many items.

    A new run that cannot be saved puts nothing aside.
    """

    name: str
    after: int


def tell(
    title: str, config: str, data: Data | None, *, seed: int = 0, device: str = "cpu"
) -> Origin:
    """Where a run comes from, for `start_kept`; None for one that makes its data itself."""

    def about() -> tuple[Record, Arrays]:
        if data is None:
            return Record(OWN, config, seed, "", device, title), {}
        recipe = data.recipe.to_json()
        return Record(recipe, config, seed, data.digest, device, title), to_given(data)

    return about


def start_kept(
    place: str,
    title: str,
    work: Work,
    expected: int,
    about: Origin,
    *,
    kind: str = "",
    instead: Instead | None = None,
) -> None:
    """Begin a run that is kept as it comes; the address names it from now on.

    Without a kind it is of the page's first.
    """
    shelf, codec = Destination(library(), new_name(), viewer()), _codec(place, kind)
    assert codec is not None
    pool, unsaved = jobs(), []  # a worker has no session

    def report(reason: str) -> None:
        unsaved.append(reason)
        if job := pool.get(shelf.owner, shelf.name):
            job.unsaved = reason

    def kept() -> Iterator[Any]:
        items = work()
        if instead is not None:
            items = _take_place(items, instead, shelf, lambda: not unsaved)
        return save_items(shelf, codec, about, items, report)

    start(place, title, kept, expected, name=shelf.name)
    st.query_params[LINK] = shelf.name


def start_once(
    place: str, title: str, work: Work, expected: int, about: Origin, *, kind: str = ""
) -> None:
    """Begin a run that is kept; if the very same one is under way, show that instead."""
    record, _ = about()
    going = {job.id: job for job in own_runs() if not (job.finished or job.cancelling)}
    begun: dict[str, Record] = st.session_state.setdefault(GOING, {})
    for name in [*begun]:
        if name not in going:
            del begun[name]
        elif going[name].place == place and begun[name].same_run(record):
            show_again(going[name])
            st.query_params[LINK] = name
            st.toast("This run is under way already: here it is.")
            return
    start_kept(place, title, work, expected, about, kind=kind)
    begun[st.query_params[LINK]] = record


def recall(place: str) -> None:
    """Bring back the run that the address asks for, with its data, unless it is here."""
    name = st.query_params.get(LINK, "").partition(".")[0]
    if not name or (jobs().get(viewer(), name) and name not in deleted()):
        return
    try:
        kept = library().find(name) or find_ready(name)
        codec = _codec(place, kept.kind) if kept else None
        if kept is not None and codec is not None:
            _take_down(kept, name, place, codec)
            return
    except EngineError as error:
        explain(error)
        return
    st.info(
        "The address names a run that is not kept on this machine: the settings are there, press "
        "Run to compute it."
    )


def _take_place(
    items: Iterator[Any], instead: Instead, shelf: Destination, saved: Callable[[], bool]
) -> Iterator[Any]:
    """The same items; each is saved before the next one is asked for."""
    for count, item in enumerate(items, start=1):
        yield item
        if count == instead.after and saved():
            put_aside(instead.name, shelf.name, shelf.owner)
    if saved():
        put_aside(instead.name, shelf.name, shelf.owner)


def _codec(place: str, kind: str) -> RunKind[Any] | None:
    """The kind of this id, if the page shows it; the page's first if there is no id."""
    own = PLACES[place]
    return KINDS[kind or own[0]] if kind in ("", *own) else None


def _take_down(kept: Kept, name: str, place: str, codec: RunKind[Any]) -> None:
    try:
        if not makes_own(kept):
            lent = bool(kept.owner) and not kept.belongs_to(viewer())
            choose(*find_data(kept), lent=lent)
    except EngineError as error:
        explain(error)
    if kept.damage:
        st.warning(plain(kept.damage))

    def again() -> Iterator[Any]:
        yield from codec.open(kept)
        if kept.state != "done":
            raise CutOff

    job = jobs().submit(viewer(), kept.title, again, kept.steps, place, name=name)
    job.paused = kept.state not in ("done", "failed")
    job.reopened = True
    job.wait(SOON)
