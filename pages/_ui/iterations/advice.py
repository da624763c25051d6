"""Advice on β below the controls: one line per method, a button that applies it, and a curve."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import streamlit as st

from ia_engine.attention.advice import Advice, Earlier, Known, advise, list_averaged
from ia_engine.attention.iteration import AttentionConfig
from ia_engine.attention.rules import RULES
from ia_engine.datasets.data import Data
from ia_engine.errors import EngineError
from ia_engine.figures.advice import draw_averaged
from ia_engine.figures.frames import Frame
from ia_engine.figures.player import METHOD_TITLES
from ia_engine.params import Range, parameters
from ia_engine.runs.attend import Iteration, Plan, known_distances
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.iterations import ITERATIONS, same_data
from pages._ui.components.drawing import show_drawing
from pages._ui.components.player import send_advice
from pages._ui.controls import log_stops
from pages._ui.examples import example
from pages._ui.iterations.actions import run
from pages._ui.iterations.controls import Asked, beta_control
from pages._ui.iterations.follow import Sliders
from pages._ui.iterations.view import EXAMPLE, METHODS
from pages._ui.runs.current import runs_of_page
from pages._ui.state.fields import set_value
from pages._ui.wording import number

BETA: Final = next(parameter for parameter in parameters(AttentionConfig)
                   if parameter.name == "beta")  # fmt: skip


@dataclass(frozen=True, eq=False)
class Source:
    """The distances of the data, and where they were computed."""

    frame: Frame
    config: AttentionConfig
    name: str
    """The name of the run or the example."""
    exact: bool = True
    """True if the distances of all pairs are exact."""

    def applies_to(self, config: AttentionConfig) -> bool:
        """Return True if these are the exact distances for a config."""
        n = len(self.frame.arrays["d2"])
        return self.exact and self.config.build(n).distance == config.build(n).distance


@dataclass(frozen=True)
class Curve:
    """The number of averaged images at each stop of the slider for β."""

    drawing: str
    betas: tuple[float, ...]
    averaged: list[float]


def show_advice(
    asked: Asked, planned: Plan, data: Data, job: Job[Iteration] | None, sliders: Sliders
) -> None:
    """Show the advice for the settings in the controls, if their distances are known.

    The advice on a β that a slider of the player sets is shown below the slider.
    """
    planned = replace(planned, configs={**planned.configs, **sliders.configs})
    waiting, sent = [], dict[str, Mapping[str, Any]]()
    with asked.advice:
        for method in METHODS:
            config = planned.configs.get(method)
            if config is None or not RULES[config.bandwidth].is_fixed:
                continue
            sources = _list_sources(method, planned, job)
            source = next((one for one in sources if one.applies_to(config)), None)
            if source is None:
                if sources and config.is_exact(planned.size):
                    waiting.append(METHOD_TITLES[method].lower())
                continue
            other = next((one for one in sources if _differs_by_sigma(one, config)), None)
            known = known_distances(source.frame, config)
            if method in asked.below and method not in sliders.runs:
                with asked.below[method]:
                    show_drawing(
                        _draw_curve(source, known, config).drawing,
                        f"averaged {method}",
                        term="beta",
                    )
            advice = _advise(_key(source, other, config), known, config, other)
            if method in sliders.runs:
                curve = _draw_curve(source, known, config)
                sent[sliders.runs[method]] = {
                    "curve": curve.drawing,
                    "betas": curve.betas,
                    "averaged": curve.averaged,
                    "n": len(known.d2),
                    "sentence": " ".join(reversed(_choices(advice).values())),
                    "choices": [*_choices(advice)],
                }
                continue
            _show_line(method, advice, planned, data)
        if waiting:
            st.caption(
                f"Advice on β for {' and '.join(waiting)} appears when a run has computed the "
                "distances for these settings."
            )
    if sent:
        send_advice(sliders.player, sent)


def _show_line(method: str, advice: Advice, planned: Plan, data: Data) -> None:
    config, choices = planned.configs[method], _choices(advice)
    words, buttons = st.columns([7, 2], vertical_alignment="center", gap="small")
    title = METHOD_TITLES[method]
    words.caption(f":material/lightbulb: **{title}.** " + " ".join(choices.values()))
    with buttons:
        for beta in choices:
            if beta != config.beta:
                st.button(
                    f"Use β = {number(beta)}",
                    key=f"advice {method} {beta}",
                    on_click=_apply,
                    args=(planned, data, method, beta),
                    width="stretch",
                    help=f"Sets β of {title.lower()} and starts a run; other settings are kept",
                )


def _choices(advice: Advice) -> dict[float, str]:
    """Return the recommended values of β, each with a sentence."""
    choices = {advice.beta: advice.sentence}
    if advice.kept is not None:
        choices.setdefault(advice.kept, advice.kept_sentence)
    return choices


def _apply(planned: Plan, data: Data, method: str, beta: float) -> None:
    """Set the control of β, and run with it."""
    set_value(beta_control(planned, method), beta)
    configs = {**planned.configs, method: replace(planned.configs[method], beta=beta)}
    run(replace(planned, configs=configs), data)


def _draw_curve(source: Source, known: Known, config: AttentionConfig) -> Curve:
    assert isinstance(BETA.about, Range)
    betas = tuple(log_stops(BETA.about, float, [config.beta]))
    averaged = _list_averaged(_key(source, None, config), known, betas)
    drawing = draw_averaged(betas, averaged, betas.index(config.beta), len(known.d2))
    return Curve(drawing, betas, averaged)


@st.cache_resource(max_entries=32, show_spinner=False)
def _list_averaged(key: str, _known: Known, betas: tuple[float, ...]) -> list[float]:
    return list_averaged(_known, betas)


@st.cache_resource(max_entries=32, show_spinner=False)
def _advise(key: str, _known: Known, config: AttentionConfig, _other: Source | None) -> Advice:
    earlier = None
    if _other is not None:
        before = known_distances(_other.frame, _other.config)
        earlier = Earlier(before, _other.config.beta, _other.config.sigma)
    return advise(_known, config.beta, config.steps, config.sigma, earlier)


def _key(source: Source, other: Source | None, config: AttentionConfig) -> str:
    return f"{source.name} {other.name if other else ''} {config.to_json()}"


def _list_sources(method: str, planned: Plan, job: Job[Iteration] | None) -> list[Source]:
    """Return the known distances of these data: first those of the current run, then the newest
    ones."""
    jobs = [] if job is None else [job]
    jobs += [one for one in reversed(runs_of_page(ITERATIONS.id)) if one is not job]
    sources = []
    for one in jobs:
        if one.history and same_data(one.history[0].plan, planned):
            first: Mapping[str, object] = one.history[0].shown
            if method in first:
                shown = one.history[0].shown[method]
                sources.append(Source(shown.frame, shown.config, one.id, shown.rough is None))
    try:
        shipped = example(EXAMPLE)
    except EngineError:  # the page reports the missing file
        return sources
    if planned.recipe == shipped.record.recipe and planned.size == len(shipped.names):
        config = AttentionConfig(method=method, beta=shipped.betas[method])
        sources.append(Source(shipped.frames[method][0], config, EXAMPLE))
    return sources


def _differs_by_sigma(source: Source, config: AttentionConfig) -> bool:
    if source.config.sigma == config.sigma or not RULES[source.config.bandwidth].is_fixed:
        return False
    return source.applies_to(replace(config, sigma=source.config.sigma))
