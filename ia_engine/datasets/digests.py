"""Digests: short names by which runs and caches recognise their data.

Pixels that a program computes differ in their last bits between processors, and rounding only moves
the problem: a value near a rounding boundary still falls to either side. Hence there are two rules:

- data that a recipe makes are named by the recipe (`digest_recipe`), and no pixel is hashed;
- data from files, whose bytes are the same everywhere, are named by these bytes (`digest_bytes`).
"""

import hashlib
from collections.abc import Iterable
from string import hexdigits
from typing import Final

import torch
from torch import Tensor

VERSION: Final = 1
"""Raise this when a recipe begins to make different images; `test_digests.py` notices it."""
LENGTH: Final = 64


def digest_recipe(made: str, *parts: object) -> str:
    """A digest of what makes the data, and of parts that are exact on every machine.

    It begins with "r", which no hexadecimal number does, and with the version of the recipes.
    """
    content = hashlib.sha256(repr((made, *parts)).encode()).hexdigest()
    return f"r{VERSION}-{content}"[:LENGTH]


def digest_bytes(*parts: Tensor | str | None) -> str:
    """SHA-256 over texts and tensors: floats as float32, whole numbers as int64."""
    content = hashlib.sha256()
    for part in parts:
        if isinstance(part, str):
            content.update(part.encode())
        elif part is not None:
            content.update(_to_bytes(part))
    return content.hexdigest()


def is_of_first_pixels(digest: str) -> bool:
    """True if this is a digest of pixels, and recipes still make the images of that time."""
    return VERSION == 1 and len(digest) == LENGTH and not set(digest) - set(hexdigits)


def list_labels(labels: Tensor | None) -> Iterable[int] | None:
    """Labels as numbers, for `digest_recipe`."""
    return None if labels is None else labels.tolist()


def _to_bytes(x: Tensor) -> bytes:
    if x.dtype != torch.uint8:
        x = x.to(torch.float32 if x.is_floating_point() else torch.int64)
    return x.detach().cpu().contiguous().numpy().tobytes()
