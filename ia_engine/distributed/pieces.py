"""Work in pieces: any free process computes a piece and stores its result as a file.

The result of a piece depends only on the work and the number of the piece, not on the number of
processes or on earlier pieces.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from safetensors.torch import load, save
from torch import Tensor

from ia_engine.distributed.ranks import ALONE, Ranks
from ia_engine.errors import EngineError
from ia_engine.files import read_tensors, write_whole

OURS: Final = re.compile(r"\.?[0-9a-f]{16}-[a-z]+-\d{5}\.safetensors(\.[0-9a-f]{8})?")
"""True for the file of a piece, or an unfinished one whose writer was killed."""

Piece = dict[str, Tensor]


@dataclass(frozen=True)
class Workshop:
    """The processes, and the folder of finished pieces, if they are stored."""

    ranks: Ranks = ALONE
    folder: Path | None = None
    say: Callable[[str], None] | None = None
    """Report the number of pieces that exist already."""

    @property
    def alone(self) -> bool:
        """True if there are no other processes and nothing is stored."""
        return self.ranks.size == 1 and self.folder is None

    def compute(self, name: str, count: int, make: Callable[[int], Piece]) -> list[Piece]:
        """The results of the pieces 0 … count - 1 of the work of this name, on the CPU."""
        if self.folder is None:
            return self._exchange(count, make)
        prepare(self.folder)
        missing = self.missing(name, count)
        if self.say and len(missing) < count:
            self.say(f"{count - len(missing)} of {count} blocks were finished before")
        for number in self.ranks.deal(missing):
            _write(self._path(name, number), _pack(make(number)))
        self.ranks.wait()
        return [_read(self._path(name, number)) for number in range(count)]

    def missing(self, name: str, count: int) -> list[int]:
        """The pieces that are not finished."""
        assert self.folder is not None
        # Lists all files: a network disk caches the absence of a file that was asked for.
        there = {path.name for path in self.folder.iterdir()}
        return [number for number in range(count) if self._path(name, number).name not in there]

    def _exchange(self, count: int, make: Callable[[int], Piece]) -> list[Piece]:
        """Without a folder, every rank sends its results to the others."""
        own = {number: _to_cpu(make(number)) for number in self.ranks.deal(range(count))}
        if self.ranks.size == 1:
            return [own[number] for number in range(count)]
        flat = {f"{number}.{key}": x for number, piece in own.items() for key, x in piece.items()}
        found: list[Piece] = [{} for _ in range(count)]
        for content in self.ranks.gather(save(flat)):
            for name, x in load(content).items():
                number, _, key = name.partition(".")
                found[int(number)][key] = x
        return found

    def _path(self, name: str, number: int) -> Path:
        assert self.folder is not None
        return self.folder / f"{name}-{number:05d}.safetensors"


ALL_HERE: Final = Workshop()
"""One process that stores nothing."""


def prepare(folder: Path) -> None:
    """Create the folder and check that it is writable."""
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise EngineError(f"no folder can be made at {folder}: {error.strerror}") from error


def clear(folder: Path) -> None:
    """Delete all pieces and unfinished files, and the folder if it is then empty."""
    for path in folder.iterdir() if folder.is_dir() else ():
        if OURS.fullmatch(path.name):
            path.unlink(missing_ok=True)
    with suppress(OSError):  # the folder holds other files
        folder.rmdir()


def _pack(piece: Piece) -> bytes:
    return save(_to_cpu(piece))


def _to_cpu(piece: Piece) -> Piece:
    return {name: x.detach().cpu().contiguous() for name, x in piece.items()}


def _write(path: Path, content: bytes) -> None:
    try:
        write_whole(path, content)
    except OSError as error:
        raise EngineError(f"{path} could not be written: {error.strerror}") from error


def _read(path: Path) -> Piece:
    try:
        return read_tensors(path, "pt")[1]
    except EngineError as error:
        raise EngineError(
            f"{path} cannot be read: all processes need the same data, and one folder that all "
            "machines reach; a damaged file is computed again once it is deleted"
        ) from error
