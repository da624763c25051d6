"""The player, linked: its pair is the page's selection, its step that of the address."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from pages._ui.player import Lane, PlayerHeader, PlayerState, play, read_pair
from pages._ui.selection import select_pair, selected
from pages._ui.steps import rest_at, start_step


def link(header: PlayerHeader, key: str, rows: Sequence[int], run: str) -> PlayerHeader:
    """The header with what is selected, in the player itself or elsewhere, and with its step."""
    heard = f"pairs heard of {key}"
    answer = read_pair(key)
    if answer is not None and answer.count != st.session_state.get(heard):
        st.session_state[heard] = answer.count
        select_pair(rows, answer.pair)
    header = replace(header, pair=selected().pair(rows), heard=int(st.session_state.get(heard, 0)))
    rest = start_step(run)
    header = replace(header, poses=rest.poses or header.poses)
    if rest.given is None:
        return header
    return replace(header, start=rest.given, jump=rest.jumps, autoplay=False)


def play_linked(lanes: Sequence[Lane], header: PlayerHeader, key: str, run: str) -> PlayerState:
    """Show the lanes; the address says where they rest."""
    state = play(lanes, header, key)
    rest_at(run, state.step if state.rested else None)
    return state
