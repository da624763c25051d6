"""Components that run in the browser, and formulas whose terms highlight parts of the pictures.

Each component is a committed bundle of script and style.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import streamlit as st

from ia_engine import files
from ia_engine.errors import EngineError
from pages._ui.panels import explain
from pages._ui.state.viewer import frame_state
from pages._ui.wording import GLOSSARY

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


Part = tuple[str, str, str] | tuple[str]
"""Text of a term, its name, and its tooltip; or only text."""


_formula = component("ia_formula", "formula")


def show_formula(parts: Sequence[Part], key: str) -> None:
    """Show a formula whose terms are highlighted by the pointer, or by Tab and the arrow keys."""
    _formula(key=key, data=[list(part) for part in parts])


def term(text: str, name: str, symbol: str, more: str = "") -> Part:
    """A term with the definition of its symbol; pictures with the same `name` are highlighted."""
    return text, name, f"{symbol}: {GLOSSARY[symbol]}" + (f"; {more}" if more else "")


def show_symbols(*symbols: str, terms: dict[str, str] | None = None) -> None:
    """Show the symbols of a page, with definitions as tooltips; `terms` names their pictures."""
    parts: list[Part] = [("On this page: ",)]
    for symbol in symbols:
        name = (terms or {}).get(symbol, f"word-{symbol}")
        parts += [term(symbol, name, symbol), ("   ",)]
    show_formula(parts, "words")
