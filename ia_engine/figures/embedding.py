"""The planes of `ia_engine.attention.clusters.embedding` as a plot that moves from step to step."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ia_engine.attention.clusters.embedding import Plane
from ia_engine.figures.looks import (
    HEIGHT,
    NAMES,
    Pair,
    dress,
    frame_pair,
    name_classes,
    point_colour,
    point_symbol,
)

SECONDS: Final = 0.7
CLEAR: Final = "rgba(0, 0, 0, 0)"


def plot_embedding(
    planes: Mapping[str, Sequence[Plane]],
    groups: Mapping[str, Sequence[int]],
    names: Sequence[str],
    classes: Sequence[str] = (),
    pair: Pair = None,
) -> go.Figure:
    """A panel for every method, with a button that plays and a slider over the iterations."""
    figure = make_subplots(1, len(planes), subplot_titles=[NAMES[method] for method in planes])
    for at, (method, steps) in enumerate(planes.items(), 1):
        figure.add_trace(_points(steps[0], groups[method], names, pair), 1, at)
        reach = 1.08 * max(float(plane.points.abs().max()) for plane in steps) or 1.0
        figure.update_xaxes(range=[-reach, reach], constrain="domain", row=1, col=at)
        figure.update_yaxes(
            range=[-reach, reach], scaleanchor=f"x{at}", constrain="domain", row=1, col=at
        )
    last = max(len(steps) for steps in planes.values())
    figure.frames = [_frame(p, planes) for p in range(last)]
    figure.update_layout(updatemenus=[_buttons()], sliders=[_slider(last)])
    name_classes(figure, classes)
    figure.update_xaxes(showticklabels=False)
    figure.update_yaxes(showticklabels=False)
    return dress(figure).update_layout(height=HEIGHT + 90)


def _points(plane: Plane, groups: Sequence[int], names: Sequence[str], pair: Pair) -> go.Scatter:
    x, y = plane.points.unbind(1)
    return go.Scatter(
        x=x.tolist(),
        y=y.tolist(),
        mode="markers",
        marker={
            "size": 11,
            "opacity": 0.8,
            "color": [point_colour(group) for group in groups],
            "symbol": [point_symbol(group) for group in groups],
            "line": frame_pair(range(len(groups)), pair),
        },
        text=[escape(name) for name in names],
        hovertemplate="%{text}<extra></extra>",
    )


def _frame(p: int, planes: Mapping[str, Sequence[Plane]]) -> go.Frame:
    moved = [steps[min(p, len(steps) - 1)].points.unbind(1) for steps in planes.values()]
    data = [go.Scatter(x=x.tolist(), y=y.tolist()) for x, y in moved]
    return go.Frame(name=str(p), data=data, traces=list(range(len(data))))


def _move(seconds: float) -> dict[str, Any]:
    return {
        "frame": {"duration": 1000 * seconds, "redraw": False},
        "transition": {"duration": 800 * seconds, "easing": "cubic-in-out"},
        "mode": "immediate",
    }


def _buttons() -> dict[str, Any]:
    play = {"label": "▶ Play", "method": "animate", "args": [None, _move(SECONDS)]}
    return {
        "type": "buttons",
        "buttons": [play],
        "x": 0,
        "y": -0.05,
        "xanchor": "left",
        "yanchor": "top",
        "bgcolor": CLEAR,
        "showactive": False,
    }


def _slider(last: int) -> dict[str, Any]:
    stops = [
        {"label": str(p), "method": "animate", "args": [[str(p)], _move(0.4)]} for p in range(last)
    ]
    return {
        "steps": stops,
        "x": 0.16,
        "len": 0.84,
        "y": -0.03,
        "currentvalue": {"prefix": "iteration ", "visible": True, "xanchor": "right"},
    }
