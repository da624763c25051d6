"""Refuses runs whose pairs of images would need more memory than the machine has."""

import os

from ia_engine.errors import EngineError

KEPT = 10
"""Numbers per pair that a step stores: distance, weight and the coordinates of a pose."""
PLAIN, POSED = 8, 280
"""Numbers per pair during a comparison: without poses, and with rival poses in both directions."""
SOUGHT = 24
"""The same for the global search, which stores the rival poses of only one block."""


def check_memory(n: int, steps: int, numbers: int = POSED, processes: int = 1) -> None:
    """EngineError if n images in this number of steps need more memory than there is.

    Every process of this machine stores all pairs.
    """
    needed, there = 4 * n * n * (numbers + KEPT * steps) * processes, _memory()
    if needed > there:
        raise EngineError(
            f"all pairs of {n:,} images in {steps} steps need about {needed / 1e9:,.0f} GB of "
            f"memory; this machine has {there / 1e9:,.0f} GB: choose a smaller --limit"
            + (" or fewer processes" if processes > 1 else "")
        )


def _memory() -> int:
    """Memory of this machine in bytes; practically unlimited if the system does not report it."""
    names = ("SC_PAGE_SIZE", "SC_PHYS_PAGES")
    if any(name not in getattr(os, "sysconf_names", {}) for name in names):
        return 1 << 60
    return os.sysconf(names[0]) * os.sysconf(names[1])
