"""Numbers of a run as plotly figures, which are for what rarely changes."""

from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from ia_engine.figures.history import Numbers
from ia_engine.figures.looks import COLOURS, NAMES, dress


def plot_distances(
    runs: Mapping[str, Sequence[Numbers]],
    step: int | None = None,
    own: Mapping[str, Sequence[float]] | None = None,
) -> go.Figure:
    """Mean d² within and between classes against the iteration, and a pair's own, by method."""
    figure = go.Figure()
    for method, steps in runs.items():
        x = [numbers.p for numbers in steps]
        for dash, kind, y in (
            ("solid", "within classes", [numbers.d2_within for numbers in steps]),
            ("dash", "between classes", [numbers.d2_between for numbers in steps]),
        ):
            _add_line(figure, method, kind=kind, dash=dash, told="d²", x=x, y=y)
    for method, values in (own or {}).items():
        x = [numbers.p for numbers in runs[method]]
        _add_line(figure, method, kind="the pair", dash="dot", told="d²", x=x, y=values)
    _mark_step(figure, step)
    figure.update_layout(
        xaxis={"title": "iteration", "dtick": 1},
        yaxis={"title": "mean d² of two images", "rangemode": "tozero"},
        legend={"orientation": "h", "y": -0.3},
    )
    return dress(figure)


def plot_within(runs: Mapping[str, Sequence[Numbers]]) -> go.Figure:
    """Half of the truth: d² within classes alone, as a share of what it was at first."""
    figure = go.Figure()
    for method, steps in runs.items():
        x, y = [numbers.p for numbers in steps], [numbers.d2_within or 0.0 for numbers in steps]
        shares = [value / max(y[0], 1e-12) for value in y]
        _add_line(figure, method, kind="within", dash="solid", told="share", x=x, y=shares)
    figure.update_layout(
        xaxis={"title": "iteration", "dtick": 1},
        yaxis={"title": "share of the first d² within", "rangemode": "tozero"},
        legend={"orientation": "h", "y": -0.3},
    )
    return dress(figure)


def plot_contraction(runs: Mapping[str, Sequence[Numbers]], step: int | None = None) -> go.Figure:
    """The largest d(p+1)/d(p) of any pair, and R, against the iteration."""
    figure = go.Figure()
    for method, steps in runs.items():
        x = [numbers.p for numbers in steps]
        for dash, kind, told, y in (
            ("solid", "largest d(p) / d(p-1)", "ratio", [m.contraction for m in steps]),
            ("dot", "R, the largest d", "R", [m.radius for m in steps]),
        ):
            _add_line(figure, method, kind=kind, dash=dash, told=told, x=x, y=y)
    _mark_step(figure, step)
    figure.add_hline(y=1, line={"dash": "dash", "width": 1, "color": "#808080"})
    figure.update_layout(
        xaxis={"title": "iteration", "dtick": 1},
        yaxis={"title": "no unit", "rangemode": "tozero"},
        legend={"orientation": "h", "y": -0.3},
    )
    return dress(figure)


def tabulate_steps(
    runs: Mapping[str, Sequence[Numbers]], step: int | None = None
) -> list[dict[str, float | str | None]]:
    """The numbers of every step as rows of a table; those of the step that is shown marked."""
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
    """A line at the iteration that is shown."""
    if step is not None:
        figure.add_vline(x=step, line={"width": 2, "color": "#808080"}, opacity=0.6)


def _add_line(
    figure: go.Figure,
    method: str,
    *,
    kind: str,
    dash: str,
    told: str,
    x: Sequence[int],
    y: Sequence[float | None],
) -> None:
    """One quantity of one method, in the method's colour."""
    figure.add_scatter(
        x=x,
        y=y,
        name=f"{NAMES[method]}, {kind}",
        mode="lines+markers",
        line={"color": COLOURS[method], "dash": dash, "width": 3},
        marker={"size": 9},
        hovertemplate=f"iteration %{{x}}: {told} = %{{y:.4f}}",
    )
