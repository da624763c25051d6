"""Transformation modules (4.1). They apply to prototypes the same transforms that generate data.

A parameter of 1 is about the largest useful change: half the canvas for a translation, or 1 for a
weight. At 0, every module is exactly the identity, with a non-zero derivative.

A sequence applies its modules one after the other, T_β = T_β^M ∘ … ∘ T_β^1, and inverts them in
reverse order.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, final

import torch
from torch import Tensor

from ia_engine.errors import EngineError
from ia_engine.images import Images, Poses
from ia_engine.transforms import TRANSFORMS
from ia_engine.transforms.base import PlanarWarp, Transform, read
from ia_engine.transforms.morphology import Morphology, SignedMorphology


@dataclass(frozen=True)
class Canvas:
    """Size of the images that a module acts on, and the values outside them."""

    channels: int
    height: int
    width: int
    outside: str = "border"


class Module(ABC):
    """A transformation on a canvas: `act` applies it, and `undo` inverts it."""

    spatial: ClassVar[bool] = False
    """True if the module moves points; it is then applied to variances as well."""
    name: str
    count: int
    """p, the number of parameters."""

    @abstractmethod
    def act(self, v: Images, params: Poses) -> Images:
        """Return v[i] transformed by params[i]."""

    @abstractmethod
    def undo(self, v: Images, params: Poses) -> Images:
        """Invert `act`; return v if there is no inverse."""


@final
class Identity(Module):
    """The identity, without parameters."""

    def __init__(self, name: str, canvas: Canvas, like: Tensor) -> None:
        self.name, self.count = name, 0

    def act(self, v: Images, params: Poses) -> Images:
        return v

    def undo(self, v: Images, params: Poses) -> Images:
        return v


@final
class Spatial(Module):
    """An affine, projective or thin plate spline transformation of points, with bilinear
    sampling."""

    spatial = True

    def __init__(self, name: str, canvas: Canvas, like: Tensor) -> None:
        warp = TRANSFORMS[name]
        self.name, self.count = name, warp.dimension()
        self.warp = PlanarWarp.on(warp, canvas.height, canvas.width, like)
        self.outside, self.units = canvas.outside, _units(warp, canvas, like)

    def act(self, v: Images, params: Poses) -> Images:
        return self.warp.act(v, params * self.units, self.outside)

    def undo(self, v: Images, params: Poses) -> Images:
        return read(v, self.warp.inverse_planes(params * self.units), self.outside)


@final
class ChannelColor(Module):
    """(1 + w_c) v_c + b_c for each channel."""

    def __init__(self, name: str, canvas: Canvas, like: Tensor) -> None:
        self.transform = TRANSFORMS["color"]
        self.name, self.count = name, self.transform.dimension(canvas.channels)

    def act(self, v: Images, params: Poses) -> Images:
        return self.transform.act(v, params)

    def undo(self, v: Images, params: Poses) -> Images:
        weight, bias = params[..., None, None].chunk(2, dim=1)
        return (v - bias) / _away_from_zero(1 + weight)


@final
class FullColor(Module):
    """(I + M) v + b over the channels, which can hide several patterns in one prototype (C.4)."""

    def __init__(self, name: str, canvas: Canvas, like: Tensor) -> None:
        self.name, self.count = name, canvas.channels * (canvas.channels + 1)
        self.channels = canvas.channels

    def act(self, v: Images, params: Poses) -> Images:
        mixing, bias = self._split(params)
        return v + (mixing @ v.flatten(2) + bias).view_as(v)

    def undo(self, v: Images, params: Poses) -> Images:
        mixing, bias = self._split(params)
        whole = mixing + torch.eye(self.channels, device=v.device, dtype=v.dtype)
        return (torch.linalg.pinv(whole) @ (v.flatten(2) - bias)).view_as(v)

    def _split(self, params: Poses) -> tuple[Tensor, Tensor]:
        square = self.channels**2
        mixing = params[:, :square].unflatten(1, (self.channels, self.channels))
        return mixing, params[:, square:, None]


@final
class Morphological(Module):
    """Soft dilation and erosion: equation (6) or its signed variant, without an inverse."""

    def __init__(self, name: str, canvas: Canvas, like: Tensor) -> None:
        self.transform = MORPHOLOGIES[name]
        self.name, self.count = name, self.transform.dimension(canvas.channels)
        self.units = like.new_full((self.count,), WINDOW_UNIT)
        self.units[0] = SHARPNESS_UNIT

    def act(self, v: Images, params: Poses) -> Images:
        return self.transform.act(v, params * self.units)

    def undo(self, v: Images, params: Poses) -> Images:
        return v


MORPHOLOGIES: Final[dict[str, Transform]] = {
    "morphology": Morphology(),
    "morphology-signed": SignedMorphology(),
}
SHARPNESS_UNIT: Final = 10.0
WINDOW_UNIT: Final = 1.0
SMALLEST: Final = 1e-3
"""Minimum magnitude of a factor by which a channel is divided."""

Build = Callable[[str, Canvas, Tensor], Module]
MODULES: dict[str, Build] = {
    "identity": Identity,
    "affine": Spatial,
    "projective": Spatial,
    "tps": Spatial,
    "color": ChannelColor,
    "color-full": FullColor,
    "morphology": Morphological,
    "morphology-signed": Morphological,
}


def _units(warp: Transform, canvas: Canvas, like: Tensor) -> Tensor:
    """Return the unit of each coordinate, which is half the canvas [px] for lengths."""
    rows, columns = max(canvas.height - 1, 1) / 2, max(canvas.width - 1, 1) / 2
    kinds = {
        "stretch": lambda n: [1.0] * n,
        "shift": lambda n: [rows, columns],
        "perspective": lambda n: [1 / rows, 1 / columns],
        "bend": lambda n: [rows] * (n // 2) + [columns] * (n // 2),
    }
    parts = (kinds[part.name](part.count) for part in warp.coordinates())
    return like.new_tensor([unit for part in parts for unit in part])


def _away_from_zero(x: Tensor) -> Tensor:
    return torch.where(x.abs() < SMALLEST, torch.copysign(x.new_tensor(SMALLEST), x), x)


LONGEST: Final = 8


def parse(text: str) -> tuple[str, ...]:
    """Return the names in a string such as "affine,morphology,tps"; "" and "identity" give no
    names."""
    names = tuple(part.strip() for part in text.split(",") if part.strip())
    unknown = [name for name in names if name not in MODULES]
    if unknown or len(names) > LONGEST:
        got = repr(unknown[0]) if unknown else f"{len(names)} names"
        raise EngineError(
            f"sequence must be a comma-separated list of at most {LONGEST} names from "
            f"{', '.join(MODULES)}; got {got}"
        )
    return () if names == ("identity",) else names


@dataclass(frozen=True, eq=False)
class Modules:
    """The modules of one sequence on one canvas."""

    parts: tuple[Module, ...]

    @classmethod
    def build(cls, names: Sequence[str], canvas: Canvas, like: Tensor) -> "Modules":
        return cls(tuple(MODULES[name](name, canvas, like) for name in names))

    def transform(self, v: Images, params: Sequence[Poses]) -> Images:
        """Transform v by as many modules as there are tensors of parameters [n p]."""
        for part, values in zip(self.parts, params, strict=False):
            v = part.act(v, values)
        return v

    def move(self, variances: Images, params: Sequence[Poses]) -> Images:
        """Apply T*, i.e. only the spatial modules."""
        for part, values in zip(self.parts, params, strict=False):
            variances = part.act(variances, values) if part.spatial else variances
        return variances

    def unfold(self, v: Images, params: Sequence[Poses]) -> Iterator[tuple[str, Images]]:
        """Yield each module's name, and v after this module."""
        for part, values in zip(self.parts, params, strict=False):
            v = part.act(v, values)
            yield part.name, v

    def undo(self, v: Images, params: Sequence[Poses]) -> Images:
        """Map images back onto the prototype by inverting the modules in reverse order."""
        for part, values in reversed(list(zip(self.parts, params, strict=False))):
            v = part.undo(v, values)
        return v
