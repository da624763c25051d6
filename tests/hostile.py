"""Hostile and unusual files, which are generated here and not stored."""

import gzip
import pickle
import zipfile
import zlib

import numpy as np
from PIL import Image

from tests.crafted import (
    GOOD,
    PNG,
    Weapon,
    animated,
    drawing,
    drawings,
    giant_out_of_one_number,
    gif,
    gif_of_blocks,
    gif_of_empty_frames,
    gzips,
    idx,
    idx_drawings,
    jpeg_of_many_scans,
    linked,
    locked,
    loose_gif,
    many,
    npy,
    npy_that_claims,
    npz,
    overlapping,
    packed,
    png,
    png_of_100_megapixels,
    rest_of_torch,
    saved,
    sixteen_bits,
    tensor_drawings,
    tight_members,
    torch_file,
    transparent_palette,
    turned_by_exif,
    webp_that_claims,
)

READ = {
    "cmyk.jpg": (1, lambda: saved(drawing().convert("CMYK"), "JPEG")),
    "sixteen.png": (1, sixteen_bits),
    "palette.png": (1, transparent_palette),
    "rgba.png": (1, lambda: saved(drawing((40, 20), "RGBA", (0, 0, 0, 0), (200, 0, 0, 255)))),
    "turned.jpg": (1, turned_by_exif),
    "one-bit.png": (1, lambda: saved(drawing(mode="1", paper=1))),
    "gray-alpha.png": (1, lambda: saved(drawing(mode="LA", paper=(0, 0), ink=(0, 255)))),
    "large.npz": (9, lambda: npz(images=np.zeros((9, 2000, 2000), np.uint8))),
    "large.png": (1, lambda: saved(drawing((3600, 3600), "LA", (0, 0), (255, 255)))),
    "one-pixel.png": (1, lambda: saved(Image.new("L", (1, 1), 7))),
    "sliver.png": (1, lambda: saved(Image.new("L", (1, 9000), 7))),
    "large.jpg": (1, lambda: saved(drawing((4000, 3000), "RGB", (255,) * 3), "JPEG")),
    "moving.webp": (3, lambda: animated("WEBP")),
    "moving.gif": (3, lambda: animated("GIF")),
    "moving.png": (3, lambda: animated("PNG")),
    "really-a-png.jpg": (1, lambda: GOOD),
    "größe-猫-🐈.png": (1, lambda: GOOD),
    "unicode.zip": (2, lambda: packed([("猫/é.png", GOOD), ("犬/é.png", GOOD)])),
    "twice.zip": (2, lambda: packed([("a/x.png", GOOD), ("b/x.png", GOOD)])),
    "floats.npy": (3, lambda: npy(drawings(dtype=np.float32))),
    "unit.npy": (3, lambda: npy(drawings(dtype=np.float64, scale=1 / 255))),
    "negative.npy": (2, lambda: npy(-np.ones((2, 8, 8)))),
    "beyond-float32.npy": (2, lambda: npy(np.linspace(-3e38, 3.5e38, 128).reshape(2, 8, 8))),
    "to-end-of-float64.npy": (
        2,
        lambda: npy(np.linspace(-1, 1, 128).reshape(2, 8, 8) * np.finfo(np.float64).max),
    ),
    "fortran.npy": (3, lambda: npy(np.asfortranarray(drawings()))),
    "colors.npz": (3, lambda: npz(images=np.repeat(drawings()[..., None], 3, axis=3))),
    "tensor.pt": (3, lambda: torch_file(tensor_drawings())),
    "dict.pt": (3, lambda: torch_file({"images": tensor_drawings(), "labels": [0, 1, 2]})),
    "images.idx": (3, idx_drawings),
    "images.idx.gz": (3, lambda: gzip.compress(idx_drawings(), mtime=0)),
    "system-files.zip": (1, lambda: packed([("__MACOSX/._a.png", b"x"), ("a.png", GOOD)])),
    "full-blocks.gif": (1, lambda: gif_of_blocks(30_000, 255, comment=True)),
}
"""Unusual files that can be read: the number of images, and a function that builds the file."""

REFUSED = {
    "bomb.zip": ("zip bomb", 0, lambda: packed([("a.png", PNG + bytes(300 << 20))])),
    "long-bomb.zip": ("zip bomb", 0, lambda: tight_members(9, 8 << 20)),
    "blank-bomb.zip": ("unknown kind", 0, lambda: packed([("a.png", bytes(300 << 20))])),
    "deep.zip": ("at most 64 nested folders", 0, lambda: packed([("a/" * 32_000 + "x.png", GOOD)])),
    "self-extracting.zip": ("unknown kind", 0, lambda: b"MZ" + bytes(99) + packed([("a", GOOD)])),
    "tight.zip": ("when unpacked", 0, tight_members),
    "gzips.zip": ("when unpacked", 0, gzips),
    "many.zip": ("at most 20,000 files", 0, lambda: many(20_001)),
    "blanks.zip": ("got an empty file", 0, lambda: many(10_000)),
    "overlapping.zip": ("share bytes", 0, overlapping),
    "nested.zip": ("a zip inside a zip", 0, lambda: packed([("in.zip", packed([("a", GOOD)]))])),
    "outside.zip": ("leads outside the", 1, lambda: packed([("../../a.png", GOOD), ("b", GOOD)])),
    "linked.zip": ("a link to another file", 1, linked),
    "locked.zip": ("a file with a password", 0, locked),
    "bzip2.zip": (
        "an unsupported compression method",
        0,
        lambda: packed([("a", GOOD)], zipfile.ZIP_BZIP2),
    ),
    "cut.zip": ("expected an intact zip", 0, lambda: packed([("a.png", GOOD)])[:-30]),
    "nothing.zip": ("got none", 0, lambda: packed([])),
    "cut.idx": ("declared in the IDX header", 0, lambda: idx_drawings()[:-1]),
    "giant.idx": ("at most 128 MB", 0, lambda: idx((1 << 31, 28, 28), bytes(99))),
    "wrong.idx": ("unknown kind", 0, lambda: idx((3, 32, 32), bytes(3072), magic=0x77)),
    "bomb.idx.gz": (
        "declared in the IDX header",
        0,
        lambda: gzip.compress(idx((1, 8, 8), bytes(1 << 28)), 1),
    ),
    "plain-bomb.gz": ("expected an IDX file", 0, lambda: gzip.compress(bytes(1 << 28), 1, mtime=0)),
    "cut.gz": ("an intact gzip file", 0, lambda: gzip.compress(idx_drawings(), mtime=0)[:-20]),
    "objects.npy": ("Python objects", 0, lambda: npy(np.array([Weapon()], dtype=object))),
    "pickle.npy": ("a Python pickle", 0, lambda: pickle.dumps(Weapon())),
    "objects.npz": ("Python objects", 0, lambda: npz(images=np.array([Weapon()], dtype=object))),
    "weapon.pt": ("could run a program", 0, lambda: torch_file({"images": Weapon()})),
    "bytes.pt": (
        "could run a program",
        0,
        lambda: rest_of_torch("data.pkl", b"\x80\2cbuiltins\nbytearray\nJ\0\0\0\x7f\x85R."),
    ),
    "memo.pt": (
        "could run a program",
        0,
        lambda: rest_of_torch("data.pkl", b"\x80\2Nr\xff\xff\xff\x7f."),
    ),
    "short.pt": ("damaged", 0, lambda: rest_of_torch("data/0", b"x")),
    "giant.pt": ("at most 64 MB", 0, giant_out_of_one_number),
    "nan.npy": ("NaN", 0, lambda: npy(np.full((2, 8, 8), np.nan))),
    "number.npy": ("a single number", 0, lambda: npy(np.array(7.0))),
    "infinite.npy": ("8 infinite", 0, lambda: npy(np.array([[[np.inf, 0, 0, -np.inf]] * 4]))),
    "huge-header.npy": (
        "declared in the array's header",
        0,
        lambda: npy_that_claims((10**6, 10**3, 10**3)),
    ),
    "negative-header.npy": (
        "declared in the array's header",
        0,
        lambda: npy_that_claims((-10, -10)),
    ),
    "axes.npz": ("expected images [n h w]", 0, lambda: npz(images=np.zeros((4, 5, 6, 7, 1)))),
    "flat.npz": ("expected images [n h w]", 0, lambda: npz(images=np.zeros((4, 784)))),
    "no-images.npz": ("an array called 'images'", 0, lambda: npz(a=np.zeros(3), b=np.zeros(3))),
    "bomb.npz": ("at most 64 MB", 0, lambda: npz(images=np.zeros((300, 1024, 1024), np.uint8))),
    "labels.npz": ("expected 3 labels", 3, lambda: npz(images=drawings(), labels=np.arange(2))),
    "bomb.png": ("at most 13 megapixels", 0, png_of_100_megapixels),
    "10000-frames.gif": ("at most 500 frames", 500, lambda: gif(10_000)),
    "tiny-blocks.gif": ("131,072 blocks", 0, lambda: gif_of_blocks(8_000_000)),
    "tiny-comment.gif": ("131,072 blocks", 0, lambda: gif_of_blocks(8_000_000, comment=True)),
    "long.gif": ("at most 16 MB", 0, lambda: gif_of_blocks(10_000_000)),
    "empty-frames.gif": ("131,072 blocks", 0, lambda: gif_of_empty_frames(1_200_000)),
    "loose-gifs.zip": (
        "131,072 blocks",
        0,
        lambda: packed([(f"{i}.gif", loose_gif(8_000_000)) for i in range(3)]),
    ),
    "many-gifs.zip": (
        "million more pixels",
        4,
        lambda: packed([(f"{i}.gif", gif_of_blocks(130_000, comment=True)) for i in range(20)]),
    ),
    "growing.gif": ("at most 4 megapixels", 0, lambda: gif(2, extent=(60_000, 2_900))),
    "giant.webp": ("at most 8 megapixels", 0, lambda: webp_that_claims(16_000, 16_000)),
    "svg.png": ("an SVG drawing", 0, lambda: b'<?xml version="1.0"?>\n<svg><script/></svg>'),
    "page.jpg": ("a web page", 0, lambda: b"<!DOCTYPE html><html><script>alert(1)</script>"),
    "empty.png": ("an empty file", 0, lambda: b""),
    "text.png": ("a text file", 0, lambda: b"hello\n" * 50),
    "noise.png": ("unknown kind", 0, lambda: bytes(range(256)) * 9),
    "archive.png": ("an archive of another kind", 0, lambda: b"BZh91AY"),
    "cut.jpg": ("an intact JPEG picture", 0, lambda: saved(drawing(), "JPEG")[:-200]),
    "scans.jpg": ("at most 32 scans", 0, jpeg_of_many_scans),
    "many-labels.npz": ("for these labels", 0, lambda: npz(labels=np.zeros(60 << 20, np.uint8))),
    "long-labels.npz": ("for these labels", 0, lambda: npz(labels=np.array(["x" * 9**6] * 16))),
    "cut.png": ("an intact PNG picture", 0, lambda: GOOD[:60]),
    "cut.webp": ("an intact WebP picture", 0, lambda: saved(drawing(), "WEBP")[:40]),
    "cut.gif": ("an intact GIF picture", 0, lambda: saved(drawing(), "GIF")[:30]),
    "\x1b[31mred\n/etc/passwd\u202egnp.exe": ("a text file", 0, lambda: b"hello"),
    "long" * 99: ("a text file", 0, lambda: b"hello"),
}
"""Files that are refused: part of the message, the number of images that are read nevertheless, and
a function that builds the file.
"""


def pixel_bombs(n=200):
    """A zip of images with a thousand pixels per byte, each within the limit but together far
    beyond it.
    """
    one = png(3600, 3600, zlib.compress(bytes(3600 * 451), 9))
    return packed([(f"{i}.png", one) for i in range(n)], zipfile.ZIP_STORED)
