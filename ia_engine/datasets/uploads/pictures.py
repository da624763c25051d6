"""Decodes PNG, JPEG, WebP and GIF, including every frame of an animation, within limits.

The size in the header of a WebP or a GIF is read before a decoder can allocate memory for it. PNG
and JPEG decoders allocate memory only when pixels are requested.
"""

import io
from collections.abc import Iterator
from typing import Final

import numpy as np
import torch
from PIL import ExifTags, Image, ImageOps
from PIL.GifImagePlugin import GifImageFile
from PIL.ImageFile import ImageFile
from PIL.JpegImagePlugin import JpegImageFile
from PIL.PngImagePlugin import PngImageFile
from PIL.WebPImagePlugin import WebPImageFile

from ia_engine.datasets.uploads.limits import (
    LONGEST_SIDE,
    MOST_FRAMES,
    MOST_GIF_BLOCKS,
    MOST_GIF_BYTES,
    MOST_PIXELS,
    MOST_SCANS,
    PIXELS_PER_GIF_BLOCK,
    READABLE,
    Budget,
    Stack,
    recognise,
)
from ia_engine.errors import EngineError
from ia_engine.poses.placement import Placement


def webp_size(content: bytes) -> tuple[int, int]:
    """Return the width and height in the first chunk, which is lossy, lossless or extended."""
    head = content[:30].ljust(30, b"\0")
    if head[12:16] == b"VP8X":
        return _little(head[24:27]) + 1, _little(head[27:30]) + 1
    if head[12:16] == b"VP8L":
        bits = _little(head[21:25])
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    return _little(head[26:28]) & 0x3FFF, _little(head[28:30]) & 0x3FFF


def gif_size(content: bytes) -> tuple[int, int, int]:
    """Return the width and height of the smallest canvas that contains the screen and every frame,
    and the number of blocks.

    A frame may be larger than the screen. Reading stops at the maximum number of blocks.
    """
    width, height, blocks = _little(content[6:8]), _little(content[8:10]), 0
    for right, bottom, more in _gif_parts(content):
        width, height, blocks = max(width, right), max(height, bottom), blocks + more
        if blocks > MOST_GIF_BLOCKS:
            break
    return width, height, blocks


def _gif_parts(content: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the right edge, the bottom edge and the number of blocks of each part of a valid file.

    For an extension, both edges are 0. A part without blocks counts as one block.
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
            raise ValueError(
                "expected a GIF block that is a frame or an extension; got another kind of block"
            )


def _after_extension(content: bytes, at: int) -> int:
    """Return where the blocks of an extension start. An extension without blocks is an error,
    because decoders disagree about it."""
    looped = content[at + 3 : at + 14] == b"NETSCAPE2.0"
    first = content[at + 2 : at + 3]
    second = content[at + 14 : at + 15] if looped else b"x"
    if content[at + 1 : at + 2] != b"\xfe" and b"\0" in (first, second):
        raise ValueError("expected data in a GIF extension; got none")
    return at + 2


def _after_blocks(content: bytes, at: int) -> tuple[int, int]:
    """Return the end of a chain of blocks, and their number. Each block is preceded by its length;
    a length of 0 ends the chain."""
    blocks = 1
    while at < len(content) and content[at] and blocks <= MOST_GIF_BLOCKS:
        at += 1 + content[at]
        blocks += 1
    return at + 1, blocks


def _palette(flags: bytes) -> int:
    """Return the size of the palette [bytes] according to the flags."""
    return 3 << (flags[0] & 7) + 1 if flags and flags[0] & 128 else 0


def _little(number: bytes) -> int:
    return int.from_bytes(number, "little")


DECODERS: dict[str, type[ImageFile]] = {
    "png": PngImageFile,
    "jpeg": JpegImageFile,
    "webp": WebPImageFile,
    "gif": GifImageFile,
}
JPEG_NOISE = 0.03
SCANS_PER_PASS = 4
ORIENTATION: Final = int(ExifTags.Base.Orientation)
SIDEWAYS: Final = (5, 6, 7, 8)
"""Values of the orientation at which rows become columns when the picture is turned upright."""
UPSIDE_DOWN: Final = (3, 4, 7, 8)
"""Values at which the last row of the upright picture is stored first."""
RIGHT_TO_LEFT: Final = (2, 3, 6, 7)
"""Values at which the last column of the upright picture is stored first."""
_SCAN = b"\xff\xda"


def read_picture(name: str, content: bytes, budget: Budget) -> Iterator[Stack]:
    """Yield a picture, or every frame of an animation, as a stack of one image."""
    kind = recognise(content)
    _check_header(name, kind, content, budget)
    passes = _count_passes(name, content) if kind == "jpeg" else 1
    with DECODERS[kind](io.BytesIO(content)) as picture:
        most = min(MOST_FRAMES, budget.images)
        for frame in range(most + 1):
            if not _seek(picture, frame):
                return
            if frame == most:
                raise EngineError(
                    f"{name}: expected at most {most} frames; got more, so only the first {most} "
                    "were read: split the animation to read the rest"
                )
            _check_size(name, kind, picture.size, budget, passes)
            title = f"{name} frame {frame + 1}" if getattr(picture, "is_animated", False) else name
            image, read_at = _decode(picture)
            yield _to_stack(title, image, JPEG_NOISE if kind == "jpeg" else 0.0, read_at)


def _seek(picture: ImageFile, frame: int) -> bool:
    try:
        picture.seek(frame)
    except EOFError:
        return False
    return True


def _check_header(name: str, kind: str, content: bytes, budget: Budget) -> None:
    """Check pictures in formats whose decoders allocate memory when they open a file."""
    if kind == "webp":
        _check_canvas(name, kind, webp_size(content))
    elif kind == "gif":
        _check_gif(name, content, budget)


def _check_gif(name: str, content: bytes, budget: Budget) -> None:
    if len(content) > MOST_GIF_BYTES:
        raise EngineError(
            f"{name}: expected a GIF of at most {MOST_GIF_BYTES >> 20} MB; got "
            f"{len(content) / (1 << 20):.0f} MB: export its frames as PNG"
        )
    width, height, blocks = gif_size(content)
    if blocks > MOST_GIF_BLOCKS:
        raise EngineError(
            f"{name}: expected a GIF of at most {MOST_GIF_BLOCKS:,} blocks of data; got more: "
            "export its frames as PNG"
        )
    _check_canvas(name, "gif", (width, height))
    budget.spend(name, blocks * PIXELS_PER_GIF_BLOCK)


def _count_passes(name: str, content: bytes) -> int:
    """Return the number of passes that a JPEG decoder makes: each scan of a progressive file covers
    all pixels."""
    scans = content.count(_SCAN)
    if scans > MOST_SCANS:
        raise EngineError(
            f"{name}: expected a JPEG picture of at most {MOST_SCANS} scans; got {scans:,}: "
            "export it again"
        )
    return max(1, scans // SCANS_PER_PASS)


def _check_size(name: str, kind: str, size: tuple[int, int], budget: Budget, passes: int) -> None:
    _check_canvas(name, kind, size)
    budget.spend(name, size[0] * size[1] * passes)


def _check_canvas(name: str, kind: str, size: tuple[int, int]) -> None:
    width, height = size
    if width * height > MOST_PIXELS[kind]:
        raise EngineError(
            f"{name}: expected a {READABLE[kind]} of at most {MOST_PIXELS[kind] / 1e6:.0f} "
            f"megapixels; got {width:,}×{height:,}: make it smaller"
        )


def _decode(picture: ImageFile) -> tuple[Image.Image, Placement]:
    """Decode a picture, turn it upright, convert it to mode L, F, RGB or RGBA, and reduce it if its
    longer side exceeds the limit."""
    size = picture.size
    picture.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))
    picture.load()
    mode = _plain_mode(picture)
    plain = picture if picture.mode == mode else picture.convert(mode)
    factor = -(-max(plain.size) // LONGEST_SIDE)
    small = plain.reduce(factor) if factor > 1 else plain
    small.info = picture.info
    drafted = (s for s in (1, 2, 4, 8) if -(-max(size) // s) == max(plain.size))
    turned = small.getexif().get(ORIENTATION, 1)
    read_at = _find_reduction(size, small.size, factor * next(drafted, 1), turned)
    return ImageOps.exif_transpose(small), read_at


def _find_reduction(
    before: tuple[int, int], after: tuple[int, int], factor: int, orientation: int
) -> Placement:
    """Return where a picture of the size `before` lies on its reduction, both turned upright.

    The last row and column of a reduction may cover fewer pixels than the others. They come first
    if the picture is turned.
    """
    (width, height), (columns, rows) = before, after
    if orientation in SIDEWAYS:
        width, height, columns, rows = height, width, rows, columns
    placement = Placement(height, width).rescale((1 / factor, 1 / factor))
    top = rows - height / factor if orientation in UPSIDE_DOWN else 0.0
    left = columns - width / factor if orientation in RIGHT_TO_LEFT else 0.0
    return placement.pad(top, left)


def _plain_mode(picture: Image.Image) -> str:
    if picture.mode.startswith(("I", "F")):
        return "F"
    if picture.has_transparency_data:
        return "RGBA"
    return "L" if picture.mode in ("1", "L") else "RGB"


def _to_stack(name: str, image: Image.Image, noise: float, read_at: Placement) -> Stack:
    """Convert an image to a stack with values in [0, 1]. Only 16-bit images are in mode F; the
    others consist of bytes."""
    top = 65535 if image.mode == "F" else 255
    pixels = torch.from_numpy(np.array(image, dtype=np.float32)).div_(top).clamp_(0, 1)
    channels = pixels[None, None] if pixels.ndim == 2 else pixels.permute(2, 0, 1)[None]
    if image.mode == "RGBA":
        return Stack((name,), channels[:, :3], channels[:, 3:], noise=noise, read_at=read_at)
    return Stack((name,), channels, noise=noise, read_at=read_at)
