"""ResNet44 (section 4.2): three stages of seven residual blocks, two layers each."""

from itertools import pairwise

from torch import Tensor, nn

from ia_engine.equivariant.builder import Builder
from ia_engine.equivariant.layers import Block, MaxPool, pool_coset

BLOCKS = 7


class ResidualBlock(nn.Module):
    """Two layers beside a shortcut, which is a 1×1 layer where channels or size change."""

    def __init__(self, build: Builder, source: int, filters: int, exact: bool) -> None:
        super().__init__()
        widens = source != filters
        stride = 2 if widens and not exact else 1
        pool = [MaxPool()] if widens and exact else []
        self.first = Block(
            build.convolve(source, filters, 3, stride=stride, padding=1),
            build.normalise(filters),
            *pool,
        )
        second = build.convolve(filters, filters, 3, padding=1)
        self.second = Block(second, build.normalise(filters), relu=False)
        shortcut = [build.convolve(source, filters, 1, stride=stride), *pool] if widens else []
        self.shortcut = nn.Sequential(*shortcut)

    def forward(self, f: Tensor) -> Tensor:
        found: Tensor = self.second(self.first(f)) + self.shortcut(f)
        return found.relu()


class ResNet(nn.Module):
    """One layer, three stages of ever more channels, and a 1×1 layer for the classes."""

    def __init__(
        self, build: Builder, widths: tuple[int, ...], exact: bool = True, classes: int = 10
    ) -> None:
        super().__init__()
        start = Block(build.lift(3, widths[0], 3, padding=1), build.normalise(widths[0]))
        sources = [widths[0], *(width for width in widths for _ in range(BLOCKS))]
        pairs = pairwise(sources)
        stages = [ResidualBlock(build, source, filters, exact) for source, filters in pairs]
        self.blocks = nn.Sequential(start, *stages)
        self.head = build.convolve(widths[-1], classes, 1)

    def forward(self, v: Tensor) -> Tensor:
        f = self.blocks(v[:, :, None]).mean((3, 4), keepdim=True)
        return pool_coset(self.head(f)).flatten(1)
