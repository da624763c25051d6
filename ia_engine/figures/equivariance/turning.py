"""Full rotations of one picture through several networks, as bytes for the browser component.

uint32 length of the header | header | zeros up to a multiple of 8 | arrays, each at such a
multiple.
"""

import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from ia_engine.equivariant.orbit import DEEP, ComposedOrbit, Orbit, RotatedMap
from ia_engine.figures.equivariance.colours import widen

Array = NDArray[Any]
ALIGNMENT: Final = 8


def pack(header: Mapping[str, object], arrays: Mapping[str, Array]) -> bytes:
    """The header, to which the offsets of the arrays are added, and the arrays."""
    parts, entries, end = [], [], 0
    for name, array in arrays.items():
        content = np.ascontiguousarray(array).tobytes()
        entry = {"name": name, "dtype": array.dtype.str[1:], "shape": array.shape, "offset": end}
        entries.append(entry)
        parts.append(content + bytes(-len(content) % ALIGNMENT))
        end += len(parts[-1])
    text = json.dumps({**header, "arrays": entries}, ensure_ascii=False).encode()
    start = struct.pack("<I", len(text)) + text
    return b"".join([start + bytes(-len(start) % ALIGNMENT), *parts])


def unpack(packed: bytes) -> tuple[dict[str, Any], dict[str, Array]]:
    """The inverse of `pack`."""
    (length,) = struct.unpack_from("<I", packed)
    header = json.loads(packed[4 : 4 + length])
    start = -(-(4 + length) // ALIGNMENT) * ALIGNMENT
    arrays = {}
    for entry in header.pop("arrays"):
        count = int(np.prod(entry["shape"], dtype=np.int64))
        found = np.frombuffer(packed, entry["dtype"], count, start + entry["offset"])
        arrays[entry["name"]] = found.reshape(entry["shape"])
    return header, arrays


def to_bytes(x: Tensor, top: float = 1.0) -> Array:
    """Numbers from 0 to top as 0 to 255."""
    share = x.detach().cpu().double().numpy() / max(top, 1e-12)
    return np.rint(share.clip(0, 1) * 255).astype(np.uint8)


def to_signed(x: Tensor) -> Array:
    """Numbers from -1 to 1 as -127 to 127."""
    return np.rint(x.detach().cpu().double().numpy().clip(-1, 1) * 127).astype(np.int8)


def to_floats(x: Tensor) -> Array:
    """Single precision."""
    return x.detach().cpu().numpy().astype("<f4")


EXACT: Final = (0, 90, 180, 270)
MEAN: Final = f"geometric mean of the layers of {DEEP} px and more"
ATTENTION: Final = {
    "kept": ("1 − αX", f"Spatial attention, kept share of places: 1 − αX, {MEAN}"),
    "removed": ("αX", f"Spatial attention, removed share of places: αX, {MEAN}"),
}


@dataclass(frozen=True, eq=False)
class Turning:
    """One network and its outputs during the rotation of the picture."""

    title: str
    orbit: Orbit
    elements: tuple[str, ...]


def pack_turning(
    turnings: Sequence[Turning], classes: Sequence[str], key: str, start: float, autoplay: bool
) -> bytes:
    """One row of maps per network; the layers are those of the first."""
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
    return pack(header, arrays)


def _row(turning: Turning, number: int, arrays: dict[str, Array]) -> dict[str, object]:
    """The header entry of a network; its arrays are appended to the others."""
    orbit = turning.orbit
    sure, says = orbit.probabilities.max(1)
    arrays[f"says {number}"] = says.cpu().numpy().astype("u1")
    arrays[f"sure {number}"] = to_floats(sure)
    return {
        "title": turning.title,
        "says": f"says {number}",
        "sure": f"sure {number}",
        "views": list(_views(orbit, number, arrays)),
    }


def _views(orbit: Orbit, number: int, arrays: dict[str, Array]) -> list[Mapping[str, object]]:
    """Kept and removed attention, if there is any, and features."""
    found: list[Mapping[str, object]] = []
    for shown, composed in orbit.composed.items():
        name, about = ATTENTION[shown]
        found.append(_attention(name, about, composed, f"{name} {number}", arrays))
    note = "their norm over channels and poses is shown, the error is that of all of them"
    about = f"Features of {orbit.features_name}: {note}"
    key = f"features {number}"
    found.append({"name": "features", "about": about, **_pair(orbit.features, key, arrays)})
    return found


def _attention(
    name: str, about: str, composed: ComposedOrbit, key: str, arrays: dict[str, Array]
) -> Mapping[str, object]:
    arrays[f"{key} arrows"] = to_signed(composed.arrows)
    pair = _pair(composed.heat, key, arrays)
    return {"name": name, "about": about, "arrows": f"{key} arrows", **pair}


def _pair(turned: RotatedMap, key: str, arrays: dict[str, Array]) -> Mapping[str, object]:
    """A map and the same rotated back, on one scale for all angles."""
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
    """The maps of every layer, in [0, 1]."""
    found: list[Mapping[str, object]] = []
    for number, layer in enumerate(orbit.layers):
        key = f"layer {number}"
        arrays[f"{key} channel"] = to_bytes(layer.channel)
        common = {
            "name": layer.name,
            "side": layer.spatial.map.shape[-1],
            "channel": f"{key} channel",
            "channels": layer.channel.shape[1],
        }
        found.append({**common, **_pair(layer.spatial, key, arrays)})
    return found
