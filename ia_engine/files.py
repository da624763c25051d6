"""Writes files atomically, locks them, verifies shipped files, and reads tensors."""

import errno
import hashlib
import json
import os
import secrets
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal

from safetensors import SafetensorError, safe_open

from ia_engine.errors import EngineError


def find_mapped(installed: str, checkout: str) -> Path:
    """Return a folder of the project that the build copies into the package.

    An installed package contains the folder `installed`; a checkout has `checkout` beside it.
    """
    package = Path(__file__).parent
    copied = package / installed
    return copied if copied.is_dir() else package.parent / checkout


ASSETS: Final = find_mapped("_assets", "assets")
"""Folder of the files that are shipped with the program."""
APP: Final = find_mapped("_app", ".")
"""Folder of server.py and of the pages."""
CHECKSUMS: Final = "checksums.json"
"""File in ASSETS that lists the checksums; `python -m assets.make_checksums` writes it."""
OWN: Final = 0o600
"""Mode of a file that only its owner may read and write."""
OPEN: Final = 0o666
"""Mode of other files, before the umask of the process restricts it."""
LOCKED: Final = frozenset({errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES})
"""Error codes that mean that another process holds the lock. Other codes, such as ENOLCK, mean that
locks are not supported."""
LOCK_TRIES: Final = 6
"""Number of attempts to take a lock. More than one is needed, because another process may hold the
lock briefly while testing it."""
LOCK_PAUSE_S: Final = 0.01


def write_whole(path: Path, content: bytes, mode: int = OPEN) -> None:
    """Write a file atomically: readers see either the complete old content or the complete new
    content."""
    with open_whole(path, mode) as file:
        file.write(content)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Convert system errors that occur during writing to EngineError."""
    try:
        yield
    except OSError as error:
        raise EngineError(
            f"{path} could not be written ({error.strerror or error}): choose a writable folder"
        ) from error


@contextmanager
def open_whole(path: Path, mode: int = OPEN) -> Iterator[BinaryIO]:
    """Like `write_whole`, but for content that is written in parts. The file is replaced at the end
    of the block."""
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
    """Return the path of a shipped file after verifying its checksum.

    For example, `find_shipped("networks/z2.safetensors")` returns ASSETS/networks/z2.safetensors.
    Raises EngineError if the file is missing or was changed.
    """
    path = ASSETS / name
    try:
        about = path.stat()
        right = _sum_file(path, about.st_mtime_ns, about.st_size)
    except OSError:
        right = ""
    if not right or read_checksums().get(name, right) != right:
        raise EngineError(
            f"assets/{name} is missing or was changed: {how_to_restore(name)}, then reload the page"
        )
    return path


def how_to_restore(name: str) -> str:
    """Return what to do about a shipped file that is missing or was changed."""
    if (APP / "pyproject.toml").is_file():
        return f"restore this project file (git checkout assets/{name})"
    return "install invariant-attention-explorer again (pip install --force-reinstall --no-deps)"


def read_checksums() -> dict[str, str]:
    """Return the SHA-256 of every shipped file by name; empty if the list cannot be read."""
    try:
        known = json.loads((ASSETS / CHECKSUMS).read_text("utf-8"))
        return {str(name): str(value) for name, value in known.items()}
    except (OSError, ValueError, AttributeError):
        return {}


@lru_cache(maxsize=64)
def _sum_file(path: Path, mtime: int, size: int) -> str:
    """Return the SHA-256 of a file, cached until the file changes."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read_note(path: Path) -> str:
    """Return the note in the header of a safetensors file, or "" if the note or the file is
    missing."""
    try:
        with safe_open(path, framework="np") as file:
            return (file.metadata() or {}).get("note", "")
    except (SafetensorError, OSError):
        return ""


def read_tensors(
    path: Path, framework: Literal["np", "pt"], device: str = "cpu"
) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the header and the tensors of a safetensors file. Raises EngineError if the file
    cannot be read."""
    try:
        with safe_open(path, framework=framework, device=device) as file:
            names = file.keys()
            return file.metadata() or {}, {name: file.get_tensor(name) for name in names}
    except FileNotFoundError:
        raise EngineError(f"{path.name} does not exist: choose an existing file") from None
    except (SafetensorError, OSError) as cause:
        raise EngineError(
            f"{path.name} is damaged or was not saved by this program ({cause}): save it again"
        ) from cause


class Lock:
    """A lock on a file. It is held until it is released or garbage-collected, or until its process
    ends."""

    def __init__(self, handle: int) -> None:
        self._handle: int | None = handle

    def release(self) -> None:
        """Release the lock for other processes."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    __del__ = release


def take_lock(path: Path) -> Lock | None:
    """Lock a file; return None if the lock is already held. Raises OSError if the file cannot be
    opened."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, OWN)
    for _ in range(LOCK_TRIES):
        if _try_lock(handle):
            return Lock(handle)
        time.sleep(LOCK_PAUSE_S)
    os.close(handle)
    return None


def is_locked(path: Path) -> bool:
    """Return True if the file is currently locked; False if it is not or cannot be opened."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        return not _try_lock(handle, shared=True)
    finally:
        os.close(handle)


if sys.platform == "win32":

    def _try_lock(handle: int, *, shared: bool = False) -> bool:
        """Return True: Windows has no such locks, so no file counts as locked."""
        return True

else:
    import fcntl

    def _try_lock(handle: int, *, shared: bool = False) -> bool:
        """Return True if this process now holds the lock; `is_locked` requests a shared lock."""
        try:
            fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except OSError as cause:
            return cause.errno not in LOCKED
        return True
