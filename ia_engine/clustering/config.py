"""Settings of a clustering run: its model, number of clusters, transformations and training."""

import json
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Final, Self

from ia_engine.clustering.modules import MODULES, Canvas, parse
from ia_engine.errors import EngineError
from ia_engine.params import Choice, Config, Range, read_json
from ia_engine.transforms.base import OUTSIDE

MODELS: Final = ("dti-kmeans", "dti-gmm", "ti", "kmeans", "gmm")
ENCODERS: Final = ("quick", "resnet20", "resnet18")
EDITION: Final = 2
RENAMED: Final = {"morphology": "morphology-signed"}
"""Maps module names of edition 1 to the current names."""
MODULE_NAMES: Final = tuple(MODULES)
SHARES: Final[dict[int, tuple[float, ...]]] = {
    0: (0.93,),
    1: (0.03, 0.93),
    2: (0.03, 0.4, 0.93),
    3: (0.03, 0.4, 0.6, 0.93),
}
"""For each number of modules: the fractions of the run after which each module starts, and after
which the learning rate drops."""


@dataclass(frozen=True)
class ClusterConfig(Config):
    """Settings of a clustering model and its training; `sequence` and `shares` are checked as
    well."""

    model: Annotated[
        str,
        Choice(
            "model",
            MODELS,
            "how transformations are found: predicted (dti-kmeans, dti-gmm), optimised for "
            "every image (ti), or not at all (kmeans, gmm)",
        ),
    ] = "dti-kmeans"
    k: Annotated[int, Range("K", 1, 200, "number of clusters")] = 10
    sequence: str = "affine,morphology,tps"
    encoder: Annotated[
        str, Choice("encoder", ENCODERS, "network that extracts the features of an image")
    ] = "quick"
    iterations: Annotated[int, Range("N", 1, 1_000_000, "number of training steps", log=True)] = (
        6000
    )
    batch: Annotated[int, Range("B", 2, 1024, "number of images per step", log=True)] = 128
    rate: Annotated[float, Range("η", 1e-5, 0.05, "learning rate of Adam", log=True)] = 3e-3
    curriculum: Annotated[
        str,
        Choice(
            "curriculum",
            ("shares", "convergence", "off"),
            "when modules start; shares: after fixed shares of the run; convergence: whenever "
            "the loss has converged; off: all at the beginning",
        ),
    ] = "shares"
    shares: tuple[float, ...] = ()
    reassign: Annotated[
        float,
        Range(
            "ρ", 0, 0.9, "clusters with less than this share of n/K images are reassigned; 0: never"
        ),
    ] = 0.2
    exchange: Annotated[
        float,
        Range(
            "ε",
            0,
            1,
            "before the second module starts, the most redundant cluster is replaced by a "
            "copy of the cluster with the largest error if removing it costs less than this "
            "share of that error; 0: never",
        ),
    ] = 0.3
    period: Annotated[
        int, Range("T", 1, 10_000, "number of steps between two checks of the clusters")
    ] = 50
    start: Annotated[
        str,
        Choice(
            "start",
            ("sample", "kmeans", "random"),
            "initial prototypes; sample: random images; kmeans: centres of K-means; random: "
            "noise around the mean image",
        ),
    ] = "sample"
    focus: Annotated[
        float,
        Range(
            "σ",
            0,
            64,
            "standard deviation of Gaussian pixel weights around the centre; 0: uniform weights",
            "px",
        ),
    ] = 0.0
    outside: Annotated[
        str,
        Choice(
            "outside",
            tuple(OUTSIDE),
            "pixel values outside the canvas; border: the nearest pixel; zeros: 0",
        ),
    ] = "border"

    colors: Annotated[
        str,
        Choice(
            "colours",
            ("kept", "fitted"),
            "kept: prototypes keep their colours; fitted: each channel of a prototype is "
            "scaled and shifted to fit the image before the comparison, and poses are "
            "predicted from the shape alone",
        ),
    ] = "kept"
    predictors: Annotated[
        str,
        Choice(
            "predictors",
            ("apart", "shared"),
            "apart: every prototype has its own predictor, as in the paper; shared: all "
            "prototypes share one predictor, and each adds its own correction",
        ),
    ] = "apart"

    def __post_init__(self) -> None:
        super().__post_init__()
        modules, shares = len(parse(self.sequence)), self.shares
        rising = all(0 <= a <= b <= 1 for a, b in pairwise((0.0, *shares)))
        if shares and (len(shares) != modules + 1 or not rising):
            raise EngineError(
                f"shares must be {modules + 1} numbers from 0 to 1 in ascending order, one for "
                f"each module and one for the drop of the learning rate; got {shares!r}"
            )

    def to_json(self) -> str:
        """Return the config as JSON text, with the edition of its module names."""
        return json.dumps({**json.loads(super().to_json()), "edition": EDITION}, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read the config from JSON text that was written by this or an earlier version.

        In text without an edition, `morphology` refers to what is now called `morphology-signed`.
        """
        values = read_json(text)
        if isinstance(values, dict) and values.pop("edition", 1) == 1:
            names = str(values.get("sequence", cls.sequence)).split(",")
            renamed = (RENAMED.get(name.strip(), name) for name in names)
            values["sequence"] = ",".join(renamed)
        return cls.from_values(values)

    @property
    def modules(self) -> tuple[str, ...]:
        """The names of the modules in the sequence; there are none for kmeans and gmm."""
        return () if self.model in ("kmeans", "gmm") else parse(self.sequence)

    @property
    def mixture(self) -> bool:
        """True if each cluster is a Gaussian with its own variances and weight."""
        return self.model in ("gmm", "dti-gmm")

    def starts(self) -> tuple[float, ...]:
        """Return the fractions of the run after which each module starts and the learning rate
        drops."""
        count = len(self.modules)
        if self.shares and len(self.shares) == count + 1:
            return self.shares
        return SHARES.get(count) or (*(0.03 + 0.7 * k / count for k in range(count)), 0.93)

    def canvas(self, channels: int, height: int, width: int) -> Canvas:
        return Canvas(channels, height, width, self.outside)
