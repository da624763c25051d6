"""The data of the lessons, beside those of the catalogue: handwriting, turned and shifted."""

from typing import Final

from ia_engine.datasets.distortions import Distortion
from ia_engine.datasets.generated import GeneratedConfig
from ia_engine.datasets.imageset import Recipe

FEW: Final = 6
MANY: Final = 60


def _write(digits: str, copies: int, size: int, fill: float) -> str:
    """So many of each digit, no two written alike, turned by up to 23° and shifted by 3 px."""
    config = GeneratedConfig(
        bases=tuple(f"digits:{digit}" for digit in digits),
        copies=copies,
        size=size,
        fill=fill,
        distortions=(Distortion("se2", (-0.4, -3.0), (0.4, 3.0)),),
    )
    return Recipe("generated", config).to_json()


THREES_SEVENS: Final = _write("37", FEW, 48, 0.6)
SIXES_NINES: Final = _write("69", FEW, 48, 0.6)
DIGITS: Final = _write("037", MANY, 28, 0.7)
