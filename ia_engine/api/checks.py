"""Checks the arguments of the library's functions before they compute anything."""

from collections.abc import Mapping
from numbers import Integral, Real
from typing import Final

import torch

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.datasets.data import BLANK, ImageSet, find_flaws
from ia_engine.devices import list_devices
from ia_engine.errors import EngineError
from ia_engine.params import parameters

TRAINING: Final = ("iterations", "budget", "seeds")
OPTIONS: Final = {
    "ia": ("group",),
    "ka": (),
    "kmeans": TRAINING,
    "gmm": TRAINING,
    **dict.fromkeys(("ti", "dti-kmeans", "dti-gmm"), ("sequence", *TRAINING)),
}
"""The options of `cluster` that each method uses."""


def check_k(k: object, n: int) -> int | None:
    """Return k. Raises EngineError unless it is a whole number from 1 to the number of images n.

    >>> check_k(None, 3) is None, check_k(2, 3)
    (True, 2)
    """
    if k is None:
        return None
    if isinstance(k, bool) or not isinstance(k, Integral):
        raise EngineError(f"k must be a whole number or None; got {k!r}")
    whole = int(k)
    if not 1 <= whole <= n:
        raise EngineError(f"k must be between 1 and the number of images, {n}; got {k}")
    return whole


def check_options(method: str, given: Mapping[str, object]) -> None:
    """Raise EngineError if an option is given that the method does not use."""
    for name, value in given.items():
        if value is not None and name not in OPTIONS[method]:
            users = ", ".join(user for user, names in OPTIONS.items() if name in names)
            raise EngineError(
                f"the method {method} does not use {name}: omit it, or choose one of {users}"
            )


def check_training(budget: object, seeds: object) -> None:
    """Raise EngineError unless the training has some time and at least one seed."""
    if budget is not None and (not isinstance(budget, Real) or not float(budget) > 0):
        raise EngineError(f"budget must be a number of CPU seconds above 0; got {budget!r}")
    if isinstance(seeds, bool) or not isinstance(seeds, Integral) or int(seeds) < 1:
        raise EngineError(f"seeds must be a whole number of at least 1; got {seeds!r}")


def check_sigma(sigma: float) -> None:
    """Raise EngineError unless the smoothing [px] is in its range."""
    for parameter in parameters(AttentionConfig):
        if parameter.name == "sigma":
            parameter.about.check("sigma", sigma)


def check_device(device: torch.device | str) -> None:
    """Raise EngineError unless torch can use the device on this machine."""
    try:
        torch.empty(0, device=device)
    except (RuntimeError, AssertionError) as error:  # torch raises these for a missing device
        raise EngineError(
            f"device must be one of {', '.join(list_devices())} on this machine; got '{device}'"
        ) from error


def check_visible(data: ImageSet) -> None:
    """Raise EngineError if all images are blank, because there is nothing to compare."""
    if bool((find_flaws(data.images) == BLANK).all()):
        raise EngineError(
            "the images must differ from their background, which is 0; got only blank images: "
            "check the files, or their background"
        )
