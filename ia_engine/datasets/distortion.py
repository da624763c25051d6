"""A transform and the range of each of its coordinates: what is done to generated copies."""

from dataclasses import dataclass
from typing import Annotated

import torch
from torch import Generator

from ia_engine.errors import EngineError
from ia_engine.params import Choice, Config
from ia_engine.shapes import Poses
from ia_engine.transforms import TRANSFORMS
from ia_engine.transforms.base import Coordinates


@dataclass(frozen=True)
class Distortion(Config):
    """A transform whose coordinates are drawn evenly between two bounds.

    A bound is one number for each part of the coordinates (turn, shift), or one for each single
    coordinate (θ, b_p, b_q).
    """

    transform: Annotated[
        str, Choice("τ", tuple(TRANSFORMS), "what is done to every copy, each by its own pose")
    ] = "se2"
    low: tuple[float, ...] = (-0.5, -4.0)
    high: tuple[float, ...] = (0.5, 4.0)

    def __post_init__(self) -> None:
        super().__post_init__()
        both_tuples = isinstance(self.low, tuple) and isinstance(self.high, tuple)
        if not both_tuples or len(self.low) != len(self.high):
            raise EngineError(
                f"{self.transform} needs tuples of as many low as high bounds; got "
                f"{self.low} and {self.high}"
            )
        grey = len(TRANSFORMS[self.transform].coordinates(1)), self._dimension(1)
        self.bounds(1 if len(self.low) in grey else 3)

    def bounds(self, channels: int = 1) -> tuple[tuple[Coordinates, float, float], ...]:
        """For every single coordinate its part, its low and its high bound."""
        parts = TRANSFORMS[self.transform].coordinates(channels)
        owners = [index for index, part in enumerate(parts) for _ in range(part.count)]
        if len(self.low) == len(parts):
            places = owners
        elif len(self.low) == len(owners):
            places = list(range(len(owners)))
        else:
            names = ", ".join(part.name for part in parts)
            raise EngineError(
                f"{self.transform} needs {len(parts)} bounds ({names}) or {len(owners)}, one for "
                f"each coordinate; got {len(self.low)}"
            )
        bounds = tuple(
            (parts[owner], self.low[place], self.high[place])
            for owner, place in zip(owners, places, strict=True)
        )
        for bound in bounds:
            self._check(*bound)
        return bounds

    def sample(self, n: int, channels: int, generator: Generator) -> Poses:
        """n poses [n p], evenly between the bounds."""
        bounds = [(low, high) for _, low, high in self.bounds(channels)]
        low, high = torch.tensor(bounds, device="cpu", dtype=torch.float32).unbind(1)
        even = torch.rand(n, len(low), generator=generator, device="cpu", dtype=torch.float32)
        return low + (high - low) * even

    def _check(self, part: Coordinates, low: float, high: float) -> None:
        name = f"{self.transform}'s {part.name}"
        part.range.check(name, low)
        part.range.check(name, high)
        if low > high:
            raise EngineError(f"{name} is drawn from low to high; got {low:g} to {high:g}")

    def _dimension(self, channels: int) -> int:
        return TRANSFORMS[self.transform].dimension(channels)
