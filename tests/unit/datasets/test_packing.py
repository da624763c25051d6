import io

import numpy as np
import pytest
import torch

from ia_engine.datasets.data import pack_data, summarise, to_arrays
from ia_engine.datasets.generated import GeneratedConfig, generate
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.datasets.uploads import Upload, UploadConfig, read_upload


@pytest.mark.parametrize("base", ["crab", "icon-cat"])
def test_a_packed_set_can_be_uploaded_again(base):
    data = generate(GeneratedConfig(bases=(base, "key"), copies=2, size=32))
    config = UploadConfig(size=32, margin=0.0, background="keep")
    again = read_upload([Upload("packed.npz", pack_data(data))], config).images
    torch.testing.assert_close(again.images, data.images, atol=1e-6, rtol=0)
    assert again.labels.tolist() == data.labels.tolist()


def test_a_packed_set_contains_the_true_poses():
    data = generate(GeneratedConfig(copies=2, size=32))
    with np.load(io.BytesIO(pack_data(data)), allow_pickle=False) as file:
        assert set(file) == {"images", "labels", "poses"}
        np.testing.assert_array_equal(file["poses"], data.poses.numpy())


def test_points_are_packed_as_points():
    with np.load(io.BytesIO(pack_data(make(RECIPES["blobs"]))), allow_pickle=False) as file:
        assert file["points"].shape == (120, 2)


def test_a_summary_counts_every_class():
    summary = summarise(generate(GeneratedConfig(bases=("crab", "icon-cat"), copies=3, size=32)))
    assert (summary.n, summary.size) == (6, (3, 32, 32))
    assert summary.classes == {"Crab": 3, "Cat": 3}
    assert summarise(make(RECIPES["blobs"])).classes == {f"blob {k}": 40 for k in (1, 2, 3)}


def test_digits_are_packed_with_their_values_as_labels():
    data = generate(GeneratedConfig(bases=("digits:3", "digits:7"), copies=2, size=32))
    assert to_arrays(data)["labels"].tolist() == [3, 3, 7, 7]
    again = read_upload([Upload("packed.npz", pack_data(data))], UploadConfig(size=32)).images
    assert again.classes == ("3", "7")


def test_classes_without_numeric_names_are_packed_by_index():
    data = generate(GeneratedConfig(bases=("digits:7", "crab"), copies=1, size=32))
    assert to_arrays(data)["labels"].tolist() == [0, 1]
