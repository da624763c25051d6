"""Curves and points of a result as plotly figures."""

from typing import Final

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ia_engine.figures.papers.panels import Curves, Points
from ia_engine.figures.style import dress, point_colour, point_symbol

DASHES: Final = ("solid", "dash", "dot", "dashdot", "longdash")
HEIGHT: Final = 330


def plot_curves(panel: Curves) -> go.Figure:
    """Every line has its own colour and dash."""
    figure = go.Figure()
    for at, (name, y) in enumerate(zip(panel.names, panel.y, strict=True)):
        figure.add_scatter(
            x=panel.x.tolist(),
            y=y.astype(float).tolist(),
            name=name,
            mode="lines+markers" if len(panel.x) < 30 else "lines",
            line={"color": point_colour(at), "dash": DASHES[at % len(DASHES)], "width": 3},
        )
    figure.update_layout(
        xaxis={"title": panel.x_title},
        yaxis={"title": panel.y_title, "rangemode": "tozero"},
        legend={"orientation": "h", "y": -0.35},
    )
    return dress(figure).update_layout(height=HEIGHT)


def plot_points(panel: Points) -> go.Figure:
    """One plane per moment, all with the same axes."""
    figure = make_subplots(
        1, len(panel.moments), subplot_titles=panel.moments, shared_yaxes=True, shared_xaxes=True
    )
    for column, points in enumerate(panel.points, 1):
        for group in sorted(set(panel.labels)):
            own = points[[label == group for label in panel.labels]].astype(float).tolist()
            own += own[:1] if panel.closed else []
            figure.add_scatter(
                x=[x for x, _ in own],
                y=[y for _, y in own],
                mode="lines" if panel.closed else "markers",
                line={"color": point_colour(group), "width": 3, "dash": DASHES[group % 5]},
                marker={"color": point_colour(group), "symbol": point_symbol(group), "size": 8},
                name=f"{group + 1}",
                legendgroup=str(group),
                showlegend=column == 1,
                row=1,
                col=column,
            )
    figure.update_yaxes(scaleanchor="x", scaleratio=1)
    return dress(figure).update_layout(height=HEIGHT, legend={"orientation": "h", "y": -0.15})
