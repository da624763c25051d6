"""The common style of plots: colours, symbols, names and margins."""

from collections.abc import Sequence
from html import escape
from typing import Any, Final

import plotly.graph_objects as go

from ia_engine.datasets.data import PointSet

POINT_COLOURS: Final = (
    "#2a78c8", "#c2570c", "#0f8f88", "#8020f5", "#92774d", "#d513c3",
    "#6ea33b", "#f73c89", "#c37bbe", "#8f22d3", "#df53f5", "#8f5091",
)  # fmt: skip
"""Colours of points, any two of which differ for every kind of colour vision, on white and on
black."""
SYMBOLS: Final = ("circle", "square", "diamond", "triangle-up", "cross", "x")
"""Symbols of points, for people who cannot distinguish the colours."""


def plot_points(data: PointSet) -> go.Figure:
    """Plot points with equally scaled axes, coloured by blob."""
    figure = go.Figure()
    for label in range(int(data.labels.max()) + 1):
        x, y = data.points[data.labels == label].unbind(1)
        marker = {"color": POINT_COLOURS[label % 12], "symbol": SYMBOLS[label % 6], "size": 9}
        figure.add_scatter(
            x=x.tolist(), y=y.tolist(), mode="markers", name=f"blob {label + 1}", marker=marker
        )
    figure.update_layout(
        height=520,
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        xaxis={"title": "x"},
        yaxis={"title": "y", "scaleanchor": "x"},
        legend={"orientation": "h", "y": 1.08},
        font={"size": 15},
    )
    return figure


OTHER: Final = "other"
"""Name of the other run, where two runs with the same method are compared."""
COLOURS: Final = {"ia": "#0f8f88", "ka": "#c2621f", OTHER: "#2a78c8"}
NAMES: Final = {"ia": "invariant", "ka": "kernel", OTHER: "other run"}
HEIGHT: Final = 380
ABOVE: Final = 1.16
"""Position of a legend: above the titles, from where it grows upwards."""
PAIR: Final = ("#ff9426", "#006bd9")
"""The colours of image i and image j in the player."""
Pair = tuple[int, int] | None


def point_colour(group: int) -> str:
    """Return the colour of a class or cluster."""
    return POINT_COLOURS[group % len(POINT_COLOURS)]


def point_symbol(group: int) -> str:
    """Return the symbol of a class or cluster."""
    return SYMBOLS[group % len(SYMBOLS)]


def frame_pair(places: Sequence[int], pair: Pair) -> dict[str, Any]:
    """Return the outlines of the markers of these images. Those of the pair are coloured; if i and
    j are the same, in the colour of i."""
    colours = ["rgba(0, 0, 0, 0)"] * len(places)
    for image, colour in reversed([*zip(pair or (), PAIR, strict=False)]):
        colours = [colour if k == image else c for k, c in zip(places, colours, strict=True)]
    return {"width": [4 if colour in PAIR else 0 for colour in colours], "color": colours}


def name_classes(figure: go.Figure, classes: Sequence[str]) -> None:
    """Add a legend of the classes with their colours and symbols, which grows upwards from the
    titles."""
    figure.update_traces(showlegend=False)
    for group, name in enumerate(classes):
        marker = {"size": 11, "color": point_colour(group), "symbol": point_symbol(group)}
        figure.add_scatter(x=[None], y=[None], mode="markers", name=escape(name), marker=marker)
    legend = {"orientation": "h", "y": ABOVE, "yanchor": "bottom"}
    figure.update_layout(showlegend=bool(classes), legend=legend)


def dress(figure: go.Figure) -> go.Figure:
    """Give a figure the standard height, narrow margins, and a font size that suits projectors."""
    figure.update_traces(unselected={"marker": {"opacity": 1}}, selector={"type": "scatter"})
    figure.update_layout(
        height=HEIGHT, margin={"l": 10, "r": 10, "t": 30, "b": 10}, font={"size": 15}
    )
    return figure
