"""The scripts and styles of the components that run in the browser, and the components of them."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import streamlit as st

from ia_engine import files
from ia_engine.errors import EngineError
from pages._ui.panels import explain

SHOWN = "missing files that the page has named"
COMPONENTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
"""The scripts and the styles of each component."""
Component = Callable[..., Mapping[str, Any]]


def script(*names: str) -> str:
    """These files below assets, one after the other: what one declares, the next may use."""
    return "\n".join(_read(f"{name}.js") for name in names)


def style(*names: str) -> str:
    """These files below assets, one after the other."""
    return "".join(_read(f"{name}.css") for name in names)


def component(name: str, js: tuple[str, ...], css: tuple[str, ...] = ()) -> Component:
    """A component of these files, which are read when it is first drawn.

    If one of them is missing, a sentence takes the component's place, once on a page.
    """

    COMPONENTS[name] = js, css

    def draw(**arguments: object) -> Mapping[str, Any]:
        try:
            mount = _register(name)
        except EngineError as error:
            explain_once(error)
            return {}
        return mount(**arguments)

    return draw


def explain_once(error: EngineError) -> None:
    """Show the sentence unless the page shows it already."""
    shown: set[str] = st.session_state.setdefault(SHOWN, set())
    if str(error) not in shown:
        shown.add(str(error))
        explain(error)


def forget_shown() -> None:
    """A page begins: it shows each sentence again."""
    st.session_state.pop(SHOWN, None)


@lru_cache(maxsize=64)
def _register(name: str) -> Component:
    js, css = COMPONENTS[name]
    return st.components.v2.component(name, js=script(*js), css=style(*css) or None)


def _read(name: str) -> str:
    try:
        return (files.ASSETS / name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise EngineError(
            f"assets/{name} is missing or cannot be read: restore this file of the project "
            f"(git checkout assets/{name}), then reload the page"
        ) from error
