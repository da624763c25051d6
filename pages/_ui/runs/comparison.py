"""The comparison on Runs: what differs between the marked runs, labelled as on their pages."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

import streamlit as st

from ia_engine.errors import EngineError
from ia_engine.params import Choice, Range
from ia_engine.runs.comparison.config import TITLES
from ia_engine.runs.differences import DATA, Line, compare_runs
from ia_engine.runs.library import SavedRun
from pages._ui.controls import label_of
from pages._ui.panels import escape, explain
from pages._ui.wording import LABELS, word_of

MAX_HEADING: Final = 44
"""Maximum number of characters of a title in the heading of a column."""
LABEL_WIDTH: Final = 270
"""Width of the column of labels [px]."""
SETTINGS: Final = {
    "kind": "Kind of run",
    "used": "Images used",
    "methods": "Methods",
    "modules": "Transformations",
    "seed": "Seed s",
    "device": "Device",
    "budget": "CPU time",
    "source": "Data",
    "digest": "Digest",
    "images": "Images",
}
"""Labels of settings that have no control or whose label depends on their page."""
METRICS: Final = {
    "computed": "Computed",
    "clusters": "Clusters",
    "ari": "ARI",
    "ARI": "ARI",
    "ACC": "ACC",
    "block_mass": "Block mass",
    "d2_within": "Mean d² within classes",
    "d2_between": "Mean d² between classes",
    "d2 mean": "Mean d²",
    "beta": "Bandwidth β",
    "objective": "Objective f",
    "sharpness": "Sharpness",
    "iteration": "Steps",
    "seconds": "CPU time",
    "loss": "Loss per image",
    "validation error": "Validation error",
    "test error": "Test error",
}
SHARES: Final = ("block_mass", "validation error", "test error")
"""Metrics that pages show in percent."""
UNITS: Final = {"seconds": "s"}
"""Units of other metrics; the rest are counts or dimensionless."""
METHODS: Final = {"ia": "Invariant attention", "ka": "Kernel attention"}


def show_comparison(marked: Sequence[SavedRun]) -> None:
    """Show a table of the differences if two or more runs are marked."""
    if not marked:
        return
    st.subheader("Compare")
    if len(marked) < 2:
        st.info("Mark at least two runs to compare them. Marked: 1.")
        return
    try:
        lines = _compare(tuple((kept.id, kept.steps, kept.state) for kept in marked), marked)
    except EngineError as error:
        explain(error)
        return
    titles = _make_headings(marked)
    table = {"": [make_label(line) for line in lines]}
    for at, title in enumerate(titles):
        table[title] = [format_value(line, line.values[at]) for line in lines]
    columns = {"": st.column_config.TextColumn(width=LABEL_WIDTH)} | {
        title: st.column_config.TextColumn(help=escape(kept.title))
        for title, kept in zip(titles, marked, strict=True)
    }
    st.dataframe(table, hide_index=True, width="stretch", height="content", column_config=columns)
    equal = "" if any(not line.result for line in lines) else "All settings are equal. "
    st.caption(
        f"{equal}The table lists settings that differ, and the results of the last step. To "
        "compare the animations of two runs on the same images, open one run and then the other: "
        "Iterations can then show them side by side."
    )


def make_label(line: Line) -> str:
    """Return the label of a setting as its page has it, or the title of a metric.

    >>> make_label(Line("sigma", ("1 px", "2 px"), Range("σ", 0, 8, "", "px"), "kernel attention"))
    'Kernel attention: smoothing σ'
    """
    if line.result:
        of, _, name = line.name.rpartition(": ")
        label = METRICS.get(name, name)
        return f"{METHODS.get(of, of)}: {_lower(label)}" if of else label
    label = SETTINGS.get(line.name) or _label_setting(line)
    if line.of == DATA:
        return label if line.name == "source" else f"Data: {_lower(label)}"
    return f"{line.of[0].upper()}{line.of[1:]}: {_lower(label)}" if line.of else label


def format_value(line: Line, value: str) -> str:
    """Return a value as the page shows it: the title of an option, or a number with its unit.

    >>> format_value(Line("group", ("se2",), Choice("", ("se2", "affine"), "")), "se2")
    'rotation + translation'
    """
    if line.name == "methods" and not line.result:
        return ", ".join(TITLES.get(name, name) for name in value.split(", "))
    if isinstance(line.about, Choice):
        return word_of(value)
    name = line.name.rpartition(": ")[2]
    if not line.result or not value[:1].isdigit():
        return value
    return (
        f"{100 * float(value):.3g} %"
        if name in SHARES
        else f"{value} {UNITS.get(name, '')}".strip()
    )


def _label_setting(line: Line) -> str:
    about = line.about
    if about is None:
        return LABELS.get(line.name, line.name.replace("_", " ").capitalize())
    return label_of(line.name, replace(about, unit="") if isinstance(about, Range) else about)


def _lower(label: str) -> str:
    """Return a label inside a longer one: "Bandwidth β" becomes "bandwidth β", "CPU" stays."""
    return f"{label[0].lower()}{label[1:]}" if label[1:2].islower() else label


@st.cache_data(max_entries=50, show_spinner=False)
def _compare(known: tuple[tuple[str, int, str], ...], _marked: Sequence[SavedRun]) -> list[Line]:
    """Compare runs; their files are read again only if one of them has changed."""
    return compare_runs(_marked)


def _make_headings(marked: Sequence[SavedRun]) -> list[str]:
    """Return unique headings; runs whose shortened titles are equal get their dates as well."""
    titles = [_shorten(kept.title) for kept in marked]
    if len({*titles}) < len(titles):
        titles = [_add_date(kept) for kept in marked]
    return [
        title if title not in titles[:at] else f"{title} ({titles[:at].count(title) + 1})"
        for at, title in enumerate(titles)
    ]


def _add_date(kept: SavedRun) -> str:
    created = datetime.fromisoformat(kept.record.created)
    return f"{created:%d %b, %H:%M:%S} · {_shorten(kept.title)}"


def _shorten(title: str) -> str:
    return title if len(title) <= MAX_HEADING else f"{title[: MAX_HEADING - 1].rstrip()}…"
