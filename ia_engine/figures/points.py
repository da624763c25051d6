"""Points in the plane, coloured by the blob that each was drawn from."""

from typing import Final

import plotly.graph_objects as go

from ia_engine.datasets.blobs import PointSet

COLOURS: Final = (
    "#2a78c8", "#c2570c", "#0f8f88", "#8020f5", "#92774d", "#d513c3",
    "#6ea33b", "#f73c89", "#c37bbe", "#8f22d3", "#df53f5", "#8f5091",
)  # fmt: skip
"""Searched: any two stay apart for every kind of colour vision, on white and on black."""
SYMBOLS: Final = ("circle", "square", "diamond", "triangle-up", "cross", "x")
"""A second sign beside the colour, for whoever cannot tell colours apart."""


def plot_points(data: PointSet) -> go.Figure:
    """A scatter plot on axes of one scale."""
    figure = go.Figure()
    for label in range(int(data.labels.max()) + 1):
        x, y = data.points[data.labels == label].unbind(1)
        marker = {"color": COLOURS[label % 12], "symbol": SYMBOLS[label % 6], "size": 9}
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
