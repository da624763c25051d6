"""What every figure has: a title, units, a legend for its colours, and data.

A figure is whatever shows numbers as positions, lengths or colours: plots, maps, landscapes,
matrices and diagrams of arrays. A picture shows images as they are (tiles, strips, pairs, means,
prototypes); it has neither axes nor a scale.
"""

import re
from functools import cache
from xml.etree import ElementTree

from ia_engine.figures.style import COUNTED

UNIT = re.compile(r"\[[^\]]+\]")
NAMES = ("image", "class", "cluster", "case", "image i", "mean j", "row: image i, column: image j")
"""Axes of things that have names or numbers."""
DRAWN = ("polyline", "line", "circle")
"""Marks that only figures have."""


def states_unit(title):
    """Whether a title has a unit in brackets, or belongs to an axis that counts or lists names."""
    counts = title in COUNTED or title.startswith(("number of ", "image j of "))
    return counts or title in NAMES or UNIT.search(title) is not None


def list_flaws_of_plot(figure):
    """What a plotly figure lacks, as a list of words."""
    layout = figure.layout
    flaws = [] if layout.title.text else ["title"]
    titles = [axis.title.text for axis in (*figure.select_xaxes(), *figure.select_yaxes())]
    if not layout.xaxis.title.text or not layout.yaxis.title.text:
        flaws.append("axis titles")
    if not all(states_unit(title) for title in titles if title):
        flaws.append("units")
    if not _explains_colours(figure):
        flaws.append("legend")
    if not layout.uirevision:
        flaws.append("zoom that is kept")
    return flaws


def _explains_colours(figure):
    """Whether every map has a colour bar, and several colours have a legend."""
    if any(trace.type == "heatmap" and trace.showscale is False for trace in figure.data):
        return False
    traces = [trace for trace in figure.data if trace.type in ("scatter", "histogram")]
    colours = {colour for trace in traces for colour in _colours_of(trace)}
    named = any(trace.name and trace.showlegend is not False for trace in traces)
    return len(colours) < 2 or (named and figure.layout.showlegend is not False)


def _colours_of(trace):
    found = [trace.marker.color, trace.line.color if trace.type == "scatter" else None]
    for colour in found:
        yield from [colour] if isinstance(colour, str) else colour or ()


@cache
def list_flaws_of_drawing(svg):
    """What a drawing lacks, as a list of words; None if it is a picture."""
    root = ElementTree.fromstring(f"<div>{svg}</div>")
    elements = list(root.iter())
    kinds = {element.get("class", "").strip() for element in elements}
    marks = [one for one in elements if one.tag.rpartition("}")[2] in DRAWN]
    if not kinds & {"title", "quantity"} and not marks:
        return None
    flaws = [] if " ".join(_texts(elements, "title")).strip() else ["title"]
    quantities = _texts(elements, "quantity")
    if not quantities or not all(map(states_unit, quantities)):
        flaws.append("units")
    colours = {one.get("stroke") for one in marks} - {None, "currentColor"}
    if "legend" not in kinds and (len(colours) > 1 or "<image" in svg):
        flaws.append("legend")
    if not kinds & {"read", "series"}:
        flaws.append("data")
    return flaws


def _texts(elements, kind):
    return ["".join(one.itertext()) for one in elements if one.get("class", "").strip() == kind]
