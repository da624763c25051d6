"""The step at which a film rests, in the address: written when the hand has left it, never before.

Every run has a step of its own, so whoever comes back to one finds it where it was left.
"""

from dataclasses import dataclass, replace
from typing import Final

import streamlit as st

from pages._ui.news import is_news, write
from pages._ui.panels import note_unused

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
        number = _read(asked)
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


def _read(asked: str) -> int | None:
    if asked.isascii() and asked.isdecimal() and len(asked) < 7:
        return int(asked)
    note_unused(STEP, asked, "a whole number", "the film begins as usual")
    return None
