"""A lock that ends with its process.

Whoever asks whether it is held looks through a shared lock, so that those who look do not take each
other for its holder. Where a file system knows no locks, nobody ever holds one.
"""

import errno
import os
import sys
import time
from pathlib import Path
from typing import Final

from ia_engine.files import OWN

HELD: Final = frozenset({errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES})
"""What a system says of a lock that somebody else holds; ENOLCK and others say that it has none."""
TRIES: Final = 6
"""So often a lock is asked for: it may be that somebody just looks."""
PAUSE: Final = 0.01
"""Seconds between two of them."""

if sys.platform == "win32":

    def _take(handle: int) -> bool:
        """Windows knows no such locks: there a run is never taken for under way."""
        return True

    _look = _take

else:
    import fcntl

    def _take(handle: int) -> bool:
        """Whether it is ours now."""
        return _try(handle, fcntl.LOCK_EX)

    def _look(handle: int) -> bool:
        """Whether nobody holds it; others may look at the same time."""
        return _try(handle, fcntl.LOCK_SH)

    def _try(handle: int, how: int) -> bool:
        try:
            fcntl.flock(handle, how | fcntl.LOCK_NB)
        except OSError as cause:
            return cause.errno not in HELD
        return True


class Lock:
    """Held until it is released, forgotten, or its process ends."""

    def __init__(self, handle: int) -> None:
        self._handle: int | None = handle

    def release(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    __del__ = release


def take_lock(path: Path) -> Lock | None:
    """The lock of this file; None if somebody holds it. OSError where it cannot be opened."""
    handle = os.open(path, os.O_RDWR | os.O_CREAT, OWN)
    for _ in range(TRIES):
        if _take(handle):
            return Lock(handle)
        time.sleep(PAUSE)
    os.close(handle)
    return None


def is_locked(path: Path) -> bool:
    """Whether somebody holds the lock now; what cannot be opened is not ours to ask about."""
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        return not _look(handle)
    finally:
        os.close(handle)
