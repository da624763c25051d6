"""Which images became one at which iteration, as a tree for every method."""

from collections.abc import Mapping, Sequence
from html import escape

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ia_engine.attention.clusters.merges import Cluster, MergeTree
from ia_engine.figures.history import Numbers
from ia_engine.figures.looks import (
    COLOURS,
    NAMES,
    Pair,
    dress,
    frame_pair,
    name_classes,
    point_colour,
    point_symbol,
)

Segments = tuple[list[float | None], list[float | None]]
LEAF = -1.0
"""Where the images stand, an iteration before the first that can merge anything."""


def plot_tree(
    runs: Mapping[str, Sequence[Numbers]],
    labels: Sequence[int],
    names: Sequence[str],
    classes: Sequence[str] = (),
    pair: Pair = None,
) -> go.Figure:
    """A leaf for every image; branches meet at the iteration whose images have merged."""
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
    figure.update_xaxes(showticklabels=False, showgrid=False, zeroline=False, title="images")
    figure.update_yaxes(zeroline=False)
    figure.update_yaxes(title="iteration", row=1, col=1)
    name_classes(figure, classes if labels else ())
    return dress(figure)


def _branches(tree: MergeTree) -> Segments:
    """Brackets: up from both sides to where they meet; images that never merge rise alone."""
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
