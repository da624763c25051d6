"""Exports of a comparison: rows as JSON, figures as PNG, and scripts that repeat the
computation."""

import json
from collections.abc import Mapping, Sequence
from functools import reduce
from math import floor
from typing import Final

import torch

from ia_engine.figures.formats import Axis, Cell, draw_lines, write_script
from ia_engine.figures.mosaic import draw_mosaic
from ia_engine.images import Images

SCRIPT: Final = """from ia_engine.datasets.recipes import load_recipe, make
from ia_engine.runs.comparison.compare import compare, results_of
from ia_engine.runs.comparison.config import ComparisonConfig
from ia_engine.runs.comparison.config import plan_comparison
from ia_engine.runs.comparison.compare import to_row

RECIPE = {recipe!r}
CONFIG = {config!r}

data = make(load_recipe(RECIPE))
plan = plan_comparison(ComparisonConfig.from_json(CONFIG), data)
for result in results_of(list(compare(plan, data))):
    print(to_row(result))
"""
SWEEP: Final = """from ia_engine.runs.comparison.config import ComparisonConfig
from ia_engine.runs.comparison.compare import to_row
from ia_engine.runs.comparison.sweep import SweepConfig, SweepPlan, sweep

SWEEP = {sweep!r}
CONFIG = {config!r}

plan = SweepPlan(SweepConfig.from_json(SWEEP), ComparisonConfig.from_json(CONFIG))
for item in sweep(plan):
    if item.moment.result is not None:
        print(plan.steps[item.at], to_row(item.moment.result))
"""
PLAIN: Final = {"×": "times", "β": "beta", "σ": "sigma"}
"""Characters that the font of pictures lacks."""


def write_json(rows: Sequence[Mapping[str, Cell]], made_by: Mapping[str, object]) -> bytes:
    """Return the rows, and the settings that reproduce them, as JSON."""
    content = {**made_by, "results": [dict(row) for row in rows]}
    return json.dumps(content, indent=1, ensure_ascii=False).encode()


def draw_centres(centres: Sequence[Images]) -> bytes:
    """Draw one row of centres for each method that has centres, as PNG."""
    found = [own for own in centres if len(own)]
    places = [(row, k) for row, own in enumerate(found) for k in range(len(own))]
    return draw_mosaic(torch.cat(found).clamp(0, 1), places)


def draw_sweep(
    strengths: Sequence[float],
    lines: Mapping[str, Sequence[float | None]],
    *,
    axis: str,
    measure: str,
) -> bytes:
    """Draw the plot of a sweep, as PNG. Missing values are left out."""
    points = {
        name: [(x, y) for x, y in zip(strengths, values, strict=False) if y is not None]
        for name, values in lines.items()
    }
    values = [y for own in points.values() for _, y in own]
    low, high = floor(4 * min([0.0, *values])) / 4, max([1.0, *values])
    title = reduce(lambda text, pair: text.replace(*pair), PLAIN.items(), axis)
    return draw_lines(points, Axis(title, strengths[0], strengths[-1]), Axis(measure, low, high))


def write_comparison_python(title: str, recipe: str, config: str, *, uploaded: bool) -> bytes:
    """Return a script that repeats the comparison and prints one row per method."""
    return write_script(title, SCRIPT.format(recipe=recipe, config=config), uploaded=uploaded)


def write_sweep_python(title: str, sweep: str, config: str) -> bytes:
    """Return a script that repeats the sweep and prints one row per strength and method."""
    return write_script(title, SWEEP.format(sweep=sweep, config=config))
