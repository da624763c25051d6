"""One entry: what the paper says, what was found here, drawn and in numbers."""

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
from pages._ui.panels import explain, plain, show_plot
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
from pages._ui.wording import number

EMPTY: Final = ("", "–")


def show_numbers(before: Outcome | None, now: Outcome | None, key: str) -> None:
    """One row for each named figure; the difference is that of the newest."""
    rows: dict[str, dict[str, str]] = {}
    for name, outcome in ((BEFORE, before), (NOW, now)):
        for figure in outcome.numbers if outcome else ():
            row = rows.setdefault(figure.name, dict.fromkeys(COLUMNS, "") | {BEFORE: "–", NOW: "–"})
            row.update(_tell(figure), **{name: write_number(figure.ours)})
    if rows:
        table = _without_empty(list(rows.values()))
        st.dataframe(table, hide_index=True, width="stretch", key=f"numbers {key}")


COLUMNS: Final = ("figure", "paper", BEFORE, NOW, "difference", "unit", "note")


def _tell(number: Number) -> dict[str, str]:
    difference = number.difference
    signed = "–" if difference is None else f"{difference:+.3g}".replace("-", "−")
    return {
        "figure": number.name,
        "paper": write_number(number.paper),
        "difference": signed,
        "unit": number.unit,
        "note": number.note,
    }


def _without_empty(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """Columns in which something stands."""
    full = [name for name in COLUMNS if any(row[name] not in EMPTY for row in rows)]
    return [{name: row[name] for name in full} for row in rows]


def show_seeds(entry: Entry) -> None:
    """Nothing for an entry without finished seeds."""
    found = _load_finished(entry.id)
    if not found.lines:
        return
    st.markdown("**At the paper's own schedule** (`make tables`)")
    st.dataframe(list(found.lines), hide_index=True, width="stretch", key=f"seeds {entry.id}")
    st.caption(plain(f"{'; '.join(found.notes)}."))
    for at, panel in enumerate(found.curves):
        st.markdown(f"**{plain(panel.title)}**")
        show_plot(plot_curves(panel), f"seeds {entry.id} {at}", entry.id)


@st.cache_resource(max_entries=32, show_spinner=False)
def _load_finished(entry: str) -> Finished:
    return show_finished(entry)


def show_drawings(outcome: Outcome, key: str, result: str) -> None:
    """Panel by panel; `result` names the run that found them."""
    panels = outcome.panels
    if outcome.answers:
        _show(panels[0], f"{key} 0", result)
        if not _ask(outcome.answers, key):
            return
        panels = panels[1:]
    for at, panel in enumerate(panels):
        _show(panel, f"{key} {at + 1}", result)


def _ask(answers: tuple[bool, ...], key: str) -> bool:
    """The exercise; whether the rest may be seen."""
    chosen = st.pills(
        "Which of them are faces?", [k + 1 for k in range(len(answers))],
        selection_mode="multi", key=f"answers {key}",
    )  # fmt: skip
    if not st.toggle("Show what the network says", key=f"solved {key}"):
        return False
    right = sum((k + 1 in chosen) == answer for k, answer in enumerate(answers))
    faces = ", ".join(str(k + 1) for k, answer in enumerate(answers) if answer)
    st.success(f"You are right about {right} of {len(answers)}: the faces are {faces}.")
    return True


def _show(panel: Panel, key: str, result: str) -> None:
    st.markdown(f"**{plain(panel.title)}**")
    if hasattr(panel, "moments"):
        show_plot(plot_points(panel), key, result)
    elif hasattr(panel, "y_title"):
        show_plot(plot_curves(panel), key, result)
    elif hasattr(panel, "edges"):
        show_drawing(draw_diagram(panel, theme_colour_map()), key)
    else:
        show_drawing(draw_pictures(panel, theme_colour_map()), key)


LIVE: Final = "gcnn-figure-6"
LAYERS: Final = (1, 2, 3, 4, 5, 6)
FILTERS: Final = tuple(range(10))


def show_layer() -> None:
    """Digit, layer and filter to choose; the diagram follows."""
    st.markdown("**Live.** Follow a digit of your choice through the branch of a layer.")
    network = st.selectbox("Network", list(NETWORKS), format_func=NETWORKS.__getitem__,
                           key="branch of")  # fmt: skip
    digit = st.segmented_control("Digit", list(range(10)), default=3, required=True,
                                    key="digit of the branch")  # fmt: skip
    second, third = st.columns([3, 1], vertical_alignment="bottom")
    layer = second.segmented_control("Layer", LAYERS, default=2, required=True,
                                     key="layer of the branch")  # fmt: skip
    output = third.selectbox("Filter", FILTERS, key="filter of the branch",
                             help="Whose responses and result are shown")  # fmt: skip
    drawn, error = _branch(str(network), int(digit or 0), int(layer or 2), int(output or 0))
    show_drawing(draw_diagram(drawn, theme_colour_map()), "live branch")
    st.caption(f"Put together from these arrays, the layer's result is met to {error:.0e}.")


@st.cache_resource(max_entries=32, show_spinner=False)
def _branch(network: str, digit: int, layer: int, output: int) -> tuple[Diagram, float]:
    branch = follow_branch(network, draw_digit(digit), layer, output)
    title = f"{NETWORKS[network]}, layer {layer}, digit {digit}"
    return draw_branch(branch, title), branch.error


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
