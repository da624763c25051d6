"""Plotly figures of an attention run: distances, contraction, the tree of merges, and the
embedding."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any, Final

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ia_engine.attention.clusters.embedding import Plane
from ia_engine.attention.clusters.measures import Cluster, MergeTree, Numbers
from ia_engine.figures.style import (
    COLOURS,
    HEIGHT,
    NAMES,
    Pair,
    dress,
    frame_pair,
    name_classes,
    point_colour,
    point_symbol,
)


def plot_distances(
    runs: Mapping[str, Sequence[Numbers]],
    step: int | None = None,
    own: Mapping[str, Sequence[float]] | None = None,
) -> go.Figure:
    """Plot the mean d² within and between classes, and the d² of a pair, against the iteration, for
    each method."""
    figure = go.Figure()
    for method, steps in runs.items():
        x = [numbers.p for numbers in steps]
        for dash, kind, y in (
            ("solid", "within classes", [numbers.d2_within for numbers in steps]),
            ("dash", "between classes", [numbers.d2_between for numbers in steps]),
        ):
            _add_line(figure, method, kind=kind, dash=dash, quantity="d²", x=x, y=y)
    for method, values in (own or {}).items():
        x = [numbers.p for numbers in runs[method]]
        _add_line(figure, method, kind="the pair", dash="dot", quantity="d²", x=x, y=values)
    _mark_step(figure, step)
    figure.update_layout(
        xaxis={"title": "iteration", "dtick": 1},
        yaxis={"title": "mean d² between two images [no unit]", "rangemode": "tozero"},
    )
    return dress(figure, "Squared distances within and between classes")


def plot_within(runs: Mapping[str, Sequence[Numbers]]) -> go.Figure:
    """Plot d² within classes relative to its first value. This is misleading without d² between
    classes."""
    figure = go.Figure()
    for method, steps in runs.items():
        x, y = [numbers.p for numbers in steps], [numbers.d2_within or 0.0 for numbers in steps]
        shares = [value / max(y[0], 1e-12) for value in y]
        _add_line(figure, method, kind="within", dash="solid", quantity="share", x=x, y=shares)
    figure.update_layout(
        xaxis={"title": "iteration", "dtick": 1},
        yaxis={"title": "d² within / its first value [no unit]", "rangemode": "tozero"},
    )
    return dress(figure, "Squared distance within classes, relative to its first value")


def plot_contraction(runs: Mapping[str, Sequence[Numbers]], step: int | None = None) -> go.Figure:
    """Plot the largest ratio d(p)/d(p-1) of any pair, and R, against the iteration."""
    figure = go.Figure()
    for method, steps in runs.items():
        x = [numbers.p for numbers in steps]
        for dash, kind, quantity, y in (
            ("solid", "largest d(p) / d(p-1)", "ratio", [m.contraction for m in steps]),
            ("dot", "R, the largest d", "R", [m.radius for m in steps]),
        ):
            _add_line(figure, method, kind=kind, dash=dash, quantity=quantity, x=x, y=y)
    _mark_step(figure, step)
    figure.add_hline(
        y=1,
        name="ratio 1: no contraction",
        line={"dash": "dash", "width": 1, "color": "#808080"},
        showlegend=True,
    )
    figure.update_layout(
        xaxis={"title": "iteration", "dtick": 1},
        yaxis={"title": "ratio, or distance R [no unit]", "rangemode": "tozero"},
    )
    return dress(figure, "Contraction in each iteration")


def tabulate_steps(
    runs: Mapping[str, Sequence[Numbers]], step: int | None = None
) -> list[dict[str, float | str | None]]:
    """Return the metrics of every step as rows of a table, in which the displayed step is
    marked."""
    return [
        {
            "shown": "▶" if numbers.p == step else "",
            "method": NAMES[method],
            "iteration": numbers.p,
            "block mass": numbers.block_mass,
            "clusters": numbers.clusters,
            "ARI": numbers.ari,
            "d² within": numbers.d2_within,
            "d² between": numbers.d2_between,
            "contraction": numbers.contraction,
            "CPU s": numbers.seconds,
        }
        for method, steps in runs.items()
        for numbers in steps
    ]


def _mark_step(figure: go.Figure, step: int | None) -> None:
    """Draw a line at the displayed iteration."""
    if step is not None:
        line = {"width": 2, "color": "#808080"}
        name = "displayed iteration"
        figure.add_vline(x=step, name=name, line=line, opacity=0.6, showlegend=True)


def _add_line(
    figure: go.Figure,
    method: str,
    *,
    kind: str,
    dash: str,
    quantity: str,
    x: Sequence[int],
    y: Sequence[float | None],
) -> None:
    """Add a curve in the colour of its method."""
    figure.add_scatter(
        x=x,
        y=y,
        name=f"{NAMES[method]}, {kind}",
        mode="lines+markers",
        line={"color": COLOURS[method], "dash": dash, "width": 3},
        marker={"size": 9},
        hovertemplate=f"iteration %{{x}}: {quantity} = %{{y:.4f}}",
    )


Segments = tuple[list[float | None], list[float | None]]
LEAF = -1.0
"""Position of the leaves, one iteration before the first possible merge."""


def plot_tree(
    runs: Mapping[str, Sequence[Numbers]],
    labels: Sequence[int],
    names: Sequence[str],
    classes: Sequence[str] = (),
    pair: Pair = None,
) -> go.Figure:
    """Plot a tree with one leaf per image. Branches meet at the iteration at which their images
    merged."""
    figure = make_subplots(1, len(runs), subplot_titles=[NAMES[method] for method in runs])
    for at, (method, steps) in enumerate(runs.items(), 1):
        tree, groups = steps[-1].tree, labels or steps[-1].assignments
        x, y = _branches(tree)
        line = {"color": COLOURS[method], "width": 2}
        figure.add_scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", row=1, col=at)
        figure.add_scatter(
            x=list(range(tree.n)),
            y=[LEAF] * tree.n,
            mode="markers",
            marker={
                "size": 9,
                "color": [point_colour(groups[i]) for i in tree.order],
                "symbol": [point_symbol(groups[i]) for i in tree.order],
                "line": frame_pair(tree.order, pair),
            },
            text=[escape(names[i]) for i in tree.order],
            hovertemplate="%{text}<extra></extra>",
            row=1,
            col=at,
        )
        top = max(1, len(steps))
        figure.update_yaxes(range=[LEAF - 0.4, top - 0.5], tickvals=list(range(top)), row=1, col=at)
    figure.update_xaxes(showticklabels=False, showgrid=False, zeroline=False, title="image")
    figure.update_yaxes(zeroline=False)
    figure.update_yaxes(title="iteration", row=1, col=1)
    last = max((max(steps[-1].assignments) for steps in runs.values()), default=0)
    name_classes(figure, classes if labels else (), labels or [last])
    return dress(figure, "Iterations at which images merged")


def _branches(tree: MergeTree) -> Segments:
    """Return the lines of the tree: for each merge, a bracket from both branches up to their
    junction."""
    x: list[float | None] = []
    y: list[float | None] = []
    tops: dict[Cluster, tuple[float, float]] = {
        (i,): (float(at), LEAF) for at, i in enumerate(tree.order)
    }
    for merge in tree.merges:
        (a, low), (b, deep) = (tops.pop(cluster) for cluster in merge.joined)
        p = float(merge.k - 1)
        x += [a, a, b, b, None]
        y += [low, p, p, deep, None]
        tops[tuple(sorted(merge.joined[0] + merge.joined[1]))] = ((a + b) / 2, p)
    return x, y


SECONDS: Final = 0.7
CLEAR: Final = "rgba(0, 0, 0, 0)"


def plot_embedding(
    planes: Mapping[str, Sequence[Plane]],
    groups: Mapping[str, Sequence[int]],
    names: Sequence[str],
    classes: Sequence[str] = (),
    pair: Pair = None,
) -> go.Figure:
    """Plot the embedding in one panel per method, with a play button and a slider over the
    iterations."""
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
    name_classes(figure, classes, [max(map(max, groups.values()))])
    figure.update_xaxes(showticklabels=False, title={"text": "x [no unit]", "standoff": 2})
    figure.update_yaxes(showticklabels=False)
    figure.update_yaxes(title={"text": "y [no unit]", "standoff": 2}, row=1, col=1)
    title = "Embedding in the plane that fits the distances best"
    return dress(figure, title, height=HEIGHT + 110)


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
