"""Formats numbers of the papers' entries."""

import math
from typing import Final

MAX_DIGITS: Final = 5
"""Maximum number of decimals; numbers that need more are written with an exponent."""


def write_number(value: float | None, unit: str = "") -> str:
    """Format a number with three significant digits and its unit.

    >>> write_number(1370.4, "thousand"), write_number(None)
    ('1,370 thousand', '–')
    """
    if value is None:
        return "–"
    text = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return f"{text} {unit}".strip()


def write_difference(value: float | None) -> str:
    """Format a difference with its sign.

    >>> write_difference(-0.61), write_difference(None)
    ('−0.61', '–')
    """
    return "–" if value is None else f"{value:+.3g}".replace("-", "−")


def write_spread(value: float | None, spread: float | None, unit: str = "") -> str:
    """Format a number with its standard deviation, which has two significant digits.

    >>> write_spread(96.61, 2.04, "%"), write_spread(2.048, 0.045), write_spread(10.6, 0.0)
    ('96.6 ± 2.0 %', '2.048 ± 0.045', '10.6 ± 0')
    >>> write_spread(1.35e-7, 2.2e-8), write_spread(0.1, 2.6e-17)
    ('1.35e-07 ± 2.2e-08', '0.1 ± 2.6e-17')
    """
    if value is None or spread is None:
        return write_number(value, unit)
    if spread == 0:
        return f"{write_number(value)} ± 0 {unit}".strip()
    digits = max(0, 1 - math.floor(math.log10(spread)))
    if digits > MAX_DIGITS:
        return f"{write_number(value)} ± {spread:.2g} {unit}".strip()
    return f"{value:,.{digits}f} ± {spread:,.{digits}f} {unit}".strip()
