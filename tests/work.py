"""Counts the work done to read files, which is the same on every machine and under any load."""

import zipfile
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from PIL import ImageFile

from ia_engine.datasets import idx
from ia_engine.datasets.uploads.limits import FREE_BYTES, FREE_PIXELS, PIXELS_PER_BYTE

LAST_PIECE = 1 << 20


@dataclass
class Work:
    """Numbers of unpacked bytes and decoded pixels."""

    bytes: int = 0
    pixels: int = 0

    def is_bounded(self, size):
        """True if the work, without the last chunk, is within the limit for `size` bytes."""
        pixels = FREE_PIXELS + PIXELS_PER_BYTE * size
        return self.bytes <= FREE_BYTES + size + LAST_PIECE and self.pixels <= pixels


@contextmanager
def count_work():
    """Count the work of zip, gzip and image decoders until the context ends."""
    work = Work()
    read, inflate, load = zipfile.ZipExtFile.read, idx.inflate, ImageFile.ImageFile.load

    def count_read(stream, *size):
        content = read(stream, *size)
        work.bytes += len(content)
        return content

    def count_inflated(content):
        for piece in inflate(content):
            work.bytes += len(piece)
            yield piece

    def count_pixels(picture):
        if picture.tile:  # the picture has not been decoded yet
            work.pixels += picture.size[0] * picture.size[1]
        return load(picture)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(zipfile.ZipExtFile, "read", count_read)
        patch.setattr(idx, "inflate", count_inflated)
        patch.setattr(ImageFile.ImageFile, "load", count_pixels)
        yield work
