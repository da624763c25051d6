"""The kind of a file, recognised by its first bytes and never by its name."""

from ia_engine.datasets.idx import GZIP_MAGIC, is_idx

HEAD = 1024
"""Number of bytes that identify the kind of a file."""
SIGNATURES = (
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"\x93NUMPY", "npy"),
    (GZIP_MAGIC, "gzip"),
    (b"%PDF", "pdf"),
    (b"BM", "bmp"),
    (b"II*\0", "tiff"),
    (b"MM\0*", "tiff"),
    (b"7z\xbc\xaf", "archive"),
    (b"Rar!", "archive"),
    (b"BZh", "archive"),
    (b"\xfd7zXZ", "archive"),
    (b"\x89HDF", "hdf5"),
)

PICKLE_PROTOCOLS = (b"\2", b"\3", b"\4", b"\5")

READABLE = {
    "png": "PNG picture",
    "jpeg": "JPEG picture",
    "webp": "WebP picture",
    "gif": "GIF picture",
    "npy": "NumPy array",
    "npz": "npz file",
    "idx": "IDX file",
    "gzip": "IDX file",
    "torch": "file of torch tensors",
    "zip": "zip",
}

UNREADABLE = {
    "svg": "an SVG drawing; export it as PNG",
    "html": "a web page; save the picture itself",
    "pdf": "a PDF document; export its pages as PNG",
    "bmp": "a BMP picture; export it as PNG",
    "tiff": "a TIFF picture; export it as PNG",
    "heif": "a HEIF or AVIF picture; export it as PNG or JPEG",
    "video": "a video; export its frames as PNG",
    "archive": "an archive of another kind; pack the pictures as zip",
    "hdf5": "an HDF5 file; save its images as npz",
    "pickle": "a Python pickle, which could run a program; save the images as npz",
    "zip": "a zip inside a zip; unpack it first",
    "npz": "an npz file inside a zip; upload it by itself",
    "torch": "a file of torch tensors inside a zip; upload it by itself",
    "text": "a text file; choose another file",
    "empty": "an empty file; choose another file",
    "unknown": "a file of an unknown kind; export it as PNG",
}


def recognise(content: bytes) -> str:
    """The kind of a file by its first bytes: a key of READABLE or UNREADABLE."""
    if not content:
        return "empty"
    for signature, kind in SIGNATURES:
        if content.startswith(signature):
            return kind
    return _recognise_binary(content[:16]) or _recognise_text(content[:HEAD])


def _recognise_binary(head: bytes) -> str | None:
    """Kinds without one fixed signature."""
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "webp"
    if head[4:8] == b"ftyp":
        return "heif" if head[8:11] in (b"hei", b"avi", b"mif") else "video"
    if is_idx(head[:4]):
        return "idx"
    return "pickle" if head[:1] == b"\x80" and head[1:2] in PICKLE_PROTOCOLS else None


def refuse_kind(name: str, kind: str) -> str:
    """The message for a file that cannot be read."""
    return f"{name}: expected a PNG, JPEG, WebP or GIF picture, got {UNREADABLE[kind]}"


def _recognise_text(head: bytes) -> str:
    if b"\0" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "unknown"
    text = head.lower()
    for mark, kind in ((b"<svg", "svg"), (b"<!doctype html", "html"), (b"<html", "html")):
        if mark in text:
            return kind
    unprintable = sum(byte < 9 or 13 < byte < 32 for byte in head)
    return "unknown" if unprintable > len(head) // 50 else "text"
