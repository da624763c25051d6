"""The figure and the table of the panel on Theorem 4.1."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from ia_engine.attention.theory.contraction import Trial
from ia_engine.attention.theory.quantities import Quantities
from ia_engine.figures.style import COLOURS, NAMES, dress


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
    figure.add_hline(y=1, line={"dash": "dash", "width": 1, "color": "#808080"})
    if constant:
        figure.add_vline(x=constant, line={"width": 2, "color": "#808080"}, opacity=0.6)
    figure.update_layout(
        title="First iteration with β = c′/R²",
        xaxis={"title": "c′ (dimensionless); the line is this run", "type": "log"},
        yaxis={"title": "largest d(1)/d(0)", "rangemode": "tozero"},
        showlegend=False,
    )
    return dress(figure)
