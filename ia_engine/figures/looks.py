"""What the plots of a run have in common: colours, names, margins."""

from collections.abc import Sequence
from html import escape
from typing import Any, Final

import plotly.graph_objects as go

from ia_engine.figures.points import COLOURS as POINT_COLOURS
from ia_engine.figures.points import SYMBOLS

COLOURS: Final = {"ia": "#0f8f88", "ka": "#c2621f"}
NAMES: Final = {"ia": "invariant", "ka": "kernel"}
HEIGHT: Final = 380
ABOVE: Final = 1.16
"""Where a legend begins: the titles stand below it, however many rows it takes."""
PAIR: Final = ("#ff9426", "#006bd9")
"""The player's colours of image i and of image j."""
Pair = tuple[int, int] | None


def point_colour(group: int) -> str:
    """The colour of a class or cluster."""
    return POINT_COLOURS[group % len(POINT_COLOURS)]


def point_symbol(group: int) -> str:
    """A second sign beside the colour."""
    return SYMBOLS[group % len(SYMBOLS)]


def frame_pair(places: Sequence[int], pair: Pair) -> dict[str, Any]:
    """The edges of the signs of these images: coloured where they are of the pair, i before j."""
    colours = ["rgba(0, 0, 0, 0)"] * len(places)
    for image, colour in reversed([*zip(pair or (), PAIR, strict=False)]):
        colours = [colour if k == image else c for k, c in zip(places, colours, strict=True)]
    return {"width": [4 if colour in PAIR else 0 for colour in colours], "color": colours}


def name_classes(figure: go.Figure, classes: Sequence[str]) -> None:
    """A legend of classes, in their colours and signs, which grows upwards from the titles."""
    figure.update_traces(showlegend=False)
    for group, name in enumerate(classes):
        marker = {"size": 11, "color": point_colour(group), "symbol": point_symbol(group)}
        figure.add_scatter(x=[None], y=[None], mode="markers", name=escape(name), marker=marker)
    legend = {"orientation": "h", "y": ABOVE, "yanchor": "bottom"}
    figure.update_layout(showlegend=bool(classes), legend=legend)


def dress(figure: go.Figure) -> go.Figure:
    """One height, narrow margins, letters for a projector."""
    figure.update_traces(unselected={"marker": {"opacity": 1}}, selector={"type": "scatter"})
    figure.update_layout(
        height=HEIGHT, margin={"l": 10, "r": 10, "t": 30, "b": 10}, font={"size": 15}
    )
    return figure
