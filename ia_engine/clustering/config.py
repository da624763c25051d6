"""Settings of a clustering run: model, number of clusters, transformations, training."""

import json
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Final, Self

from ia_engine.clustering.modules import MODULES, Canvas, parse
from ia_engine.errors import EngineError
from ia_engine.params import Choice, Config, Range, read_json
from ia_engine.transforms.planar import OUTSIDE

MODELS: Final = ("dti-kmeans", "dti-gmm", "ti", "kmeans", "gmm")
ENCODERS: Final = ("quick", "resnet20", "resnet18")
EDITION: Final = 2
RENAMED: Final = {"morphology": "morphology-signed"}
"""Modules of edition 1 and their current names."""
MODULE_NAMES: Final = tuple(MODULES)
SHARES: Final[dict[int, tuple[float, ...]]] = {
    0: (0.93,),
    1: (0.03, 0.93),
    2: (0.03, 0.4, 0.93),
    3: (0.03, 0.4, 0.6, 0.93),
}
"""Start of each module and drop of the rate, as shares of the run, by number of modules."""


@dataclass(frozen=True)
class ClusterConfig(Config):
    """A clustering model and its training; `sequence` and `shares` are checked on construction."""

    model: Annotated[
        str, Choice("model", MODELS, "transformations predicted (dti), searched (ti), or none")
    ] = "dti-kmeans"
    k: Annotated[int, Range("K", 1, 200, "number of prototypes")] = 10
    sequence: str = "affine,morphology,tps"
    encoder: Annotated[
        str, Choice("encoder", ENCODERS, "the network that computes the features of an image")
    ] = "quick"
    iterations: Annotated[int, Range("N", 1, 1_000_000, "training steps", log=True)] = 6000
    batch: Annotated[int, Range("B", 2, 1024, "images a step", log=True)] = 128
    rate: Annotated[float, Range("η", 1e-5, 0.05, "Adam's learning rate", log=True)] = 3e-3
    curriculum: Annotated[
        str,
        Choice(
            "curriculum",
            ("shares", "convergence", "off"),
            "modules start at shares of the run, once the loss has settled, or all at once",
        ),
    ] = "shares"
    shares: tuple[float, ...] = ()
    reassign: Annotated[
        float, Range("ρ", 0, 0.9, "a cluster below this share of n/K is given up; 0: never")
    ] = 0.2
    exchange: Annotated[
        float,
        Range(
            "ε",
            0,
            1,
            "before the second module a cluster goes that is missed less than this part of the "
            "largest cluster's error, which is then split; 0: never",
        ),
    ] = 0.3
    period: Annotated[int, Range("T", 1, 10_000, "steps between two checks of the clusters")] = 50
    start: Annotated[
        str, Choice("start", ("sample", "kmeans", "random"), "what the prototypes are at first")
    ] = "sample"
    focus: Annotated[
        float, Range("σ", 0, 64, "Gaussian weights around the centre; 0: all pixels alike", "px")
    ] = 0.0
    outside: Annotated[str, Choice("outside", tuple(OUTSIDE), "values outside the canvas")] = (
        "border"
    )

    colors: Annotated[
        str,
        Choice(
            "colours",
            ("kept", "fitted"),
            "fitted: a prototype takes on the colours that suit an image best, channel by channel, "
            "before they are compared, and its pose is predicted from the shape alone",
        ),
    ] = "kept"
    predictors: Annotated[
        str,
        Choice(
            "predictors",
            ("apart", "shared"),
            "apart: each prototype learns by itself where to go, as in the paper; shared: all "
            "learn one way, and each its own difference from it",
        ),
    ] = "apart"

    def __post_init__(self) -> None:
        super().__post_init__()
        modules, shares = len(parse(self.sequence)), self.shares
        rising = all(0 <= a <= b <= 1 for a, b in pairwise((0.0, *shares)))
        if shares and (len(shares) != modules + 1 or not rising):
            raise EngineError(
                f"shares needs {modules + 1} rising numbers from 0 to 1, one for each module and "
                f"one for the drop of the rate; got {shares!r}"
            )

    def to_json(self) -> str:
        """The config as text, with the edition of its names."""
        return json.dumps({**json.loads(super().to_json()), "edition": EDITION}, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read the config from text that this or an earlier version wrote.

        In text without an edition, `morphology` means what is now called `morphology-signed`.
        """
        values = read_json(text)
        if isinstance(values, dict) and values.pop("edition", 1) == 1:
            names = str(values.get("sequence", cls.sequence)).split(",")
            renamed = (RENAMED.get(name.strip(), name) for name in names)
            values["sequence"] = ",".join(renamed)
        return cls.from_values(values)

    @property
    def modules(self) -> tuple[str, ...]:
        """The names in the sequence; empty for kmeans and gmm."""
        return () if self.model in ("kmeans", "gmm") else parse(self.sequence)

    @property
    def mixture(self) -> bool:
        """True if clusters are Gaussians with their own variances and weights."""
        return self.model in ("gmm", "dti-gmm")

    def starts(self) -> tuple[float, ...]:
        """The shares of the run at which each module starts, and at which the rate drops."""
        count = len(self.modules)
        if self.shares and len(self.shares) == count + 1:
            return self.shares
        return SHARES.get(count) or (*(0.03 + 0.7 * k / count for k in range(count)), 0.93)

    def canvas(self, channels: int, height: int, width: int) -> Canvas:
        return Canvas(channels, height, width, self.outside)
