"""Checks output paths before the work starts, and writes the files atomically at its end."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from ia_engine.datasets.data import Data, PointSet
from ia_engine.errors import EngineError
from ia_engine.files import open_whole, writing
from ia_engine.shell.interrupts import undisturbed
from ia_engine.shell.lines import say


def check_out(path: Path) -> Path:
    """Return the path of --out. Raises EngineError if arrays cannot be written there."""
    if path.suffix != ".npz":
        raise EngineError(f"--out must be a path that ends in .npz; got {str(path)!r}")
    return check_place(path, "--out")


def check_place(path: Path, option: str) -> Path:
    """Return the path that an option sets. Raises EngineError if no file can be written there."""
    if not os.path.isdir(path.parent):
        raise EngineError(f"the folder of {option} must exist; got {str(path.parent)!r}")
    if not _is_free(path) or not os.access(path.parent, os.W_OK):
        raise EngineError(f"{option} must be the path of a writable file; got {str(path)!r}")
    return path


def keep(path: Path | None, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write the arrays atomically if a path is given."""
    if path is None:
        return
    with undisturbed():
        with writing(path), open_whole(path) as file:
            np.savez(file, allow_pickle=False, **arrays)
        say(f"{', '.join(arrays)} written to {path}")


def list_names(data: Data) -> dict[str, NDArray[Any]]:
    """Return the names of the picture files from which the images were read, if any."""
    if isinstance(data, PointSet) or not data.placements:
        return {}
    return {"names": np.array(data.names, dtype=np.str_)}


def regret(what: str) -> None:
    """Report that nothing was finished, unless an error is being raised that states the reason."""
    if not isinstance(sys.exception(), EngineError):
        say(f"no {what} was finished")


def _is_free(path: Path) -> bool:
    """Return True if the path is valid and not a folder."""
    try:
        return not path.is_dir()
    except OSError:  # for instance, if the name is too long for the system
        return False


def to_array(x: Tensor) -> NDArray[Any]:
    return x.detach().cpu().numpy()
