"""PCam's published files are read up to a limit or refused with one message."""

import sys

import h5py
import numpy as np
import pytest

from ia_engine.equivariant.pcam import is_tissue, load_tissue
from ia_engine.errors import EngineError

pytestmark = pytest.mark.cpu_only("files are read into CPU memory")


@pytest.fixture
def folder(tmp_path):
    for k, split in enumerate(("train", "valid", "test")):
        for key, values in (("x", np.full((6, 96, 96, 3), k)), ("y", np.arange(6) % 2)):
            name = f"camelyonpatch_level_2_split_{split}_{key}.h5"
            with h5py.File(tmp_path / name, "w") as file:
                shape = values.shape if key == "x" else (6, 1, 1, 1)
                file[key] = values.astype(np.uint8).reshape(shape)
    return tmp_path


def test_only_the_requested_number_of_patches_is_read(folder):
    assert is_tissue(folder)
    data = load_tissue(folder, 4)
    assert data.train.images.shape == (4, 3, 96, 96)
    assert data.test.images.unique().tolist() == pytest.approx([2 / 255])
    assert (data.classes, data.validation.labels.tolist()) == (2, [0, 1, 0, 1])
    assert len(load_tissue(folder).train) == 6


def test_a_compressed_or_damaged_file_is_refused_with_one_message(folder):
    path = folder / "camelyonpatch_level_2_split_valid_x.h5"
    path.write_bytes(b"not this")
    with pytest.raises(EngineError, match="must be an HDF5 file with the array 'x'"):
        load_tissue(folder)
    path.rename(f"{path}.gz")
    with pytest.raises(EngineError, match=r"unpacked file .*valid_x\.h5"):
        load_tissue(folder)


def test_labels_that_do_not_fit_their_patches_are_refused(folder):
    with h5py.File(folder / "camelyonpatch_level_2_split_test_y.h5", "w") as file:
        file["y"] = np.zeros(5, np.uint8)
    with pytest.raises(EngineError, match="5 labels"):
        load_tissue(folder)


def test_without_h5py_the_error_explains_what_to_install(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(EngineError, match="pip install h5py"):
        load_tissue(folder)


def claim(file):
    """Create an array whose header declares a billion patches, none of which is in the file."""
    file.create_dataset("x", (10**9, 96, 96, 3), np.uint8, chunks=(1, 96, 96, 3))


def chunk(file):
    file.create_dataset("x", (6, 96, 96, 3), np.uint8, chunks=(6, 96, 96, 3), maxshape=(None,) * 4)
    file["x"].resize((10**6, 96, 96, 3))


def link(file):
    file["x"] = h5py.ExternalLink("other.h5", "x")


def virtual(file):
    layout = h5py.VirtualLayout((6, 96, 96, 3), np.uint8)
    layout[:] = h5py.VirtualSource("other.h5", "x", (6, 96, 96, 3))
    file.create_virtual_dataset("x", layout)


def floats(file):
    file["x"] = np.full((6, 96, 96, 3), np.nan)


def axes(file):
    file["x"] = np.zeros((6, 96, 96, 4), np.uint8)


@pytest.mark.parametrize("craft", [claim, chunk, link, virtual, floats, axes])
def test_a_file_whose_array_is_not_plain_or_does_not_contain_its_patches_is_refused(folder, craft):
    path = folder / "camelyonpatch_level_2_split_valid_x.h5"
    path.unlink()
    with h5py.File(folder / "other.h5", "w") as other:
        other["x"] = np.zeros((6, 96, 96, 3), np.uint8)
    with h5py.File(path, "w") as file:
        craft(file)
    with pytest.raises(EngineError, match="must be an HDF5 file with the array 'x': expected"):
        load_tissue(folder)
