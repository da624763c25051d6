"""Files of a comparison or a sweep: table, figure, and a script."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import streamlit as st

from ia_engine.figures.comparison.export import (
    draw_centres,
    write_comparison_python,
    write_json,
    write_sweep_python,
)
from ia_engine.figures.formats import Cell, write_csv
from ia_engine.runs.comparison.compare import Result, to_row
from ia_engine.runs.comparison.config import ComparisonPlan
from ia_engine.runs.comparison.sweep import SweepPlan
from pages._ui.panels import download
from pages._ui.state.dataset import UPLOAD, source_of, title

PYTHON: Final = "text/x-python"


def show_files(plan: ComparisonPlan, results: Sequence[Result]) -> None:
    """Draw buttons that make a file when they are pressed."""
    rows = [to_row(result) for result in results]
    made_by = {
        "recipe": json.loads(plan.recipe),
        "digest": plan.digest,
        "images": plan.size,
        "config": json.loads(plan.config.to_json()),
    }
    with st.container(horizontal=True):
        download("Table, CSV", "comparison.csv", lambda: write_csv(rows), "text/csv")
        download(
            "Table, JSON", "comparison.json", lambda: write_json(rows, made_by), "application/json"
        )
        if any(len(result.centres) for result in results):
            centres = [result.centres for result in results]
            download("Centres, PNG", "centres.png", lambda: draw_centres(centres), "image/png")
        download("Python", "comparison.py", lambda: _write_python(plan), PYTHON)


def show_sweep_files(
    plan: SweepPlan, rows: Sequence[Mapping[str, Cell]], draw: Callable[[], bytes]
) -> None:
    """Draw the same buttons for a sweep; `draw` makes its plot."""
    with st.container(horizontal=True):
        download("Sweep, CSV", "sweep.csv", lambda: write_csv(rows), "text/csv")
        download("Sweep, PNG", "sweep.png", draw, "image/png")
        sweep, config = plan.sweep.to_json(), plan.config.to_json()
        about = f"Sweep: {plan.sweep.sweep}"
        download(
            "Sweep, Python", "sweep.py", lambda: write_sweep_python(about, sweep, config), PYTHON
        )


def _write_python(plan: ComparisonPlan) -> bytes:
    uploaded = source_of(plan.recipe) == UPLOAD
    about = f"Methods compared: {title(plan.recipe)}"
    return write_comparison_python(about, plan.recipe, plan.config.to_json(), uploaded=uploaded)
