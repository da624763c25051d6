"""The network for rotated digits (section 4.1): seven layers without padding, 28 px to 1."""

from torch import Tensor, nn

from ia_engine.equivariant.builder import Builder
from ia_engine.equivariant.layers import Block, Dropout, MaxPool, pool_coset

DROPPED = (1, 3, 4, 5, 6)
RATE = 0.3
SIDE = 28


class RotatedCnn(nn.Module):
    """28 → 26 → 24 → pool → 12 → 10 → 8 → 6 → 4 → 1; the greatest of all poses at the end."""

    def __init__(self, build: Builder, channels: int, classes: int = 10, source: int = 1) -> None:
        super().__init__()
        blocks = [
            Block(
                build.convolve(channels, channels, 3) if k > 1 else build.lift(source, channels, 3),
                build.normalise(channels),
                *([MaxPool()] if k == 2 else []),
                *([Dropout(RATE)] if k in DROPPED else []),
            )
            for k in range(1, 7)
        ]
        self.blocks = nn.Sequential(*blocks)
        self.head = build.convolve(channels, classes, 4)

    def forward(self, v: Tensor) -> Tensor:
        return pool_coset(self.head(self.blocks(v[:, :, None]))).flatten(1)
