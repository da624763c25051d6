"""All-CNN-C (section 4.2): nine convolutions; exact where stride 1 and a pool replace stride 2."""

from torch import Tensor, nn

from ia_engine.equivariant.builder import Builder
from ia_engine.equivariant.layers import Block, Dropout, MaxPool, pool_coset

DROPOUT = 0.5


class AllCnn(nn.Module):
    """Three narrow layers, five wide ones, one for each class; halved after the third and sixth."""

    def __init__(
        self, build: Builder, narrow: int, wide: int, exact: bool = True, classes: int = 10
    ) -> None:
        super().__init__()
        stride = 1 if exact else 2
        pool = [MaxPool()] if exact else []

        def block(source: int, filters: int, kernel: int = 3, padding: int = 1) -> Block:
            layer = build.convolve(source, filters, kernel, padding=padding)
            return Block(layer, build.normalise(filters))

        def halve(channels: int) -> Block:
            layer = build.convolve(channels, channels, 3, stride=stride, padding=1)
            return Block(layer, build.normalise(channels), *pool, Dropout(DROPOUT))

        last = build.convolve(wide, classes, 1)
        self.blocks = nn.Sequential(
            Block(build.lift(3, narrow, 3, padding=1), build.normalise(narrow)),
            block(narrow, narrow),
            halve(narrow),
            block(narrow, wide),
            block(wide, wide),
            halve(wide),
            block(wide, wide, padding=0),
            block(wide, wide, kernel=1, padding=0),
            Block(last, build.normalise(classes), relu=False),
        )

    def forward(self, v: Tensor) -> Tensor:
        return pool_coset(self.blocks(v[:, :, None])).mean((2, 3))
