"""Rejects runs whose pairs of images would need more memory than the machine has."""

import os

from ia_engine.errors import EngineError

KEPT = 10
"""Number of values that a step stores per pair: the distance, the weight and the coordinates of the
pose."""
VALUES_WITHOUT_POSES, VALUES_WITH_POSES = 8, 280
"""Number of values per pair while distances are computed, without poses and with candidate
poses."""
VALUES_GLOBAL_SEARCH = 24
"""The same for the global search, which stores candidate poses for only one block at a time."""


def check_memory(n: int, steps: int, numbers: int = VALUES_WITH_POSES, processes: int = 1) -> None:
    """Raise EngineError if n images, with this number of steps, need more memory than the machine
    has.

    Every process on this machine stores all pairs.
    """
    needed, there = 4 * n * n * (numbers + KEPT * steps) * processes, _memory()
    if needed > there:
        raise EngineError(
            f"all pairs of {n:,} images in {steps} steps need about {needed / 1e9:,.0f} GB of "
            f"memory, but this machine has {there / 1e9:,.0f} GB: choose a smaller --limit"
            + (" or fewer processes" if processes > 1 else "")
        )


def _memory() -> int:
    """Return the memory of this machine [bytes], or a very large value if it is unknown."""
    names = ("SC_PAGE_SIZE", "SC_PHYS_PAGES")
    if any(name not in getattr(os, "sysconf_names", {}) for name in names):
        return 1 << 60
    return os.sysconf(names[0]) * os.sysconf(names[1])
