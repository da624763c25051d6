"""The size that a WebP or a GIF claims, found before a decoder can make room for it.

PNG and JPEG need no help: their decoders make room only when the pixels are asked for.
"""

from collections.abc import Iterator

from ia_engine.datasets.uploads.limits import MOST_GIF_BLOCKS


def webp_size(content: bytes) -> tuple[int, int]:
    """Width and height in the first chunk: lossy, lossless or extended."""
    head = content[:30].ljust(30, b"\0")
    if head[12:16] == b"VP8X":
        return _little(head[24:27]) + 1, _little(head[27:30]) + 1
    if head[12:16] == b"VP8L":
        bits = _little(head[21:25])
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return _little(head[26:28]) & 0x3FFF, _little(head[28:30]) & 0x3FFF


def gif_size(content: bytes) -> tuple[int, int, int]:
    """The smallest canvas that holds the screen and every frame, and the number of blocks.

    A frame may be larger than the screen; beyond the most blocks nothing is looked at.
    """
    width, height, blocks = _little(content[6:8]), _little(content[8:10]), 0
    for right, bottom, more in _gif_parts(content):
        width, height, blocks = max(width, right), max(height, bottom), blocks + more
        if blocks > MOST_GIF_BLOCKS:
            break
    return width, height, blocks


def _gif_parts(content: bytes) -> Iterator[tuple[int, int, int]]:
    """The right and bottom end and the blocks of each part, as far as the file goes by the rules.

    An extension ends at 0; a part without any block counts as one.
    """
    at = 13 + _palette(content[10:11])
    while at < len(content) and content[at : at + 1] != b";":
        if content[at : at + 1] == b"!":
            at, blocks = _after_blocks(content, _after_extension(content, at))
            yield 0, 0, blocks
        elif content[at : at + 1] == b"," and len(content) >= at + 10:
            x, y, w, h = (_little(content[at + i : at + i + 2]) for i in (1, 3, 5, 7))
            at, blocks = _after_blocks(content, at + 11 + _palette(content[at + 9 : at + 10]))
            yield x + w, y + h, blocks
        else:
            raise ValueError("a GIF block is neither a frame nor an extension")


def _after_extension(content: bytes, at: int) -> int:
    """Where an extension's blocks begin; decoders disagree on those that miss a block."""
    looped = content[at + 3 : at + 14] == b"NETSCAPE2.0"
    first = content[at + 2 : at + 3]
    second = content[at + 14 : at + 15] if looped else b"x"
    if content[at + 1 : at + 2] != b"\xfe" and b"\0" in (first, second):
        raise ValueError("a GIF extension is empty")
    return at + 2


def _after_blocks(content: bytes, at: int) -> tuple[int, int]:
    """The place after a chain of blocks, each led by its length, the last of 0; how many."""
    blocks = 1
    while at < len(content) and content[at] and blocks <= MOST_GIF_BLOCKS:
        at += 1 + content[at]
        blocks += 1
    return at + 1, blocks


def _palette(flags: bytes) -> int:
    """The bytes of the palette that the flags announce."""
    return 3 << (flags[0] & 7) + 1 if flags and flags[0] & 128 else 0


def _little(number: bytes) -> int:
    return int.from_bytes(number, "little")
