"""Make components/engine_values.json: results of the engine that the browser code must reproduce.

The unit tests of the browser code read the file. A test of the engine checks that it is current.
"""

import json
from base64 import b64encode
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from ia_engine.attention.kernels import KERNELS
from ia_engine.attention.kernels.base import FIRST_OCTAVE, PER_OCTAVE, nodes, tabulate
from ia_engine.attention.weights import block_mass, weigh
from ia_engine.figures.frames import encode_arrays, make_frame
from ia_engine.figures.style import point_colour
from ia_engine.figures.svg import RAMP
from ia_engine.files import ASSETS
from ia_engine.images import bilinear
from ia_engine.transforms import GROUPS

PATH: Final = ASSETS / "components" / "engine_values.json"
LABELS: Final = (0, 1, 0, 2, 1, 0)
BETAS: Final = (0.1, 2.0, 30.0)
POSES: Final = {
    "se2": (0.4, 1.25, -2.5),
    "affine": (0.3, -0.1, 0.2, 0.15, 1.5, -0.75),
    "projective": (0.1, 0.05, -0.05, 0.1, 0.5, -0.5, 0.4, -0.3),
}
HEIGHT, WIDTH = 7, 9


def compute_values() -> dict[str, Any]:
    """Return all values by topic, in the types of JSON."""
    return {
        "weights": _weights(),
        "kernel": _kernel(),
        "orders": {"labels": LABELS, "order": np.argsort(LABELS, kind="stable").tolist()},
        "colours": {
            "map": np.asarray(RAMP).reshape(-1, 3).tolist(),
            "groups": [point_colour(group) for group in range(15)],
        },
        "warps": _warps(),
        "packing": _packing(),
    }


def _distances() -> torch.Tensor:
    n = len(LABELS)
    place = torch.arange(n, dtype=torch.float64, device="cpu")
    return (place[:, None] - place).abs() * (1 + 0.1 * place[:, None]) / 4


def _weights() -> dict[str, Any]:
    d2, labels = _distances(), torch.tensor(LABELS, device="cpu")
    results = []
    for beta in BETAS:
        W = weigh(d2, beta)
        results.append(
            {
                "beta": beta,
                "W": W.flatten().tolist(),
                "sums": (-beta * d2).exp().sum(0).tolist(),
                "mass": block_mass(W, labels),
                "diagonal": float(W.diagonal().mean()),
            }
        )
    return {"d2": d2.flatten().tolist(), "labels": LABELS, "results": results}


def _kernel() -> dict[str, Any]:
    """Return weights of a kernel for which the browser has a table.

    κ is interpolated by numpy between the same nodes.
    """
    kernel, d2 = KERNELS["cauchy"], _distances()
    table = tabulate(kernel)
    results = []
    for beta in BETAS:
        kappa = np.interp(beta * d2.numpy(), [0, *nodes().tolist()], [1, *table])
        exact = weigh(d2, beta, kernel)
        results.append(
            {
                "beta": beta,
                "W": (kappa / kappa.sum(0)).flatten().tolist(),
                "sums": kappa.sum(0).tolist(),
                "exact": exact.flatten().tolist(),
            }
        )
    header = {"first": FIRST_OCTAVE, "per_octave": PER_OCTAVE, "values": table}
    return {"table": header, "d2": d2.flatten().tolist(), "results": results}


def _warps() -> dict[str, Any]:
    """Return a colour image read at τ(p), for a pose of each group."""
    p, q = np.mgrid[:HEIGHT, :WIDTH]
    image = np.stack([16 * p + q, 127 + 40 * np.sin(q), 9 * q], -1).round()
    v = torch.tensor(image, dtype=torch.float64, device="cpu").permute(2, 0, 1)[None]
    cases = []
    for name, pose in POSES.items():
        group, tau = GROUPS[name], torch.tensor([pose], dtype=torch.float64, device="cpu")
        warped = bilinear(v, group.field(tau, HEIGHT, WIDTH))[0].permute(1, 2, 0)
        matrix = group.matrix(tau).flatten().tolist()
        cases.append({"group": name, "matrix": matrix, "warped": warped.flatten().tolist()})
    return {"shape": image.shape, "image": image.flatten().tolist(), "cases": cases}


def _packing() -> dict[str, Any]:
    arrays = {
        "d2": [[0, 0.25], [0.25, 0]],
        "x": [[0, 1.5], [1.5, 0]],
        "images": np.arange(24).reshape(2, 3, 2, 2) / 255,
        "matrices": np.arange(36).reshape(2, 2, 3, 3),
        "assignments": [1, 0],
    }
    frame = make_frame(3, **arrays)
    pixels = np.arange(24, dtype=np.uint8).reshape(2, 3, 2, 2, 1)
    return {
        "frame": _encode(frame.arrays, {"run": "run", "k": frame.k}),
        "images": (np.arange(24).reshape(2, 3, 2, 2).transpose(0, 2, 3, 1)).flatten().tolist(),
        "pixels": _encode({"pixels": pixels}, {"run": "ü", "first": -1}),
    }


def _encode(arrays: Mapping[str, NDArray[Any]], metadata: Mapping[str, object]) -> str:
    return b64encode(encode_arrays(arrays, metadata, at_least=0)).decode()


def find_difference(found: object, stored: object, path: str = "") -> str | None:
    """Return where two trees of values differ by more than rounding, or None if nowhere.

    Tolerance: every value is a sum of at most 36 products or exponentials of at most 60, computed
    in double precision; 60 in an exponent magnifies its rounding by 60.
    """
    if isinstance(found, float) and isinstance(stored, float):
        tolerance = 36 * 60 * np.finfo(np.float64).eps * max(1.0, abs(stored))
        return path if abs(found - stored) > tolerance else None
    ours, theirs = _parts(found), _parts(stored)
    if ours is None or theirs is None:
        return None if found == stored else path
    if ours.keys() != theirs.keys():
        return path
    parts = (find_difference(ours[key], theirs[key], path + key) for key in ours)
    return next(filter(None, parts), None)


def _parts(tree: object) -> dict[str, object] | None:
    if isinstance(tree, dict):
        return {f".{key}": part for key, part in tree.items()}
    if isinstance(tree, list | tuple):
        return {f"[{at}]": part for at, part in enumerate(tree)}
    return None


def main() -> None:
    """Write the file, with one line for each topic."""
    lines = (f"{json.dumps(name)}: {json.dumps(x)}" for name, x in compute_values().items())
    PATH.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()
