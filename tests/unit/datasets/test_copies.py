import pytest
import torch

from ia_engine.datasets import distortions
from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.distortions import MOST_PIXELS, Distortion, copy_images
from ia_engine.datasets.generated import GeneratedConfig
from ia_engine.datasets.recipes import RECIPES
from ia_engine.errors import EngineError

TURN = (Distortion("rotation", (-1.0,), (1.0,)),)


def image_set(n=3, labels=None, classes=()):
    images = torch.zeros(n, 1, 16, 16, device="cpu")
    images[:, :, 6:9, 5:12] = 1
    names = tuple("abcdef"[:n])
    return ImageSet(images, names, RECIPES["digits"], labels, classes)


def test_without_labels_every_image_becomes_a_class():
    copies = copy_images(image_set(), 4, TURN, seed=0)
    assert copies.images.shape == (12, 1, 16, 16)
    assert copies.labels.tolist() == [0] * 4 + [1] * 4 + [2] * 4
    assert copies.classes == ("a", "b", "c")
    assert copies.names[:5] == ("a 1", "a 2", "a 3", "a 4", "b 1")


def test_existing_labels_and_classes_are_kept():
    labels = torch.tensor([1, 0, 1], device="cpu")
    copies = copy_images(image_set(labels=labels, classes=("x", "y")), 2, TURN, seed=0)
    assert copies.labels.tolist() == [1, 1, 0, 0, 1, 1]
    assert copies.classes == ("x", "y")


def test_the_same_seed_gives_the_same_copies_and_every_copy_has_its_own_pose():
    first, second = (copy_images(image_set(), 3, TURN, seed=5) for _ in range(2))
    assert first.digest == second.digest != copy_images(image_set(), 3, TURN, seed=6).digest
    assert len(set(first.poses[:, 0].tolist())) == 9


def test_without_a_distortion_copies_equal_their_originals():
    data = image_set()
    copies = copy_images(data, 2, (), seed=0)
    assert torch.equal(copies.images, data.images.repeat_interleave(2, 0))


@pytest.mark.parametrize("copies", [0, 10**6])
def test_too_few_and_too_many_copies_are_refused(copies):
    with pytest.raises(EngineError, match=r"copies|copy"):
        copy_images(image_set(), copies, TURN, seed=0)


def test_copies_and_generated_data_have_the_same_limit():
    side = 256
    fitting = MOST_PIXELS // side**2
    GeneratedConfig(bases=("crab",), copies=fitting, size=side)
    with pytest.raises(EngineError, match="fewer copies or smaller images"):
        GeneratedConfig(bases=("crab",), copies=fitting + 1, size=side)
    with pytest.raises(EngineError, match="fewer copies or smaller images"):
        copy_images(image_set(), MOST_PIXELS // (3 * 16**2) + 1, TURN, seed=0)


def test_copies_do_not_depend_on_the_number_of_parts_in_which_they_are_computed(monkeypatch):
    wide = (Distortion("se2", (-3.0, -9.0), (3.0, 9.0)),)
    whole = copy_images(image_set(), 5, wide, seed=0)
    monkeypatch.setattr(distortions, "PART", 2 * 16**2)
    parts = copy_images(image_set(), 5, wide, seed=0)
    assert torch.equal(whole.images, parts.images)
    assert torch.equal(whole.poses, parts.poses)
    assert whole.notes == parts.notes
