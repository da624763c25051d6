"""Manages the folder of saved runs, in which every run has a folder with one file per step.

    run.json                  recipe, config, seed, digest; written first and never changed
    given.safetensors         the arrays that the run starts with
    step-00001.safetensors    a file for each finished step
    state.safetensors         data that the next step needs, if the steps do not contain them
    note.json                 name, tags and note of the run
    ended.json                how the run ended; absent while it is computed or resumed
    lock                      held by the computing process

Each file is either complete or absent, and runs share no files. A killed process therefore loses
only its current step, and processes do not interfere with one another.
"""

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from ia_engine.errors import EngineError
from ia_engine.files import Lock, is_locked, take_lock
from ia_engine.runs.folder import (
    ENDED,
    FORMAT,
    GIVEN,
    PARTS,
    RECORD,
    STATE,
    SUM,
    VERSION,
    Arrays,
    Ended,
    Note,
    Record,
    SavedRun,
    find_owner,
    hash_owner,
    read_run,
    step_name,
    sum_values,
    write_arrays,
    write_json,
    write_sealed,
)

__all__ = ["DELETED", "FOLDER", "PARTS", "Library", "Note", "SavedRun", "Writer"]

DELETED: Final = ".deleted"
FOLDER: Final = "IA_RUNS"
"""Environment variable that contains the path of the runs folder."""
TIME: Final = "%Y%m%d-%H%M%S-%f"
"""Format of the time at the start of an ID."""
DRAFTS: Final = f".{'[0-9]' * 8}-{'[0-9]' * 6}-{'[0-9]' * 6}-*"
STALE: Final = timedelta(days=1)
"""Maximum age of a draft. Older drafts were left by killed processes."""
PRIVATE: Final = 0o700
"""Mode of folders, which only the owner may open."""
PROBE: Final = 1 << 16
"""Number of bytes that are written to test whether a folder is writable."""
HOME: Final = Path(".local", "share", "invariant-attention-explorer", "runs")


class Writer:
    """Writes the finished steps of a run, and holds the lock of the run."""

    def __init__(self, folder: Path, lock: Lock, done: int) -> None:
        self.id: Final = folder.name
        self.folder: Final = folder
        self._lock, self.done = lock, done

    def append(self, arrays: Arrays, state: bytes | None = None) -> None:
        """Write a step, and before it the state that the following step needs."""
        (self.folder / ENDED).unlink(missing_ok=True)  # left by an earlier session
        if state is not None:
            write_sealed(self.folder / STATE, state)
        write_arrays(self.folder / step_name(self.done + 1), arrays)
        self.done += 1

    def end(self, state: str, error: str = "") -> None:
        """Write how the run ended, and release the lock even if this fails."""
        try:
            write_json(self.folder / ENDED, asdict(Ended(state, error, self.done)))
        finally:
            self._lock.release()


class Library:
    """The runs that are saved in a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or Path(os.environ.get(FOLDER) or Path.home() / HOME)

    def begin(
        self, kind: str, record: Record, given: Arrays, owner: str = "", name: str = ""
    ) -> Writer:
        """Create a run. Its folder appears only when its record and first arrays are complete."""
        self._clean_up()
        time = datetime.now(UTC).strftime(TIME)
        folder = self.folder / f"{time}-{name or secrets.token_hex(4)}"
        draft = self.folder / f".{folder.name}"
        self._make_folder()
        draft.mkdir(PRIVATE)
        known = {"format": FORMAT, "version": VERSION, "kind": kind, "owner": hash_owner(owner)}
        try:
            values = {**known, "record": asdict(record)}
            write_json(draft / RECORD, {**values, SUM: sum_values(values)})
            write_arrays(draft / GIVEN, given)
            lock = _lock(draft)
            draft.rename(folder)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
        return Writer(folder, lock, 0)

    def go_on(self, run: str, done: int | None = None) -> Writer:
        """Resume a run, which only one process can do. The run counts as ended until it has a new
        step.

        All steps after the first `done` are deleted, so that they are computed again.
        """
        kept = self.open(run)
        try:
            lock = _lock(kept.folder)
        except OSError as cause:
            raise EngineError(
                f"run {kept.id} cannot be resumed, because its folder is not writable "
                f"({cause.strerror}) or belongs to another user: compute it again as your own run"
            ) from cause
        steps = self.open(run).steps
        done = steps if done is None else min(done, steps)
        for step in range(steps, done, -1):
            (kept.folder / step_name(step)).unlink()
        return Writer(kept.folder, lock, done)

    def runs(self, owner: str | None = None) -> tuple[SavedRun, ...]:
        """Return all readable runs, newest first, or only those of an owner."""
        found = []
        for folder in self.folders():
            with contextlib.suppress(EngineError):
                found.append(read_run(folder))
        return tuple(kept for kept in found if owner is None or kept.belongs_to(owner))

    def unreadable(self, owner: str | None = None) -> dict[str, str]:
        """Return the folders that cannot be read, each with a sentence that states why.

        If an owner is given, folders of other owners are omitted.
        """
        reasons, own = {}, None if owner is None else {hash_owner(owner), hash_owner("")}
        for folder in self.folders():
            try:
                read_run(folder)
            except EngineError as error:
                found = find_owner(folder)
                if own is None or found is None or found in own:
                    reasons[folder.name] = str(error)
        return reasons

    def check_writable(self) -> None:
        """Raise OSError if no file can be written in the folder."""
        self._make_folder()
        with TemporaryFile(dir=self.folder) as probe:
            probe.write(bytes(PROBE))
            probe.flush()
            os.fsync(probe.fileno())

    def open(self, run: str) -> SavedRun:
        """Return the run with the given ID, or the only run whose ID starts with it."""
        return read_run(self._folder(run))

    def _folder(self, run: str) -> Path:
        begun = [folder for folder in self.folders() if run and folder.name.startswith(run)]
        exact = [folder for folder in begun if folder.name == run]
        if len(exact or begun) != 1:
            what = "the IDs of several runs start with it" if begun else "no run has this ID"
            raise EngineError(
                f"expected the ID of one run; got {run} ({what}): choose a run from the list"
                if run
                else "expected the ID of one run; got none: give an ID of 'ia-engine runs list'"
            )
        return (exact or begun)[0]

    def find(self, name: str) -> SavedRun | None:
        """Return the run with the given name, or None if there is none."""
        named = [folder for folder in self.folders() if folder.name.endswith(f"-{name}")]
        return read_run(named[0]) if name and len(named) == 1 else None

    def write_note(self, run: str, note: Note) -> None:
        """Set the name, the tags and the note of a run."""
        tags = tuple(dict.fromkeys(tag.strip() for tag in note.tags if tag.strip()))
        kept = self.open(run)
        with _changing(kept.id, "named"):
            write_json(kept.folder / "note.json", asdict(replace(note, tags=tags)))

    def delete(self, run: str) -> None:
        """Move a run to the deleted runs. Raises EngineError if it is still running."""
        folder = self._folder(run)
        if is_locked(folder / "lock"):
            raise EngineError(f"run {folder.name} is still running: cancel it before you delete it")
        bin_ = self.folder / DELETED
        with _changing(folder.name, "deleted"):
            bin_.mkdir(PRIVATE, exist_ok=True)
            folder.rename(bin_ / folder.name)

    def restore(self, run: str) -> None:
        """Restore a deleted run."""
        if not (self.folder / DELETED / run).is_dir() or not run:
            raise EngineError(
                f"expected the ID of a deleted run; got {run or 'no ID'}: choose a run that was "
                "deleted"
            )
        with _changing(run, "restored"):
            (self.folder / DELETED / run).rename(self.folder / run)

    def names(self) -> tuple[str, ...]:
        """Return the names of all runs, including damaged and deleted ones."""
        folders = (*self.folders(), *self.deleted_folders())
        return tuple(folder.name.split("-", PARTS - 1)[-1] for folder in folders)

    def remove(self, folders: Sequence[Path]) -> None:
        """Remove folders of runs permanently. A run that is still running is skipped."""
        bin_ = self.folder / DELETED
        for folder in folders:
            if is_locked(folder / "lock"):
                continue
            with _changing(folder.name, "deleted"):
                bin_.mkdir(PRIVATE, exist_ok=True)
                gone = folder.rename(bin_ / folder.name)  # so that no run is ever incomplete
                shutil.rmtree(gone)

    def _clean_up(self) -> None:
        """Remove the drafts of killed processes, and make old folders private."""
        before = (datetime.now(UTC) - STALE).strftime(f".{TIME}")
        for draft in self.folder.glob(DRAFTS):
            if draft.name < before:
                shutil.rmtree(draft, ignore_errors=True)
        for folder in self.folders():  # older versions made the folders readable by everyone
            with contextlib.suppress(OSError):
                if folder.stat().st_mode & 0o077:
                    folder.chmod(PRIVATE)

    def _make_folder(self) -> None:
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        self.folder.mkdir(PRIVATE, exist_ok=True)

    def folders(self) -> list[Path]:
        """Return the folders of all runs, newest first."""
        return _list_folders(self.folder)

    def deleted_folders(self) -> list[Path]:
        """Return the folders of the deleted runs, which can be restored."""
        return _list_folders(self.folder / DELETED)


def _list_folders(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    names = (path for path in folder.iterdir() if not path.name.startswith("."))
    return sorted((path for path in names if path.is_dir()), reverse=True)


@contextlib.contextmanager
def _changing(run: str, done: str) -> Iterator[None]:
    """Convert a system error in the block to an EngineError with a one-sentence message."""
    try:
        yield
    except OSError as cause:
        raise EngineError(
            f"run {run} could not be {done} ({cause.strerror}): make the runs folder writable "
            "or free space on its disk, and try again"
        ) from cause


def _lock(folder: Path) -> Lock:
    """Lock a run. Raises EngineError if it is still running, and OSError if it cannot be locked."""
    lock = take_lock(folder / "lock")
    if lock is None:
        raise EngineError(
            f"run {folder.name} is still running: wait until it finishes, or cancel it first"
        )
    return lock
