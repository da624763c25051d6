import gzip

import numpy as np
import pytest
import torch

from ia_engine.datasets import formats
from ia_engine.datasets.cache import cache_folder, data_folder
from ia_engine.datasets.named import choose_split, content_hash, is_here, read_split
from ia_engine.datasets.published import NAMED, available
from ia_engine.datasets.subset import NamedConfig, load_named
from ia_engine.errors import EngineError
from tests.crafted import npy, npy_that_claims, packed
from tests.unit.datasets.samples import (
    COUNT,
    LABELS,
    affnist_zip,
    assert_reads,
    cifar_archive,
    mat,
    mnist_files,
    pixels,
    small,
    usps_text,
    write,
)

pytestmark = pytest.mark.usefixtures("places")


@pytest.mark.parametrize("folder", ["mnist", "MNIST/raw", "."])
def test_mnist_is_read_from_its_idx_files(places, folder):
    images = pixels(COUNT, 28, 28)
    write(places[0] / folder, mnist_files(images))
    assert_reads(small("mnist"), "train", images)


def test_idx_files_may_be_uncompressed(places):
    images = pixels(COUNT, 28, 28)
    files = mnist_files(images)
    write(places[0], {n.removesuffix(".gz"): gzip.decompress(c) for n, c in files.items()})
    assert_reads(small("mnist"), "train", images)


def test_fashion_mnist_is_never_read_from_files_that_might_be_mnist(places):
    write(places[0], mnist_files(pixels(COUNT, 28, 28)))
    assert choose_split(small("fashion"), "any") == "sample"


def test_an_npz_file_in_the_data_folder_takes_precedence(places):
    images = pixels(COUNT, 28, 28)
    np.savez(places[0] / "mnist_train.npz", images=images, labels=LABELS)
    write(places[1] / "mnist", mnist_files(pixels(COUNT, 28, 28)))
    assert_reads(small("mnist"), "train", images)


def test_the_full_set_is_the_training_split_followed_by_the_test_split(places):
    train, test = pixels(COUNT, 28, 28), pixels(COUNT, 28, 28)
    np.savez(places[0] / "mnist_train.npz", images=train, labels=LABELS)
    with pytest.raises(EngineError, match="MNIST, test, is missing"):
        read_split(small("mnist"), "all")
    np.savez(places[0] / "mnist_test.npz", images=test, labels=LABELS)
    images, labels = read_split(small("mnist"), choose_split(small("mnist"), "all"))
    assert torch.equal(images[:, 0], torch.from_numpy(np.concatenate([train, test])))
    assert labels.tolist() == [*LABELS, *LABELS]


def test_an_npz_file_of_colour_images_has_its_channels_last(places):
    images = pixels(COUNT, 32, 32, 3)
    np.savez(places[0] / "cifar10_test.npz", images=images, labels=LABELS)
    assert_reads(small("cifar-10"), "test", images.transpose(0, 3, 1, 2).copy())


def test_cifar_is_read_batch_by_batch_from_its_binary_archive(places):
    images = pixels(COUNT, 3, 32, 32)
    write(places[1] / "cifar-10", {"cifar-10-binary.tar.gz": cifar_archive(images)})
    assert_reads(small("cifar-10"), "train", images)
    assert_reads(small("cifar-10"), "test", images)


def test_usps_is_read_from_its_text_file(places):
    images = pixels(COUNT, 16, 16)
    write(places[0] / "usps", {"usps.bz2": usps_text(images)})
    assert_reads(small("usps"), "train", images)


def test_label_10_of_svhn_is_read_as_zero(places):
    images = pixels(COUNT, 3, 32, 32)
    labels = np.where(LABELS == 9, 10, LABELS)[:, None]
    write(places[0] / "svhn", {"test_32x32.mat": mat(X=images.transpose(2, 3, 1, 0), y=labels)})
    read, found = read_split(small("svhn"), "test")
    assert torch.equal(read, torch.from_numpy(images))
    assert found.tolist() == [3, 1, 4, 1, 5, 0]


def test_affnist_is_read_in_the_order_of_its_batches(places):
    images = pixels(COUNT, 40, 40)
    write(places[0] / "affnist", {"test_batches.zip": affnist_zip(images)})
    assert_reads(small("affnist-original"), "test", images)


def test_bundled_garments_are_always_available(monkeypatch):
    monkeypatch.delenv("IA_DATA")
    images, labels = read_split(NAMED["fashion"], "sample")
    assert images.shape == (200, 1, 28, 28)
    assert labels.bincount().tolist() == [20] * 10


def test_images_are_numbered_from_1_and_the_names_of_random_ones_contain_the_size_of_the_set():
    whole = load_named(NamedConfig("fashion", split="sample"))
    assert whole.names[0] == f"{whole.classes[int(whole.labels[0])]}, no. 1"
    assert whole.names[-1].endswith(", no. 200")
    some = load_named(NamedConfig("fashion", split="sample", count=20))
    assert all(name.endswith(" of 200") for name in some.names)


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("mnist", "train-images-idx3-ubyte.gz"),
        ("cifar-10", "cifar-10-binary.tar.gz"),
        ("usps", "usps.bz2"),
        ("svhn", "train_32x32.mat"),
        ("affnist-original", "test_batches.zip"),
    ],
)
@pytest.mark.parametrize("content", [b"", b"not what it should be", b"\x1f\x8b\x08 cut", b"PK\3\4"])
def test_a_damaged_file_raises_an_engine_error(places, name, file, content):
    split = NAMED[name].splits[0]
    write(places[0] / NAMED[name].folders[0], dict.fromkeys(split.files, content))
    with pytest.raises(EngineError):
        read_split(small(name), split.name)


def test_a_damaged_npz_file_raises_an_engine_error(places):
    (places[0] / "mnist_train.npz").write_bytes(b"nothing")
    with pytest.raises(
        EngineError, match=r"mnist_train\.npz cannot be read as the train split of MNIST"
    ):
        read_split(small("mnist"), "train")


def test_an_npz_file_of_pickles_is_never_unpickled(places):
    np.savez(places[0] / "mnist_train.npz", images=np.array([{}], object), labels=LABELS)
    with pytest.raises(EngineError, match="got Python objects, which could run a program"):
        read_split(small("mnist"), "train")


def test_an_npz_file_whose_header_declares_more_than_the_memory_is_refused_with_one_message(places):
    """The header of the array declares 36 GB, which once raised a MemoryError."""
    members = [("images.npy", npy_that_claims((36, 10**9))), ("labels.npy", npy(LABELS))]
    (places[0] / "mnist_train.npz").write_bytes(packed(members))
    with pytest.raises(EngineError, match=r"^mnist_train\.npz: expected 36,000,000,000 bytes"):
        read_split(small("mnist"), "train")


def test_an_npz_file_that_exceeds_the_limit_when_unpacked_is_refused(places, monkeypatch):
    monkeypatch.setattr(formats, "MOST_BYTES", 1 << 20)
    zeros = np.zeros((3000, 28, 28), np.uint8)
    np.savez_compressed(places[0] / "mnist_train.npz", images=zeros, labels=np.zeros(3000))
    with pytest.raises(EngineError, match="when unpacked"):
        read_split(small("mnist"), "train")


def test_a_wrong_number_of_images_is_refused(places):
    np.savez(places[0] / "mnist_train.npz", images=pixels(5, 28, 28), labels=LABELS[:5])
    with pytest.raises(EngineError, match=r"must have images of shape \(6, 1, 28, 28\)"):
        read_split(small("mnist"), "train")


def test_labels_that_belong_to_no_class_are_refused(places):
    np.savez(places[0] / "mnist_train.npz", images=pixels(6, 28, 28), labels=LABELS + 1)
    with pytest.raises(EngineError, match="must be from 0 to 9; got 2 to 10"):
        read_split(small("mnist"), "train")


def test_pixels_that_differ_from_the_published_ones_are_refused(places):
    np.savez(places[0] / "mnist_train.npz", images=pixels(6, 28, 28), labels=LABELS)
    with pytest.raises(EngineError, match="differs from the published data"):
        read_split(small("mnist", pinned=True), "train")


def test_the_hash_depends_on_every_pixel_and_label():
    images, labels = torch.from_numpy(pixels(6, 1, 28, 28)), torch.from_numpy(LABELS).long()
    first = content_hash(images, labels)
    assert content_hash(images.roll(1, 3), labels) != first
    assert content_hash(images, labels.roll(1)) != first


def test_every_set_records_how_it_was_verified():
    assert NAMED["mnist"].verified.startswith("train: SHA-256")
    assert NAMED["usps"].verified == "train: shape and count only; test: shape and count only"


def test_the_location_of_every_split_is_listed(places):
    np.savez(places[0] / "mnist_test.npz", images=pixels(1, 28, 28), labels=LABELS[:1])
    write(places[1] / "usps", {"usps.bz2": b""})
    found = {(row.set.name, row.split.name): row.place for row in available()}
    assert found["mnist", "test"] == "data folder"
    assert found["mnist", "train"] == "to fetch"
    assert found["mnist", "sample"] == "missing"
    assert found["usps", "train"] == "cache"
    assert found["fashion", "sample"] == "bundled"
    assert is_here(NAMED["usps"])
    assert not is_here(NAMED["svhn"])


def test_the_error_about_missing_files_names_the_files_and_their_folders(places):
    with pytest.raises(
        EngineError, match=r"train_32x32\.mat into .*svhn, or svhn_train\.npz"
    ) as error:
        read_split(NAMED["svhn"], "train")
    assert str(places[0]) in str(error.value)
    assert "IA_DATA" in str(error.value)


def test_the_cache_is_in_the_cache_folder_of_the_system(monkeypatch, tmp_path):
    monkeypatch.delenv("IA_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder().parent == tmp_path
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert cache_folder().parent.name == ".cache"
    monkeypatch.setenv("IA_DATA", "")
    assert data_folder() is None
