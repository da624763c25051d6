"""Mutated uploads: none raises an exception, good files are still read, refusals are readable."""

import random
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np

from ia_engine.datasets.uploads import PHOTOGRAPHS, Upload, UploadConfig, read_upload
from tests.crafted import GOOD, PNG, drawings, idx, npy, npz, packed
from tests.hostile import READ, REFUSED
from tests.work import count_work

SMALL = 100_000
MARKS = (b"PK\1\2", b"PK\5\6", b"IHDR", b"fcTL", b"IDAT", b"\xff\xd8", b"\xff\xda", b",", b"!")
NUMBERS = (b"\0", b"\xff", b"\x7f\xff\xff\xff", b"\xff\xff\xff\xff", b"\0\0\0\0", b"\1\0", b"\x80")
TEXTS = (b"-1", b"99999999999", b"()", b"(3,)", b"'|O'", b"'<f8'", b"'>c16'", b"'<M8[s]'", b"True")
VALUES = (0, 1, -1, 255, 256, 65535, 1e-320, 3.5e38, -3.5e38, 1e300, 1.7e308, -1.7e308)
NOT_FINITE = (np.nan, np.inf, -np.inf)
DTYPES = ("?", "i1", "u1", "<i2", ">u2", "<i8", "<u8", "<f2", "<f4", ">f8", "g", "<c8", "<U3", "S2")
NAMES = ("a.png", "../a", "/etc/passwd", "x" * 300, "a/" * 70, "\u202egnp", "=1+1", "", "c\\d")
CONFIGS = (
    UploadConfig(size=16),
    UploadConfig(size=16, scale="image", background="keep", color="rgb"),
    UploadConfig(size=16, background="alpha", limit=3),
    replace(PHOTOGRAPHS, size=32),
)


def draw_uploads(count: int, seed: int = 0) -> Iterator[tuple[str, bytes, UploadConfig]]:
    """Yield this number of mutated files: name, content, and the settings for reading them."""
    for case in range(count):
        chance = random.Random(f"{seed} {case}")
        content = chance.choice((_draw_array, _draw_mutant, _draw_mutant, _draw_zip))(chance)
        yield f"{case}", content, chance.choice(CONFIGS)


def read_mutant(name: str, content: bytes, config: UploadConfig) -> str:
    """Read the file between two good ones; return the problem, or "" if there is none."""
    files = [Upload("first.png", GOOD), Upload(name, content), Upload("last.png", GOOD)]
    size = sum(file.size for file in files)
    try:
        with warnings.catch_warnings(record=True) as warned, count_work() as work:
            warnings.simplefilter("always")
            result = read_upload(files, config)
    except Exception as error:
        return f"{name}: raised {error!r}"
    for warning in warned:
        if not issubclass(warning.category, UserWarning):  # Pillow warns of damaged metadata
            return f"{name}: warned {warning.message!r}"
    if result.images is None or result.images.names[0] != "first.png":
        return f"{name}: the good file before it was not read"
    if len(result.images.images) < config.limit and "last.png" not in result.images.names:
        return f"{name}: the good file after it was not read"
    if not work.is_bounded(size):
        return f"{name}: {work} for {size} bytes"
    texts = [refusal.reason for refusal in result.refused] + list(result.notes)
    bad = [text for text in texts if not _is_sentence(text)]
    return f"{name}: {bad[0]!r} is not a readable sentence" if bad else ""


def run(count: int, seed: int = 0) -> list[str]:
    """Read this number of mutated files; return one line per failure."""
    return [wrong for case in draw_uploads(count, seed) if (wrong := read_mutant(*case))]


def _is_sentence(text: str) -> bool:
    return text.isprintable() and len(text) < 300 and not re.search(r"Traceback|(^|\s)/\w", text)


@cache
def _seeds() -> tuple[bytes, ...]:
    """Small files of all kinds, intact and hostile."""
    built = [build() for _, build in READ.values()]
    built += [
        build() for name, (_, _, build) in REFUSED.items() if name.split(".")[0] not in _LARGE_NAMES
    ]
    extra = [npz(images=drawings(), labels=np.arange(3)), idx((3,), b"\0\1\2"), npy(np.arange(3))]
    return tuple(content for content in [*built, *extra] if len(content) <= SMALL)


_LARGE_NAMES = frozenset(
    (
        *("bomb", "long-bomb", "blank-bomb", "plain-bomb", "tight", "gzips", "many", "blanks"),
        *("10000-frames", "tiny-blocks", "tiny-comment", "long", "empty-frames", "loose-gifs"),
        *("many-gifs", "scans", "many-labels", "long-labels", "large"),
    )
)


def _draw_mutant(chance: random.Random) -> bytes:
    content = bytearray(chance.choice(_seeds()))
    for _ in range(chance.choice((1, 1, 2, 4, 16))):
        chance.choice(MUTATIONS)(content, chance)
    if content.startswith(PNG) and chance.random() < 0.7:
        _repair_png(content)
    return bytes(content[: 4 * SMALL])


def _draw_zip(chance: random.Random) -> bytes:
    """A zip of several mutants; the zip itself may be mutated too."""
    method = chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    members = {chance.choice(NAMES) + f"{at}": _draw_mutant(chance) for at in range(3)}
    content = bytearray(packed(members.items(), method))
    if chance.random() < 0.5:
        chance.choice(MUTATIONS)(content, chance)
    return bytes(content)


def _draw_array(chance: random.Random) -> bytes:
    """An npy or npz file of any type and shape, often images, with extreme values."""
    numbers = np.random.default_rng(chance.randrange(1 << 32))
    shape = _draw_shape(chance)
    finite = chance.random() < 0.7
    pool = numbers.choice([*VALUES, *NOT_FINITE][: len(VALUES) if finite else None], 3)
    values = numbers.choice(pool, shape)
    usual = numbers.random(shape) < chance.choice((0, 0.5, 0.99))
    values = np.where(usual, numbers.normal(0, 9, shape), values)
    with np.errstate(all="ignore"):
        array = values.astype(chance.choice(DTYPES))
    if chance.random() < 0.3:
        array = np.asfortranarray(array)
    if chance.random() < 0.5:
        return npy(array)
    return npz(images=array, labels=np.arange(chance.choice((0, 1, 2, 3))))


def _draw_shape(chance: random.Random) -> list[int]:
    if chance.random() < 0.3:
        return [chance.choice((0, 1, 2, 3, 4, 8, 17)) for _ in range(chance.randrange(6))]
    n, *sides = (chance.randrange(1, 4), chance.randrange(4, 20), chance.randrange(4, 20))
    channels = [chance.randrange(1, 5)]
    return [n, *chance.choice((sides, sides + channels, channels + sides))]


def _repair_png(content: bytearray) -> None:
    """Correct the checksums of the chunks of a mutated PNG, so that its decoder continues."""
    at = len(PNG)
    while at + 12 <= len(content):
        size = int.from_bytes(content[at : at + 4], "big")
        end = at + 8 + size
        content[end : end + 4] = zlib.crc32(content[at + 4 : end]).to_bytes(4, "big")
        at = end + 4


def _flip(content: bytearray, chance: random.Random) -> None:
    if content:
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)


def _cut(content: bytearray, chance: random.Random) -> None:
    del content[chance.randrange(len(content) + 1) :]


def _insert(content: bytearray, chance: random.Random) -> None:
    at = chance.randrange(len(content) + 1)
    content[at:at] = chance.choice((*NUMBERS, *TEXTS))


def _overwrite(content: bytearray, chance: random.Random) -> None:
    """Write a number over the bytes after a marker, where sizes and offsets are stored."""
    mark = chance.choice(MARKS)
    at = content.find(mark)
    at = at + len(mark) + chance.randrange(24) if at >= 0 else chance.randrange(len(content) + 1)
    new = chance.choice(NUMBERS)
    content[at : at + len(new)] = new


def _rewrite_header(content: bytearray, chance: random.Random) -> None:
    """Replace a string or number in the first bytes, where npy files store type and shape."""
    found = [*re.finditer(rb"\d+|'[^']*'|\([^)]*\)", bytes(content[:200]))]
    if found:
        start, end = chance.choice(found).span()
        content[start:end] = chance.choice(TEXTS)


def _repeat(content: bytearray, chance: random.Random) -> None:
    start, end = sorted(chance.randrange(len(content) + 1) for _ in "12")
    content[end:end] = content[start:end] * chance.choice((1, 2, 5))


def _splice(content: bytearray, chance: random.Random) -> None:
    other = chance.choice(_seeds())
    content[chance.randrange(len(content) + 1) :] = other[chance.randrange(len(other) + 1) :]


MUTATIONS = (_flip, _flip, _cut, _insert, _overwrite, _overwrite, _rewrite_header, _repeat, _splice)
