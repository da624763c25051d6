"""Controls for the fields of a config; one line declares label, range, help and parameter."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, TypeVar, cast

import streamlit as st

from ia_engine.devices import describe_device, list_devices
from ia_engine.errors import EngineError
from ia_engine.params import Choice, Config, Parameter, Range, parameters
from pages._ui.panels import explain, note_unused
from pages._ui.state.fields import (
    forget_value,
    has_value,
    note_control,
    read_parameter,
    read_value,
    set_value,
    write_parameter,
)
from pages._ui.wording import LABELS, number, word_of

C = TypeVar("C", bound=Config)
Value = float | str

MANTISSAS: Final = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)
"""Stops of a logarithmic slider within a decade."""
STEPS: Final = 100
"""Maximum number of steps of a linear slider; each must be reachable with a mouse."""
MAX_SLIDER_RANGE: Final = 2000
"""Maximum length of a range of integers that gets a slider instead of a text field."""
MAX_BUTTON_LETTERS: Final = 32
"""Maximum number of letters of options that are buttons side by side instead of a list."""
INDICES: Final = {"n": "ₙ", "k": "ₖ", "i": "ᵢ", "j": "ⱼ"}
"""Letters that exist as subscripts in plain text."""


def edit(config: C, key: str = "", only: Sequence[str] | None = None, most: float = math.inf) -> C:
    """Draw a control for each field (or for those in `only`), and return the edited config.

    The URL parameters are the names of the fields, after `key` and an underscore if it is given.
    `most` is the largest number that these data allow.
    """
    wanted = [_limit(p, most) for p in parameters(type(config)) if only is None or p.name in only]
    values = {p.name: _ask(p, getattr(config, p.name), key) for p in wanted}
    try:
        return cast(C, replace(cast(Any, config), **values))
    except EngineError as error:  # each value is legal, but their combination is not
        explain(error)
        return config


def choose_one(
    label: str,
    options: Sequence[str],
    default: str,
    key: str,
    *,
    about: str = "",
    hidden: bool = False,
    wrap: bool = False,
) -> str:
    """Ask for one of the options, bound to the URL; an invalid value there becomes the default.

    Streamlit would accept an empty value in the URL, even if a choice is required.
    """
    note_control(key, default)
    if read_value(key, default) not in options:
        set_value(key, default)
    answer = st.segmented_control(
        label,
        options,
        default=default,
        required=True,
        key=key,
        help=about or None,
        label_visibility="collapsed" if hidden else "visible",
        wrap=wrap,
        bind=bind_option(key, options, default),
    )
    return str(answer) if answer in options else default


Binding = Literal["query-params"] | None
"""Whether the URL contains the value of a control."""


def bind_option(key: str, options: Sequence[str], default: str) -> Binding:
    """Return the binding of a list to the URL; an invalid value is removed from it with a note."""
    requested = _requested(key)
    if requested is None or requested in options:
        return "query-params"
    write_parameter(key, None)
    note_unused(key, requested, f"one of {', '.join(options)}", f"{default} is used")
    return None


def choose_device() -> str:
    """Ask for the device of new runs, unless only one is available."""
    devices = list_devices()
    if len(devices) == 1:
        return devices[0]
    return st.selectbox(
        "Compute on",
        devices,
        format_func=describe_device,
        key="device",
        help="Runs that have already started stay on their device",
    )


def linear_steps(about: Range, value: float, stops: int = STEPS) -> tuple[float, float, float]:
    """Return the round ends and the step (1, 2 or 5 times a power of ten) of a linear slider."""
    width = round((about.high - about.low) / stops, 9)
    power = math.floor(math.log10(width))
    first = next(m for m in (1, 2, 5, 10) if float(f"{m}e{power}") >= width)
    step = float(f"{first}e{power}")
    low = math.ceil(round(about.low / step, 6)) * first
    high = math.floor(round(about.high / step, 6)) * first
    return min(float(f"{low}e{power}"), value), max(float(f"{high}e{power}"), value), step


def number_format(step: float) -> str:
    """Return the number format of a slider with this step."""
    return f"%.{max(0, -math.floor(round(math.log10(step), 6)))}f"


def log_stops(about: Range, kind: type, known: Iterable[float]) -> list[float]:
    """Return the stops of a logarithmic slider: round numbers, both ends and the known values."""
    decades = range(math.floor(math.log10(about.low)), math.ceil(math.log10(about.high)) + 1)
    round_numbers = {float(f"{mantissa}e{decade}") for decade in decades for mantissa in MANTISSAS}
    stops = {x for x in round_numbers if about.low <= x <= about.high} | {about.low, about.high}
    return sorted(kind(x) for x in stops | set(known) if kind(x) == x)


def label_of(name: str, about: Range | Choice) -> str:
    """Return the label, the symbol and the unit of a parameter as one string.

    >>> label_of("sigma", Range("σ", 0, 8, "", "px"))
    'Smoothing σ [px]'
    """
    spelled = isinstance(about, Choice) and len(about.symbol) > 1 and name in LABELS
    symbol = _in_plain_text(about.symbol) if about.symbol not in ("", name) and not spelled else ""
    plain_name = name.replace("_", " ")
    # Not escaped: no user writes labels, and screen readers would read the escape characters.
    pair = (LABELS[name], symbol) if name in LABELS else (symbol, plain_name)
    words = (" " if name in LABELS else " · ").join(filter(None, pair))
    unit = about.unit if isinstance(about, Range) else ""
    return words + (f" [{unit}]" if unit else "")


def _in_plain_text(symbol: str) -> str:
    """Return the symbol with its index as a subscript, or "" if Unicode has no such subscript."""
    head, index, letter = symbol.partition("_")
    if not index:
        return symbol
    return f"{head}{INDICES[letter]}" if letter in INDICES else ""


def _limit(parameter: Parameter, most: float) -> Parameter:
    """Return the parameter with this upper limit, but at least two values, which a slider needs."""
    about = parameter.about
    if isinstance(about, Choice) or most >= about.high:
        return parameter
    return replace(parameter, about=replace(about, high=max(most, about.low + 1)))


def _ask(parameter: Parameter, value: Value, key: str) -> Value:
    name = f"{key}_{parameter.name}" if key else parameter.name
    note_control(name, value)
    _forget_illegal(parameter, name)
    requested = _requested(name)
    answer = _draw(parameter, value, name)
    if requested is not None and not _equal(requested, answer):
        used = answer if isinstance(answer, str) else number(answer)
        note_unused(name, requested, _describe_legal(parameter), f"{used} is used")
    return answer


def _forget_illegal(parameter: Parameter, name: str) -> None:
    """Remove a value under this name that a preset or a run has set and that is illegal here."""
    value: Any = read_value(name, None)
    if value is None:
        return
    try:
        parameter.about.check(parameter.name, value)
    except EngineError:
        forget_value(name)


def _draw(parameter: Parameter, value: Value, name: str) -> Value:
    about = parameter.about
    if isinstance(about, Choice):
        return _draw_options(parameter, str(value), name)
    if about.log:
        return _draw_log_slider(parameter, float(value), name)
    if parameter.kind is int:
        return _draw_whole_number(parameter, int(value), name)
    return _draw_slider(parameter, float(value), name)


def _draw_options(parameter: Parameter, value: str, name: str) -> str:
    """Draw buttons or a list with titles; the URL has names, where Streamlit would write titles."""
    options, about = cast(Choice, parameter.about).options, parameter.about.about
    label, requested = label_of(parameter.name, parameter.about), _requested(name)
    if requested in options:
        set_value(name, requested)
    if len("".join(map(word_of, options))) <= MAX_BUTTON_LETTERS:
        answer = st.segmented_control(
            label,
            options,
            default=value,
            format_func=word_of,
            required=True,
            key=name,
            help=about,
        )
    else:
        answer = st.selectbox(label, options, options.index(value), word_of, name, about)
    write_parameter(name, answer if answer != value else None)
    return answer


def _draw_log_slider(parameter: Parameter, value: float, name: str) -> float:
    about = cast(Range, parameter.about)
    known = [value, read_value(name, value), *_legal_number(parameter, _requested(name))]
    return st.select_slider(
        label_of(parameter.name, about),
        log_stops(about, parameter.kind, known),
        parameter.kind(value),
        number,
        name,
        about.about,
        bind="query-params",
    )


def _draw_whole_number(parameter: Parameter, value: int, name: str) -> int:
    about = cast(Range, parameter.about)
    low, high = math.ceil(about.low), math.floor(about.high)
    widget = st.slider if high - low <= MAX_SLIDER_RANGE else st.number_input
    # Streamlit fails on a number in the URL that is too large for a float.
    bound: Binding = None if _is_infinite(read_parameter(name) or "") else "query-params"
    return widget(
        label_of(parameter.name, about), low, high, value, 1, key=name, help=about.about, bind=bound
    )


def _draw_slider(parameter: Parameter, value: float, name: str) -> float:
    about = cast(Range, parameter.about)
    low, high, step = linear_steps(about, value)
    return st.slider(
        label_of(parameter.name, about),
        low,
        high,
        value,
        step,
        number_format(step),
        name,
        about.about,
        bind="query-params",
    )


def _requested(name: str) -> str | None:
    """Return the value that the URL requests for a control that has no value yet."""
    return None if has_value(name) else read_parameter(name)


def _is_infinite(text: str) -> bool:
    try:
        return math.isinf(float(text))
    except ValueError:
        return False


def _legal_number(parameter: Parameter, text: str | None) -> list[float]:
    """Return the number in this string as a list, which is empty if the number is illegal."""
    try:
        value = parameter.kind(text)
        parameter.about.check(parameter.name, value)
    except (EngineError, TypeError, ValueError):
        return []
    return [value]


def _describe_legal(parameter: Parameter) -> str:
    about = parameter.about
    if isinstance(about, Choice):
        return f"one of {', '.join(about.options)}"
    kind = "a whole number" if parameter.kind is int else "a number"
    return f"{kind} between {number(about.low)} and {number(about.high)}"


def _equal(text: str, value: Value) -> bool:
    try:
        return float(text) == float(value)
    except ValueError:
        return text == value
