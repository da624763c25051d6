"""Fields of a page's state: values of the session, parameters of the address, values of controls.

A state class in this folder declares the state of a page with `InSession`, `Collected` and
`InAddress`. The functions are for computed keys, such as those of components.
"""

import time
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, Generic, TypeVar, overload

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages._ui.wording import number

Answer = Any
"""A value that the browser code of a component sends; its type is that of the JSON text."""
T = TypeVar("T")


class InSession(Generic[T]):
    """A field of a state class that is stored in the session under `key`.

    It has the default value until it is set and after it is deleted.

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
    """A field that holds a collection, which `make` creates when it is first read.

    >>> class FrameState:
    ...     missing_files = Collected("missing files that the page has listed", set[str])
    """

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
    """A field that is a parameter of the address: its text, or None. Setting None removes it.

    >>> class PapersState:
    ...     entry = InAddress("entry")
    """

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
    """Return the text of a parameter of the address, or None if it is absent."""
    return st.query_params.get(name)


def read_parameters() -> Mapping[str, str]:
    """Return all parameters of the address."""
    return st.query_params.to_dict()


def write_parameter(name: str, value: str | list[str] | None) -> None:
    """Set a parameter of the address, or repeat it for each value of a list; None removes it."""
    if value is not None:
        st.query_params[name] = value
    elif name in st.query_params:
        del st.query_params[name]


def has_value(key: str) -> bool:
    """True if the session contains a value for the control with this key."""
    return key in st.session_state


def read_value(key: str, default: T) -> T:
    """Return the value of the control or component with this key."""
    return st.session_state.get(key, default)


def read_answer(key: str, name: str) -> Answer:
    """Return the last answer of this name from the component with this key, or None."""
    return st.session_state.get(key, {}).get(name)


def read_selected_rows(key: str) -> list[int]:
    """Return a list with the selected row of the table with this key; [] if there is none."""
    table: Any = read_value(key, None)
    rows: list[int] = table.selection.rows[:1]
    return rows


def set_value(key: str, value: object) -> None:
    """Give a control a value; call this before the control is drawn, or in a callback."""
    st.session_state[key] = value


def forget_value(key: str) -> None:
    """Remove the value of a control, which gets its default when it is drawn."""
    st.session_state.pop(key, None)


# Late requests. The browser sends the address and the values of all controls with each request. A
# request that it sent before the app's last change reached it carries the earlier values, which
# must not undo the change.

LATE_ADDRESS_S: Final = 10.0
"""Seconds during which a request may carry the earlier address, even on a busy machine."""
LATE_VALUE_S: Final = 5.0
"""Seconds during which a request may carry the earlier value of a control."""
SET_CONTROLS: Final = "controls that a page has set, with their earlier values and the last one"


def replace_parameter(name: str, value: str) -> None:
    """Set a parameter of the address, and recognise late requests with its earlier value."""
    note_written(name, read_parameter(name), value)
    write_parameter(name, value)


def note_written(name: str, before: object, now: object) -> None:
    """Note that the page replaces `before` in the address by `now`."""
    _add_missing_controls()
    _, last, _ = st.session_state.get(_written_key(name), (None, None, 0.0))
    if before != now or last != now:
        st.session_state[_written_key(name)] = (before, now, time.monotonic())


def is_new_request(name: str, requested: object) -> bool:
    """True unless the page wrote this value itself or a late request carries the previous value.

    Back and Forward in the browser request an earlier value intentionally.
    """
    written = _read_written(name)
    return written is None or (requested != written[1] and not is_late_request(name, requested))


def is_late_request(name: str, requested: object) -> bool:
    """True if the request was sent before the page's last change of this parameter reached it."""
    written = _read_written(name)
    if written is None:
        return False
    before, now, at = written
    return requested == before != now and time.monotonic() - at <= LATE_ADDRESS_S


def _read_written(name: str) -> tuple[object, object, float] | None:
    """Return the last change of a parameter; None if the browser went back or forward since."""
    context = get_script_run_ctx()
    if context and context.is_history_navigation:
        return None
    return st.session_state.get(_written_key(name))


def forget_written(name: str) -> None:
    """Take the next value in the address as a new request."""
    st.session_state.pop(_written_key(name), None)


def set_controls(values: Mapping[str, Any]) -> None:
    """Give controls that are bound to the address these values, before they are drawn."""
    controls = _read_set_controls()
    for name, value in values.items():
        earlier, last = controls.get(name, ((), None))
        controls[name] = ({*earlier, last, st.session_state.get(name)} - {value}, value)
    st.session_state[SET_CONTROLS] = time.monotonic(), controls
    st.session_state.update(values)


def replace_controls(values: Mapping[str, Any]) -> None:
    """Give controls these values, even if `keep_controls` would set a different value again."""
    kept = _read_set_controls()
    set_controls({name: value for name, value in values.items() if name in kept})
    st.session_state.update(values)


def keep_controls() -> None:
    """Set the same values again in each run of the script while a late request is possible.

    A late request carries an earlier value. If the script runs twice in quick succession, the
    browser draws only the last run, and adopts a value only if that run sets it.
    """
    controls = _read_set_controls()
    for name, (earlier, last) in tuple(controls.items()):
        value = st.session_state.get(name)
        if value == last or value in earlier:
            st.session_state[name] = last
        else:
            del controls[name]  # the user has chosen a different value


def _add_missing_controls() -> None:
    """Add controls that were set to the address of a late request, in which they are missing.

    Otherwise the app would send this address back to the browser, which would drop them.
    """
    context, controls = get_script_run_ctx(), _read_set_controls()
    if context is None or not controls:
        return
    with context.session_state.query_params() as known:
        for name, (_, last) in controls.items():
            if not known.has_param(name):
                known.set_with_no_forward_msg(name, number(last))


def _read_set_controls() -> dict[str, tuple[Collection[Any], Any]]:
    since, controls = st.session_state.get(SET_CONTROLS, (0.0, {}))
    if time.monotonic() - since > LATE_VALUE_S:
        st.session_state.pop(SET_CONTROLS, None)
        return {}
    return controls


def _written_key(name: str) -> str:
    return f"{name} as written to the address"


# Values of controls, by page. Controls of different pages may have the same name.

PAGE: Final = "page that is open"
DEFAULTS: Final = "controls of the page that is open"
VALUES: Final = "values of the controls, by page"


def note_control(name: str, default: object) -> None:
    """Register a control of the open page; call this when the control is drawn."""
    st.session_state.setdefault(DEFAULTS, {})[name] = default


def read_defaults() -> dict[str, str]:
    """Return the defaults of the controls of the open page that are drawn, as in the address."""
    defaults = st.session_state.get(DEFAULTS, {})
    return {
        name: value if isinstance(value, str) else number(value) for name, value in defaults.items()
    }


def reset_controls() -> None:
    """Give all controls of the open page their defaults; meant as a callback."""
    st.session_state.pop(SET_CONTROLS, None)
    for name, default in st.session_state.get(DEFAULTS, {}).items():
        if name in st.session_state:
            st.session_state[name] = default


def change_page(page: str) -> None:
    """Store the values of the last page; call this before the page draws its first control.

    An address with parameters is complete: a control that is missing in it has its default.
    Without any parameter, as from the list of pages, the controls have the values that they had
    when the user left the page.
    """
    last = st.session_state.get(PAGE)
    if last == page:
        return
    stored = st.session_state.setdefault(VALUES, {})
    if last is not None:
        stored[last] = _remove_values()
    st.session_state[PAGE], st.session_state[DEFAULTS] = page, {}
    if not st.query_params:
        _restore_values(stored.get(page, {}))


def _remove_values() -> dict[str, Any]:
    """Remove the values of all controls and return those that differ from their defaults."""
    values = {}
    for name, default in st.session_state.get(DEFAULTS, {}).items():
        value = st.session_state.pop(name, None)
        if value is not None and value != default:
            values[name] = value
    return values


def _restore_values(values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        st.session_state[name] = value
        st.query_params[name] = value if isinstance(value, str) else number(value)
