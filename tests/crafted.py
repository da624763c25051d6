"""Intact and broken files, assembled byte by byte, for tests of uploads."""

import gzip
import io
import struct
import zipfile
import zlib

import numpy as np
import torch
from PIL import Image, ImageDraw


def drawing(size=(32, 32), mode="L", paper=255, ink=0):
    """An L-shaped stroke, which has no rotational symmetry."""
    width, height = size
    picture = Image.new(mode, size, paper)
    pen = ImageDraw.Draw(picture)
    pen.rectangle((width // 3, height // 4, width // 3 + width // 10, 3 * height // 4), fill=ink)
    pen.rectangle((width // 3, 2 * height // 3, 2 * width // 3, 3 * height // 4), fill=ink)
    return picture


def saved(picture, form="PNG", **options):
    stream = io.BytesIO()
    picture.save(stream, form, **options)
    return stream.getvalue()


GOOD = saved(drawing())


def packed(files, method=zipfile.ZIP_DEFLATED):
    """A zip of (name or ZipInfo, content) pairs."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return stream.getvalue()


def linked():
    link = zipfile.ZipInfo("link.png")
    link.create_system, link.external_attr = 3, 0o120777 << 16
    return packed([(link, "/etc/passwd"), ("a.png", GOOD)])


def locked():
    """A zip whose local and central headers mark the file as encrypted."""
    content = bytearray(packed([("a.png", GOOD)]))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


def overlapping(entries=200):
    """A zip in which all directory entries refer to the same deflated megabyte."""
    content = packed([("a.png", bytes(1 << 20))])
    start = content.index(b"PK\x01\x02")
    end = content.index(b"PK\x05\x06")
    directory = content[start:end] * entries
    tail = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, entries, entries, len(directory), start, 0)
    return content[:start] + directory + tail


def idx(shape, data=b"", magic=0x08):
    head = bytes([0, 0, magic, len(shape)])
    return head + b"".join(struct.pack(">I", size) for size in shape) + data


def idx_drawings(n=3):
    return idx((n, 32, 32), np.asarray(drawing(paper=0, ink=255)).tobytes() * n)


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=True)
    return stream.getvalue()


def npz(**arrays):
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def npy_that_claims(shape):
    stream = io.BytesIO()
    header = {"descr": "|u1", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(stream, header)
    return stream.getvalue() + bytes(100)


def drawings(n=3, dtype=np.uint8, scale=1.0):
    one = np.asarray(drawing(paper=0, ink=255)) * scale
    return np.repeat(one[None], n, axis=0).astype(dtype)


class Weapon:
    def __reduce__(self):
        return print, ("the weapon went off",)


def torch_file(value):
    stream = io.BytesIO()
    torch.save(value, stream)
    return stream.getvalue()


def giant_out_of_one_number():
    """A small file that contains a tensor with 10^12 elements, whose strides are all 0."""
    one = torch.zeros(1, dtype=torch.uint8, device="cpu")
    return torch_file(one.as_strided((10_000, 10_000, 10_000), (0, 0, 0)))


PNG = b"\x89PNG\r\n\x1a\n"


def png(width, height, rows):
    """A PNG with one bit per pixel and the compressed data `rows`."""

    def chunk(kind, data):
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return PNG + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def png_of_100_megapixels():
    return png(10_000, 10_000, zlib.compress(bytes(10_000 * 1251)))


def gif(frames, size=(8, 8), extent=None):
    """A GIF of single-colour frames; `extent` is the size that the frames declare."""
    one = saved(Image.new("P", size, 1), "GIF")
    start = one.index(b",")
    head, frame = one[:start], one[start:-1]
    if extent:
        frame = frame[:5] + struct.pack("<HH", *extent) + frame[9:]
    dispose = b"!\xf9\x04\x08\0\0\0\0"
    return head + (dispose + frame) * frames + b";"


def webp_that_claims(width, height):
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    chunk = b"VP8X" + struct.pack("<I", 10) + b"\2\0\0\0" + size
    return b"RIFF" + struct.pack("<I", 4 + len(chunk)) + b"WEBP" + chunk


def animated(form):
    pictures = [drawing((32, 32), "RGB", (255,) * 3, (80 * i, 0, 0)) for i in range(3)]
    options = {"lossless": True} if form == "WEBP" else {}
    return saved(pictures[0], form, save_all=True, append_images=pictures[1:], **options)


def transparent_palette():
    picture = drawing(mode="P", paper=0, ink=1)
    picture.putpalette([0, 0, 0, 255, 200, 0] + [0] * 750)
    return saved(picture, transparency=0)


def turned_by_exif():
    """A photograph that is stored on its side; EXIF orientation 6 rotates it by 90° clockwise."""
    exif = Image.Exif()
    exif[0x0112] = 6
    return saved(drawing().transpose(Image.Transpose.ROTATE_90), "JPEG", quality=95, exif=exif)


def sixteen_bits():
    return saved(Image.fromarray(np.asarray(drawing(paper=0, ink=128)).astype(np.uint16) * 257))


def jpeg_of_many_scans(scans=3000, side=4000):
    """A progressive JPEG that repeats its last scan, which covers all pixels, many times."""
    content = saved(Image.new("L", (side, side), 255), "JPEG", progressive=True)
    last = content[content.rindex(b"\xff\xda") : -2]
    return content[:-2] + last * scans + content[-2:]


def many(n, content=b""):
    return packed([(f"{i}.png", content) for i in range(n)], zipfile.ZIP_STORED)


def rest_of_torch(name, content):
    """A torch file in which one member has been replaced."""
    stream = zipfile.ZipFile(io.BytesIO(torch_file(tensor_drawings())))
    files = [(m, stream.read(m)) for m in stream.namelist()]
    return packed([(m, content if m.endswith(name) else data) for m, data in files], 0)


def tensor_drawings():
    return torch.from_numpy(drawings())


def gif_of_blocks(blocks, length=1, comment=False):
    """A GIF of one small frame; its data or its comment consists of many blocks of this length."""
    one = saved(Image.new("P", (8, 8), 1), "GIF")
    start = one.index(b",")
    chain = (bytes([length]) + b"x" * length) * blocks + b"\0"
    if comment:
        return one[:start] + b"!\xfe" + chain + one[start:]
    return one[:start] + one[start : start + 11] + chain + b";"


def loose_gif(blocks):
    """A GIF of one-byte blocks, irregular enough that a zip of it is not refused as a bomb."""
    pairs = np.ones((blocks, 2), np.uint8)
    places = np.arange(0, blocks, 40)
    pairs[places, 1] = np.random.default_rng(0).integers(0, 255, len(places), np.uint8)
    start = gif_of_blocks(0)[:-2]
    return start + pairs.tobytes() + b"\0;"


def gif_of_empty_frames(frames):
    """A GIF of one-pixel frames without data, which take twelve bytes each."""
    head = saved(Image.new("P", (8, 8), 1), "GIF")
    head = head[: head.index(b",")]
    return head + (b",\0\0\0\0\1\0\1\0\0\2\0") * frames + b";"


def tight_members(n=300, size=2 << 20):
    """A zip of many members, each refused only after a part of it has been unpacked."""
    return packed([(f"{i}.png", PNG + bytes(size)) for i in range(n)])


def gzips(n=100, side=1024, images=120):
    """A zip of many gzipped IDX files, each of which expands about a thousandfold."""
    one = gzip.compress(idx((images, side, side), bytes(images * side * side)), 9)
    return packed([(f"{i}.gz", one) for i in range(n)])
