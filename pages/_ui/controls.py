"""Widgets from a config's own description: slider, help and address come from one line."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeVar, cast

import streamlit as st

from ia_engine.devices import describe_device, list_devices
from ia_engine.errors import EngineError
from ia_engine.params import Choice, Config, Parameter, Range, parameters
from pages._ui.panels import explain, note_unused
from pages._ui.state.fields import note_control
from pages._ui.wording import LABELS, number, word_of

C = TypeVar("C", bound=Config)
Value = float | str

MANTISSAS: Final = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)
"""The stops of a logarithmic slider within a decade."""
STEPS: Final = 100
"""Maximum number of steps of a linear slider: a mouse must be able to reach each of them."""
LONGEST: Final = 2000
"""Whole numbers from a longer range are typed."""
ROOM: Final = 32
"""So many letters of options stand side by side; more go into a list."""


def edit(config: C, key: str = "", only: Sequence[str] | None = None, most: float = math.inf) -> C:
    """A widget for every parameter (or for those named), bound to the address as key_name.

    The numbers end at the most that is possible, if that is known here.
    """
    wanted = [_end(p, most) for p in parameters(type(config)) if only is None or p.name in only]
    values = {p.name: _ask(p, getattr(config, p.name), key) for p in wanted}
    try:
        return cast(C, replace(cast(Any, config), **values))
    except EngineError as error:  # values that are right alone and wrong together
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

    Streamlit itself accepts an empty value in the URL, even if a choice is required.
    """
    note_control(key, default)
    if st.session_state.get(key, default) not in options:
        st.session_state[key] = default
    answer = st.segmented_control(
        label,
        options,
        default=default,
        required=True,
        key=key,
        help=about or None,
        label_visibility="collapsed" if hidden else "visible",
        wrap=wrap,
        bind="query-params" if is_option(key, options, default) else None,
    )
    return str(answer) if answer in options else default


def is_option(key: str, options: Sequence[str], default: str) -> bool:
    """False if the URL holds an invalid value, which is removed from it with a note."""
    asked = _asked(key)
    if asked is None or asked in options:
        return True
    del st.query_params[key]
    note_unused(key, asked, f"one of {', '.join(options)}", f"{default} is used")
    return False


def _end(parameter: Parameter, most: float) -> Parameter:
    """It ends there, but leaves a slider two places."""
    about = parameter.about
    if isinstance(about, Choice) or most >= about.high:
        return parameter
    return replace(parameter, about=replace(about, high=max(most, about.low + 1)))


def _ask(parameter: Parameter, value: Value, key: str) -> Value:
    name = f"{key}_{parameter.name}" if key else parameter.name
    note_control(name, value)
    _forget_illegal(parameter, name)
    asked = _asked(name)
    answer = _draw(parameter, value, name)
    if asked is not None and not _same(asked, answer):
        note_unused(name, asked, _legal(parameter), f"{_text(answer)} is used")
    return answer


def _forget_illegal(parameter: Parameter, name: str) -> None:
    """A preset or a run may have left a value under this name that is not legal here."""
    if (held := st.session_state.get(name)) is None:
        return
    try:
        parameter.about.check(parameter.name, held)
    except EngineError:
        del st.session_state[name]


def _draw(parameter: Parameter, value: Value, name: str) -> Value:
    about = parameter.about
    if isinstance(about, Choice):
        return _choose(parameter, str(value), name)
    if about.log:
        return _slide_by_ratio(parameter, float(value), name)
    if parameter.kind is int:
        return _count(parameter, int(value), name)
    return _slide(parameter, float(value), name)


def _choose(parameter: Parameter, value: str, name: str) -> str:
    """Options in words; the address, which Streamlit would write in words, keeps their names."""
    options, about = cast(Choice, parameter.about).options, parameter.about.about
    label, asked = label_of(parameter.name, parameter.about), _asked(name)
    if asked in options:
        st.session_state[name] = asked
    if len("".join(map(word_of, options))) <= ROOM:
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
    _write(name, answer, value)
    return answer


def _write(name: str, answer: str, usual: str) -> None:
    """The address says what is not as usual."""
    if answer != usual:
        st.query_params[name] = answer
    elif name in st.query_params:
        del st.query_params[name]


def _slide_by_ratio(parameter: Parameter, value: float, name: str) -> float:
    about = cast(Range, parameter.about)
    known = [value, st.session_state.get(name, value), *_legal_number(parameter, _asked(name))]
    stops = log_stops(about, parameter.kind, known)
    first = parameter.kind(value)
    return st.select_slider(
        label_of(parameter.name, about),
        stops,
        first,
        number,
        name,
        about.about,
        bind="query-params",
    )


def _count(parameter: Parameter, value: int, name: str) -> int:
    about = cast(Range, parameter.about)
    low, high = math.ceil(about.low), math.floor(about.high)
    widget = st.slider if high - low <= LONGEST else st.number_input
    # Streamlit fails to make a whole number of one that no float can hold.
    bound = None if _endless(st.query_params.get(name, "")) else "query-params"
    return widget(
        label_of(parameter.name, about), low, high, value, 1, key=name, help=about.about, bind=bound
    )


def _slide(parameter: Parameter, value: float, name: str) -> float:
    about = cast(Range, parameter.about)
    low, high, step = grid(about, value)
    return st.slider(
        label_of(parameter.name, about),
        low,
        high,
        value,
        step,
        places(step),
        name,
        about.about,
        bind="query-params",
    )


def grid(about: Range, value: float, stops: int = STEPS) -> tuple[float, float, float]:
    """Ends and step of a linear slider: a step of 1, 2 or 5 times a power of ten, round ends."""
    width = round((about.high - about.low) / stops, 9)
    power = math.floor(math.log10(width))
    first = next(m for m in (1, 2, 5, 10) if float(f"{m}e{power}") >= width)
    step = float(f"{first}e{power}")
    low = math.ceil(round(about.low / step, 6)) * first
    high = math.floor(round(about.high / step, 6)) * first
    return min(float(f"{low}e{power}"), value), max(float(f"{high}e{power}"), value), step


def places(step: float) -> str:
    """The number format of a slider with this step."""
    return f"%.{max(0, -math.floor(round(math.log10(step), 6)))}f"


def log_stops(about: Range, kind: type, known: Iterable[float]) -> list[float]:
    """The stops of a logarithmic slider: round numbers, both ends, and what is known already."""
    decades = range(math.floor(math.log10(about.low)), math.ceil(math.log10(about.high)) + 1)
    round_numbers = {float(f"{mantissa}e{decade}") for decade in decades for mantissa in MANTISSAS}
    stops = {x for x in round_numbers if about.low <= x <= about.high} | {about.low, about.high}
    return sorted(kind(x) for x in stops | set(known) if kind(x) == x)


INDICES: Final = {"n": "ₙ", "k": "ₖ", "i": "ᵢ", "j": "ⱼ"}
"""Letters that plain text can write below the line."""


def label_of(name: str, about: Range | Choice) -> str:
    """The word, the symbol and the unit of a parameter; without a word, its symbol and name."""
    spelled = isinstance(about, Choice) and len(about.symbol) > 1 and name in LABELS
    symbol = _below(about.symbol) if about.symbol not in ("", name) and not spelled else ""
    plain_name = name.replace("_", " ")
    # Not escaped: the words are ours, and screen readers read a label letter by letter.
    pair = (LABELS[name], symbol) if name in LABELS else (symbol, plain_name)
    words = (" " if name in LABELS else " · ").join(filter(None, pair))
    unit = about.unit if isinstance(about, Range) else ""
    return words + (f" in {unit}" if unit else "")


def _below(symbol: str) -> str:
    """The symbol with its index below the line; none where there is no such letter."""
    head, index, letter = symbol.partition("_")
    if not index:
        return symbol
    return f"{head}{INDICES[letter]}" if letter in INDICES else ""


def _asked(name: str) -> str | None:
    """What the address asks of a widget that has no value yet."""
    return None if name in st.session_state else st.query_params.get(name)


def _endless(asked: str) -> bool:
    """Whether it is a number beyond all that a float can hold."""
    try:
        return math.isinf(float(asked))
    except ValueError:
        return False


def _legal_number(parameter: Parameter, asked: str | None) -> list[float]:
    """The number that is asked for, if it is a legal one."""
    try:
        value = parameter.kind(asked)
        parameter.about.check(parameter.name, value)
    except (EngineError, TypeError, ValueError):
        return []
    return [value]


def _legal(parameter: Parameter) -> str:
    about = parameter.about
    if isinstance(about, Choice):
        return f"one of {', '.join(about.options)}"
    kind = "a whole number" if parameter.kind is int else "a number"
    return f"{kind} between {number(about.low)} and {number(about.high)}"


def _same(asked: str, answer: Value) -> bool:
    try:
        return float(asked) == float(answer)
    except ValueError:
        return asked == answer


def _text(answer: Value) -> str:
    return answer if isinstance(answer, str) else number(answer)


def choose_device() -> str:
    """The device that new runs compute on; where there is only one, nothing is asked."""
    devices = list_devices()
    if len(devices) == 1:
        return devices[0]
    return st.selectbox(
        "Compute on",
        devices,
        format_func=describe_device,
        key="device",
        help="Runs that are under way stay where they are",
    )
