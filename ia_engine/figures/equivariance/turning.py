"""A rotating picture and its maps as data for the browser; line styles, colours and number
formats."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ia_engine.equivariant.orbit import DEEP, ComposedOrbit, Orbit, RotatedMap
from ia_engine.figures.frames import encode_arrays
from ia_engine.figures.svg import Pixels, colour_bar

Array = NDArray[Any]

INKS: Final = (
    "#0e712b", "#d37b74", "#b8176d", "#6057a5", "#b088a3", "#e30d46", "#919c24", "#1f58d9",
)  # fmt: skip
"""Colours of networks, which no class and no method has."""
DASHES: Final = ("", "9 5", "2 4", "12 4 2 4", "5 3", "1 3", "14 6", "6 2")
SMALL: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
LEAST: Final = 0.01
"""Minimum range of a scale."""
BELOW, ABOVE = (11, 95, 165), (194, 87, 12)
EXACT: Final = (0, 90, 180, 270)
MEAN: Final = f"geometric mean of the layers of at least {DEEP} px"
ATTENTION: Final = {
    "kept": ("1 − αX", f"Spatial attention, share of positions kept: 1 − αX, {MEAN}"),
    "removed": ("αX", f"Spatial attention, share of positions removed: αX, {MEAN}"),
}


def widen(low: float, high: float) -> tuple[float, float]:
    """Widen the range of a scale to at least LEAST, so that rounding errors remain invisible.

    If the values are between 0 and 1, as for attention, the range stays within these limits.
    """
    if high - low >= LEAST:
        return low, high
    start = (low + high - LEAST) / 2
    if low >= 0 and high <= 1:
        start = min(max(start, 0.0), 1 - LEAST)
    return start, start + LEAST


def ink(k: int) -> str:
    """Return the style of line k."""
    dash = DASHES[(k + k // len(INKS)) % len(DASHES)]
    return f'stroke="{INKS[k % len(INKS)]}"' + (f' stroke-dasharray="{dash}"' if dash else "")


def diverge(values: Tensor, top: float) -> Pixels:
    """Colour numbers [h w] from -top to top: blue below 0, white at 0, and orange above."""
    share = (values / max(top, 1e-12)).clamp(-1, 1).cpu().double().numpy()[..., None]
    colour = np.where(share < 0, np.array(BELOW), np.array(ABOVE))
    return np.rint(255 + np.abs(share) * (colour - 255)).astype(np.uint8)


def signed_bar(x: float, y: float, width: float, top: float, words: str) -> list[str]:
    """Return a bar with the colours of `diverge`, both end values, and a label."""
    ramp = diverge(torch.linspace(-1, 1, 256, device="cpu"), 1.0)
    return colour_bar(ramp, (x, y, width), (-top, top), words)


def write_error(error: float) -> str:
    """Format an error with two digits, or with one digit and a power of ten."""
    if error == 0 or error >= 1e-3:
        return f"{error:.2g}"
    mantissa, _, power = f"{error:.0e}".partition("e")
    return f"{mantissa}·10{str(int(power)).translate(SMALL)}"


def to_bytes(x: Tensor, top: float = 1.0) -> Array:
    """Convert numbers from 0 to top to bytes from 0 to 255."""
    share = x.detach().cpu().double().numpy() / max(top, 1e-12)
    return np.rint(share.clip(0, 1) * 255).astype(np.uint8)


def to_signed(x: Tensor) -> Array:
    """Convert numbers from -1 to 1 to signed bytes from -127 to 127."""
    return np.rint(x.detach().cpu().double().numpy().clip(-1, 1) * 127).astype(np.int8)


def to_floats(x: Tensor) -> Array:
    """Convert a tensor to an array in single precision."""
    return x.detach().cpu().numpy().astype("<f4")


@dataclass(frozen=True, eq=False)
class Turning:
    """A network and its outputs during the rotation of the picture."""

    title: str
    orbit: Orbit
    elements: tuple[str, ...]


def pack_turning(
    turnings: Sequence[Turning], classes: Sequence[str], key: str, start: float, autoplay: bool
) -> bytes:
    """Pack one row of maps for each network, and the layers of the first network, for the
    browser."""
    first = turnings[0].orbit
    arrays: dict[str, Array] = {"images": to_bytes(first.images.mean(1))}
    rows = [_row(turning, k, arrays) for k, turning in enumerate(turnings)]
    header = {
        "key": key,
        "degrees": [round(360 * k / len(first.angles), 3) for k in range(len(first.angles))],
        "exact": EXACT,
        "mirrored": first.mirrored,
        "start": start,
        "autoplay": autoplay,
        "classes": classes,
        "rows": rows,
        "elements": turnings[0].elements,
        "title": turnings[0].title,
        "layers": _layers(first, arrays),
    }
    return encode_arrays(arrays, header)


def _row(turning: Turning, number: int, arrays: dict[str, Array]) -> dict[str, object]:
    """Return the entry of a network in the header, and add its arrays to `arrays`."""
    orbit = turning.orbit
    sure, says = orbit.probabilities.max(1)
    arrays[f"says {number}"] = says.cpu().numpy().astype("u1")
    arrays[f"sure {number}"] = to_floats(sure)
    return {
        "title": turning.title,
        "says": f"says {number}",
        "sure": f"sure {number}",
        "views": _views(orbit, number, arrays),
    }


def _views(orbit: Orbit, number: int, arrays: dict[str, Array]) -> list[Mapping[str, object]]:
    """Return the views of a network: kept and removed attention, if it has attention, and
    features."""
    views: list[Mapping[str, object]] = []
    for shown, composed in orbit.composed.items():
        name, about = ATTENTION[shown]
        views.append(_attention(name, about, composed, f"{name} {number}", arrays))
    note = "the map shows the norm over channels and poses; the error covers all of them"
    about = f"Features of {orbit.features_name}: {note}"
    key = f"features {number}"
    views.append({"name": "features", "about": about, **_pair(orbit.features, key, arrays)})
    return views


def _attention(
    name: str, about: str, composed: ComposedOrbit, key: str, arrays: dict[str, Array]
) -> Mapping[str, object]:
    arrays[f"{key} arrows"] = to_signed(composed.arrows)
    pair = _pair(composed.heat, key, arrays)
    return {"name": name, "about": about, "arrows": f"{key} arrows", **pair}


def _pair(turned: RotatedMap, key: str, arrays: dict[str, Array]) -> Mapping[str, object]:
    """Return the entry of a map and of the map rotated back, with one scale for all angles."""
    least, most = float(turned.map.min()), float(turned.map.max())
    low, high = widen(least, most)
    arrays[f"{key} map"] = to_bytes(turned.map - low, high - low)
    arrays[f"{key} back"] = to_bytes(turned.back - low, high - low)
    arrays[f"{key} upright"] = to_bytes(turned.upright - low, high - low)
    arrays[f"{key} error"] = to_floats(turned.error)
    return {
        "heat": f"{key} map",
        "back": f"{key} back",
        "upright": f"{key} upright",
        "error": f"{key} error",
        "low": low,
        "high": high,
        "spread": most - least,
    }


def _layers(orbit: Orbit, arrays: dict[str, Array]) -> list[Mapping[str, object]]:
    """Return the entries of the attention maps of every layer."""
    layers: list[Mapping[str, object]] = []
    for number, layer in enumerate(orbit.layers):
        key = f"layer {number}"
        arrays[f"{key} channel"] = to_bytes(layer.channel)
        common = {
            "name": layer.name,
            "side": layer.spatial.map.shape[-1],
            "channel": f"{key} channel",
            "channels": layer.channel.shape[1],
        }
        layers.append({**common, **_pair(layer.spatial, key, arrays)})
    return layers
