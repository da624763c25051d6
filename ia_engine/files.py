"""Files that are whole or not there, and the tensors in them."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Literal

from safetensors import SafetensorError, safe_open

from ia_engine.errors import EngineError


def write_whole(path: Path, content: bytes) -> None:
    """A reader sees the old file or the new one, never a part."""
    with open_whole(path) as file:
        file.write(content)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """What the system says against writing there is a sentence."""
    try:
        yield
    except OSError as error:
        raise EngineError(f"{path} could not be written: {error.strerror or error}") from error


@contextmanager
def open_whole(path: Path) -> Iterator[BinaryIO]:
    """The same for what is written bit by bit: it takes the path's place when the block is over."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with draft.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def read_tensors(
    path: Path, framework: Literal["np", "pt"], device: str = "cpu"
) -> tuple[dict[str, str], dict[str, Any]]:
    """The header and the tensors of a safetensors file; EngineError says why it cannot be read."""
    try:
        with safe_open(path, framework=framework, device=device) as file:
            names = file.keys()
            return file.metadata() or {}, {name: file.get_tensor(name) for name in names}
    except FileNotFoundError:
        raise EngineError(f"{path.name} does not exist: choose a file that was saved") from None
    except (SafetensorError, OSError) as cause:
        raise EngineError(
            f"{path.name} is damaged or was not saved here ({cause}): save it again"
        ) from cause
