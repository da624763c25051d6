"""Plots of a finished clustering run: the classes in each cluster, and the distribution of
errors."""

from collections.abc import Sequence
from html import escape
from typing import Final

import plotly.graph_objects as go

from ia_engine.figures.style import COLOURS, dress

NUMBERED: Final = 20
"""Maximum number of rows and columns up to which the cells show their numbers."""
STRONG: Final = 0.45
"""Cells above this fraction of the maximum are dark enough for white numbers."""
SCALE: Final = ((0.0, "rgba(11,95,165,0)"), (1.0, "rgba(11,95,165,1)"))


def plot_confusion(counts: Sequence[Sequence[int]], classes: Sequence[str]) -> go.Figure:
    """Plot the number of images of each class (rows) in each cluster (columns)."""
    width, classes = len(counts[0]) if counts else 0, [escape(name) for name in classes]
    numbered = max(len(counts), width) <= NUMBERED
    figure = go.Figure(
        go.Heatmap(
            z=[list(row) for row in counts],
            x=[f"{k + 1}" for k in range(width)],
            y=list(classes[: len(counts)]),
            colorscale=SCALE,
            colorbar={"title": {"text": "number of images", "side": "right"}, "tickformat": ",d"},
            hovertemplate="class %{y}, cluster %{x}: %{z:,} images<extra></extra>",
            xgap=1,
            ygap=1,
        )
    )
    if numbered:
        _number(figure, counts, classes)
    figure.update_xaxes(title="cluster", type="category", showgrid=False)
    figure.update_yaxes(title="class", type="category", autorange="reversed", showgrid=False)
    height = max(340, min(680, 150 + 32 * len(counts)))
    return dress(figure, "Images of each class in each cluster", height=height)


def _number(figure: go.Figure, counts: Sequence[Sequence[int]], classes: Sequence[str]) -> None:
    """Write the numbers into the cells, in white on dark blue and otherwise in the text colour.
    Zeros are omitted."""
    most = max((count for row in counts for count in row), default=0)
    for strong in (True, False):
        places = [
            (f"{k + 1}", classes[row], f"{count:,}")
            for row, line in enumerate(counts)
            for k, count in enumerate(line)
            if count and (count > STRONG * most) == strong
        ]
        x, y, text = zip(*places, strict=True) if places else ((), (), ())
        font = {"color": "white"} if strong else None
        figure.add_scatter(
            x=x, y=y, text=text, mode="text", textfont=font, hoverinfo="skip", showlegend=False
        )


def plot_errors(errors: Sequence[float]) -> go.Figure:
    """Plot a histogram of the errors of the images."""
    figure = go.Figure(
        go.Histogram(
            x=list(errors),
            nbinsx=60,
            marker={"color": COLOURS["ia"]},
            hovertemplate="error %{x}: %{y} images<extra></extra>",
        )
    )
    figure.update_xaxes(title="squared error per pixel of the winning prototype [no unit]")
    figure.update_yaxes(title="number of images")
    figure.update_layout(bargap=0.04)
    return dress(figure, "Distribution of the squared errors of the images", height=300)
