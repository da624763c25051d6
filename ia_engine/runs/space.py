"""Measures the space that the runs of an owner use, and removes them permanently."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ia_engine.errors import EngineError
from ia_engine.runs.folder import find_owner, hash_owner
from ia_engine.runs.library import Library


@dataclass(frozen=True)
class Space:
    """Number and size of runs, and of deleted runs that can be restored."""

    runs: int
    bytes: int
    deleted: int
    deleted_bytes: int

    @property
    def total(self) -> int:
        """Size of all runs [bytes]."""
        return self.bytes + self.deleted_bytes


def measure_space(library: Library, owner: str | None = None) -> Space:
    """Measure the runs of an owner, or those of all owners.

    >>> measure_space(Library()).runs  # doctest: +SKIP
    12
    """
    runs, deleted = (
        [_measure_folder(folder) for folder in _filter(folders, owner)]
        for folders in (library.folders(), library.deleted_folders())
    )
    return Space(len(runs), sum(runs), len(deleted), sum(deleted))


def measure_folders(folders: Sequence[Path]) -> int:
    """Return the size [bytes] of the files in these folders."""
    return sum(map(_measure_folder, folders))


def remove_runs(library: Library, owner: str) -> None:
    """Remove all runs of an owner permanently, also the deleted ones. Runs that belong to others or
    to everyone stay. A run that is still running is skipped."""
    if not owner:
        raise EngineError("expected the owner whose runs are removed; got none")
    library.remove([*_filter(library.folders(), owner)])
    library.remove([*_filter(library.deleted_folders(), owner)])


def _filter(folders: list[Path], owner: str | None) -> Iterator[Path]:
    """Yield the folders of an owner. A folder whose owner cannot be read belongs to nobody."""
    wanted = None if owner is None else hash_owner(owner)
    return (folder for folder in folders if wanted is None or find_owner(folder) == wanted)


def _measure_folder(folder: Path) -> int:
    """Return the size of a folder; 0 if it has just been deleted."""
    try:
        return _measure(folder, folder.stat().st_mtime_ns)
    except OSError:
        return 0


@lru_cache(maxsize=4096)
def _measure(folder: Path, changed: int) -> int:
    """Return the size of the files in a folder, measured again when a file is added or replaced."""
    return sum(path.stat().st_size for path in folder.iterdir())
