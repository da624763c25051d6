"""All pairs of images need room: too many are refused before the machine is out of it."""

import os

from ia_engine.errors import EngineError

KEPT = 10
"""Numbers a pair that a step keeps: distance, weight and the coordinates of a pose."""
PLAIN, POSED = 8, 280
"""Numbers a pair while it is compared: without poses, and with rival ones, there and back."""
SOUGHT = 24
"""The same by the global search, which holds rival poses of one block alone."""


def check_memory(n: int, steps: int, numbers: int = POSED, processes: int = 1) -> None:
    """An error if n images in so many steps would need more memory than there is.

    Every process of this machine holds all pairs.
    """
    needed, there = 4 * n * n * (numbers + KEPT * steps) * processes, _memory()
    if needed > there:
        raise EngineError(
            f"all pairs of {n:,} images in {steps} steps need about {needed / 1e9:,.0f} GB of "
            f"memory, this machine has {there / 1e9:,.0f} GB: choose a smaller --limit"
            + (" or fewer processes" if processes > 1 else "")
        )


def _memory() -> int:
    """Bytes of this machine; as good as endless where the system does not say."""
    names = ("SC_PAGE_SIZE", "SC_PHYS_PAGES")
    if any(name not in getattr(os, "sysconf_names", {}) for name in names):
        return 1 << 60
    return os.sysconf(names[0]) * os.sysconf(names[1])
