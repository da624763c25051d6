"""One entry: the paper's claims, and the results computed here as pictures and numbers."""

from itertools import zip_longest
from typing import Any, Final

import streamlit as st

from ia_engine.datasets.data import ImageSet
from ia_engine.equivariant.digits import draw_digit
from ia_engine.errors import EngineError
from ia_engine.figures.papers.drawing import (
    MAPS,
    draw_diagram,
    draw_pictures,
    plot_curves,
    plot_points,
    plot_seeds,
)
from ia_engine.figures.papers.panels import Curves, Diagram, Panel, Pictures, Points, Seeds
from ia_engine.runs.catalogue import PAPER_ENTRY
from ia_engine.runs.job import Job
from ia_engine.runs.papers.attentive_parts import NETWORKS, draw_branch, follow_branch
from ia_engine.runs.papers.entry import (
    DEFINITIONS,
    FAILED,
    IMPOSSIBLE,
    Effort,
    Entry,
    Number,
    Outcome,
)
from ia_engine.runs.papers.numbers import write_difference, write_number, write_spread
from ia_engine.runs.papers.report import describe_seeds
from ia_engine.runs.papers.seeds import draw_numbers
from pages._ui.components.drawing import show_drawing, theme_colour_map
from pages._ui.panels import escape, explain, show_plot
from pages._ui.papers.results import (
    BEFORE,
    COLOURS,
    ICONS,
    NOW,
    SEEDS,
    Result,
    finished_of,
    job_of,
    results_of,
    shipped,
    show_absent,
    title_of,
    verdict_of,
)
from pages._ui.papers.setups import SETUPS, Setup
from pages._ui.runs.current import shown_run
from pages._ui.runs.start import start
from pages._ui.runs.watch import Status, watch
from pages._ui.state.papers import papers_state
from pages._ui.wording import number

COLUMNS: Final = ("quantity", "paper", BEFORE, NOW, "difference", "lowest loss", "unit", "note")
EMPTY: Final = ("", "–")
MAX_BUDGET_S: Final = 300
LIVE_BRANCH: Final = "gcnn-figure-6"
"""Entry with a live diagram of a network's layer."""
DIGITS: Final = tuple(range(10))
LAYERS: Final = (1, 2, 3, 4, 5, 6)
FILTERS: Final = tuple(range(10))


def show_entry(entry: Entry) -> None:
    """Show the entry: claims and results, the controls of a run, values and pictures."""
    st.subheader(f"{entry.label}: {entry.title}", anchor=False)
    claims = st.container()
    if entry.id in SETUPS:
        _link_to_setup(SETUPS[entry.id])
    if entry.kind != IMPOSSIBLE:
        _show_work(entry)
    results = results_of(entry)  # drawn last: a run may end while the parts above are drawn
    with claims:
        _show_claims(entry, results)
    _show_seeds(entry)
    computed = [result for result in results if result.name != SEEDS]
    if computed:
        _show_outcomes(entry, computed)


def _link_to_setup(setup: Setup) -> None:
    """Draw a link to the page of a set-up, where its settings can be changed."""
    st.page_link(
        f"pages/{setup.page}.py",
        label="Open this set-up",
        icon=":material/tune:",
        help=f"Opens the page {setup.page.capitalize()} with these data and settings",
        query_params=setup.address,
    )


def _show_work(entry: Entry) -> None:
    """Show missing data, the controls of a run and its progress."""
    uploaded = show_absent(entry)
    if entry.runs(uploaded):
        _show_controls(entry, uploaded)
    job = job_of(entry)
    if job is not None and job is shown_run(PAPER_ENTRY.id):
        watch(job, _show_progress, Status("step"))
    elif job is not None and not job.finished:
        st.info("This entry is being computed. The runs list shows its progress.")
    if entry.id == LIVE_BRANCH:
        _show_branch()


def _show_claims(entry: Entry, results: list[Result]) -> None:
    """Show the claim of the paper beside the result, or above several results side by side."""
    claim = f"**The paper.**  \n{escape(entry.says)}"
    if len(results) > 1:
        st.markdown(claim)
        columns = list(st.columns(len(results), gap="medium"))
    else:
        paper, *columns = st.columns(2, gap="medium")
        paper.markdown(claim)
    for column, result in zip_longest(columns, results):
        with column:
            if result is None:
                _show_no_result(entry)
            else:
                _show_verdict(entry, result)


def _show_no_result(entry: Entry) -> None:
    """Explain why there is no result."""
    _show_badge("Our result", verdict_of(entry))
    if entry.kind == IMPOSSIBLE:
        st.info(escape(f"Not possible here: {entry.why}"), icon=ICONS[IMPOSSIBLE])
    else:
        st.markdown("Nothing has been computed yet.")


def _show_verdict(entry: Entry, result: Result) -> None:
    """Show the verdict of a result, its claims, its seeds and schedule, and its data."""
    outcome = result.outcome
    _show_badge(f"Our result, {result.name}", result.verdict)
    marks = {True: ":green[**✓**]", False: ":red[**✗**]"}
    lines = [f"{marks[claim.holds]} {escape(claim.text)}" for claim in outcome.claims]
    lines += [f":gray[**…**] {escape(text)} (undecided)" for text in result.undecided]
    if lines:
        st.markdown("  \n".join(lines))
    about = (
        f"Seeds: {describe_seeds(entry, outcome)}.",
        f"Schedule: {outcome.schedule}." if outcome.schedule else "",
        f"Data: {outcome.data.removesuffix('.')}." if outcome.data else "",
        _explain_verdict(entry, result.verdict),
    )
    st.caption(escape(" ".join(filter(None, about))))


def _explain_verdict(entry: Entry, verdict: str) -> str:
    """Return the reason of the verdict, or of the best verdict that the entry can have."""
    if not entry.why:
        return ""
    if verdict in (entry.kind, FAILED):
        return f"{verdict.capitalize()}: {entry.why}."
    return f"At best {entry.kind}: {entry.why}."


def _show_badge(name: str, verdict: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{name}.**", width="content")
        st.badge(verdict, color=COLOURS[verdict], icon=ICONS[verdict],
                 help=DEFINITIONS[verdict])  # fmt: skip


def _show_controls(entry: Entry, uploaded: ImageSet | None) -> None:
    """Draw the budget, the seed and the button that starts a run."""
    first, second, third = st.columns([3, 2, 2], vertical_alignment="bottom")
    budget = entry.budget
    if entry.scales_with_budget:
        budget = first.slider(
            "Budget [CPU s]", 2, MAX_BUDGET_S, round(entry.budget), key=f"budget {entry.id}",
            help="Training time; with more time, the result is closer to the paper's",
        )  # fmt: skip
    else:
        first.caption("The amount of work is fixed and takes at most a few CPU seconds.")
    seed = second.number_input("Seed", 0, 9999, 0, key=f"seed {entry.id}",
                               help="Seed of the data, the weights and the batches")  # fmt: skip
    effort = Effort(float(budget), int(seed), uploaded)
    third.button(
        "Compute",
        icon=":material/play_arrow:",
        width="stretch",
        on_click=_start,
        args=(entry, effort),
        help="Runs in the background, even while another page is open",
    )


def _start(entry: Entry, effort: Effort) -> None:
    start(PAPER_ENTRY, title_of(entry), (entry, effort))
    papers_state.entry = entry.id


def _show_progress(job: Job[Any]) -> None:
    if not job.finished:
        st.caption(escape(job.history[-1].about))


def _show_outcomes(entry: Entry, results: list[Result]) -> None:
    """Show the values of all results, and the pictures of one result."""
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
    for at, panel in enumerate(draw_numbers(outcomes[name].numbers)):
        _show_panel(panel, f"values {entry.id} {name} {at}", name)
    if name == BEFORE:
        kept = shipped()[entry.id]
        took = number(float(f"{kept.seconds:.2g}"))
        made = f"Computed on {kept.date} in {took} CPU s (budget about {number(kept.budget)} s)"
        where = f" on {kept.machine}" if kept.machine else ""
        code = f", program {kept.program}" if kept.program else ""
        st.caption(escape(f"{made}{where}{code}: {kept.command}"))


def _show_numbers(before: Outcome | None, now: Outcome | None, key: str) -> None:
    """Show a table with a row for each number; the difference belongs to the newest result."""
    rows: dict[str, dict[str, str]] = {}
    for name, outcome in ((BEFORE, before), (NOW, now)):
        for quantity in outcome.numbers if outcome else ():
            empty = dict.fromkeys(COLUMNS, "") | {BEFORE: "–", NOW: "–"}
            row = rows.setdefault(quantity.name, empty)
            row.update(_describe(quantity, name))
    if rows:
        used = [name for name in COLUMNS if any(row[name] not in EMPTY for row in rows.values())]
        table = [{name: row[name] for name in used} for row in rows.values()]
        st.dataframe(table, hide_index=True, width="stretch", key=f"numbers {key}")


def _describe(quantity: Number, name: str) -> dict[str, str]:
    """Return the cells of a number; `name` is the column of our value."""
    return {
        "quantity": quantity.name,
        "paper": write_spread(quantity.paper, quantity.paper_spread),
        name: write_spread(quantity.ours, quantity.spread),
        "difference": write_difference(quantity.difference),
        "lowest loss": write_number(quantity.least_loss),
        "unit": quantity.unit,
        "note": quantity.note,
    }


def _show_seeds(entry: Entry) -> None:
    """Show the seeds of `make tables`, the quoted rows of the paper's table, and the plots."""
    finished = finished_of(entry)
    if finished is None:
        return
    st.markdown("**At the authors' schedule** (`make tables`), in percent: mean ± deviation")
    st.dataframe(list(finished.lines), hide_index=True, width="stretch", key=f"seeds {entry.id}")
    if finished.notes:
        st.caption(escape(f"{'; '.join(finished.notes)}."))
    if finished.quoted:
        st.markdown("**Quoted from the paper**, not computed here, in percent")
        st.dataframe(list(finished.quoted), hide_index=True, width="stretch",
                     key=f"quoted {entry.id}")  # fmt: skip
    for at, panel in enumerate(finished.panels):
        _show_panel(panel, f"seeds {entry.id} {at}", entry.id)


def _show_panels(outcome: Outcome, key: str, result: str) -> None:
    """Show the pictures and plots of an outcome; `result` identifies its run."""
    panels = outcome.panels
    if outcome.answers:
        _show_panel(panels[0], f"{key} 0", result)
        if not _ask_for_faces(outcome.answers, key):
            return
        panels = panels[1:]
    for at, panel in enumerate(panels):
        _show_panel(panel, f"{key} {at + 1}", result)


def _ask_for_faces(answers: tuple[bool, ...], key: str) -> bool:
    """Show the exercise; return True if the solution is shown."""
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
    if isinstance(panel, Pictures) and panel.look not in MAPS:
        st.markdown(f"**{escape(panel.title)}**")
    if isinstance(panel, Points):
        show_plot(plot_points(panel), key, result)
    elif isinstance(panel, Seeds):
        show_plot(plot_seeds(panel), key, result)
    elif isinstance(panel, Curves):
        show_plot(plot_curves(panel), key, result)
    elif isinstance(panel, Diagram):
        show_drawing(draw_diagram(panel, theme_colour_map()), key)
    else:
        show_drawing(draw_pictures(panel, theme_colour_map()), key)


def _show_branch() -> None:
    """Show a diagram of a layer's branch, with controls for network, digit, layer and filter."""
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
