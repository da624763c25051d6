"""The figure and the table of the panel on Theorem 4.1."""

from collections.abc import Mapping, Sequence
from typing import Final

import plotly.graph_objects as go

from ia_engine.attention.theory.contraction import Trial
from ia_engine.attention.theory.quantities import Quantities
from ia_engine.figures.style import COLOURS, NAMES, dress

QUIET: Final = "#808080"


def tabulate_quantities(
    runs: Mapping[str, Sequence[Quantities]],
) -> list[dict[str, float | str | None]]:
    """Return the quantities of every iteration as rows of a table."""
    return [
        {
            "method": NAMES[method],
            "iteration": one.p,
            "R": one.radius,
            "c′ = β R²": one.constant,
            "ratio, all pairs": one.largest,
            "ratio, within classes": one.within,
            "d² within": one.d2_within,
        }
        for method, found in runs.items()
        for one in found
    ]


def describe_contraction(found: Sequence[Quantities]) -> str:
    """Return sentences on R and on the largest ratios of the first iteration."""
    first, last = found[0], found[-1]
    if len(found) == 1:
        return f"R = {first.radius:.3g} for the data."
    words = f"R = {first.radius:.3g} for the data and {last.radius:.3g} after iteration {last.p}."
    after = found[1]
    if after.largest is None:
        return words
    words += f" Iteration {after.p} multiplies every distance by at most {after.largest:.3g}"
    inside = "" if after.within is None else f", within classes by at most {after.within:.3g}"
    return f"{words}{inside}."


def plot_scan(trials: Sequence[Trial], constant: float | None) -> go.Figure:
    """Plot the largest ratio in the first iteration against c′, and mark the c′ of the run."""
    figure = go.Figure()
    figure.add_scatter(
        x=[trial.constant for trial in trials],
        y=[trial.largest for trial in trials],
        customdata=[trial.beta for trial in trials],
        mode="lines+markers",
        name="largest ratio of all pairs",
        line={"color": COLOURS["ia"], "width": 3},
        marker={"size": 9},
        hovertemplate="c′ = %{x:.3g}, β = %{customdata:.3g}: ratio = %{y:.4f}<extra></extra>",
    )
    figure.add_hline(
        y=1,
        name="ratio 1: the distance of a pair does not decrease",
        line={"dash": "dash", "width": 1, "color": QUIET},
        showlegend=True,
    )
    if constant:
        figure.add_vline(
            x=constant,
            name=f"c′ of this run: {constant:.3g}",
            line={"width": 2, "color": QUIET},
            showlegend=True,
        )
    figure.update_layout(
        xaxis={
            "title": "c′ = β R² [no unit]",
            "type": "log",
            "tickvals": [trial.constant for trial in trials],
        },
        yaxis={"title": "largest d(1)/d(0) [no unit]", "rangemode": "tozero"},
        showlegend=True,
    )
    return dress(figure, "Contraction in the first iteration, for β\u00a0=\u00a0c′/R²")
