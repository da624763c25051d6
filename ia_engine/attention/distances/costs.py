"""A model, with measured constants, of the time and memory for the distances between n images.

The constants were measured with rotated digits of 28×28 pixels over SE(2), in float32, on one core
of an ordinary server without a GPU. The cost per image does not depend on the number of images. The
pairs are divided among the processes.
"""

from dataclasses import dataclass
from typing import Final

IMAGE: Final = 0.9e-3
"""CPU seconds to prepare one image, which every process does for all images."""
PAIR: Final = 81e-6
"""CPU seconds per pair for both directions, at n = 1,000."""
COARSE: Final = 4e-6
"""CPU seconds per pair in the coarse search, at n = 500 to 2,000."""
REFINED: Final = 115e-6
"""CPU seconds per refined pair; twice as many pairs are refined as are returned."""
HELD: Final = 0.23e6
"""Bytes per image in each process: rotated copies, crops and derivatives."""
TABLE: Final = 76
"""Peak bytes per entry of the n × n tables, mostly for the poses of both directions; measured at n
= 1,500."""
BLOCKS: Final = 40
"""Bytes on disk per entry of the n × n tables, as long as blocks are stored."""
POSE: Final = 24
"""Bytes per neighbour: index, distance and pose."""


@dataclass(frozen=True)
class Cost:
    """The cost of one computation of the distances by several processes."""

    seconds: float
    """Time until the last process finishes."""
    memory: float
    """Bytes per process."""
    disk: float
    """Bytes of finished blocks."""


def price_all_pairs(n: int, processes: int = 1) -> Cost:
    """Return the cost of exact distances between all pairs, as computed by `align`. The result is n
    × n."""
    pairs = n * (n - 1) / 2
    return Cost(IMAGE * n + PAIR * pairs / processes, HELD * n + TABLE * n**2, BLOCKS * n**2)


def price_nearest(n: int, k: int = 20, processes: int = 1) -> Cost:
    """Return the cost of finding the k nearest images of each image with `align_nearest`. The
    result is n × k."""
    work = COARSE * n**2 + REFINED * 2 * k * n
    kept = POSE * n * k
    return Cost(IMAGE * n + work / processes, HELD * n + 2 * kept, kept)


def tabulate_costs(sizes: tuple[int, ...] = (10_000, 100_000, 1_000_000), many: int = 64) -> str:
    """Return a Markdown table of both methods at the given sizes, with one process and with
    `many`."""
    lines = [
        f"| n | pairs | 1 core | {many} cores | memory of each process | blocks on disk |",
        "|---|---|---|---|---|---|",
    ]
    for n in sizes:
        for name, price in (("all, exactly", price_all_pairs), ("20 nearest", price_nearest)):
            one, all_of_them = price(n), price(n, processes=many)
            cells = (
                f"{n:,}",
                name,
                _in_time(one.seconds),
                _in_time(all_of_them.seconds),
                _in_bytes(one.memory),
                _in_bytes(one.disk),
            )
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _in_time(seconds: float) -> str:
    for unit, length in (("years", 365.25 * 86400), ("days", 86400), ("hours", 3600), ("min", 60)):
        if seconds >= length:
            return f"{seconds / length:,.1f} {unit}"
    return f"{seconds:,.0f} s"


def _in_bytes(size: float) -> str:
    for unit, length in (("PB", 1e15), ("TB", 1e12), ("GB", 1e9)):
        if size >= length:
            return f"{size / length:,.1f} {unit}"
    return f"{size / 1e6:,.0f} MB"
