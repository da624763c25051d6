"""Checks the arguments that several functions of the library have in common.

NumPy scalars are converted to Python numbers, which JSON and the configs require.
"""

from collections.abc import Mapping
from typing import Final, SupportsFloat, SupportsIndex

import torch

from ia_engine.datasets.data import BLANK, ImageSet, find_flaws
from ia_engine.devices import list_devices
from ia_engine.errors import EngineError

Device = torch.device | str
SEEDED: Final = (
    "seed has no effect with {}, which draws no random numbers; to choose the seed of a generated "
    "data set, pass load(name, seed=...)"
)
"""Message for a seed that has no effect because of the argument in braces."""


def read_integer(name: str, value: object, least: int | None = None) -> int:
    """Return a whole number of at least `least` as an int.

    >>> import numpy as np
    >>> read_integer("k", np.int64(3), least=1)
    3
    """
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        raise EngineError(f"{name} must be a whole number; got {value!r}")
    number = value.__index__()
    if least is not None and number < least:
        raise EngineError(f"{name} must be at least {least}; got {number}")
    return number


def read_number(name: str, value: object) -> float:
    """Return a number as a float.

    >>> read_number("sigma", 2)
    2.0
    """
    if isinstance(value, bool) or not isinstance(value, SupportsFloat):
        raise EngineError(f"{name} must be a number; got {value!r}")
    return float(value)


def read_k(k: object, n: int) -> int | None:
    """Return the number of clusters of n images, or None if it is to be estimated."""
    if k is None:
        return None
    number = read_integer("k", k)
    if not 1 <= number <= n:
        raise EngineError(f"k must be between 1 and the number of images, {n}; got {number}")
    return number


def read_device(device: Device) -> torch.device:
    """Return a device that torch can use on this machine.

    >>> read_device("cpu")
    device(type='cpu')
    """
    known = list_devices()
    try:
        found = torch.device(device)
    except RuntimeError:  # the name is unknown
        found = None
    names = {name.partition(":")[0] for name in known}
    if found is None or (str(found) not in known and (found.index or found.type not in names)):
        raise EngineError(f"device must be one of {', '.join(known)}; got {str(device)!r}")
    return found


def refuse_given(given: Mapping[str, object], why: str) -> None:
    """Raise an error if an argument that has no effect is not None.

    >>> refuse_given({"beta": None}, "have no effect with a config: set them in it")
    """
    names = [name for name, value in given.items() if value is not None]
    if names:
        raise EngineError(f"got {', '.join(names)}, but {why}")


def check_visible(data: ImageSet) -> None:
    """Raise EngineError if all images are blank, because there is nothing to compare."""
    if bool((find_flaws(data.images) == BLANK).all()):
        raise EngineError(
            "the images must differ from their background, which is 0; got only blank images: "
            "check the files, or their background"
        )
