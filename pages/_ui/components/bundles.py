"""The components that run in the browser: each is a committed bundle of script and style."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import streamlit as st

from ia_engine import files
from ia_engine.errors import EngineError
from pages._ui.panels import explain

SHOWN = "missing files that the page has listed"
COMPONENTS: dict[str, tuple[str, ...]] = {}
"""The bundles of each component: of its script and its style."""
Component = Callable[..., Mapping[str, Any]]


def component(name: str, bundle: str, *, styled: bool = True) -> Component:
    """A component of a bundle in assets, which is read when it is first drawn.

    If the bundle is missing, a sentence takes the component's place, once on a page.
    """
    COMPONENTS[name] = (f"{bundle}.js", f"{bundle}.css") if styled else (f"{bundle}.js",)

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
    """At the start of a page: it shows each sentence again."""
    st.session_state.pop(SHOWN, None)


@lru_cache(maxsize=64)
def _register(name: str) -> Component:
    js, *css = map(read_bundle, COMPONENTS[name])
    return st.components.v2.component(name, js=js, css=css[0] if css else None)


def read_bundle(name: str) -> str:
    """A script or style that `make bundles` has made of assets/components."""
    path = f"assets/bundles/{name}"
    try:
        return (files.ASSETS / "bundles" / name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise EngineError(
            f"{path} is missing or cannot be read: restore this file of the project "
            f"(git checkout {path}), then reload the page"
        ) from error
