"""How much memory finished runs may hold, and which are let go when it is more."""

from collections.abc import Sequence
from typing import Any, Protocol

MOST = 1 << 30
"""Bytes of all finished runs of all viewers."""


class Holder(Protocol):
    """A finished run: what it holds on to."""

    @property
    def history(self) -> Sequence[Any]: ...


def weight(holder: Holder) -> int:
    """Bytes of the items that say how many they have; numbers and words count as nothing."""
    return sum(getattr(item, "nbytes", 0) for item in holder.history)


def too_many(oldest_first: Sequence[Holder], most: int | None = None) -> int:
    """So many of the oldest are to be let go; the newest stays, whatever it holds."""
    held = 0
    for at, holder in enumerate(reversed(oldest_first)):
        held += weight(holder)
        if at and held > (MOST if most is None else most):
            return len(oldest_first) - at
    return 0
