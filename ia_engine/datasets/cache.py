"""The cache of downloaded files. Downloads use https only, are limited in size, and are atomic."""

import os
import tempfile
from collections.abc import Callable
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from typing import IO
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from ia_engine.errors import EngineError

Progress = Callable[[str, int, int | None], None]
"""A function that is called with the name of the file, the number of bytes received, and the total
if the host reports it."""

PATIENCE = 30.0
"""Number of seconds without a byte after which a host counts as unreachable."""
_PIECE = 1 << 18
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


def cache_folder() -> Path:
    """Return the folder that IA_CACHE names or, by default, this project's folder in the system's
    cache folder."""
    if folder := os.environ.get("IA_CACHE"):
        return Path(folder).expanduser()
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "invariant-attention-explorer"


def data_folder() -> Path | None:
    """Return the folder that IA_DATA names, which contains files already on this machine; None if
    it is not set."""
    folder = os.environ.get("IA_DATA")
    return Path(folder).expanduser() if folder else None


def download(
    url: str, target: Path, most_bytes: int, progress: Progress, patience: float = PATIENCE
) -> None:
    """Download a URL to a file, which gets its final name only when it is complete."""
    _check_address(url)
    handle, partial = _begin(target)
    try:
        with (
            os.fdopen(handle, "wb") as file,
            urlopen(Request(url), timeout=patience) as response,
        ):
            _check_address(response.url)  # a redirect must not leave https
            _stream(response, file, most_bytes, target.name, progress)
        os.replace(partial, target)
    except (URLError, HTTPException, OSError) as error:
        reason = getattr(error, "reason", None) or error
        raise EngineError(f"{url} could not be fetched ({reason})") from error
    finally:
        Path(partial).unlink(missing_ok=True)


def _begin(target: Path) -> tuple[int, str]:
    """Create an empty file next to the target, and the folder if necessary."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        return tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise EngineError(
            f"{target} could not be written ({error.strerror}): set IA_CACHE to a writable folder"
        ) from error


def _stream(
    response: HTTPResponse, file: IO[bytes], most_bytes: int, name: str, progress: Progress
) -> None:
    length = response.headers.get("Content-Length")
    total = int(length) if length and length.isdigit() else None
    done = 0
    while piece := response.read(_PIECE):
        done += len(piece)
        if done > most_bytes:
            raise EngineError(f"{name} must be at most {most_bytes:,} bytes long; got more")
        file.write(piece)
        progress(name, done, total)
    if total is not None and done != total:
        raise EngineError(
            f"{name} must be {total:,} bytes long; got only {done:,}: download it again"
        )


def _check_address(url: str) -> None:
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        raise EngineError(f"the URL of a file must begin with https://; got {url}")
