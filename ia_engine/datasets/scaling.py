"""What stands for 1 in an array of images: x = clamp(value / top, 0, 1), top = 1, 255 or 65535."""

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ia_engine.errors import EngineError

Array = NDArray[Any]

TOPS: Final = (1, 255, 65535)
OVERSHOOT: Final = 0.1
"""So far beyond [0, 1] cubic interpolation may have led floats: it is cut off."""
UNCLEAR: Final = 4
"""A float this many times over 1 or 255 is either bright beyond all bounds or nearly black."""


@dataclass(frozen=True)
class Scale:
    """The least and the largest value of an array, and the one that stands for 1."""

    kind: str
    low: float
    high: float
    top: float

    def apply(self, values: Array) -> NDArray[np.float32]:
        """The values in [0, 1]; a copy."""
        scaled = np.array(values, dtype=np.float32) / np.float32(self.top)
        return np.clip(scaled, 0, 1, out=scaled)

    def describe(self, name: str) -> str:
        """What `apply` does to the values of this file; nothing if it changes none."""
        done = [f"divided by {self.top:g}"] if self.top != 1 else []
        what = f"{name}: {self.kind} values"
        if self.low < 0 or self.high > self.top:
            what = f"{what} from {self.low:.3g} to {self.high:.3g}"
            done.insert(0, f"cut off at 0 and {self.top:g}")
        return f"{what} were {' and '.join(done)}" if done else ""


def find_scale(name: str, array: Array) -> Scale:
    """The first top that is not exceeded, or else the largest value."""
    if array.dtype.kind not in "buif":
        raise EngineError(
            f"{name}: expected images of numbers, got {array.dtype}; save them as uint8 or float"
        )
    low, high = float(array.min()), float(array.max())
    if not (math.isfinite(low) and math.isfinite(high)):
        raise EngineError(f"{name}: expected finite numbers, got NaN or infinity; clean the array")
    slack = OVERSHOOT if array.dtype.kind == "f" else 0.0
    top = float(next((top for top in TOPS if high <= top * (1 + slack)), high))
    if low < -slack * top or (slack and _is_unclear(high, slack)):
        raise EngineError(
            f"{name}: expected values in [0, 1] or [0, 255] on a background of 0, got {low:g} to "
            f"{high:g}; rescale them to [0, 1]"
        )
    return Scale(array.dtype.name, low, high, top)


def _is_unclear(high: float, slack: float) -> bool:
    return any(top * (1 + slack) < high <= top * UNCLEAR for top in TOPS[:-1])
