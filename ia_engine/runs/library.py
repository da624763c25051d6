"""Runs kept in a folder: a folder for each run, a file for each step.

    run.json                  where the run comes from: written first, never changed
    given.safetensors         the arrays it begins with
    step-00001.safetensors    as they are finished
    state.safetensors         what the next step needs, where the steps do not hold it
    note.json                 its name and tags
    ended.json                how it ended; not there before that, nor once it has gone on since
    lock                      held by the process that computes

Every file is whole or not there, and nothing is shared between runs: a process that is killed
loses the step it was in, and processes on one folder do not meet.
"""

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryFile
from typing import Final

from ia_engine.errors import EngineError
from ia_engine.runs.folder import (
    ENDED,
    FORMAT,
    PARTS,
    STATE,
    SUM,
    VERSION,
    Ended,
    Kept,
    Lock,
    Note,
    find_owner,
    hash_owner,
    is_locked,
    read_run,
    step_name,
    sum_values,
    take_lock,
    write_arrays,
    write_json,
    write_sealed,
)
from ia_engine.runs.record import Arrays, Record

__all__ = ["DELETED", "FOLDER", "PARTS", "Kept", "Library", "Note", "Writer"]

DELETED: Final = ".deleted"
FOLDER: Final = "IA_RUNS"
"""The variable that names the folder."""
MADE: Final = "%Y%m%d-%H%M%S-%f"
"""How an id begins."""
DRAFTS: Final = f".{'[0-9]' * 8}-{'[0-9]' * 6}-{'[0-9]' * 6}-*"
STALE: Final = timedelta(days=1)
"""A draft is there for moments: an older one was left by a process that was killed."""
PRIVATE: Final = 0o700
"""The mode of folders: only their owner may open them."""
PROBE: Final = 1 << 16
"""Bytes that are written to find out whether a folder takes files."""
HOME: Final = Path(".local", "share", "invariant-attention-explorer", "runs")


class Writer:
    """A run that is being computed: it takes the finished steps, and holds the run's lock."""

    def __init__(self, folder: Path, lock: Lock, done: int) -> None:
        self.id: Final = folder.name
        self.folder: Final = folder
        self._lock, self.done = lock, done

    def append(self, arrays: Arrays, state: bytes | None = None) -> None:
        """Keep the next step, and what the one after it needs: the state first."""
        (self.folder / ENDED).unlink(missing_ok=True)  # of before it went on
        if state is not None:
            write_sealed(self.folder / STATE, state)
        write_arrays(self.folder / step_name(self.done + 1), arrays)
        self.done += 1

    def end(self, state: str, error: str = "") -> None:
        """Say how it ended, and let go of it, even if that cannot be said."""
        try:
            write_json(self.folder / ENDED, asdict(Ended(state, error, self.done)))
        finally:
            self._lock.release()


class Library:
    """All runs of a folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or Path(os.environ.get(FOLDER) or Path.home() / HOME)

    def begin(
        self, kind: str, record: Record, given: Arrays, owner: str = "", name: str = ""
    ) -> Writer:
        """A new run; its folder appears with its record and what it begins with, or not at all."""
        self._sweep()
        made = datetime.now(UTC).strftime(MADE)
        folder = self.folder / f"{made}-{name or secrets.token_hex(4)}"
        draft = self.folder / f".{folder.name}"
        self._make_folder()
        draft.mkdir(PRIVATE)
        known = {"format": FORMAT, "version": VERSION, "kind": kind, "owner": hash_owner(owner)}
        try:
            values = {**known, "record": asdict(record)}
            write_json(draft / "run.json", {**values, SUM: sum_values(values)})
            write_arrays(draft / "given.safetensors", given)
            lock = _lock(draft)
            draft.rename(folder)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
        return Writer(folder, lock, 0)

    def go_on(self, run: str) -> Writer:
        """Take up a run where it was left, one process at a time; it has ended until a new step."""
        kept = self.open(run)
        try:
            lock = _lock(kept.folder)
        except OSError as cause:
            raise EngineError(
                f"run {kept.id} cannot be resumed, since its folder cannot be written "
                f"({cause.strerror}) or belongs to another user: compute it again as your own"
            ) from cause
        return Writer(kept.folder, lock, self.open(run).steps)

    def runs(self, owner: str | None = None) -> tuple[Kept, ...]:
        """The runs that can be read, newest first; of one owner, if one is given."""
        found = []
        for folder in self._folders():
            with contextlib.suppress(EngineError):
                found.append(read_run(folder))
        return tuple(kept for kept in found if owner is None or kept.belongs_to(owner))

    def unreadable(self, owner: str | None = None) -> dict[str, str]:
        """The folders that cannot be read, and why, in one sentence each.

        With an owner, those that are known to belong to somebody else are left out.
        """
        reasons, own = {}, None if owner is None else {hash_owner(owner), hash_owner("")}
        for folder in self._folders():
            try:
                read_run(folder)
            except EngineError as error:
                found = find_owner(folder)
                if own is None or found is None or found in own:
                    reasons[folder.name] = str(error)
        return reasons

    def check_writable(self) -> None:
        """Raise OSError unless a file can be written to the folder now."""
        self._make_folder()
        with TemporaryFile(dir=self.folder) as probe:
            probe.write(bytes(PROBE))
            probe.flush()
            os.fsync(probe.fileno())

    def open(self, run: str) -> Kept:
        """The run of this id, or of the only id that begins so."""
        return read_run(self._folder(run))

    def _folder(self, run: str) -> Path:
        begun = [folder for folder in self._folders() if run and folder.name.startswith(run)]
        exact = [folder for folder in begun if folder.name == run]
        if len(exact or begun) != 1:
            what = "several runs begin with it" if begun else "there is no such run"
            raise EngineError(f"{run or 'nothing'} names no run ({what}): choose one of the list")
        return (exact or begun)[0]

    def find(self, name: str) -> Kept | None:
        """The run that was begun under this name."""
        named = [folder for folder in self._folders() if folder.name.endswith(f"-{name}")]
        return read_run(named[0]) if name and len(named) == 1 else None

    def write_note(self, run: str, note: Note) -> None:
        """Name and tag it."""
        tags = tuple(dict.fromkeys(tag.strip() for tag in note.tags if tag.strip()))
        kept = self.open(run)
        with _changing(kept.id, "named"):
            write_json(kept.folder / "note.json", asdict(replace(note, tags=tags)))

    def delete(self, run: str) -> None:
        """Put it aside, so that it can be brought back; a run under way is refused."""
        folder = self._folder(run)
        if is_locked(folder / "lock"):
            raise EngineError(f"run {folder.name} is under way: cancel it before you delete it")
        bin_ = self.folder / DELETED
        with _changing(folder.name, "deleted"):
            bin_.mkdir(PRIVATE, exist_ok=True)
            folder.rename(bin_ / folder.name)

    def restore(self, run: str) -> None:
        """Bring a deleted run back."""
        if not (self.folder / DELETED / run).is_dir() or not run:
            raise EngineError(f"{run or 'nothing'} is not among the deleted runs: nothing was done")
        with _changing(run, "restored"):
            (self.folder / DELETED / run).rename(self.folder / run)

    def forget(self) -> None:
        """Remove the deleted runs for good."""
        shutil.rmtree(self.folder / DELETED, ignore_errors=True)

    def _sweep(self) -> None:
        """Remove what processes left that were killed while a run began."""
        before = (datetime.now(UTC) - STALE).strftime(f".{MADE}")
        for draft in self.folder.glob(DRAFTS):
            if draft.name < before:
                shutil.rmtree(draft, ignore_errors=True)
        for folder in self._folders():  # older versions let everyone read them
            with contextlib.suppress(OSError):
                if folder.stat().st_mode & 0o077:
                    folder.chmod(PRIVATE)

    def _make_folder(self) -> None:
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        self.folder.mkdir(PRIVATE, exist_ok=True)

    def _folders(self) -> list[Path]:
        if not self.folder.is_dir():
            return []
        names = (path for path in self.folder.iterdir() if not path.name.startswith("."))
        return sorted((path for path in names if path.is_dir()), reverse=True)


@contextlib.contextmanager
def _changing(run: str, done: str) -> Iterator[None]:
    """The system's error as one sentence."""
    try:
        yield
    except OSError as cause:
        raise EngineError(
            f"run {run} could not be {done} ({cause.strerror}): make the folder of runs writable "
            "or free space on its disk, and try again"
        ) from cause


def _lock(folder: Path) -> Lock:
    """The run's lock; an EngineError where somebody computes it, OSError where none can be."""
    lock = take_lock(folder / "lock")
    if lock is None:
        raise EngineError(f"run {folder.name} is under way: wait for it, or cancel it first")
    return lock
