"""Finite groups H of rotations and reflections, defined by their multiplication tables (eq. 4-7).

A function on the plane has the axes [n c y x], and a function on the group [n c h y x]: L_h[f](x,
h~) = f(h⁻¹x, h⁻¹h~). Another group needs only another table.
"""

import math
from dataclasses import dataclass
from functools import cache
from typing import Final

import torch
from torch import Tensor

from ia_engine.errors import EngineError

Table = tuple[tuple[int, ...], ...]
Matrix2 = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True, eq=False)
class FiniteGroup:
    """A group in which element a times element b is element table[a][b]; element 0 is the
    identity."""

    name: str
    table: Table
    matrices: tuple[Matrix2, ...]
    """The action of each element on a point (p, q), its row (downwards) and column relative to the
    centre."""
    names: tuple[str, ...]
    haar: float = 1.0
    """Haar measure of one element, which is the weight of a term in the sum that approximates
    ∫_H."""

    def __post_init__(self) -> None:
        n = range(len(self.table))
        if any(sorted(row) != list(n) for row in (*self.table, *zip(*self.table, strict=True))):
            raise EngineError(
                f"the table of {self.name} must contain every element once in each row and column"
            )
        if len(self.matrices) != len(self.table) or len(self.names) != len(self.table):
            raise EngineError(f"{self.name} must have a matrix and a name for each of its elements")
        for a in n:
            for b in n:
                self._check_product(a, b)

    def __len__(self) -> int:
        return len(self.table)

    @property
    def inverse(self) -> tuple[int, ...]:
        return tuple(row.index(0) for row in self.table)

    @property
    def shifts(self) -> Table:
        """The action of L_h on h~: shifts[h][h~] is the index of h⁻¹h~."""
        return tuple(self.table[self.inverse[h]] for h in range(len(self)))

    @property
    def directions(self) -> tuple[tuple[int, int], ...]:
        """The direction (p, q) to which each element maps an upward arrow."""
        return tuple((-m[0][0], -m[1][0]) for m in self.matrices)

    def _check_product(self, a: int, b: int) -> None:
        if _times(self.matrices[a], self.matrices[b]) != self.matrices[self.table[a][b]]:
            raise EngineError(
                f"the products of the matrices of {self.name} must agree with its multiplication "
                f"table; that of {self.names[a]} and {self.names[b]} does not"
            )


def act(group: FiniteGroup, element: int, f: Tensor) -> Tensor:
    """Apply L_h to a function on the plane [n c y x] or on the group [n c h y x]."""
    if f.ndim not in (4, 5):
        raise EngineError(f"f must have the axes [n c y x] or [n c h y x]; got {tuple(f.shape)}")
    moved = act_plane(group, element, f)
    if f.ndim == 4 or f.shape[2] == 1:
        return moved
    order = torch.tensor(group.shifts[element], device=f.device)
    return moved.index_select(2, order)


def act_plane(group: FiniteGroup, element: int, f: Tensor) -> Tensor:
    """Apply L_h to the last two axes only."""
    height, width = f.shape[-2:]
    index = torch.tensor(plane_index(group, element, height, width), device=f.device)
    return f.flatten(-2).index_select(-1, index).view(f.shape)


@cache
def plane_index(group: FiniteGroup, element: int, height: int, width: int) -> tuple[int, ...]:
    """Return the index of the pixel h⁻¹x for every pixel x, row by row."""
    (a, b), (c, d) = group.matrices[group.inverse[element]]
    if height != width and (b or c):
        raise EngineError(
            f"a map to which {group.names[element]} is applied must have as many rows as "
            f"columns; got {height}×{width}"
        )
    found = []
    for p in range(1 - height, height, 2):  # twice the distance from the centre, an integer
        for q in range(1 - width, width, 2):
            row, column = (a * p + b * q + height - 1) // 2, (c * p + d * q + width - 1) // 2
            found.append(row * width + column)
    return tuple(found)


@cache
def lifting_index(group: FiniteGroup, kernel: int) -> Table:
    """Return, for each h, the indices of the kernel² values of L_h applied to a filter on the
    plane."""
    return tuple(plane_index(group, h, kernel, kernel) for h in range(len(group)))


@cache
def group_index(group: FiniteGroup, kernel: int) -> Table:
    """Return, for each h, the indices of the |H|·kernel² values of L_h applied to a filter on the
    group."""
    size = kernel * kernel
    return tuple(
        tuple(t * size + x for t in group.shifts[h] for x in plane_index(group, h, kernel, kernel))
        for h in range(len(group))
    )


def indices(group: FiniteGroup, kernel: int, lifts: bool) -> Table:
    """Return the indices for filters on the plane, if `lifts`, or on the group."""
    return lifting_index(group, kernel) if lifts else group_index(group, kernel)


def _times(a: Matrix2, b: Matrix2) -> Matrix2:
    rows = [[sum(a[i][k] * b[k][j] for k in (0, 1)) for j in (0, 1)] for i in (0, 1)]
    return (rows[0][0], rows[0][1]), (rows[1][0], rows[1][1])


def _turn(quarters: int, mirrored: int = 0) -> Matrix2:
    """Return the matrix of an optional left-right reflection, followed by `quarters` anticlockwise
    rotations by 90°."""
    cos, sin = ((1, 0), (0, 1), (-1, 0), (0, -1))[quarters % 4]
    sign = -1 if mirrored else 1
    return (cos, -sin * sign), (sin, cos * sign)


def _p4m_product(a: int, b: int) -> int:
    """Return the product (turn, mirror)(turn', mirror'), in which a reflection reverses the
    direction of the other rotation."""
    turn = a % 4 + (-1 if a >= 4 else 1) * (b % 4)
    return turn % 4 + 4 * ((a >= 4) ^ (b >= 4))


TURNS: Final = ("0°", "90°", "180°", "270°")

Z2: Final = FiniteGroup("z2", ((0,),), (_turn(0),), ("0°",))
"""The trivial group, which gives a plain convolutional network: only translations."""

P4: Final = FiniteGroup(
    name="p4",
    table=tuple(tuple((a + b) % 4 for b in range(4)) for a in range(4)),
    matrices=tuple(_turn(k) for k in range(4)),
    names=TURNS,
    haar=math.pi / 2,
)

P4M: Final = FiniteGroup(
    name="p4m",
    table=tuple(tuple(_p4m_product(a, b) for b in range(8)) for a in range(8)),
    matrices=tuple(_turn(k % 4, k // 4) for k in range(8)),
    names=(*TURNS, *(f"mirror, {turn}" for turn in TURNS)),
    haar=math.pi / 2,
)

GROUPS: Final = {group.name: group for group in (Z2, P4, P4M)}
