"""Files that are written completely or not at all, and the tensors in them."""

import hashlib
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal

from safetensors import SafetensorError, safe_open

from ia_engine.errors import EngineError

ASSETS: Final = Path(__file__).parents[1] / "assets"
"""The folder of shipped files."""
CHECKSUMS: Final = "checksums.json"
"""Written by `python -m assets.make_checksums`."""
OWN: Final = 0o600
"""Mode of a file that only its owner may read and write."""
OPEN: Final = 0o666
"""Mode of other files, before the umask of the process restricts it."""


def write_whole(path: Path, content: bytes, mode: int = OPEN) -> None:
    """Write a file; a reader sees the old content or the new one, never a part."""
    with open_whole(path, mode) as file:
        file.write(content)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Convert errors of the system on writing to messages."""
    try:
        yield
    except OSError as error:
        raise EngineError(f"{path} could not be written: {error.strerror or error}") from error


@contextmanager
def open_whole(path: Path, mode: int = OPEN) -> Iterator[BinaryIO]:
    """The same for content written in parts: it replaces the file at the end of the block."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with open(draft, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def find_shipped(name: str) -> Path:
    """The path of a shipped file, checked against its checksum.

    `find_shipped("networks/z2.safetensors")` is ASSETS/networks/z2.safetensors. Raises EngineError
    if the file is missing or was changed.
    """
    path = ASSETS / name
    try:
        about = path.stat()
        right = _sum_file(path, about.st_mtime_ns, about.st_size)
    except OSError:
        right = ""
    if not right or read_checksums().get(name, right) != right:
        raise EngineError(
            f"assets/{name} is missing or was changed: restore this file of the project "
            f"(git checkout assets/{name}), then reload the page"
        )
    return path


def read_checksums() -> dict[str, str]:
    """The SHA-256 of every shipped file by name; empty if the list cannot be read."""
    try:
        known = json.loads((ASSETS / CHECKSUMS).read_text("utf-8"))
        return {str(name): str(value) for name, value in known.items()}
    except (OSError, ValueError, AttributeError):
        return {}


@lru_cache(maxsize=64)
def _sum_file(path: Path, mtime: int, size: int) -> str:
    """Cached until the file changes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_note(path: Path) -> str:
    """The note in the header of a safetensors file; "" if there is none or no such file."""
    try:
        with safe_open(path, framework="np") as file:
            return (file.metadata() or {}).get("note", "")
    except (SafetensorError, OSError):
        return ""


def read_tensors(
    path: Path, framework: Literal["np", "pt"], device: str = "cpu"
) -> tuple[dict[str, str], dict[str, Any]]:
    """The header and the tensors of a safetensors file; raises EngineError if it cannot be read."""
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
