"""Simulates a full or read-only disk, for any machine and user."""

import errno
import os
from pathlib import Path

FAILURES = {"full": errno.ENOSPC, "read-only": errno.EROFS}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT


def fill_disk(monkeypatch, folder, failure):
    """Make every write below the folder fail from now on.

    On a full disk, files can be opened but not written; on a read-only disk, nothing can be
    changed.
    """
    number = FAILURES[failure]

    def refuse(*_, **__):
        raise OSError(number, os.strerror(number))

    if failure == "full":
        monkeypatch.setattr(os, "fsync", refuse)
        return
    for name in ("open", "mkdir", "rename", "replace", "unlink"):
        monkeypatch.setattr(os, name, _guard(getattr(os, name), name, Path(folder), refuse))


def _guard(real, name, folder, refuse):
    def guarded(path, *rest, **named):
        flags = (rest[0] if rest else named.get("flags", 0)) if name == "open" else WRITING
        inside = isinstance(path, str | os.PathLike) and Path(path).is_relative_to(folder)
        if inside and flags & WRITING:
            refuse()
        return real(path, *rest, **named)

    return guarded
