"""The player of runs: each step is sent to the browser once, and the browser returns the choices
of the user."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import streamlit as st

from ia_engine.figures.player import PlayedRun, PlayerHeader, betas_of, encode_step, header_of
from pages._ui.panels import component
from pages._ui.state.fields import read_answer, read_value, set_value
from pages._ui.state.selection import note_stop, select_pair, selected, start_step

T = TypeVar("T")

_feed = component("ia_feeder", "player_feeder", styled=False)
_play = component("ia_player", "player")


@dataclass(frozen=True)
class PlayerState:
    """The user's choices: the released values of β, the pinned pair and the step of the player."""

    betas: tuple[float, ...]
    """One value for each run."""
    pair: tuple[int, int] | None
    step: int
    stopped: bool
    """True if the user stopped the player on this step."""
    playing: bool = False
    """True if the player is playing."""


@dataclass(frozen=True)
class PairAnswer:
    """The pair that was last pinned in the browser, if any, and the number of pins so far."""

    pair: tuple[int, int] | None
    count: int


def connect(header: PlayerHeader, key: str, rows: Sequence[int], run: str) -> PlayerHeader:
    """Return the header with the page's selection and the run's step.

    The player may change both.
    """
    count_key = f"pairs received of {key}"
    answer = read_pair(key)
    if answer is not None and answer.count != read_value(count_key, None):
        set_value(count_key, answer.count)
        select_pair(rows, answer.pair)
    count = read_value(count_key, 0)
    header = replace(header, pair=selected().pair(rows), pairs_received=count)
    rest = start_step(run)
    header = replace(header, poses=rest.poses or header.poses)
    if rest.given is None:
        return header
    return replace(header, start=rest.given, jump=rest.jumps, autoplay=False)


def play_connected(
    runs: Sequence[PlayedRun], header: PlayerHeader, key: str, run: str
) -> PlayerState:
    """Show the runs, and write the step at which the user stopped into the URL."""
    state = play(runs, header, key)
    note_stop(run, state.step if state.stopped else None)
    return state


def play(runs: Sequence[PlayedRun], header: PlayerHeader, key: str) -> PlayerState:
    """Show the runs and return the user's choices; the key must be unique on its page."""
    with st.container(gap=None, key=f"player_{key}"):
        _play(
            key=key,
            data=header_of(runs, header, key),
            on_betas_change=_rerun,
            on_pair_change=_rerun,
            on_step_change=_rerun,
        )
        for at, run in enumerate(runs):
            for k, frame in enumerate(run.frames):
                _feed(key=f"{key}-run-{at}-step-{k}", data=encode_step(run.run, frame))
    return read(runs, header, key)


def send_advice(key: str, advice: Mapping[str, Mapping[str, Any]]) -> None:
    """Show advice on β below the sliders of the player with this key, for each of its runs."""
    _feed(key=f"{key} advice", data={"key": key, "runs": dict(advice)})


def read(runs: Sequence[PlayedRun], header: PlayerHeader, key: str) -> PlayerState:
    """Return the choices in the player with this key, even before it is drawn."""
    given = list(header.pair) if header.pair else None
    pair = _answer(read_answer(key, "pair"), given, given)
    answer, given_step = read_answer(key, "step"), [[run.run for run in runs], header.jump]
    step = _answer(answer, given_step, None)
    betas = read_answer(key, "betas")
    if betas == read_value(_used_key(key), None):
        betas = None
    return PlayerState(
        betas=_chosen_betas(betas, betas_of(runs, header)),
        pair=(pair[0], pair[1]) if pair else None,
        step=header.start if step is None else step,
        stopped=step is not None,
        playing=step is None and _answer(answer, given_step, header.start) is None,
    )


def read_pair(key: str) -> PairAnswer | None:
    """Return the browser's last answer about pairs in the player with this key."""
    answer = read_answer(key, "pair")
    if answer is None:
        return None
    pair, _, count = answer
    return PairAnswer((pair[0], pair[1]) if pair else None, count)


def forget_betas(key: str) -> None:
    """Mark the values of β chosen so far as used, so that later runs ignore them."""
    set_value(_used_key(key), read_answer(key, "betas"))


def _used_key(key: str) -> str:
    return f"β used by {key}"


def _chosen_betas(answer: Sequence[Any] | None, given: Sequence[float]) -> tuple[float, ...]:
    """Return each run's β from the browser, if it was chosen while the run's own β was `given`."""
    answers = dict(enumerate(zip(*answer[:2], strict=True))) if answer else {}
    return tuple(_answer(answers.get(at), beta, beta) for at, beta in enumerate(given))


def _answer(answer: Sequence[Any] | None, given: object, otherwise: T) -> T:
    """Return the browser's value, unless it was chosen for a different header."""
    return answer[0] if answer is not None and answer[1] == given else otherwise


def _rerun() -> None:
    """Do nothing: Streamlit keeps a component's value only if it has a callback."""
