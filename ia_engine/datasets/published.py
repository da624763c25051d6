"""The catalogue of named sets, with their hosts, files, shapes and verified hashes, and their
download."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from queue import SimpleQueue
from typing import Final

from ia_engine.datasets.bases import DIGIT_CLASSES, FASHION_CLASSES, load_fashion
from ia_engine.datasets.cache import Progress
from ia_engine.datasets.formats import (
    Arrays,
    read_affnist,
    read_cifar,
    read_idx_pair,
    read_npz,
    read_svhn,
    read_usps,
)
from ia_engine.datasets.named import Availability, NamedSet, Split, availability, fetch_set
from ia_engine.errors import EngineError

OBJECTS = (
    "airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck",
)  # fmt: skip
_TRAIN = ("train-images-idx3-ubyte.gz", "train-labels-idx1-ubyte.gz")
_TEST = ("t10k-images-idx3-ubyte.gz", "t10k-labels-idx1-ubyte.gz")


def _bundled_garments() -> Arrays:
    """Return the bundled sample in its original size, without the margin of 6 px."""
    images, labels = load_fashion(40)
    return (255 * images[..., 6:-6, 6:-6]).round().byte(), labels


MNIST = NamedSet(
    name="mnist",
    title="MNIST",
    host="https://storage.googleapis.com/cvdf-datasets/mnist/",
    folders=("mnist", "MNIST/raw", "."),
    shape=(1, 28, 28),
    classes=DIGIT_CLASSES,
    splits=(
        Split(
            "train", _TRAIN, 60_000, read_idx_pair, "mnist_train.npz",
            "edc0d1098aa497be14ace79ddd5171e5a3dcf9c4d196c015389203eb3ba1f59b",
        ),
        Split(
            "test", _TEST, 10_000, read_idx_pair, "mnist_test.npz",
            "c3f9adf9c66efb572b1f9326c3a511b45910c7173b97be66ceceeeeaef6b802b",
        ),
        Split("sample", (), 1_000, read_npz, "mnist_1k_balanced.npz"),
    ),
)  # fmt: skip

FASHION = NamedSet(
    name="fashion",
    title="Fashion-MNIST",
    host="https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/",
    folders=("fashion", "fashion-mnist", "FashionMNIST/raw"),
    shape=(1, 28, 28),
    classes=FASHION_CLASSES,
    splits=(
        Split(
            "train", _TRAIN, 60_000, read_idx_pair, "fashion_mnist_train.npz",
            "16d82e2b505296aa2b78bd5ea0992634f30419a4c97def7c907d154a35ac6157",
        ),
        Split(
            "test", _TEST, 10_000, read_idx_pair, "fashion_mnist_test.npz",
            "9f1ec356a747bfe4ebab3cfb722d3694c9ca737e2570f6f90cf31d7b6fd689d4",
        ),
        Split("sample", (), 200, lambda paths: _bundled_garments()),
    ),
)  # fmt: skip

_CIFAR_FILE = ("cifar-10-binary.tar.gz",)
CIFAR = NamedSet(
    name="cifar-10",
    title="CIFAR-10",
    host="https://www.cs.toronto.edu/~kriz/",
    folders=("cifar-10", "."),
    shape=(3, 32, 32),
    classes=OBJECTS,
    splits=(
        Split(
            "train", _CIFAR_FILE, 50_000,
            partial(read_cifar, member=r"data_batch_\d\.bin"), "cifar10_train.npz",
        ),
        Split(
            "test", _CIFAR_FILE, 10_000,
            partial(read_cifar, member=r"test_batch\.bin"), "cifar10_test.npz",
        ),
        Split("sample", (), 1_000, read_npz, "cifar10_1k_balanced.npz"),
    ),
)  # fmt: skip

USPS = NamedSet(
    name="usps",
    title="USPS",
    host="https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/multiclass/",
    folders=("usps", "USPS", "."),
    shape=(1, 16, 16),
    classes=DIGIT_CLASSES,
    splits=(
        Split("train", ("usps.bz2",), 7_291, read_usps, "usps_train.npz"),
        Split("test", ("usps.t.bz2",), 2_007, read_usps, "usps_test.npz"),
    ),
)

SVHN = NamedSet(
    name="svhn",
    title="SVHN (cropped digits)",
    host="https://ufldl.stanford.edu/housenumbers/",
    folders=("svhn", "SVHN", "."),
    shape=(3, 32, 32),
    classes=DIGIT_CLASSES,
    splits=(
        Split("train", ("train_32x32.mat",), 73_257, read_svhn, "svhn_train.npz"),
        Split("test", ("test_32x32.mat",), 26_032, read_svhn, "svhn_test.npz"),
    ),
)

AFFNIST = NamedSet(
    name="affnist-original",
    title="affNIST (the original files)",
    host="https://www.cs.toronto.edu/~tijmen/affNIST/32x/transformed/",
    folders=("affnist", "affNIST", "."),
    shape=(1, 40, 40),
    classes=DIGIT_CLASSES,
    splits=(Split("test", ("test_batches.zip",), 320_000, read_affnist, "affnist_test.npz"),),
    most_bytes=1 << 30,
)

NAMED: dict[str, NamedSet] = {
    named.name: named for named in (MNIST, FASHION, CIFAR, USPS, SVHN, AFFNIST)
}


def available() -> tuple[Availability, ...]:
    """Return the availability of every split of every named set."""
    return tuple(row for named in NAMED.values() for row in availability(named))


def places() -> tuple[str, ...]:
    """Return where each split is found. As long as this does not change, recipes generate the same
    data."""
    return tuple(f"{row.set.name} {row.split.name}: {row.place}" for row in available())


def fetch(name: str, progress: Progress, host: str | None = None) -> None:
    """Download a named set to the cache, from its own host or from a mirror."""
    if name not in NAMED:
        raise EngineError(f"a named set must be one of {', '.join(NAMED)}; got {name!r}")
    named = NAMED[name]
    fetch_set(replace(named, host=host) if host else named, progress)


PARTS: Final = 25
"""Number of progress steps per file, if its host reports the size."""
STRIDE: Final = 1 << 22
"""Number of bytes per progress step if the host does not report the size."""


@dataclass(frozen=True)
class Fetched:
    """A file, the number of bytes received, and their total if it is known."""

    file: str
    done: int
    total: int | None


def count_steps(name: str) -> int:
    """Return the expected number of progress steps: PARTS per file of the set."""
    return PARTS * len({file for split in NAMED[name].splits for file in split.files})


def fetch_steps(name: str, host: str | None = None) -> Iterator[Fetched]:
    """Download a set in a thread, and yield its progress. Closing the iterator stops the download
    at the next piece."""
    messages: SimpleQueue[Fetched | Exception | None] = SimpleQueue()
    stop = threading.Event()
    work = threading.Thread(target=_fetch, args=(name, host, messages, stop), daemon=True)
    work.start()
    try:
        while (item := messages.get()) is not None:
            if isinstance(item, Exception):
                raise item
            yield item
    finally:
        stop.set()


def _fetch(
    name: str,
    host: str | None,
    messages: "SimpleQueue[Fetched | Exception | None]",
    stop: threading.Event,
) -> None:
    try:
        fetch(name, _report(messages, stop), host)
        messages.put(None)
    except Exception as error:  # raised in the thread that reads the iterator
        messages.put(error)


def _report(messages: "SimpleQueue[Fetched | Exception | None]", stop: threading.Event) -> Progress:
    last = ("", -1)

    def progress(file: str, done: int, total: int | None) -> None:
        nonlocal last
        if stop.is_set():
            raise EngineError("the download was cancelled")
        part = (file, done * PARTS // total if total else done // STRIDE)
        if part != last:
            last = part
            messages.put(Fetched(file, done, total))

    return progress
