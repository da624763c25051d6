"""One entry: the claims of the paper, and the results computed here in pictures and numbers."""

from typing import Any, Final

import streamlit as st

from ia_engine.datasets.data import ImageSet
from ia_engine.equivariant.digits import draw_digit
from ia_engine.errors import EngineError
from ia_engine.figures.papers.drawing import draw_diagram, draw_pictures, plot_curves, plot_points
from ia_engine.figures.papers.panels import Diagram, Panel
from ia_engine.runs.catalogue import PAPER_ENTRY
from ia_engine.runs.job import Job
from ia_engine.runs.papers.attentive_parts import NETWORKS, draw_branch, follow_branch
from ia_engine.runs.papers.entry import IMPOSSIBLE, Effort, Entry, Number, Outcome
from ia_engine.runs.papers.report import write_number
from ia_engine.runs.tables.results import Finished, show_finished
from pages._ui.components.drawing import show_drawing, theme_colour_map
from pages._ui.panels import escape, explain, show_plot
from pages._ui.papers.results import (
    BEFORE,
    COLOURS,
    ICONS,
    NOW,
    Result,
    job_of,
    results_of,
    shipped,
    show_absent,
    title_of,
    verdict_of,
)
from pages._ui.runs.current import shown_run
from pages._ui.runs.start import start
from pages._ui.runs.watch import Status, watch
from pages._ui.state.papers import papers_state
from pages._ui.wording import number

COLUMNS: Final = ("quantity", "paper", BEFORE, NOW, "difference", "unit", "note")
EMPTY: Final = ("", "–")
MAX_BUDGET_S: Final = 300
LIVE_BRANCH: Final = "gcnn-figure-6"
"""The entry with a live diagram of a network's layer."""
DIGITS: Final = tuple(range(10))
LAYERS: Final = (1, 2, 3, 4, 5, 6)
FILTERS: Final = tuple(range(10))


def show_entry(entry: Entry) -> None:
    """The entry: claims and results, the controls of a run, numbers and pictures."""
    st.subheader(f"{entry.label}: {entry.title}", anchor=False)
    claims = st.container()
    if entry.kind != IMPOSSIBLE:
        _show_work(entry)
    results = results_of(entry)  # last: a run may end while the parts above are drawn
    with claims:
        _show_claims(entry, results)
    _show_seeds(entry)
    if results:
        _show_outcomes(entry, results)


def _show_work(entry: Entry) -> None:
    """Missing data, the controls of a run and its progress."""
    uploaded = show_absent(entry)
    if entry.runs(uploaded):
        _show_controls(entry, uploaded)
    job = job_of(entry)
    if job is not None and job is shown_run(PAPER_ENTRY.id):
        watch(job, _show_progress, Status("step"))
    elif job is not None and not job.finished:
        st.info("It is being computed: see the list of runs.")
    if entry.id == LIVE_BRANCH:
        _show_branch()


def _show_claims(entry: Entry, results: list[Result]) -> None:
    """The claim of the paper beside the result, or above two results side by side."""
    claim = f"**The paper.**  \n{escape(entry.says)}"
    if len(results) > 1:
        st.markdown(claim)
        columns = st.columns(2, gap="medium")
    else:
        paper, *columns = st.columns(2, gap="medium")
        paper.markdown(claim)
    for column, result in zip(columns, results or [None], strict=True):
        with column:
            if result is None:
                _show_no_result(entry)
            else:
                _show_verdict(entry, result)


def _show_no_result(entry: Entry) -> None:
    """Why there is no result."""
    _show_badge("Our result", verdict_of(entry))
    if entry.kind == IMPOSSIBLE:
        st.info(escape(f"Not possible here: {entry.why}"), icon=ICONS[IMPOSSIBLE])
    else:
        st.markdown("Nothing has been computed yet.")


def _show_verdict(entry: Entry, result: Result) -> None:
    """The verdict of a result, which claims hold, and its data."""
    _show_badge(f"Our result, {result.name}", result.verdict)
    marks = {True: ":green[**✓**]", False: ":red[**✗**]"}
    claims = result.outcome.claims
    st.markdown("  \n".join(f"{marks[claim.holds]} {escape(claim.text)}" for claim in claims))
    why = f" {result.verdict.capitalize()}: {entry.why}." if entry.why else ""
    st.caption(escape(f"Data: {result.outcome.data}{why}"))


def _show_badge(name: str, verdict: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{name}.**", width="content")
        st.badge(verdict, color=COLOURS[verdict], icon=ICONS[verdict])


def _show_controls(entry: Entry, uploaded: ImageSet | None) -> None:
    """The budget, the seed and the button that starts a run."""
    first, second, third = st.columns([3, 2, 2], vertical_alignment="bottom")
    budget = entry.budget
    if entry.hungry:
        budget = first.slider(
            "Budget [CPU s]", 2, MAX_BUDGET_S, round(entry.budget), key=f"budget {entry.id}",
            help="Training time; with more time, the result is closer to the paper's",
        )  # fmt: skip
    else:
        first.caption("The amount of work is fixed: a few CPU seconds at most.")
    seed = second.number_input("Seed", 0, 9999, 0, key=f"seed {entry.id}",
                               help="For the data, the weights and the batches")  # fmt: skip
    effort = Effort(float(budget), int(seed), uploaded)
    third.button(
        "Compute",
        icon=":material/play_arrow:",
        width="stretch",
        on_click=_start,
        args=(entry, effort),
        help="Runs in the background and continues while another page is open",
    )


def _start(entry: Entry, effort: Effort) -> None:
    start(PAPER_ENTRY, title_of(entry), (entry, effort))
    papers_state.entry = entry.id


def _show_progress(job: Job[Any]) -> None:
    if not job.finished:
        st.caption(escape(job.history[-1].about))


def _show_outcomes(entry: Entry, results: list[Result]) -> None:
    """The numbers of all results, and the pictures of one."""
    outcomes = {result.name: result.outcome for result in reversed(results)}
    _show_numbers(outcomes.get(BEFORE), outcomes.get(NOW), entry.id)
    name = next(iter(outcomes))
    if len(outcomes) > 1:
        name = str(st.segmented_control("Show", list(outcomes), default=name, required=True,
                                        key=f"which {entry.id}"))  # fmt: skip
    try:
        job = job_of(entry) if name == NOW else None
        _show_panels(outcomes[name], f"{entry.id} {name}", job.id if job else name)
    except EngineError as error:
        explain(error)
    if name == BEFORE:
        kept = shipped()[entry.id]
        took = number(float(f"{kept.seconds:.2g}"))
        made = f"Computed on {kept.date} in {took} CPU s (budget about {number(kept.budget)} s):"
        st.caption(escape(f"{made} {kept.command}"))


def _show_numbers(before: Outcome | None, now: Outcome | None, key: str) -> None:
    """A table with one row for each quantity; the difference is that of the newest result."""
    rows: dict[str, dict[str, str]] = {}
    for name, outcome in ((BEFORE, before), (NOW, now)):
        for quantity in outcome.numbers if outcome else ():
            empty = dict.fromkeys(COLUMNS, "") | {BEFORE: "–", NOW: "–"}
            row = rows.setdefault(quantity.name, empty)
            row.update(_describe(quantity), **{name: write_number(quantity.ours)})
    if rows:
        used = [name for name in COLUMNS if any(row[name] not in EMPTY for row in rows.values())]
        table = [{name: row[name] for name in used} for row in rows.values()]
        st.dataframe(table, hide_index=True, width="stretch", key=f"numbers {key}")


def _describe(number: Number) -> dict[str, str]:
    difference = number.difference
    signed = "–" if difference is None else f"{difference:+.3g}".replace("-", "−")
    return {
        "quantity": number.name,
        "paper": write_number(number.paper),
        "difference": signed,
        "unit": number.unit,
        "note": number.note,
    }


def _show_seeds(entry: Entry) -> None:
    """The seeds that were computed at the paper's own schedule, if there are any."""
    finished = _load_finished(entry.id)
    if not finished.lines:
        return
    st.markdown("**At the paper's own schedule** (`make tables`)")
    st.dataframe(list(finished.lines), hide_index=True, width="stretch", key=f"seeds {entry.id}")
    st.caption(escape(f"{'; '.join(finished.notes)}."))
    for at, panel in enumerate(finished.curves):
        st.markdown(f"**{escape(panel.title)}**")
        show_plot(plot_curves(panel), f"seeds {entry.id} {at}", entry.id)


@st.cache_resource(max_entries=32, show_spinner=False)
def _load_finished(entry: str) -> Finished:
    return show_finished(entry)


def _show_panels(outcome: Outcome, key: str, result: str) -> None:
    """The pictures and plots of an outcome; `result` names its run."""
    panels = outcome.panels
    if outcome.answers:
        _show_panel(panels[0], f"{key} 0", result)
        if not _ask_for_faces(outcome.answers, key):
            return
        panels = panels[1:]
    for at, panel in enumerate(panels):
        _show_panel(panel, f"{key} {at + 1}", result)


def _ask_for_faces(answers: tuple[bool, ...], key: str) -> bool:
    """The exercise; True if the solution is shown."""
    selected = st.pills(
        "Which of them are faces?", [k + 1 for k in range(len(answers))],
        selection_mode="multi", key=f"answers {key}",
    )  # fmt: skip
    if not st.toggle("Show the network's answer", key=f"solved {key}"):
        return False
    right = sum((k + 1 in selected) == answer for k, answer in enumerate(answers))
    faces = ", ".join(str(k + 1) for k, answer in enumerate(answers) if answer)
    st.success(f"You are right about {right} of {len(answers)}. The faces are {faces}.")
    return True


def _show_panel(panel: Panel, key: str, result: str) -> None:
    st.markdown(f"**{escape(panel.title)}**")
    if hasattr(panel, "moments"):
        show_plot(plot_points(panel), key, result)
    elif hasattr(panel, "y_title"):
        show_plot(plot_curves(panel), key, result)
    elif hasattr(panel, "edges"):
        show_drawing(draw_diagram(panel, theme_colour_map()), key)
    else:
        show_drawing(draw_pictures(panel, theme_colour_map()), key)


def _show_branch() -> None:
    """A diagram of a layer's branch, with controls for the network, digit, layer and filter."""
    st.markdown("**Live.** Choose a digit and follow it through the branch of a layer.")
    network = st.selectbox("Network", list(NETWORKS), format_func=NETWORKS.__getitem__,
                           key="branch of")  # fmt: skip
    digit = st.segmented_control("Digit", DIGITS, default=3, required=True,
                                    key="digit of the branch")  # fmt: skip
    second, third = st.columns([3, 1], vertical_alignment="bottom")
    layer = second.segmented_control("Layer", LAYERS, default=2, required=True,
                                     key="layer of the branch")  # fmt: skip
    output = third.selectbox("Filter", FILTERS, key="filter of the branch",
                             help="The filter whose responses and result are shown")  # fmt: skip
    drawn, error = _branch(str(network), int(digit or 0), int(layer or 2), int(output or 0))
    show_drawing(draw_diagram(drawn, theme_colour_map()), "live branch")
    st.caption(f"Combining these arrays gives the layer's result with an error of {error:.0e}.")


@st.cache_resource(max_entries=32, show_spinner=False)
def _branch(network: str, digit: int, layer: int, output: int) -> tuple[Diagram, float]:
    branch = follow_branch(network, draw_digit(digit), layer, output)
    title = f"{NETWORKS[network]}, layer {layer}, digit {digit}"
    return draw_branch(branch, title), branch.error
