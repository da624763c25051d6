"""A plot of quality against the strength of a transformation, with one line per method."""

from collections.abc import Mapping, Sequence
from typing import Final

import plotly.graph_objects as go

from ia_engine.figures.style import dress, point_colour, point_symbol

DASHES: Final = ("solid", "dash", "dot")
HEIGHT: Final = 620
"""Height of the plot [px]. On a phone, the legend takes up half of it."""


def plot_sweep(
    strengths: Sequence[float],
    lines: Mapping[str, Sequence[float | None]],
    *,
    axis: str,
    measure: str,
    marked: str | None = None,
    low: float = -0.12,
) -> go.Figure:
    """Plot one line per method. Lines differ in colour, symbol and dashes; a click on a name hides
    its line."""
    figure = go.Figure()
    for k, (name, values) in enumerate(lines.items()):
        figure.add_scatter(
            x=list(strengths[: len(values)]),
            y=list(values),
            name=name,
            mode="lines+markers",
            line={
                "color": point_colour(k),
                "dash": DASHES[k // 5 % 3],
                "width": 5 if name == marked else 2.5,
            },
            opacity=1 if marked in (None, name) else 0.3,
            marker={"size": 9, "symbol": point_symbol(k)},
            hovertemplate="%{y:.3f}",
        )
    figure.update_xaxes(title=axis, tickvals=[round(x, 3) for x in strengths])
    figure.update_yaxes(title=measure, range=[low, 1.0 + (1.0 - low) / 20])
    return dress(figure).update_layout(
        height=HEIGHT,
        hovermode="x unified",
        legend={"orientation": "h", "y": -0.2, "font": {"size": 13}},
    )
