"""The state of Mean: the class or the rows of images, and the preset that was pressed."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from ia_engine.attention.means.algorithm1 import MeanConfig
from pages._ui.panels import note_unused
from pages._ui.state.fields import InAddress, InSession, set_value

ROWS: Final = "rows"
"""The parameter that lists the images of a cluster."""


class MeanState:
    """State of the Mean page other than the values of its controls."""

    class_name = InSession("class", "")
    """The chosen class, "" before the control is drawn."""
    rows_in_address = InAddress(ROWS)
    """The images to average, numbered from 1, such as "1-6,9"; None for a class or all images."""
    rows_read = InSession("rows of the Mean page", ("", ""))
    """The rows that were read last, and the recipe of their data."""
    preset_pressed = InSession("a preset of the mean was pressed", False)
    """True until the run of a preset has been started."""

    def check_class(self, options: Sequence[str]) -> None:
        """Reset a class that these data do not have; call this before the control is drawn."""
        if self.class_name not in options:
            del self.class_name

    def read_rows(self, recipe: str, n: int) -> tuple[int, ...]:
        """Return the rows in the address, which are removed if the user chooses different data."""
        text = self.rows_in_address
        if text is None:
            del self.rows_read
            return ()
        known, of = self.rows_read
        rows = parse_rows(text, n) if text != known or of == recipe else ()
        if not rows:
            self.show_classes()
            if text != known:
                note_unused(ROWS, text, f"numbers from 1 to {n:,}, such as 1-6,9", "no effect")
            return ()
        self.rows_read = (text, recipe)
        return rows

    def show_classes(self) -> None:
        """Remove the rows, so that a class is averaged; meant as a button's on_click."""
        self.rows_in_address = None
        del self.rows_read

    def press_preset(self, preset: MeanConfig) -> None:
        """Set the controls to these settings; meant as a button's on_click."""
        for name, value in vars(preset).items():
            set_value(name, value)
        self.preset_pressed = True

    def take_preset_press(self) -> bool:
        """True once after a preset was pressed."""
        pressed = self.preset_pressed
        del self.preset_pressed
        return pressed


MAX_PARTS: Final = 2000
PARTS: Final = re.compile(r"[0-9]{1,7}(-[0-9]{1,7})?(,[0-9]{1,7}(-[0-9]{1,7})?)*")


def format_rows(rows: Sequence[int]) -> str:
    """Return rows, which count from 0, as numbers and ranges that count from 1.

    >>> format_rows([0, 1, 2, 8])
    '1-3,9'
    """
    order = sorted(set(rows))
    breaks = [at + 1 for at, (one, other) in enumerate(pairwise(order)) if other != one + 1]
    ends = pairwise([0, *breaks, len(order)])
    runs = [(order[first] + 1, order[last - 1] + 1) for first, last in ends]
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in runs)


def parse_rows(text: str, n: int) -> tuple[int, ...]:
    """Return the rows that `format_rows` wrote, or () if they are not rows of n images.

    >>> parse_rows("1-3,9", 10)
    (0, 1, 2, 8)
    """
    parts = text.split(",")
    if not PARTS.fullmatch(text) or len(parts) > MAX_PARTS:
        return ()
    found = set[int]()
    for part in parts:
        low, _, high = part.partition("-")
        first, last = int(low), int(high or low)
        if not 1 <= first <= last <= n:
            return ()
        found.update(range(first - 1, last))
    return tuple(sorted(found))


mean_state = MeanState()
