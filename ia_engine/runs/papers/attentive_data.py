"""Loads as many training images for the attentive G-CNNs as the budget allows."""

from typing import Final

from ia_engine.datasets.cache import data_folder
from ia_engine.equivariant.pcam import is_tissue, load_tissue
from ia_engine.equivariant.splits import (
    Part,
    Splits,
    load_folder,
    rotated_digits,
    split_images,
)
from ia_engine.errors import EngineError
from ia_engine.runs.papers.entry import Effort
from ia_engine.runs.papers.needs import need_tissue

PCAM: Final = "pcam"
NEED_PCAM: Final = need_tissue(PCAM)
MAX_IMAGES: Final = 2000
MAX_TEST_DIGITS: Final = 10_000
"""Maximum number of test digits, enough to resolve differences of 0.25 %."""


def load_digits(effort: Effort) -> Splits:
    """Load rotated digits of MNIST or, if MNIST is not available, of scikit-learn."""
    few = round(max(60, 20 * effort.budget))
    train = round(min(10_000, max(200, 100 * effort.budget)))
    return rotated_digits(train, min(few, MAX_IMAGES), min(few, MAX_TEST_DIGITS), effort.seed)


def load_pcam(effort: Effort) -> Splits:
    """Load the images of the user or, if there are none, PCam from its folder in IA_DATA."""
    if effort.given is not None:
        return split_images(effort.given, effort.seed)
    folder = data_folder()
    if folder is None:
        raise EngineError(
            f"PCam is read from the folder {PCAM} in IA_DATA: set the environment variable IA_DATA"
        )
    if is_tissue(folder / PCAM):
        return load_tissue(folder / PCAM, _limit(effort))
    return _first(load_folder(folder / PCAM), _limit(effort))


def _limit(effort: Effort) -> int:
    return round(min(MAX_IMAGES, max(16, 10 * effort.budget)))


def _first(data: Splits, limit: int) -> Splits:
    def cut(part: Part) -> Part:
        return Part(part.images[:limit], part.labels[:limit])

    train, validation, test = map(cut, (data.train, data.validation, data.test))
    return Splits(train, validation, test, data.classes, data.about)
