"""Pauses the tables while `make test` or `make bench` holds a shared lock.

The lock is on a file in the system's temporary folder. The system releases it when its holder ends,
even after a crash, so no stale lock can remain. Windows has no such locks, so nothing is paused
there.
"""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ia_engine.files import OWN


def find_lock() -> Path:
    """Return the path of the lock file of this user."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return Path(tempfile.gettempdir()) / f"invariant-attention-explorer-measuring-{user}.lock"


if sys.platform == "win32":

    @contextmanager
    def hold_lock(path: Path | None = None) -> Iterator[None]:
        """Do nothing, because Windows has no such locks."""
        yield

    def is_measuring(path: Path | None = None) -> bool:
        """Return False, because Windows has no such locks."""
        return False

else:
    import fcntl

    @contextmanager
    def hold_lock(path: Path | None = None) -> Iterator[None]:
        """Pause computations of the tables during the block. Several processes may hold the lock at
        the same time."""
        try:
            handle = _open(path)
        except OSError:  # the folder is not writable, so measure without a pause
            yield
            return
        try:
            fcntl.flock(handle, fcntl.LOCK_SH)
            yield
        finally:
            os.close(handle)

    def is_measuring(path: Path | None = None) -> bool:
        """Return True if any process is inside `hold_lock`."""
        try:
            handle = _open(path)
        except OSError:
            return False
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        except OSError:  # a file system without locks
            return False
        finally:
            os.close(handle)
        return False

    def _open(path: Path | None) -> int:
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW
        return os.open(path or find_lock(), flags, OWN)


def lower_priority() -> None:
    """Use the lowest priority that the system offers."""
    if hasattr(os, "nice"):
        os.nice(19)
    if hasattr(os, "SCHED_IDLE"):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
