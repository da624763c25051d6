"""Plots of methods: their score against their time, and a measure against a varied quantity."""

from collections.abc import Mapping, Sequence
from typing import Final

import plotly.graph_objects as go

from ia_engine.figures.style import dress, method_colour, point_symbol, state_unit

DASHES: Final = ("solid", "dash", "dot")
HEIGHT: Final = 620
"""Height of the plot [px]. On a phone, the legend takes up half of it."""
HEIGHT_OF_SCORES: Final = 660
Bars = Mapping[str, Sequence[tuple[float, float] | None]]
"""For each line, the smallest and the largest value behind each point."""


def plot_scores(
    scores: Mapping[str, tuple[float, float]], *, marked: str | None = None
) -> go.Figure:
    """Plot the time and the ARI of each method as one point.

    >>> len(plot_scores({"K-means": (0.1, 0.5)}).data)
    1
    """
    figure = go.Figure()
    for k, (name, (seconds, ari)) in enumerate(scores.items()):
        figure.add_scatter(
            x=[seconds],
            y=[ari],
            name=name,
            mode="markers",
            opacity=1 if marked in (None, name) else 0.3,
            marker={"size": 15, "color": method_colour(name), "symbol": point_symbol(k)},
            hovertemplate="%{x:.3g} s, ARI %{y:.3f}",
        )
    figure.update_xaxes(title="computing time of one core [s]", type="log")
    figure.update_yaxes(title=state_unit("ARI"), range=[-0.25, 1.1])
    figure.update_layout(legend={"font": {"size": 13}}, showlegend=True)
    return dress(figure, "What each method finds, and its time", height=HEIGHT_OF_SCORES)


def plot_sweep(
    strengths: Sequence[float],
    lines: Mapping[str, Sequence[float | None]],
    *,
    axis: str,
    measure: str,
    marked: str | None = None,
    low: float = -0.12,
    bars: Bars | None = None,
    log: bool = False,
    score: bool = True,
) -> go.Figure:
    """Plot one line per method. Lines differ in colour, symbol and dashes; a click on a name hides
    its line.

    `bars` are drawn as vertical bars. `log` makes the horizontal axis logarithmic. The vertical
    axis ends at 1 for a `score`, and is logarithmic for other measures, such as a time.
    """
    figure = go.Figure()
    for k, (name, values) in enumerate(lines.items()):
        figure.add_scatter(
            x=list(strengths[: len(values)]),
            y=list(values),
            name=name,
            mode="lines+markers",
            line={
                "color": method_colour(name),
                "dash": DASHES[k // 6 % 3],
                "width": 5 if name == marked else 2.5,
            },
            opacity=1 if marked in (None, name) else 0.3,
            marker={"size": 9, "symbol": point_symbol(k)},
            hovertemplate="%{y:.3f}" if score else "%{y:.3g}",
            error_y=_bars_of(values, (bars or {}).get(name, ())),
        )
    figure.update_xaxes(title=state_unit(axis), tickvals=[round(x, 3) for x in strengths])
    if log:
        figure.update_xaxes(type="log")
    figure.update_yaxes(title=state_unit(measure))
    if score:
        figure.update_yaxes(range=[low, 1.0 + (1.0 - low) / 20])
    else:
        figure.update_yaxes(type="log")
    figure.update_layout(hovermode="x unified", legend={"font": {"size": 13}})
    return dress(figure, f"{measure.partition(' [')[0]} of each method", height=HEIGHT)


def _bars_of(
    values: Sequence[float | None], bars: Sequence[tuple[float, float] | None]
) -> dict[str, object] | None:
    """Return bars from the least to the largest value, or None if all are equal."""
    places = list(zip(values, bars, strict=False))
    above = [bar[1] - y if bar and y is not None else 0.0 for y, bar in places]
    below = [y - bar[0] if bar and y is not None else 0.0 for y, bar in places]
    if not any([*above, *below]):
        return None
    return {"array": above, "arrayminus": below, "thickness": 1.5, "width": 5}
