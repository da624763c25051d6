"""What is done to a batch before the network sees it: nothing, or as for CIFAR10+."""

from collections.abc import Callable
from typing import Final

import torch
from torch import Generator
from torch.nn import functional

from ia_engine.shapes import Images

MARGIN = 4

Augmentation = Callable[[Images, Generator], Images]


def keep(v: Images, generator: Generator) -> Images:
    """As it is."""
    return v


def shift_and_flip(v: Images, generator: Generator) -> Images:
    """Every image shifted by up to 4 px, every other one mirrored: CIFAR10+."""
    n, _, height, width = v.shape
    padded = functional.pad(v, (MARGIN,) * 4)

    def draw(high: int) -> torch.Tensor:
        return torch.randint(high, (n, 1), generator=generator, device=v.device)

    rows = draw(2 * MARGIN + 1) + torch.arange(height, device=v.device)
    columns = draw(2 * MARGIN + 1) + torch.arange(width, device=v.device)
    columns = torch.where(draw(2) == 1, columns.flip(1), columns)
    image = torch.arange(n, device=v.device)[:, None, None]
    return padded[image, :, rows[:, :, None], columns[:, None]].movedim(3, 1)


AUGMENTATIONS: Final[dict[str, Augmentation]] = {"none": keep, "shift-flip": shift_and_flip}
