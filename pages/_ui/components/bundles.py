"""The components that run in the browser: each is a committed bundle of script and style."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import streamlit as st

from ia_engine import files
from ia_engine.errors import EngineError
from pages._ui.panels import explain
from pages._ui.state.frame import frame_state

COMPONENTS: dict[str, tuple[str, ...]] = {}
"""The files of each component: its script and its style."""
Component = Callable[..., Mapping[str, Any]]


def component(name: str, bundle: str, *, styled: bool = True) -> Component:
    """A component of a bundle in assets, which is read when it is first drawn.

    If the bundle is missing, the page shows an error message in its place, once.
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
    """Show the message unless the page shows it already."""
    if str(error) not in frame_state.missing_files:
        frame_state.missing_files.add(str(error))
        explain(error)


@lru_cache(maxsize=64)
def _register(name: str) -> Component:
    js, *css = map(read_bundle, COMPONENTS[name])
    return st.components.v2.component(name, js=js, css=css[0] if css else None)


def read_bundle(name: str) -> str:
    """A script or style that `make bundles` writes from assets/components."""
    path = f"assets/bundles/{name}"
    try:
        return (files.ASSETS / "bundles" / name).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise EngineError(
            f"{path} is missing or cannot be read: restore this file of the project "
            f"(git checkout {path}), then reload the page"
        ) from error
