"""The check of figures finds what a figure lacks, and tells figures from pictures."""

import ast
from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest

from ia_engine.figures.style import dress, state_unit
from ia_engine.figures.svg import colour_bar, draw, line, picture, read_map
from tests.figures import list_flaws_of_drawing, list_flaws_of_plot, states_unit

pytestmark = pytest.mark.cpu_only("no tensor is made")
ROOT = Path(__file__).parents[3]
PICTURES = {
    "ia_engine/figures/advice.py",
    "ia_engine/figures/mosaic.py",
    "ia_engine/figures/equivariance/curves.py",
    "ia_engine/figures/landscape.py",
    "ia_engine/figures/mean_figures.py",
    "ia_engine/figures/papers/drawing.py",
}
"""The files that draw without a title: images as they are, a part of a figure, or a
drawing that writes its own title."""
GREY = np.zeros((2, 2, 3), np.uint8)


def plot(title):
    figure = go.Figure()
    figure.add_scatter(x=[0], y=[0], name="a", line={"color": "#000000"})
    figure.add_scatter(x=[0], y=[1], name="b", line={"color": "#ff0000"})
    figure.update_layout(xaxis={"title": "iteration"}, yaxis={"title": title}, uirevision="a b")
    return figure


def test_a_plot_without_title_unit_or_legend_is_found():
    assert list_flaws_of_plot(dress(plot("d [no unit]"), "Distances")) == []
    bare = plot("d").update_layout(showlegend=False, uirevision=None)
    assert list_flaws_of_plot(bare) == ["title", "units", "legend", "zoom that is kept"]


def test_a_map_without_a_colour_bar_is_found():
    figure = go.Figure(go.Heatmap(z=[[1]], showscale=False))
    assert "legend" in list_flaws_of_plot(figure)


def test_a_drawing_without_title_units_legend_and_data_is_found():
    bare = [picture(GREY, 0, 0, 9, 9), line((0, 0), (1, 1))]
    flaws = list_flaws_of_drawing(draw(9, 9, "a map", bare, title=None))
    assert flaws == ["title", "units", "legend", "data"]
    scale = colour_bar(GREY[0], (0, 12, 9), (0, 1), "W [no unit]")
    parts = [*bare, read_map(np.eye(2), (0, 0, 9, 9)), *scale]
    assert list_flaws_of_drawing(draw(9, 30, "a map", parts, title="Weights")) == []


def test_an_image_without_axes_is_a_picture():
    alone = draw(9, 9, "a snail", [picture(GREY, 0, 0, 9, 9)], title=None)
    assert list_flaws_of_drawing(alone) is None


def draws_without_title(path):
    """True if a file contains a call of `draw` with `title=None`."""
    text = path.read_text("utf-8")
    if "title=None" not in text:
        return False
    calls = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call))
    return any(
        word.arg == "title" and isinstance(word.value, ast.Constant) and word.value.value is None
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id == "draw"
        for word in call.keywords
    )


def test_only_the_known_files_of_pictures_draw_without_a_title():
    """A map without title, quantities and marks cannot be told from a picture."""
    files = [path for name in ("ia_engine", "pages") for path in (ROOT / name).rglob("*.py")]
    found = {path.relative_to(ROOT).as_posix() for path in files if draws_without_title(path)}
    assert found == PICTURES


def test_a_unit_is_stated_once():
    assert state_unit(state_unit("R")) == "R [no unit]"
    assert states_unit("rotation [°]")
    assert states_unit("iteration")
    assert not states_unit("rotation")


def test_a_long_title_continues_on_the_next_line_inside_the_drawing():
    title = "Squared distance of two images over all translations in both directions"
    svg = draw(300, 100, "a map", [], title=title)
    lines = svg.count('class="title"')
    assert lines > 1
    top = float(svg.split('viewBox="0 ')[1].split()[0])
    heights = [float(part.split('"')[0]) for part in svg.split(' y="')[1:]]
    assert top < min(heights)
    assert max(heights) < 0
