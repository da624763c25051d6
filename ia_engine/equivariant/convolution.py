"""Lifting and group convolution (eq. 11-13): plane convolutions with the filter under every h."""

import math
from functools import reduce
from typing import Final

import torch
from torch import Generator, Tensor, nn
from torch.nn import functional

from ia_engine.equivariant.groups import FiniteGroup, indices
from ia_engine.errors import EngineError

Device = torch.device | str | None

TERMS: Final = 200
"""In evaluation so many terms are summed at once, and then these sums: a long sum rounds more."""


class Convolution(nn.Module):
    """[f ⋆ ψ](x, h) = haar · Σ_c~,h~ [f_c~ ⋆ L_h ψ_c~](x, h~), without a bias."""

    index: Tensor

    def __init__(
        self,
        group: FiniteGroup,
        source: int,
        filters: int,
        kernel: int,
        *,
        lifts: bool,
        stride: int = 1,
        padding: int = 0,
        generator: Generator | None = None,
        device: Device = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        index = indices(group, kernel, lifts)
        self.group, self.haar = group, 1.0 if lifts else group.haar  # H is not summed in a lifting
        self.kernel, self.stride, self.padding = kernel, stride, padding
        self.poses, self.depth = len(index), len(index[0]) // kernel**2
        self.register_buffer("index", torch.tensor(index, device=device), persistent=False)
        fan = source * len(index[0])
        weight = draw(filters, source, len(index[0]), generator=generator, dtype=dtype)
        self.weight = nn.Parameter((weight * (math.sqrt(2 / fan) / self.haar)).to(device))

    @property
    def fibre(self) -> tuple[int, int]:
        """How many filters there are, and under how many elements: [o h]."""
        return len(self.weight), self.poses

    def turned(self) -> Tensor:
        """The filters under every element, times the Haar measure, [o h i h~ k k]."""
        filters, source, _ = self.weight.shape
        turned = turn_filters(self.weight, self.index) * self.haar
        shape = (filters, self.poses, source, self.depth, self.kernel, self.kernel)
        return turned.view(shape)

    def forward(self, f: Tensor) -> Tensor:
        """[n i h~ y x] to [n o h y x]."""
        if f.ndim != 5 or f.shape[1:3] != (self.weight.shape[1], self.depth):
            raise EngineError(
                f"f needs the axes [n {self.weight.shape[1]} {self.depth} y x]; got "
                f"{tuple(f.shape)}"
            )
        weight = self.turned().flatten(2, 3).flatten(0, 1)
        # Learning does not feel the rounding, but a step of α_F would take a fifth longer.
        parts = 1 if self.training else -(-weight[0].numel() // TERMS)
        some = zip(*(x.chunk(parts, 1) for x in (f.flatten(1, 2), weight)), strict=True)
        found = reduce(torch.add, (self._convolve(x, filters) for x, filters in some))
        return found.unflatten(1, (-1, self.poses))

    def each_pose(self, f: Tensor) -> Tensor:
        """A lifting where every pose h reads a picture of its own: [n i h y x] to [n o h y x]."""
        weight = self.turned().transpose(0, 1)[:, :, :, 0].flatten(0, 1)
        found = self._convolve(f.transpose(1, 2).flatten(1, 2), weight, self.poses)
        return found.unflatten(1, (self.poses, -1)).transpose(1, 2)

    def _convolve(self, f: Tensor, weight: Tensor, groups: int = 1) -> Tensor:
        return functional.conv2d(f, weight, None, self.stride, self.padding, 1, groups)


def turn_filters(weight: Tensor, index: Tensor) -> Tensor:
    """L_h of filters on the group or on the plane: [o i h~kk] to [o h i h~kk]."""
    turned = weight.index_select(2, index.flatten())
    return turned.unflatten(2, index.shape).transpose(1, 2).contiguous()


def draw(*shape: int, generator: Generator | None, dtype: torch.dtype | None = None) -> Tensor:
    """Normal numbers, drawn on the CPU: the same ones whatever the device."""
    return torch.randn(shape, generator=generator, dtype=dtype, device="cpu")
