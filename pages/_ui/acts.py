"""Formulas that act: a term and the part of the picture that it stands for light up together."""

from collections.abc import Sequence

from pages._ui.assets import component
from pages._ui.glossary import WORDS

Part = tuple[str, str, str] | tuple[str]
"""What is written, the name of what it stands for, and what is said of it; or writing alone."""

_formula = component("ia_formula", "formula")


def act(parts: Sequence[Part], key: str) -> None:
    """A formula whose terms can be pointed at, or reached by Tab and the arrow keys."""
    _formula(key=key, data=[list(part) for part in parts])


def term(text: str, name: str, symbol: str, more: str = "") -> Part:
    """A term with what the glossary says of its symbol; names are shared with the pictures."""
    return text, name, f"{symbol}: {WORDS[symbol]}" + (f"; {more}" if more else "")


def explain_words(*symbols: str, lights: dict[str, str] | None = None) -> None:
    """The symbols of a page, each with its definition where it is pointed at."""
    parts: list[Part] = [("On this page: ",)]
    for symbol in symbols:
        name = (lights or {}).get(symbol, f"word-{symbol}")
        parts += [term(symbol, name, symbol), ("   ",)]
    act(parts, "words")
