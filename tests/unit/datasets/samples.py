"""Small files in the formats of the named sets, and the corresponding small sets."""

import bz2
import gzip
import io
import tarfile
import zipfile
from dataclasses import replace

import numpy as np
import scipy.io
import torch

from ia_engine.datasets.named import read_split
from ia_engine.datasets.published import NAMED

COUNT = 6
NUMBERS = np.random.default_rng(0)
LABELS = np.array([3, 1, 4, 1, 5, 9], np.uint8)


def pixels(*shape):
    return NUMBERS.integers(0, 256, shape, np.uint8)


def small(name, *, pinned=False):
    """A named set from the catalogue, but with six images per split and with optional hashes."""
    splits = tuple(
        replace(split, count=COUNT, sha256=split.sha256 if pinned else "")
        for split in NAMED[name].splits
    )
    return replace(NAMED[name], splits=splits)


def idx(array):
    head = bytes([0, 0, 8, array.ndim]) + b"".join(n.to_bytes(4, "big") for n in array.shape)
    return gzip.compress(head + array.tobytes(), mtime=0)


def mnist_files(images):
    return {"train-images-idx3-ubyte.gz": idx(images), "train-labels-idx1-ubyte.gz": idx(LABELS)}


def cifar_archive(images, labels=LABELS):
    rows = np.concatenate([labels[:, None], images.reshape(len(images), -1)], 1)
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as archive:
        parts = {"data_batch_2": rows[3:], "data_batch_1": rows[:3], "test_batch": rows}
        for name, part in parts.items():
            entry = tarfile.TarInfo(f"cifar-10-batches-bin/{name}.bin")
            entry.size = part.nbytes
            archive.addfile(entry, io.BytesIO(part.tobytes()))
    return content.getvalue()


def usps_text(images):
    lines = []
    for label, image in zip(LABELS, images.reshape(COUNT, -1), strict=True):
        pairs = " ".join(f"{i + 1}:{value / 127.5 - 1:.6f}" for i, value in enumerate(image))
        lines.append(f"{label + 1} {pairs}\n")
    return bz2.compress("".join(lines).encode())


def mat(**arrays):
    content = io.BytesIO()
    scipy.io.savemat(content, arrays)
    return content.getvalue()


def affnist_zip(images):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for number, rows in ((10, slice(3, 6)), (2, slice(0, 3))):
            columns = images[rows].reshape(3, -1).T
            batch = {"image": columns, "label_int": LABELS[None, rows]}
            archive.writestr(f"test_batches/{number}.mat", mat(affNISTdata=batch))
    return content.getvalue()


def write(folder, files):
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)


def assert_reads(named, split, images):
    """Check that a split is read as `images`, [n h w] or [n c h w], with the labels."""
    read, labels = read_split(named, split)
    expected = torch.from_numpy(images).view(COUNT, *named.shape)
    assert torch.equal(read, expected)
    assert labels.tolist() == LABELS.tolist()
