"""Files that a command writes: looked at before the work begins, all or nothing after it."""

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
        raise EngineError(f"{option} needs a folder that exists, {str(path.parent)!r} does not")
    if not _is_free(path) or not os.access(path.parent, os.W_OK):
        raise EngineError(f"{option} needs a place to write a file, {str(path)!r} is none")
    return path


def keep(path: Path | None, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write the arrays, if they are wanted; a reader sees the old file or the new one."""
    if path is None:
        return
    with undisturbed():
        with writing(path), open_whole(path) as file:
            np.savez(file, allow_pickle=False, **arrays)
        say(f"{', '.join(arrays)} written to {path}")


def regret(what: str) -> None:
    """Say that none was finished, unless an error that says why is on its way."""
    if not isinstance(sys.exception(), EngineError):
        say(f"no {what} was finished")


def _is_free(path: Path) -> bool:
    """Whether the path is a file's, there or not."""
    try:
        return not path.is_dir()
    except OSError:  # a name can be too long for the system
        return False


def to_array(x: Tensor) -> NDArray[Any]:
    return x.detach().cpu().numpy()
