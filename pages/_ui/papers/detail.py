"""One entry: what the paper says, what was found here, and the knobs to find it again."""

from typing import Any, Final

import streamlit as st

from ia_engine.datasets.imageset import ImageSet
from ia_engine.errors import EngineError
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.unsaved import PAPER_ENTRY
from ia_engine.runs.papers.entry import IMPOSSIBLE, Effort, Entry
from pages._ui.numbers import number
from pages._ui.panels import explain, plain
from pages._ui.papers.absent import show_absent
from pages._ui.papers.drawings import show_drawings
from pages._ui.papers.layer import LIVE, show_layer
from pages._ui.papers.numbers import show_numbers, show_seeds
from pages._ui.papers.results import (
    BEFORE,
    COLOURS,
    ICONS,
    NOW,
    Result,
    job_of,
    results_of,
    shipped,
    title_of,
    verdict_of,
)
from pages._ui.runs.current import shown_run
from pages._ui.runs.start import start
from pages._ui.runs.watch import Status, watch

LONGEST: Final = 300


def show_entry(entry: Entry) -> None:
    """All that there is to see and to do."""
    st.subheader(f"{entry.label}: {entry.title}", anchor=False)
    claims = st.container()
    if entry.kind != IMPOSSIBLE:
        _show_work(entry)
    results = results_of(entry)  # last: a run may have come to its end while it was drawn
    with claims:
        _show_claims(entry, results)
    show_seeds(entry)
    if results:
        _show_outcomes(entry, results)


def _show_work(entry: Entry) -> None:
    """What it needs, its knobs, and how far a run of it is."""
    given = show_absent(entry)
    if entry.runs(given):
        _show_knobs(entry, given)
    job = job_of(entry)
    if job is not None and job is shown_run(PAPER_ENTRY.id):
        watch(job, _show_progress, Status("step"))
    elif job is not None and not job.finished:
        st.info("It is being computed: see the list of runs.")
    if entry.id == LIVE:
        show_layer()


def _show_claims(entry: Entry, results: list[Result]) -> None:
    """What the paper says beside the result; where there are two, those side by side below it."""
    says = f"**The paper.**  \n{plain(entry.says)}"
    if len(results) > 1:
        st.markdown(says)
        places = st.columns(2, gap="medium")
    else:
        paper, *places = st.columns(2, gap="medium")
        paper.markdown(says)
    for place, result in zip(places, results or [None], strict=True):
        with place:
            if result is None:
                _show_nothing(entry)
            else:
                _show_verdict(entry, result)


def _show_nothing(entry: Entry) -> None:
    """Why there is no result."""
    state = verdict_of(entry)
    _name("Here", state)
    if entry.kind == IMPOSSIBLE:
        st.info(plain(f"Not possible here: {entry.why}"), icon=ICONS[IMPOSSIBLE])
    else:
        st.markdown("Nothing has been computed yet.")


def _show_verdict(entry: Entry, result: Result) -> None:
    """How one result stands: on which data, and what holds there, sentence by sentence."""
    _name(f"Here, {result.name}", result.verdict)
    marks = {True: ":green[**✓**]", False: ":red[**✗**]"}
    claims = result.outcome.claims
    st.markdown("  \n".join(f"{marks[claim.holds]} {plain(claim.text)}" for claim in claims))
    why = f" {result.verdict.capitalize()}: {entry.why}." if entry.why else ""
    st.caption(plain(f"Data: {result.outcome.data}{why}"))


def _name(name: str, verdict: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{name}.**", width="content")
        st.badge(verdict, color=COLOURS[verdict], icon=ICONS[verdict])


def _show_knobs(entry: Entry, given: ImageSet | None) -> None:
    """Budget, seed and the button."""
    first, second, third = st.columns([3, 2, 2], vertical_alignment="bottom")
    budget = entry.budget
    if entry.hungry:
        budget = first.slider(
            "Budget [CPU s]", 2, LONGEST, round(entry.budget), key=f"budget {entry.id}",
            help="Training time; more time gets closer to the paper",
        )  # fmt: skip
    else:
        first.caption("Always the same work: a few CPU seconds at most.")
    seed = second.number_input("Seed", 0, 9999, 0, key=f"seed {entry.id}",
                               help="Of the data, the weights and the batches")  # fmt: skip
    effort = Effort(float(budget), int(seed), given)
    third.button(
        "Compute",
        icon=":material/play_arrow:",
        width="stretch",
        on_click=_begin,
        args=(entry, effort),
        help="Runs in the background, also while another page is open",
    )


def _begin(entry: Entry, effort: Effort) -> None:
    start(PAPER_ENTRY, title_of(entry), (entry, effort))
    st.query_params["entry"] = entry.id


def _show_progress(job: Job[Any]) -> None:
    if not job.finished:
        st.caption(plain(job.history[-1].about))


def _show_outcomes(entry: Entry, results: list[Result]) -> None:
    """The figures of both, and the drawings of one."""
    found = {result.name: result.outcome for result in reversed(results)}
    show_numbers(found.get(BEFORE), found.get(NOW), entry.id)
    name = next(iter(found))
    if len(found) > 1:
        name = str(st.segmented_control("Show", list(found), default=name, required=True,
                                        key=f"which {entry.id}"))  # fmt: skip
    try:
        job = job_of(entry) if name == NOW else None
        show_drawings(found[name], f"{entry.id} {name}", job.id if job else name)
    except EngineError as error:
        explain(error)
    if name == BEFORE:
        kept = shipped()[entry.id]
        took = number(float(f"{kept.seconds:.2g}"))
        made = f"Made on {kept.date}, {took} CPU s of {number(kept.budget)} allowed:"
        st.caption(plain(f"{made} {kept.command}"))
