"""Formulas: a term and the parts of the pictures that show it are highlighted together."""

from collections.abc import Sequence

from pages._ui.assets import component
from pages._ui.glossary import WORDS

Part = tuple[str, str, str] | tuple[str]
"""Text of a term, its name, and its tooltip; or only text."""

_formula = component("ia_formula", "formula")


def show_formula(parts: Sequence[Part], key: str) -> None:
    """A formula whose terms can be pointed at, or reached by Tab and the arrow keys."""
    _formula(key=key, data=[list(part) for part in parts])


def term(text: str, name: str, symbol: str, more: str = "") -> Part:
    """A term with the glossary's entry for its symbol; pictures use the same names."""
    return text, name, f"{symbol}: {WORDS[symbol]}" + (f"; {more}" if more else "")


def show_symbols(*symbols: str, terms: dict[str, str] | None = None) -> None:
    """The symbols of a page with their definitions as tooltips; `terms` names their pictures."""
    parts: list[Part] = [("On this page: ",)]
    for symbol in symbols:
        name = (terms or {}).get(symbol, f"word-{symbol}")
        parts += [term(symbol, name, symbol), ("   ",)]
    show_formula(parts, "words")
