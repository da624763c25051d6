"""Where equivariance ends: strides on even and odd sides, and what repairs it (appendix C)."""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Generator, Tensor

from ia_engine.equivariant.convolution import Convolution, draw
from ia_engine.equivariant.groups import P4, act
from ia_engine.equivariant.layers import MaxPool
from ia_engine.equivariant.measures import relative_error
from ia_engine.errors import EngineError

EXACT: Final = 1e-5
"""Rounding stays below this relative error, a broken symmetry far above it."""


@dataclass(frozen=True, eq=False)
class StrideComparison:
    """One p4 convolution of a random function on the group, and of the same turned by a quarter."""

    side: int
    stride: int
    exact: bool
    error: float
    """Relative, L2, over all poses."""
    response: Tensor
    """Of the first pose, [y x]."""
    turned_back: Tensor
    difference: Tensor


def compare_strides(
    side: int, stride: int = 2, kernel: int = 3, padding: int = 1, *, seed: int = 0,
    pooled: bool = False,
) -> StrideComparison:  # fmt: skip
    """pooled: the greatest of 2×2 pixels follows."""
    if side + 2 * padding < kernel or side < 2:
        raise EngineError(f"the side needs room for a {kernel}×{kernel} filter; got {side}")
    generator = Generator(device="cpu").manual_seed(seed)
    layer = Convolution(
        P4, 1, 1, kernel, lifts=False, stride=stride, padding=padding,
        generator=generator, device="cpu", dtype=torch.float32,
    )  # fmt: skip
    f = draw(1, 1, len(P4), side, side, generator=generator, dtype=torch.float32)

    def respond(f: Tensor) -> Tensor:
        found: Tensor = layer(f).detach()
        return MaxPool()(found) if pooled else found

    response, turned_back = respond(f), act(P4, 3, respond(act(P4, 1, f)))
    error = relative_error(turned_back, response)
    first, back = response[0, 0, 0], turned_back[0, 0, 0]
    return StrideComparison(side, stride, error < EXACT, error, first, back, back - first)


def filter_centres(side: int, stride: int, kernel: int, padding: int) -> list[int]:
    """Rows of the picture on which the middle of the filter comes to stand (Figure 9)."""
    count = (side + 2 * padding - kernel) // stride + 1
    return [k * stride + kernel // 2 - padding for k in range(count)]
