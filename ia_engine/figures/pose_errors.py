"""Plots of pose errors: a histogram of the angle, and a scatter plot of the translation."""

from collections.abc import Sequence
from html import escape
from math import isnan
from typing import Final

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ia_engine.figures.style import dress, point_colour, point_symbol
from ia_engine.poses.errors import PoseErrors

BINS: Final = 36
LEAST_REACH: Final = 1.0
"""Smallest limit of the axes of the scatter plot [px]."""
LEAST_ANGLE: Final = 5.0
"""Smallest limit of the axis of the histogram [°]."""


def plot_pose_errors(
    errors: PoseErrors,
    names: Sequence[str],
    labels: Sequence[int],
    classes: Sequence[str],
    *,
    absolute: bool = False,
) -> go.Figure:
    """Plot the errors of copies; `names` and `labels` are those of all images.

    With `absolute`, the histogram shows angles before the pose of each class is removed, which is
    misleading.
    """
    rows = errors.rows.tolist()
    angle = (errors.absolute if absolute else errors.angle).tolist()
    shift = errors.shift.tolist()
    figure = make_subplots(
        1, 2, subplot_titles=("angle error", "translation error"), horizontal_spacing=0.2
    )
    most = max([LEAST_ANGLE, *(abs(value) for value in angle if not isnan(value))])
    reach = 1.05 * max([LEAST_REACH, *(abs(value) for pair in shift for value in pair)])
    for label in sorted({labels[row] for row in rows} if labels else {0}):
        own = [at for at, row in enumerate(rows) if not labels or labels[row] == label]
        name = escape(classes[label]) if labels and classes else "all images"
        colour = point_colour(label)
        figure.add_histogram(
            x=[angle[at] for at in own],
            name=name,
            legendgroup=name,
            marker={"color": colour},
            xbins={"start": -most, "end": 1.001 * most, "size": 2 * most / BINS},
            hovertemplate="%{x}°: %{y} images",
            row=1,
            col=1,
        )
        figure.add_scatter(
            x=[shift[at][1] for at in own],
            y=[shift[at][0] for at in own],
            text=[f"image {rows[at] + 1}, {escape(names[rows[at]])}" for at in own],
            name=name,
            legendgroup=name,
            showlegend=False,
            mode="markers",
            marker={"color": colour, "symbol": point_symbol(label), "size": 9, "opacity": 0.8},
            hovertemplate="%{text}: %{y:.2f} px down, %{x:.2f} px right",
            row=1,
            col=2,
        )
    figure.update_xaxes(title="angle error [°]", range=[-most, most], row=1, col=1)
    figure.update_yaxes(title="number of images", row=1, col=1)
    figure.update_xaxes(title="error right [px]", range=[-reach, reach], row=1, col=2)
    # Rows count downwards, like those of the images.
    figure.update_yaxes(
        title="error down [px]", range=[reach, -reach], scaleanchor="x2", row=1, col=2
    )
    figure.update_layout(barmode="stack", bargap=0, showlegend=True)
    return dress(figure, "Found poses minus true poses")
