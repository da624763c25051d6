"""Fields of a page's state: the session, the address and the controls bound to it."""

import time
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, Generic, TypeVar, overload

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages._ui.wording import number

T = TypeVar("T")


class InSession(Generic[T]):
    """A field of a state class that lasts as long as the session, stored under `key`.

    It has the default until it is set and after it is deleted.

    >>> class OverviewState:
    ...     replaced = InSession("run of the Overview that was replaced last", "")
    >>> state = OverviewState()
    >>> state.replaced = "run 7"
    """

    def __init__(self, key: str, default: T) -> None:
        self.key: Final = key
        self.default: Final = default

    @overload
    def __get__(self, state: None, owner: type) -> "InSession[T]": ...
    @overload
    def __get__(self, state: object, owner: type) -> T: ...
    def __get__(self, state: object | None, owner: type) -> "InSession[T] | T":
        return self if state is None else st.session_state.get(self.key, self.default)

    def __set__(self, state: object, value: T) -> None:
        st.session_state[self.key] = value

    def __delete__(self, state: object) -> None:
        st.session_state.pop(self.key, None)


class Collected(Generic[T]):
    """A field that holds a collection of the session, made by `make` when it is first read."""

    def __init__(self, key: str, make: Callable[[], T]) -> None:
        self.key: Final = key
        self._make: Final = make

    @overload
    def __get__(self, state: None, owner: type) -> "Collected[T]": ...
    @overload
    def __get__(self, state: object, owner: type) -> T: ...
    def __get__(self, state: object | None, owner: type) -> "Collected[T] | T":
        return self if state is None else st.session_state.setdefault(self.key, self._make())

    def __delete__(self, state: object) -> None:
        st.session_state.pop(self.key, None)


class InAddress:
    """A field that is a parameter of the address: its text, or None. Setting None removes it."""

    def __init__(self, name: str) -> None:
        self.name: Final = name

    @overload
    def __get__(self, state: None, owner: type) -> "InAddress": ...
    @overload
    def __get__(self, state: object, owner: type) -> str | None: ...
    def __get__(self, state: object | None, owner: type) -> "InAddress | str | None":
        return self if state is None else read_parameter(self.name)

    def __set__(self, state: object, value: str | None) -> None:
        write_parameter(self.name, value)


def read_parameter(name: str) -> str | None:
    """The text of a parameter of the address, None if it is absent."""
    return st.query_params.get(name)


def write_parameter(name: str, value: str | list[str] | None) -> None:
    """Set a parameter of the address, or repeat it for each value of a list; None removes it."""
    if value is not None:
        st.query_params[name] = value
    elif name in st.query_params:
        del st.query_params[name]


def read_parameters() -> Mapping[str, str]:
    """All parameters of the address."""
    return st.query_params.to_dict()


def has_value(key: str) -> bool:
    """True if the session holds a value for the control with this key."""
    return key in st.session_state


def read_value(key: str, default: T) -> T:
    """The value of the control or component with this key."""
    return st.session_state.get(key, default)


def set_value(key: str, value: object) -> None:
    """Give a control a value; call this before the control is drawn, or in a callback."""
    st.session_state[key] = value


def forget_value(key: str) -> None:
    """Remove the value of a control: it gets its default when it is drawn."""
    st.session_state.pop(key, None)


SETTLED: Final = 10.0
"""Seconds after which the browser knows what was written, also on a busy machine."""
LATE_S: Final = 5.0
"""Seconds during which a request may bring the value that a control had before."""
HELD: Final = "controls that a page has set, with their earlier values and the last one"


def write(name: str, before: object, now: object) -> None:
    """The address says one thing of this, and is made to say another, or left as it is."""
    _restore_controls()
    _, known, _ = st.session_state.get(_key(name), (None, None, 0.0))
    if before != now or known != now:
        st.session_state[_key(name)] = (before, now, time.monotonic())


def is_news(name: str, asked: object) -> bool:
    """Whether neither this was written here nor was it there until a moment ago.

    The browser's Back and Forward bring what was there on purpose.
    """
    context = get_script_run_ctx()
    if _key(name) not in st.session_state or (context and context.is_history_navigation):
        return True
    before, now, at = st.session_state[_key(name)]
    return asked != now and (asked != before or time.monotonic() - at > SETTLED)


def forget(name: str) -> None:
    """Whatever the address will say of this is news."""
    st.session_state.pop(_key(name), None)


def set_controls(values: Mapping[str, Any]) -> None:
    """Give controls that are bound to the address these values, before they are drawn."""
    state, held = st.session_state, _held()
    for name, value in values.items():
        earlier, last = held.get(name, ((), None))
        held[name] = ({*earlier, last, state.get(name)} - {value}, value)
    state[HELD] = time.monotonic(), held
    state.update(values)


def keep_controls() -> None:
    """Set them again in each run, for as long as a late request is possible.

    A late request brings an earlier value, and of two runs in quick succession the browser draws
    the last alone: it adopts a value only if that run sets it.
    """
    held = _held()
    for name, (earlier, last) in tuple(held.items()):
        value = st.session_state.get(name)
        if value == last or value in earlier:
            st.session_state[name] = last
        else:
            del held[name]  # the viewer has chosen another value


def _restore_controls() -> None:
    """The address of a late request lacks them: add them, so that they are sent back with it."""
    context = get_script_run_ctx()
    held = _held()
    if context is None or not held:
        return
    with context.session_state.query_params() as known:
        for name, (_, last) in held.items():
            if not known.has_param(name):
                known.set_with_no_forward_msg(name, number(last))


def _held() -> dict[str, tuple[Collection[Any], Any]]:
    since, held = st.session_state.get(HELD, (0.0, {}))
    if time.monotonic() - since > LATE_S:
        st.session_state.pop(HELD, None)
        return {}
    return held


def _key(name: str) -> str:
    return f"{name} as written to the address"


PAGE: Final = "page that is open"
DRAWN: Final = "controls of the page that is open"
KEPT: Final = "values of the controls, by page"


def note_control(name: str, default: object) -> None:
    """Register a control of the open page; call this when the control is drawn."""
    st.session_state.setdefault(DRAWN, {})[name] = default


def change_page(page: str) -> None:
    """Put the values of the last page aside; call this before the page draws its first control.

    An address with parameters says everything: what is missing in it has its default. Without any
    parameter, as from the list of pages, the controls are as they were when the page was left.
    """
    last = st.session_state.get(PAGE)
    if last == page:
        return
    kept = st.session_state.setdefault(KEPT, {})
    if last is not None:
        kept[last] = _put_aside()
    st.session_state[PAGE], st.session_state[DRAWN] = page, {}
    if not st.query_params:
        _bring_back(kept.get(page, {}))


def _put_aside() -> dict[str, Any]:
    """The values that differ from their defaults; no control has a value afterwards."""
    values = {}
    for name, default in st.session_state.get(DRAWN, {}).items():
        if name in st.session_state:
            value = st.session_state[name]
            if value is not None and value != default:
                values[name] = value
            del st.session_state[name]
    return values


def _bring_back(values: dict[str, Any]) -> None:
    for name, value in values.items():
        st.session_state[name] = value
        st.query_params[name] = value if isinstance(value, str) else number(value)
