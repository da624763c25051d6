"""Images without content: blank, nearly constant or saturated."""

from collections.abc import Iterator
from typing import Final

import torch
from torch import Tensor

from ia_engine.shapes import Images

LEAST_CONTRAST: Final = 1 / 32
"""Images with a smaller range of values are nearly constant."""
MOST_SATURATED: Final = 0.95
"""Images with a larger share of values at 1 are saturated."""
AT_TOP: Final = 0.999
SOUND, BLANK, CONSTANT, SATURATED = range(4)
_TEXTS: Final = {
    BLANK: "blank: nothing differs from the border",
    CONSTANT: "nearly constant: the values span less than "
    f"{100 * LEAST_CONTRAST:.0f} % of the scale",
    SATURATED: f"saturated: more than {100 * MOST_SATURATED:.0f} % of the values are at the "
    "maximum",
}


def find_flaws(images: Images) -> Tensor:
    """The flaw of each image [n c h w] in [0, 1], [n]; SOUND for most.

    >>> find_flaws(torch.ones(2, 1, 4, 4) * torch.tensor([0.0, 0.5])[:, None, None, None]).tolist()
    [1, 2]
    """
    pixels = images.flatten(2)
    contrast = (pixels.amax(2) - pixels.amin(2)).amax(1)
    flaws = torch.full_like(contrast, SOUND)
    flaws[(pixels > AT_TOP).float().mean((1, 2)) > MOST_SATURATED] = SATURATED
    flaws[contrast < LEAST_CONTRAST] = CONSTANT
    flaws[pixels.amax((1, 2)) == 0] = BLANK
    return flaws.long()


def describe_constant(images: Images) -> str:
    """A sentence if some of the images [n c h w] have nothing to compare; otherwise "".

    >>> describe_constant(torch.zeros(2, 1, 4, 4))
    '2 of 2 images are blank or nearly constant: attention cannot tell them apart.'
    """
    flaws = find_flaws(images)
    n = int(((flaws == BLANK) | (flaws == CONSTANT)).sum())
    if not n:
        return ""
    return (
        f"{n:,} of {len(images):,} images are blank or nearly constant: attention cannot tell "
        "them apart."
    )


def describe_flaws(flaws: Tensor) -> Iterator[str]:
    """A sentence for each kind of flaw.

    >>> list(describe_flaws(torch.tensor([0, 1])))
    ['1 image is blank: nothing differs from the border']
    """
    for flaw, text in _TEXTS.items():
        n = int((flaws == flaw).sum())
        if n:
            yield f"{n:,} image{' is' if n == 1 else 's are'} {text}"
