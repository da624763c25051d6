"""Files that a command writes: checked before the work starts, written atomically after it."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from ia_engine.errors import EngineError
from ia_engine.files import open_whole, writing
from ia_engine.shell.interrupts import undisturbed
from ia_engine.shell.lines import say


def check_out(path: Path) -> Path:
    """The path of --out, if arrays can be written there."""
    if path.suffix != ".npz":
        raise EngineError(f"--out needs a path that ends in .npz; got {str(path)!r}")
    return check_place(path, "--out")


def check_place(path: Path, option: str) -> Path:
    """The path, if a file can be written there."""
    if not os.path.isdir(path.parent):
        raise EngineError(f"{option} needs an existing folder; got {str(path.parent)!r}")
    if not _is_free(path) or not os.access(path.parent, os.W_OK):
        raise EngineError(f"{option} needs the path of a writable file; got {str(path)!r}")
    return path


def keep(path: Path | None, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write the arrays if a path is given; a reader sees the old file or the new one."""
    if path is None:
        return
    with undisturbed():
        with writing(path), open_whole(path) as file:
            np.savez(file, allow_pickle=False, **arrays)
        say(f"{', '.join(arrays)} written to {path}")


def regret(what: str) -> None:
    """Report that none was finished, unless an error with the reason is being raised."""
    if not isinstance(sys.exception(), EngineError):
        say(f"no {what} was finished")


def _is_free(path: Path) -> bool:
    """True if the path is that of an existing or possible file."""
    try:
        return not path.is_dir()
    except OSError:  # a name can be too long for the system
        return False


def to_array(x: Tensor) -> NDArray[Any]:
    return x.detach().cpu().numpy()
