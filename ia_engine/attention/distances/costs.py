"""What the distances of n images cost, in time and memory: a model with measured constants.

Rotated digits on 28×28 over SE(2), one core of a common server, float32, no GPU. An image has its
price whether there are others or not; pairs are what is shared by all processes.
"""

from dataclasses import dataclass
from typing import Final

IMAGE: Final = 0.9e-3
"""CPU seconds to prepare an image, in every process."""
PAIR: Final = 81e-6
"""CPU seconds of a pair, from both sides: n = 1,000."""
COARSE: Final = 4e-6
"""CPU seconds of the coarse look of one image at another: n = 500 to 2,000."""
REFINED: Final = 115e-6
"""CPU seconds of a pair that the coarse look has chosen; there are twice as many as are kept."""
HELD: Final = 0.23e6
"""Bytes of an image in every process: its turns, cuts and derivatives."""
TABLE: Final = 76
"""Bytes for every entry of n × n tables, poses of both sides above all: n = 1,500, at the peak."""
BLOCKS: Final = 40
"""Bytes on disk for every entry, while blocks are kept."""
POSE: Final = 24
"""Bytes of a neighbour: its number, distance and pose."""


@dataclass(frozen=True)
class Cost:
    """Of one pass over the images by so many processes."""

    seconds: float
    """Until the last process is done."""
    memory: float
    """Bytes of each process."""
    disk: float
    """Bytes of finished blocks."""


def price_all_pairs(n: int, processes: int = 1) -> Cost:
    """Every pair exactly, as `align` does it: the result is n × n."""
    pairs = n * (n - 1) / 2
    return Cost(IMAGE * n + PAIR * pairs / processes, HELD * n + TABLE * n**2, BLOCKS * n**2)


def price_nearest(n: int, k: int = 20, processes: int = 1) -> Cost:
    """Every image with its k nearest, as `align_nearest` does it: the result is n × k."""
    work = COARSE * n**2 + REFINED * 2 * k * n
    kept = POSE * n * k
    return Cost(IMAGE * n + work / processes, HELD * n + 2 * kept, kept)


def tabulate_costs(sizes: tuple[int, ...] = (10_000, 100_000, 1_000_000), many: int = 64) -> str:
    """Both ways at these sizes, by one process and by many, as a table in Markdown."""
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
