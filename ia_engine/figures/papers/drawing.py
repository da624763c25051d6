"""Draws curves, seeds and points with plotly, and pictures and diagrams as SVG."""

from collections.abc import Iterator
from html import escape
from textwrap import wrap
from typing import Final

import numpy as np
import plotly.graph_objects as go
import torch
from plotly.subplots import make_subplots

from ia_engine.figures.equivariance.turning import diverge
from ia_engine.figures.papers.panels import Array, Curves, Diagram, Pictures, Points, Seeds
from ia_engine.figures.style import dress, point_colour, point_symbol, state_unit
from ia_engine.figures.svg import (
    DESCENT,
    QUIET,
    RAMP,
    Pixels,
    box,
    colour_bar,
    draw,
    label,
    legend,
    line,
    picture,
    read_map,
    write,
)

DASHES: Final = ("solid", "dash", "dot", "dashdot", "longdash")
WRAPPED: Final = 18
"""Number of characters after which the name of a method continues on the next line."""


def plot_curves(panel: Curves) -> go.Figure:
    """Plot every line in its own colour and with its own dashes."""
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
        xaxis={"title": state_unit(panel.x_title)},
        yaxis={"title": state_unit(panel.y_title), "type": panel.y_scale, "rangemode": "tozero"},
    )
    return dress(figure, panel.title)


def plot_seeds(panel: Seeds) -> go.Figure:
    """Plot a point for each seed, next to the paper's mean and its spread."""
    figure = go.Figure()
    at = np.arange(len(panel.names))
    shift = np.linspace(-0.1, 0.1, panel.values.shape[1]) if panel.values.shape[1] > 1 else [0.0]
    figure.add_scatter(
        x=(at[:, None] + np.asarray(shift)).ravel().tolist(),
        y=panel.values.astype(float).ravel().tolist(),
        name="our seeds",
        mode="markers",
        marker={"color": point_colour(0), "symbol": point_symbol(0), "size": 8},
    )
    if any(mean is not None for mean in panel.means):
        figure.add_scatter(
            x=(at + 0.25).tolist(),
            y=list(panel.means),
            name="the paper",
            mode="markers",
            error_y={"type": "data", "array": list(panel.spreads), "visible": True},
            marker={"color": point_colour(1), "symbol": point_symbol(1), "size": 11},
        )
    names = ["<br>".join(wrap(escape(name), WRAPPED)) for name in panel.names]
    figure.update_layout(
        xaxis={
            "tickvals": at.tolist(),
            "ticktext": names,
            "range": [-0.5, len(names) - 0.5],
            "ticklabeloverflow": "allow",
            "automargin": True,
            "title": "case",
        },
        yaxis={
            "title": state_unit(panel.y_title),
            "type": panel.y_scale,
            "exponentformat": "power",
        },
        showlegend=True,
    )
    return dress(figure, panel.title)


def plot_points(panel: Points) -> go.Figure:
    """Plot one plane per moment, all with the same axes."""
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
                name=f"{'image' if panel.closed else 'group'} {group + 1}",
                legendgroup=str(group),
                showlegend=column == 1,
                row=1,
                col=column,
            )
    figure.update_xaxes(title="x [no unit]")
    figure.update_yaxes(scaleanchor="x", scaleratio=1)
    figure.update_yaxes(title="y [no unit]", col=1)
    return dress(figure, panel.title)


CELL, GAP, LINE, HEAD = 110, 8, 19, 2
NODE, ACROSS, DOWN = 118, 165, 205
BAR: Final = 280
MAPS: Final = ("ramp", "signed")
"""Looks of pictures whose colours stand for values."""
DATA_STEP: Final = 2
"""The pixels of a diagram whose values are in its data: every second row and column."""
NARROW: Final = 330
"""Minimum width of a drawing [px], so that a few pictures are not enlarged too much."""


def draw_pictures(panel: Pictures, ramp: Pixels = RAMP) -> str:
    """Draw rows of pictures with captions. Maps have a title and a colour bar."""
    n, lines = len(panel.values), _lines(panel)
    height = CELL * panel.values.shape[1] / panel.values.shape[2]
    step = height + GAP + LINE * lines
    rows = -(-n // panel.columns)
    width = max(panel.columns * (CELL + GAP), NARROW)
    parts: list[str] = []
    for at in range(n):
        row, column = divmod(at, panel.columns)
        place = column * (CELL + GAP), HEAD + row * step, height
        parts += _picture(panel, at, place, ramp)
    foot = HEAD + rows * step
    if panel.look in MAPS:
        colours = colour_picture(panel, np.arange(256, dtype=np.uint8)[None], ramp)[0]
        ends = panel.low, panel.high
        parts += colour_bar(colours, (0, foot + 8, BAR), ends, "value [no unit]")
    about = f"{panel.title}: {n} pictures"
    if panel.look not in MAPS:
        return draw(width, foot + 2, escape(about), parts, letters=13, title=None)
    return draw(width, foot + 40, escape(about), parts, letters=13, title=escape(panel.title))


def draw_diagram(panel: Diagram, ramp: Pixels = RAMP) -> str:
    """Draw boxes with arrays, and arrows from inputs to results."""
    columns, rows = (1 + max(place[axis] for place in panel.places) for axis in (0, 1))
    parts = [ARROW]
    parts += [_edge(panel.places[a], panel.places[b]) for a, b in panel.edges]
    for at, (column, row) in enumerate(panel.places):
        x, y = column * ACROSS, row * DOWN + 24
        low, high = panel.lows[at], panel.highs[at]
        parts.append(write(x, y - 7, escape(panel.names[at]), more='font-weight="650"'))
        parts.append(picture(ramp[panel.values[at]], x, y, NODE, NODE))
        parts.append(box(x, y, NODE, NODE, f'fill="none" {QUIET}'))
        parts.append(write(x, y + NODE + 17, escape(panel.words[at]), more='font-size="12.5"'))
        span = f"{low:.2g} to {high:.2g}".replace("-", "−")
        parts.append(write(x, y + NODE + 33, span, more='font-size="12.5" fill-opacity="0.75"'))
        parts.append(read_map(low + (high - low) / 255 * panel.values[at][::DATA_STEP, ::DATA_STEP],
                              (x, y, NODE, NODE)))  # fmt: skip
    width = (columns - 1) * ACROSS + NODE + 40
    parts.append(picture(ramp[None], 0, rows * DOWN + 6, BAR, 10))
    parts.append(legend(0, rows * DOWN + 34, "lowest"))
    parts.append(legend(BAR, rows * DOWN + 34, "highest", "end"))
    parts.append(label(BAR + 16, rows * DOWN + 16, "value, below each box [no unit]"))
    about = escape(panel.title)
    return draw(width, rows * DOWN + 40, about, parts, letters=14, title=about)


ARROW: Final = (
    '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" '
    'markerHeight="7" orient="auto-start-reverse"><path d="M0 0L10 5L0 10z"/></marker></defs>'
)


def _edge(a: tuple[int, int], b: tuple[int, int]) -> str:
    """Draw an arrow from a box to the next box in its row, or to the box below."""
    stroke = 'stroke="currentColor" stroke-opacity="0.6" stroke-width="2" marker-end="url(#tip)"'
    (x, y), (u, v) = ((c * ACROSS + NODE / 2, r * DOWN + 24 + NODE / 2) for c, r in (a, b))
    half = NODE / 2 + 4
    if a[1] == b[1]:
        side = half if u > x else -half
        return line((x + side, y), (u - side, v), stroke)
    return line((x, y + half + 36), (u, v - half - 18), stroke)


def _picture(
    panel: Pictures, at: int, place: tuple[float, float, float], ramp: Pixels
) -> Iterator[str]:
    x, y, height = place
    yield picture(colour_picture(panel, panel.values[at], ramp), x, y, CELL, height)
    edge = f'stroke="{DESCENT}" stroke-width="4"' if at in panel.framed else QUIET
    yield box(x, y, CELL, height, f'fill="none" {edge}')
    if panel.arrows is not None:
        yield from _arrows(panel.arrows[at], x, y, height)
    if panel.look in MAPS:
        span = (panel.high - panel.low) / 255
        yield read_map(panel.low + span * panel.values[at].astype(float), (x, y, CELL, height))
    if at < len(panel.captions):
        for k, words in enumerate(panel.captions[at].split("\n")):
            yield write(x, y + height + 15 + k * LINE, escape(words))


def _arrows(arrows: Array, x: float, y: float, height: float) -> Iterator[str]:
    rows, columns = arrows.shape[:2]
    reach = CELL / columns
    for row in range(rows):
        for column in range(columns):
            p, q = (float(value) * reach for value in arrows[row, column])
            a = x + (column + 0.5) * reach, y + (row + 0.5) * height / rows
            if abs(p) + abs(q) > 0.1 * reach:
                yield line(a, (a[0] + q, a[1] + p), f'stroke="{DESCENT}" stroke-width="1.8"')


def colour_picture(panel: Pictures, values: Array, ramp: Pixels) -> Pixels:
    """Return the colours [h w 3] of one picture in a panel."""
    if panel.look == "colour":
        return values
    if panel.look == "ramp":
        return ramp[values]
    if panel.look == "signed":
        return diverge(torch.from_numpy(values.astype(np.float32) / 127.5 - 1), 1.0)
    return np.repeat(values[..., None], 3, -1)


def _lines(panel: Pictures) -> int:
    return max((caption.count("\n") + 1 for caption in panel.captions), default=0)
