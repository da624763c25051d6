"""How uploaded pictures are brought to one canvas."""

from dataclasses import dataclass
from typing import Annotated, Final

from ia_engine.datasets.scaling import SCALE
from ia_engine.params import Choice, Config, Range


@dataclass(frozen=True)
class UploadConfig(Config):
    """The canvas, the background, the colour and how many images are read."""

    size: Annotated[int, Range("h", 16, 256, "side of the canvas", unit="px")] = 64
    margin: Annotated[
        float,
        Range(
            "m", 0, 0.3, "empty share of the canvas on each side; 0.15 keeps turned copies inside"
        ),
    ] = 0.15
    background: Annotated[
        str,
        Choice(
            "background",
            ("auto", "keep", "subtract", "invert", "alpha"),
            "auto compares ink with the border and inverts all images of a file or none; subtract "
            "keeps what is brighter than the border, invert what is darker (colours become "
            "complementary); alpha uses transparency alone; keep changes nothing",
        ),
    ] = "auto"
    color: Annotated[
        str,
        Choice("color", ("auto", "gray", "rgb"), "auto is one channel if no picture has a colour"),
    ] = "auto"
    limit: Annotated[int, Range("n", 1, 10_000, "how many images are read at most")] = 1000
    cut: Annotated[
        str,
        Choice(
            "cut",
            ("whole", "square"),
            "whole keeps all of a picture; square takes the largest square in its middle",
        ),
    ] = "whole"
    scale: Annotated[str, SCALE] = "stack"


PHOTOGRAPHS: Final = UploadConfig(
    size=128, margin=0.0, background="keep", color="rgb", cut="square"
)
"""As collections of photographs are clustered: their middle, with its colours."""
