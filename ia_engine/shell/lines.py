"""Prints the rows of a command to standard output and messages to standard error."""

import json
import math
import sys
from collections.abc import Mapping

Value = str | int | float | dict[str, object] | list[str] | list[int] | None
Row = Mapping[str, Value]

WIDTH = 10


def say(text: str) -> None:
    """Print a one-line message to standard error."""
    print(" ".join(text.split()), file=sys.stderr, flush=True)


class Printer:
    """Prints rows as JSON, one object per line, or as a table with a header above the first row."""

    def __init__(self, as_json: bool) -> None:
        self.as_json = as_json
        self.begun = False

    def row(self, row: Row) -> None:
        """Print a row. The first row of a table is preceded by a header."""
        if self.as_json:
            print(to_json(row), flush=True)
            return
        if not self.begun:
            print(" ".join(f"{name:>{_width(name)}}" for name in row))
        self.begun = True
        print(" ".join(f"{_show(x):>{_width(name)}}" for name, x in row.items()), flush=True)

    def only(self, row: Row) -> None:
        """Print the only row of a command, as JSON or with one line per key."""
        if self.as_json:
            print(to_json(row), flush=True)
            return
        width = max(map(len, row))
        print("\n".join(f"{name:{width}}  {_show(x)}" for name, x in row.items()), flush=True)


def to_json(row: Row) -> str:
    """Return a row as JSON. NaN and infinity become null, because JSON has neither."""
    return json.dumps({name: _finite(value) for name, value in row.items()}, allow_nan=False)


def _finite(value: object) -> object:
    if isinstance(value, dict):
        return {name: _finite(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _show(value: Value) -> str:
    if value is None:
        return "-"
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False)
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _width(name: str) -> int:
    return max(WIDTH, len(name))
