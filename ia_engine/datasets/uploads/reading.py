"""Any files, from anybody, to one set of images; one bad file never hurts the rest."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from ia_engine.datasets.uploads.archive import (
    is_system_file,
    kind_of_archive,
    members,
    open_archive,
)
from ia_engine.datasets.uploads.arrays import read_idx_file, read_npy, read_npz
from ia_engine.datasets.uploads.basket import Basket, UploadResult
from ia_engine.datasets.uploads.config import UploadConfig
from ia_engine.datasets.uploads.kinds import READABLE, recognise, refuse_kind
from ia_engine.datasets.uploads.labels import folders_of
from ia_engine.datasets.uploads.limits import (
    FREE_BYTES,
    FREE_PIXELS,
    PIXELS_PER_BYTE,
    Budget,
    show_name,
)
from ia_engine.datasets.uploads.pictures import read_picture
from ia_engine.datasets.uploads.stack import File, Found, LabelList, Refusal
from ia_engine.datasets.uploads.tensors import read_torch
from ia_engine.errors import EngineError

T = TypeVar("T")
Reader = Callable[[str, bytes, Budget], Iterator[Found]]

READERS: dict[str, Reader] = {
    "png": read_picture,
    "jpeg": read_picture,
    "webp": read_picture,
    "gif": read_picture,
    "npy": read_npy,
    "npz": read_npz,
    "idx": read_idx_file,
    "gzip": read_idx_file,
    "torch": read_torch,
}


Entry = tuple[File, str]
"""A file and its kind."""

PICTURES = ("png", "jpeg", "webp", "gif")


def read_upload(files: Sequence[File], config: UploadConfig) -> UploadResult:
    """Every image in the files on one canvas, with its background at 0, and what was refused.

    One file is read at a time; of pictures beyond the limit and of what is none of ours, the head.
    """
    basket = Basket(config)
    size = sum(file.size for file in files)
    budget = Budget(basket.free, FREE_PIXELS + PIXELS_PER_BYTE * size, FREE_BYTES + size)
    for file in files:
        name = show_name(file.name)
        for entry in _or_refusal(name, "zip", partial(_open, name, file, basket, budget)):
            if isinstance(entry, Refusal):
                basket.refuse(entry)
            else:
                _read(*entry, basket, budget)
    return basket.empty()


def _open(name: str, file: File, basket: Basket, budget: Budget) -> Iterator[Entry | Refusal]:
    """The file itself, or what is in it if it is a zip of files."""
    kind = recognise(file.head)
    if kind != "zip":
        yield file, kind
        return
    with open_archive(name, file.content) as archive:
        kind = kind_of_archive(archive)
        if kind != "zip":
            yield file, kind
            return
        files = [member for member in archive.namelist() if not member.endswith("/")]
        useful = [member for member in files if not is_system_file(member)]
        basket.passed_over += len(files) - len(useful)
        if not useful:
            raise EngineError(f"{name}: expected pictures in the zip, got none; put some in")
        for member in members(archive, budget):
            yield member if isinstance(member, Refusal) else (member, recognise(member.head))


def _read(file: File, kind: str, basket: Basket, budget: Budget) -> None:
    """One file into the basket, or its refusal."""
    name = basket.title(show_name(file.name))
    reader = READERS.get(kind)
    if reader is None:
        basket.refuse(Refusal(name, refuse_kind(name, kind)))
        return
    if kind in PICTURES and not basket.free:
        basket.left_out += 1
        return
    budget.images = basket.free
    for found in _or_refusal(name, READABLE[kind], lambda: reader(name, file.content, budget)):
        if isinstance(found, Refusal):
            basket.refuse(found)
        elif isinstance(found, LabelList):
            basket.lists[name] = found
        else:
            basket.put(name, folders_of(file.name), found)


def _or_refusal(name: str, what: str, find: Callable[[], Iterator[T]]) -> Iterator[T | Refusal]:
    """What is found until the end or the first failure, which becomes a sentence."""
    try:
        yield from find()
    except EngineError as error:
        yield Refusal(name, str(error))
    except Exception:  # decoders fed with hostile bytes fail in every way there is
        reason = f"{name}: expected a whole {what}, got one that is damaged; export it again"
        yield Refusal(name, reason)
