import json
import math
import re
from dataclasses import replace

import numpy as np
import pytest
import torch

from ia_engine.datasets.data import ImageSet, Recipe
from ia_engine.datasets.distortions import apply, lost_ink
from ia_engine.datasets.experiments import EXPERIMENT_1, BlobsConfig, Experiment2Config, make_blobs
from ia_engine.datasets.generated import load_source, undistorted
from ia_engine.datasets.handwriting import DigitsConfig, WrittenConfig
from ia_engine.datasets.published import NAMED
from ia_engine.datasets.recipes import DATASETS, RECIPES, load_recipe, make
from ia_engine.datasets.subset import NamedConfig
from ia_engine.errors import EngineError
from ia_engine.images import blur
from ia_engine.transforms import GROUPS
from tests.tensors import rand


def needs_files(config):
    """True if the data are read from a published set of which no part is bundled."""
    splits = NAMED[config.set].splits if hasattr(config, "set") else ()
    return bool(splits) and all(split.files or split.npz for split in splits)


OFFLINE = tuple(name for name, recipe in RECIPES.items() if not needs_files(recipe.config))
SEEDED = tuple(
    name for name in OFFLINE if name != "fashion" and hasattr(RECIPES[name].config, "seed")
)
PUBLISHED = ("mnist", "mnist-1k", "cifar-10")
FEW = WrittenConfig(source="digits", count=60)


@pytest.fixture(autouse=True)
def _no_files(monkeypatch, tmp_path):
    """Simulate a machine without any data files."""
    monkeypatch.delenv("IA_DATA", raising=False)
    monkeypatch.setenv("IA_CACHE", str(tmp_path / "cache"))


def few(name):
    """The recipe with fewer images, to make the test fast."""
    config = RECIPES[name].config
    return Recipe(name, replace(config, count=60) if hasattr(config, "count") else config)


def write_sample(folder, name, shape, count=1000):
    images = (255 * rand(count, *shape)).byte().numpy()
    np.savez(folder / name, images=images, labels=np.arange(count) % 10)


def test_the_names_used_on_the_command_line_are_in_the_catalogue():
    known = {"experiment-1", "experiment-2", "blobs", "generated", "digits", "fashion"}
    known |= {"mnist-color", "affnist", "rot-mnist"}
    assert known <= set(OFFLINE)
    assert set(PUBLISHED) <= set(DATASETS) - set(OFFLINE)
    assert all(entry.about for entry in DATASETS.values())


@pytest.mark.parametrize("name", OFFLINE)
def test_offline_recipes_recreate_the_same_data_from_their_text(name):
    made = make(few(name))
    again = make(load_recipe(made.recipe.to_json()))
    assert again.digest == made.digest
    assert again.pixel_digest == made.pixel_digest
    assert again.recipe == made.recipe
    assert made.recipe.source == name


@pytest.mark.parametrize("name", OFFLINE)
def test_offline_data_are_finite_and_their_names_labels_and_poses_belong_to_them(name):
    made = make(few(name))
    is_images = isinstance(made, ImageSet)
    values = made.images if is_images else made.points
    assert values.isfinite().all()
    if made.labels is not None:
        assert made.labels.shape == (len(values),)
        assert made.labels.min() >= 0
    if is_images:
        assert values.min() >= 0
        assert values.max() <= 1
        assert made.labels is None or made.labels.max() < len(made.classes)
        assert len(made.names) == len(values)
        assert made.poses is None or len(made.poses) == len(values)


@pytest.mark.parametrize("name", SEEDED)
def test_a_different_seed_gives_different_data(name):
    recipe = few(name)
    other = Recipe(name, replace(recipe.config, seed=1))
    assert make(other).pixel_digest != make(recipe).pixel_digest


@pytest.mark.parametrize("name", PUBLISHED)
def test_recipes_that_need_files_state_which_files_and_which_folder(name):
    with pytest.raises(EngineError, match=r"(ubyte\.gz|tar\.gz) into .* IA_DATA"):
        make(RECIPES[name])


def test_experiment_1_consists_of_six_copies_of_each_of_three_drawings():
    made = make(RECIPES["experiment-1"])
    assert made.images.shape == (18, 1, 64, 64)
    assert made.labels.tolist() == [0] * 6 + [1] * 6 + [2] * 6
    assert made.classes[:2] == ("Crab", "Seven")


def test_experiment_1_loses_no_ink_with_any_of_twenty_seeds():
    for seed in range(20):
        config = replace(EXPERIMENT_1, seed=seed)
        made = make(Recipe("experiment-1", config))
        ink = blur(undistorted(config), 1.0)
        assert lost_ink(ink, (GROUPS["se2"],), made.poses).max() < 0.005
        border = torch.cat([made.images[..., [0, -1]].mT, made.images[..., [0, -1], :]], -2)
        assert border.max() < 0.05
        assert made.notes == ()


def test_experiment_1_rotates_by_up_to_65_degrees_and_translates_by_up_to_10_pixels():
    made = make(Recipe("experiment-1", replace(EXPERIMENT_1, copies=100)))
    reach = made.poses.abs().amax(0)
    limits = torch.tensor([math.radians(65), 10.0, 10.0], device="cpu")
    assert (reach <= limits).all()
    assert (reach > 0.97 * limits).all()


def test_experiment_2_consists_of_ten_threes_whose_poses_are_within_their_ranges():
    made = make(RECIPES["experiment-2"])
    assert made.images.shape == (10, 1, 64, 64)
    assert made.classes == ("3",)
    many = make(Recipe("experiment-2", Experiment2Config(copies=100))).poses
    assert many[:, 0].min() >= 0
    assert many[:, 0].max() <= math.pi / 2
    assert many[:, 1].abs().max() <= 0.2 * 64
    assert many[:, 2].abs().max() <= 0.1 * 64
    assert many[:, 1].abs().max() > 0.15 * 64


def test_the_recipe_records_which_source_was_the_best_available_one(monkeypatch, tmp_path):
    assert make(few("rot-mnist")).recipe.config.source == "digits"
    write_sample(tmp_path, "mnist_1k_balanced.npz", (28, 28))
    monkeypatch.setenv("IA_DATA", str(tmp_path))
    made = make(few("rot-mnist"))
    assert made.recipe.config.source == "mnist"
    assert "MNIST, sample" in made.notes[0]


def test_a_sample_replaces_a_missing_set_and_is_labelled_as_such(monkeypatch, tmp_path):
    write_sample(tmp_path, "cifar10_1k_balanced.npz", (32, 32, 3))
    monkeypatch.setenv("IA_DATA", str(tmp_path))
    made = make(RECIPES["cifar-10"])
    assert made.images.shape == (1000, 3, 32, 32)
    assert made.notes == ("CIFAR-10: a sample of 1,000 images, not the whole set",)
    assert made.recipe.config.split == "sample"
    with pytest.raises(EngineError, match="CIFAR-10, train, is missing"):
        make(Recipe("cifar-10", NamedConfig("cifar-10", "train")))


def number_of(name):
    """The number of an image in the full set, counted from 1."""
    return int(re.search(r"no\. (\d+)", name)[1])


def test_a_note_states_that_a_subset_is_random_and_its_images_are_named_by_their_numbers():
    made = make(Recipe("fashion", NamedConfig("fashion", count=5)))
    whole = make(RECIPES["fashion"])
    assert made.notes[-1] == "5 of 200 images, drawn at random"
    assert made.names[0].endswith(" of 200")
    assert torch.equal(made.images[0], whole.images[number_of(made.names[0]) - 1])
    assert whole.classes[made.labels[0]] == made.names[0].split(",")[0]


def test_all_digits_are_used_unless_fewer_are_requested():
    made = make(RECIPES["digits"])
    assert made.images.shape == (1797, 1, 28, 28)
    assert made.labels.bincount().min() > 170
    assert len(make(Recipe("digits", DigitsConfig(count=7))).images) == 7


def test_affine_digits_keep_their_ink_and_a_note_says_that_they_are_not_the_original_files():
    made = make(Recipe("affnist", FEW))
    assert made.images.shape == (60, 1, 40, 40)
    assert "not the original files" in made.notes[0]
    singular = torch.linalg.svdvals(GROUPS["affine"].matrix(made.poses)[:, :2, :2])
    assert singular.min() > 0.7
    assert singular.max() < 1.5
    assert made.images.flatten(1).sum(1).min() > 20


def test_rotated_digits_cover_all_angles():
    made = make(Recipe("rot-mnist", replace(FEW, count=400)))
    turns = made.poses[:, 0]
    assert turns.min() < -3
    assert turns.max() > 3
    assert not any("again" in note for note in made.notes)


def test_undoing_a_rotation_restores_the_digit():
    made = make(Recipe("rot-mnist", FEW))
    rows = [number_of(name) - 1 for name in made.names]
    digits = blur(load_source("digits").read(torch.tensor(rows, device="cpu"), 28), 1.0)
    back = blur(apply(made.images, (GROUPS["rotation"],), -made.poses), 1.0)
    errors = (back - digits).flatten(1).norm(dim=1) / digits.flatten(1).norm(dim=1)
    assert errors.max() < 0.05


def test_coloured_digits_have_a_uniform_background_colour():
    made = make(Recipe("mnist-color", FEW))
    assert made.images.shape == (60, 3, 28, 28)
    corners = made.images[..., 0, 0]
    assert torch.equal(corners, made.images[..., -1, -1])
    assert corners.std(0).min() > 0.2


def test_labels_follow_their_images_through_every_digit_recipe():
    made = [make(Recipe(name, FEW)) for name in ("affnist", "rot-mnist", "mnist-color")]
    assert all(torch.equal(one.labels, made[0].labels) for one in made)
    assert [int(name[0]) for name in made[0].names] == made[0].labels.tolist()


def test_blobs_have_the_requested_radius_and_spread():
    made = make_blobs(BlobsConfig(blobs=3, points=200, spread=0.1, radius=2.0))
    assert made.points.shape == (600, 2)
    centres = torch.stack([made.points[made.labels == k].mean(0) for k in range(3)])
    assert torch.allclose(centres.norm(dim=1), centres.new_full((3,), 2.0), atol=0.05)
    spread = (made.points - centres[made.labels]).std(0)
    assert torch.allclose(spread, spread.new_full((2,), 0.1), atol=0.01)


def test_settings_missing_from_a_recipe_have_their_defaults_from_the_catalogue():
    recipe = load_recipe('{"source": "experiment-1", "config": {"seed": 7}}')
    assert recipe.config == replace(EXPERIMENT_1, seed=7)
    assert load_recipe('{"source": "mnist-1k"}') == RECIPES["mnist-1k"]


@pytest.mark.parametrize("name", sorted(DATASETS))
def test_every_recipe_is_unchanged_after_conversion_to_text_and_back(name):
    assert load_recipe(RECIPES[name].to_json()) == RECIPES[name]


@pytest.mark.parametrize(
    "text",
    [
        "no json", "[]", "{}", '{"source": "cats"}', '{"source": 3}', '{"x": 1}',
        '{"source": "blobs", "config": []}',
        '{"source": "blobs", "config": {"x": 1}}',
        '{"source": "blobs", "config": {"seed": "a"}}',
        '{"source": "generated", "config": {"distortions": [1]}}',
    ],
)  # fmt: skip
def test_an_invalid_recipe_raises_an_engine_error(text):
    with pytest.raises(EngineError):
        load_recipe(text)


def test_a_recipe_is_plain_json():
    assert json.loads(RECIPES["blobs"].to_json())["source"] == "blobs"


@pytest.mark.parametrize("name", ["seed", "points", "spread"])
@pytest.mark.parametrize("digits", [400, 5000])
def test_numbers_with_hundreds_of_digits_are_refused_like_other_illegal_numbers(name, digits):
    text = f'{{"source": "blobs", "config": {{"{name}": 1{"0" * digits}}}}}'
    with pytest.raises(EngineError, match=r"digits|too long"):
        load_recipe(text)


def test_bounds_of_a_distortion_with_hundreds_of_digits_are_refused():
    part = f'{{"transform": "rotation", "low": [0], "high": [1{"0" * 400}]}}'
    with pytest.raises(EngineError, match="rotation's turn must be between"):
        load_recipe(f'{{"source": "generated", "config": {{"distortions": [{part}]}}}}')


def test_the_largest_rotation_of_a_recipe_is_that_of_its_distortions():
    names = "experiment-1", "rot-mnist", "digits", "arrows", "ellipses"
    angles = {name: RECIPES[name].max_rotation() for name in names}
    assert angles["experiment-1"] == pytest.approx(math.radians(65))
    assert (angles["rot-mnist"], angles["digits"]) == (math.pi, 0)
    assert angles["arrows"] == angles["ellipses"] == math.pi
