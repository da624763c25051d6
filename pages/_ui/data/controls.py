"""Controls for a config that the address contains as part of a recipe, not as parameters."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar, cast

import streamlit as st

from ia_engine.errors import EngineError
from ia_engine.params import Choice, Config, Parameter, parameters
from pages._ui.controls import MAX_BUTTON_LETTERS, label_of, linear_steps, number_format
from pages._ui.panels import explain

C = TypeVar("C", bound=Config)

MAX_SLIDER_STEPS: Final = 300
"""Integers from a longer range have a text field instead of a slider."""


def edit_config(config: C, key: str, only: Sequence[str], columns: int = 1) -> C:
    """Draw a control for each of the named parameters; a different key makes new controls."""
    known = {p.name: p for p in parameters(type(config))}
    values = {}
    for at, name in enumerate(only):
        if at % columns == 0:
            row = st.columns(columns)
        with row[at % columns]:
            values[name] = _draw(known[name], getattr(config, name), key)
    try:
        return cast(C, replace(cast(Any, config), **values))
    except EngineError as error:  # values that are legal alone but not together
        explain(error)
        return config


def _draw(parameter: Parameter, value: object, key: str) -> float | str:
    about, name = parameter.about, f"{parameter.name} {key}"
    label = label_of(parameter.name, about)
    if isinstance(about, Choice):
        return _choose(label, about, str(value), name)
    if parameter.kind is int:
        low, high = math.ceil(about.low), math.floor(about.high)
        widget = st.slider if high - low <= MAX_SLIDER_STEPS else st.number_input
        return widget(label, low, high, cast(int, value), 1, key=name, help=about.about)
    now = cast(float, value)
    least, most, step = linear_steps(about, now)
    return st.slider(label, least, most, now, step, number_format(step), name, about.about)


def _choose(label: str, about: Choice, value: str, name: str) -> str:
    options = about.options
    if len("".join(options)) > MAX_BUTTON_LETTERS:
        return st.selectbox(label, options, options.index(value), key=name, help=about.about)
    return st.segmented_control(
        label, options, default=value, required=True, wrap=True, key=name, help=about.about
    )
