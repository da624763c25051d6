"""The common style of plots: titles, units, legends, colours, symbols and margins."""

from collections.abc import Sequence
from html import escape
from textwrap import wrap
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
    figure.update_xaxes(title="x [no unit]")
    figure.update_yaxes(title="y [no unit]", scaleanchor="x")
    return dress(figure, "Points, coloured by blob", height=560)


OTHER: Final = "other"
"""Name of the other run, where two runs with the same method are compared."""
COLOURS: Final = {
    "ia": "#984855",
    "ka": "#8358fc",
    OTHER: "#c01b25",
    "baseline": "#6290fb",
    "dti": "#f7620c",
}
"""Colours of methods; none of them is similar to the colour of a class."""
FAMILIES: Final = {
    "Invariant attention": "ia",
    "Kernel attention": "ka",
    "TI ": "dti",
    "DTI ": "dti",
}
"""The colour of a method by the beginning of its title; all other methods are baselines."""
NAMES: Final = {"ia": "invariant", "ka": "kernel", OTHER: "other run"}
HEIGHT: Final = 430
TITLE_CHARS: Final = 44
"""Maximum number of characters in a line of a title, so that it fits on a phone."""
LINE: Final = 21
"""Height of a line of a title [px]."""
NO_UNIT: Final = "[no unit]"
COUNTED: Final = ("iteration", "epoch", "images n")
"""Titles of axes that count, and therefore need no unit."""
PAIR: Final = ("#ff9426", "#006bd9")
"""The colours of image i and image j in the player."""
Pair = tuple[int, int] | None


def point_colour(group: int) -> str:
    """Return the colour of a class or cluster."""
    return POINT_COLOURS[group % len(POINT_COLOURS)]


def method_colour(title: str) -> str:
    """Return the colour of a method, the same on all pages.

    >>> method_colour("Invariant attention, affine") == COLOURS["ia"]
    True
    """
    found = (name for start, name in FAMILIES.items() if title.startswith(start))
    return COLOURS[next(found, "baseline")]


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


def name_classes(figure: go.Figure, classes: Sequence[str], groups: Sequence[int]) -> None:
    """Add a legend of the classes with their colours and symbols; without classes, of the clusters
    in `groups`."""
    figure.update_traces(showlegend=False)
    names = [*classes] or [f"cluster {k + 1}" for k in range(1 + max(groups, default=0))]
    for group, name in enumerate(names[: max(len(classes), len(POINT_COLOURS))]):
        marker = {"size": 11, "color": point_colour(group), "symbol": point_symbol(group)}
        figure.add_scatter(x=[None], y=[None], mode="markers", name=escape(name), marker=marker)
    figure.update_layout(showlegend=True)
    if len(names) > max(len(classes), len(POINT_COLOURS)):
        figure.update_layout(legend={"title": "colours repeat"})


def state_unit(title: str) -> str:
    """Return the title of an axis with its unit in brackets: `[no unit]` unless it states one or
    counts.

    >>> state_unit("distance"), state_unit("error [%]"), state_unit("iteration")
    ('distance [no unit]', 'error [%]', 'iteration')
    """
    states = title.endswith("]") or title in COUNTED
    return title if states else f"{title} {NO_UNIT}"


def dress(figure: go.Figure, title: str, *, height: int = HEIGHT) -> go.Figure:
    """Give a figure its title, the legend below it, narrow margins, and a font size that suits
    projectors."""
    lines = wrap(escape(title), TITLE_CHARS)
    head = 14 + LINE * len(lines) + (LINE if figure.layout.annotations else 0)
    figure.update_traces(unselected={"marker": {"opacity": 1}}, selector={"type": "scatter"})
    figure.update_layout(
        title={
            "text": "<br>".join(lines),
            "font": {"size": 16},
            "x": 0,
            "xref": "container",
            "xanchor": "left",
            "y": 1,
            "yref": "container",
            "yanchor": "top",
            "pad": {"t": 6 + LINE * (len(lines) - 1), "l": 4},  # plotly adds lines upwards
        },
        legend={"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom"},
        height=height,
        margin={"l": 10, "r": 10, "t": head, "b": 10},
        font={"size": 15},
    )
    return figure
