"""How much of a stranger's file is read, and how its name is shown."""

import re
from dataclasses import dataclass

from ia_engine.errors import EngineError

MOST_BYTES = 1 << 26
"""Of one array or one member of a zip, unpacked."""
FREE_BYTES = 1 << 28
"""May be unpacked in one upload beside as many as came; each file is dropped before the next."""
MOST_RATIO = 200
"""Of the bytes of a member of a zip to its packed bytes, once it is longer than a megabyte."""
MOST_MEMBERS = 20_000
MOST_FRAMES = 500
MOST_GIF_BYTES = 1 << 24
MOST_GIF_BLOCKS = 1 << 17
"""Of one GIF: full ones hold 255 bytes, and a decoder walks through them one by one."""
PIXELS_PER_GIF_BLOCK = 128
"""What a block costs of the upload's pixels, since it takes the time of so many."""
MOST_PIXELS = {"png": 13_000_000, "jpeg": 25_000_000, "webp": 1 << 23, "gif": 1 << 22}
"""Of one picture; what a decoder keeps beside the picture decides."""
MOST_SCANS = 32
"""Of one JPEG: a progressive one goes over all its pixels in each; ten are usual."""
MOST_VALUES = 5 << 22
"""Of all images on their canvas, as if they had colour: 80 MB, twice while they are joined."""
FREE_PIXELS = 1 << 26
PIXELS_PER_BYTE = 16
"""Photographs have one to ten pixels a byte; a bomb has thousands, and is soon broke."""
LONGEST_SIDE = 512
"""Larger images are averaged down to it before anything else; a canvas has at most 256."""
LONGEST_NAME = 80
MOST_DEPTH = 64
"""Folders one inside another."""


@dataclass
class Budget:
    """What may still be read in one upload: images, pixels to decode, bytes to unpack.

    `scale` is the rule by which arrays are scaled to [0, 1].
    """

    images: int
    pixels: int
    bytes: int
    scale: str = "stack"

    def spend(self, name: str, pixels: int) -> None:
        """Pay for the pixels of a file before they are decoded."""
        if pixels > self.pixels:
            raise EngineError(
                f"{name}: expected fewer pixels in so small an upload, got {pixels / 1e6:.1f} "
                f"million where {self.pixels / 1e6:.1f} million are left; use smaller or fewer"
            )
        self.pixels -= pixels

    def unpack(self, name: str, size: int) -> None:
        """Pay for bytes as they are unpacked, whatever becomes of them."""
        self.bytes -= min(size, self.bytes)
        if not self.bytes:
            raise EngineError(
                f"{name}: expected at most {FREE_BYTES >> 20} MB more than was uploaded when all "
                "is unpacked, got more; the rest was not read, upload it in parts"
            )


def show_name(name: str) -> str:
    """A name fit for one line of a screen: printable, without a root, at most 80 characters."""
    printable = "".join(c for c in name[-1000:].replace("\\", "/") if c.isprintable())
    rootless = re.sub(r"^\s*([A-Za-z]:)?/*", "", printable).strip() or "a file without a name"
    if len(rootless) <= LONGEST_NAME:
        return rootless
    return f"{rootless[:40]}…{rootless[40 - LONGEST_NAME + 1 :]}"


def check_depth(name: str) -> None:
    """Refuse a file that lies too deep: the work for a name grows with its folders."""
    depth = name.count("/") + name.count("\\")
    if depth > MOST_DEPTH:
        raise EngineError(
            f"{show_name(name)}: expected at most {MOST_DEPTH} folders one inside another, got "
            f"{depth:,}; move the file up"
        )


def count(n: int, thing: str) -> str:
    """One image, two images: 1,234 images."""
    return f"{n:,} {thing}{'' if n == 1 else 's'}"
