"""Where methods of a sweep did not come to their end, said below the plot."""

from collections.abc import Mapping, Sequence

import streamlit as st

from ia_engine.runs.comparison.config import TITLES
from ia_engine.runs.comparison.result import Result
from ia_engine.runs.comparison.sweep import SWEPT, SweepPlan
from pages._ui.numbers import number
from pages._ui.panels import plain

Notes = Mapping[tuple[str, str], Sequence[int]]
"""By method and what was noted: at which strengths."""


def say_unfinished(plan: SweepPlan, found: Mapping[int, Sequence[Result]]) -> None:
    """A line for every method that something is noted of."""
    notes = collect_notes(found)
    if not notes:
        return
    lines = [f"- {TITLES[name]}{_places(plan, at)}: {plain(note)}"
             for (name, note), at in notes.items()]  # fmt: skip
    budget = number(plan.config.budget)
    st.warning(
        f"**Not all methods finished** within {budget} s of computing time. The points of the "
        "others are their best results so far:\n" + "\n".join(lines)
    )


def collect_notes(found: Mapping[int, Sequence[Result]]) -> Notes:
    """What was noted of the methods that did not come to their end."""
    notes: dict[tuple[str, str], list[int]] = {}
    for at, own in sorted(found.items()):
        for result in own:
            if not result.finished:
                notes.setdefault((result.method, result.note), []).append(at)
    return notes


def _places(plan: SweepPlan, at: Sequence[int]) -> str:
    unit = SWEPT[plan.sweep.sweep].unit.partition(" ")[0]
    return f" at {', '.join(number(plan.steps[k]) for k in at)} {unit}"
