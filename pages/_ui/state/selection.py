"""What is selected, and the step at which a film rests: in the session and in the address."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

import streamlit as st

from pages._ui.panels import note_unused
from pages._ui.state.fields import forget, is_news, write

IMAGES: Final = ("i", "j")
CLUSTER: Final = "cluster"
NAMES: Final = (*IMAGES, CLUSTER)
SELECTED: Final = "what is selected"
ADDRESS: Final = "selection"


@dataclass(frozen=True)
class Selection:
    """Rows of the data of this digest, and a cluster; None where none is selected."""

    digest: str = ""
    i: int | None = None
    j: int | None = None
    cluster: int | None = None

    def __bool__(self) -> bool:
        return any(asdict(self)[name] is not None for name in NAMES)

    def pair(self, rows: Sequence[int]) -> tuple[int, int] | None:
        """Where the pair stands among these rows of the data; an image is a pair with itself."""
        if self.i is None:
            return None
        i, j = place_of(self.i, rows), place_of(self.i if self.j is None else self.j, rows)
        return None if i is None or j is None else (i, j)


def place_of(row: int | None, rows: Sequence[int]) -> int | None:
    """Where a row of the data stands among those that are shown, if it is one of them."""
    return rows.index(row) if row is not None and row in rows else None


def settle_selection(digest: str, n: int) -> Selection:
    """Once on a page with n rows of data: what a new address selects of them, else as it was."""
    known = selected()
    asked = _asked()
    if asked and is_news(ADDRESS, asked):
        known = _read_selection(asked, digest, n)
        st.session_state[SELECTED] = known
    elif known.digest != digest:
        if known:
            st.toast("What was selected belongs to other data: nothing is selected now.")
        known = Selection(digest)
        st.session_state[SELECTED] = known
    _write(known)
    return known


def selected() -> Selection:
    """What is selected; a page settles that before its parts ask."""
    known: Selection = st.session_state.get(SELECTED, Selection())
    return known


def select_pair(rows: Sequence[int], pair: tuple[int, int] | None) -> None:
    """Select the pair at these places; where both are one, the image alone; None lets go."""
    i, j = (None, None) if pair is None else (rows[pair[0]], rows[pair[1]])
    known = selected()
    st.session_state[SELECTED] = Selection(known.digest, i, None if i == j else j, known.cluster)
    _write(selected())


def select_cluster(cluster: int | None) -> None:
    """Select a cluster, by its number from 0."""
    known = selected()
    st.session_state[SELECTED] = Selection(known.digest, known.i, known.j, cluster)
    _write(selected())


def forget_selection() -> None:
    """Nothing is selected, and the address may say what it likes."""
    st.session_state[SELECTED] = Selection()
    forget(ADDRESS)


def _write(known: Selection) -> None:
    """The address says what is selected, and nothing where nothing is."""
    places = {name: asdict(known)[name] for name in NAMES}
    told = {name: str(place + 1) for name, place in places.items() if place is not None}
    write(ADDRESS, _asked(), told)
    for name in NAMES:
        if name in told:
            st.query_params[name] = told[name]
        elif name in st.query_params:
            del st.query_params[name]


def _asked() -> dict[str, str]:
    """What the address says."""
    return {name: st.query_params[name] for name in NAMES if name in st.query_params}


def _read_selection(asked: Mapping[str, str], digest: str, n: int) -> Selection:
    """What the address asks for, as far as it can be had."""
    found = {name: _number(name, asked[name], n) for name in IMAGES if name in asked}
    cluster = _number(CLUSTER, asked[CLUSTER], n) if CLUSTER in asked else None
    return Selection(digest, found.get("i"), found.get("j"), cluster)


def _number(name: str, text: str, n: int) -> int | None:
    if text.isascii() and text.isdecimal() and 1 <= int(text) <= n:
        return int(text) - 1
    note_unused(name, text, f"a number from 1 to {n:,}", "nothing is selected")
    return None


STEP: Final = "step"
RESTS: Final = "steps at which runs rest"
MOST: Final = 50
"""So many runs are remembered."""


@dataclass(frozen=True)
class Rest:
    """Where a link to a run begins, and where its reader has left it; None where neither is so."""

    given: int | None = None
    last: int | None = None
    jumps: int = 0
    """So often another view than the film itself has asked for a step."""
    poses: str = ""
    """How a lesson wants the images to lie, "own" or "common"; "" leaves it to the film."""


def start_step(run: str) -> Rest:
    """Where the address, or another view, wants this run to begin."""
    asked = st.query_params.get(STEP)
    if asked is not None and is_news(STEP, asked):
        number = _read_step(asked)
        _rests()[run] = Rest(number, number, poses=_rests().get(run, Rest()).poses)
    return _rests().get(run, Rest())


def jump_to(run: str, step: int) -> None:
    """Show this step of the run; meant for what is clicked beside the film."""
    known = _rests().get(run, Rest())
    _rests()[run] = replace(known, given=step, last=step, jumps=known.jumps + 1)


def lay(run: str, poses: str) -> None:
    """Show the images of the run in these poses."""
    _rests()[run] = replace(_rests().get(run, Rest()), poses=poses)


def rest_at(run: str, step: int | None) -> None:
    """The run rests at this step from now on (None: where it did), and the address says so."""
    rests = _rests()
    known = rests.pop(run, Rest())
    rests[run] = replace(known, last=known.last if step is None else step)
    while len(rests) > MOST:
        rests.pop(next(iter(rests)))
    last = rests[run].last
    if last is not None:
        write(STEP, st.query_params.get(STEP), str(last))
        st.query_params[STEP] = str(last)
    elif STEP in st.query_params:
        del st.query_params[STEP]


def _rests() -> dict[str, Rest]:
    known: dict[str, Rest] = st.session_state.setdefault(RESTS, {})
    return known


def _read_step(asked: str) -> int | None:
    if asked.isascii() and asked.isdecimal() and len(asked) < 7:
        return int(asked)
    note_unused(STEP, asked, "a whole number", "the film begins as usual")
    return None
