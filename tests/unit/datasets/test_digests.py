"""Digests are the same on every machine and differ if the data differ."""

from dataclasses import replace

import pytest
import torch

from ia_engine.datasets.data import VERSION, ImageSet, PointSet, Recipe, digest_recipe, thin
from ia_engine.datasets.distortions import Distortion, copy_images
from ia_engine.datasets.generated import GeneratedConfig, load_source
from ia_engine.datasets.handwriting import WrittenConfig
from ia_engine.datasets.recipes import RECIPES, is_of, load_recipe, make
from ia_engine.datasets.uploads.canvas import UploadConfig
from ia_engine.equivariant.splits import rotated_digits, split_images
from pages._ui.lessons.catalogue import places_of_runs, run_of
from pages._ui.runs.current import find_saved
from tests.tensors import rand

pytestmark = pytest.mark.cpu_only("the catalogue's data are on the CPU")

FEW = {"source": "digits", "count": 60}
MADE = {
    "experiment-1": RECIPES["experiment-1"],
    "experiment-2": RECIPES["experiment-2"],
    "blobs": RECIPES["blobs"],
    "generated": Recipe("generated", GeneratedConfig(bases=("key", "digits:3", "fashion:8"))),
    "digits": RECIPES["digits"],
    "mnist-color": Recipe("mnist-color", WrittenConfig(**FEW)),
    "affnist": Recipe("affnist", WrittenConfig(**FEW)),
    "rot-mnist": Recipe("rot-mnist", WrittenConfig(**FEW)),
    "noise": RECIPES["noise"],
    "arrows": RECIPES["arrows"],
    "ellipses": RECIPES["ellipses"],
}


def values(data):
    return data.points if isinstance(data, PointSet) else data.images


def move(data, goal=0.5):
    """The data as computed by a processor with different rounding."""
    x = values(data)
    moved = torch.nextafter(x, torch.full_like(x, goal))
    name = "points" if isinstance(data, PointSet) else "images"
    return replace(data, **{name: moved})


@pytest.mark.parametrize("name", MADE)
def test_rounding_errors_in_the_pixels_do_not_change_the_digest_of_a_recipe(name):
    data = make(MADE[name])
    other = move(data)
    assert data.pixel_digest != other.pixel_digest
    assert data.digest == other.digest
    assert thin(data, 5).digest == thin(other, 5).digest != data.digest


@pytest.mark.parametrize("name", MADE)
def test_a_run_saved_with_a_digest_of_its_pixels_opens_on_every_machine(name):
    data = make(MADE[name])
    kept = data.pixel_digest, data.recipe.to_json()
    assert is_of(data, *kept)
    assert is_of(move(data), *kept)
    assert not is_of(thin(move(data), 5), *kept)


@pytest.mark.parametrize("place", places_of_runs(), ids=run_of)
def test_runs_of_the_lessons_open_despite_different_rounding_errors_in_the_pixels(place):
    record = find_saved(run_of(place)).record
    data = make(load_recipe(record.recipe))
    for made_there in (data, move(data), move(data, 0.0), move(data, 1.0)):
        assert is_of(made_there, record.digest, record.recipe)


def test_different_recipes_seeds_and_versions_have_different_digests():
    data = make(MADE["rot-mnist"])
    others = [
        make(Recipe("rot-mnist", WrittenConfig(**FEW, seed=1))),
        make(Recipe("affnist", WrittenConfig(**FEW))),
        make(Recipe("rot-mnist", WrittenConfig(**FEW | {"count": 59}))),
    ]
    for other in others:
        assert not is_of(data, other.digest, other.recipe.to_json())
        assert not is_of(data, other.pixel_digest, other.recipe.to_json())
    later = data.digest.replace(f"r{VERSION}-", f"r{VERSION + 1}-")
    assert not is_of(data, later, data.recipe.to_json())


def test_if_a_recipe_lacks_a_newer_setting_its_default_is_compared():
    data = make(MADE["rot-mnist"])
    before = '{"source": "rot-mnist", "config": {"source": "digits", "count": 60}}'
    digest = digest_recipe(before, tuple(data.images.shape), data.labels.tolist())
    assert is_of(data, digest, before)
    assert not is_of(data, digest, before.replace("60", "61"))
    assert not is_of(data, digest, data.recipe.to_json()), "a digest is valid only for its recipe"


def test_uploads_are_identified_by_their_pixels():
    images = rand(4, 1, 8, 8, dtype=torch.float32)
    data = ImageSet(images, tuple("abcd"), Recipe("upload", UploadConfig()))
    assert data.digest == data.pixel_digest
    assert not is_of(move(data), data.digest, data.recipe.to_json())
    assert is_of(data, data.digest, data.recipe.to_json())


def test_copies_of_generated_images_have_a_different_digest():
    data = make(MADE["experiment-2"])
    one, other = (copy_images(data, 1, (Distortion(),), seed) for seed in (1, 2))
    assert len({data.digest, one.digest, other.digest}) == 3


def test_a_set_made_from_mnist_is_identified_by_the_split_that_was_read(monkeypatch):
    digits, recipes = load_source("digits"), "ia_engine.datasets.recipes"
    monkeypatch.setattr("ia_engine.datasets.generated.load_source", lambda _: digits)
    monkeypatch.setattr(f"{recipes}.is_here", lambda _: True)
    recipe = Recipe("experiment-2", replace(RECIPES["experiment-2"].config, source="mnist"))
    monkeypatch.setattr(f"{recipes}.choose_split", lambda *_: "train")
    train = make(recipe)
    monkeypatch.setattr(f"{recipes}.choose_split", lambda *_: "test")
    test = make(recipe)
    assert train.digest != test.digest
    assert not is_of(move(test), train.pixel_digest, recipe.to_json()), (
        "the recipe does not name a split"
    )
    assert is_of(test, train.pixel_digest, recipe.to_json()), "the pixels are the same"


def test_splits_are_identified_by_their_settings():
    data = rotated_digits(60, 10, 10, 0, "digits")
    other = replace(data, train=replace(data.train, images=data.train.images * (1 + 2**-20)))
    assert data.digest == other.digest
    assert data.digest != rotated_digits(60, 10, 10, 1, "digits").digest
    images = make(MADE["experiment-1"])
    assert split_images(images, 0).digest == split_images(move(images), 0).digest
    assert split_images(images, 0).digest != split_images(images, 1).digest


FACTS = {
    "experiment-1": (0.058594, 0.041420, -0.005847),
    "experiment-2": (0.078113, 0.051984, 0.000899),
    "blobs": (0.013004, 1.159315, 0.386186),
    "generated": (0.051717, 0.038295, 0.004407),
    "digits": (0.138796, 0.095463, -0.000266),
    "mnist-color": (0.500016, 0.322737, 0.012348),
    "affnist": (0.067995, 0.046565, 0.000446),
    "rot-mnist": (0.141850, 0.096860, -0.000673),
    "noise": (0.051467, 0.032770, -0.000870),
    "arrows": (0.061901, 0.055588, -0.001025),
    "ellipses": (0.092433, 0.088407, -0.000030),
}
"""Moments of the data of version 1: the mean, the mean square, and the mean weighted by a ramp from
-1 to 1.
"""
ROUNDING = 5e-5
"""float32 rounds coordinates of up to 64 px to a few 2⁻¹⁷ px, and therefore pixels of slope 1 to
3e-5.
"""


def list_facts(x):
    x = x.double()
    ramp = torch.linspace(-1, 1, x.numel(), dtype=torch.float64, device="cpu").view_as(x)
    return [float(fact) for fact in (x.mean(), x.square().mean(), (x * ramp).mean())]


@pytest.mark.parametrize("name", MADE)
def test_a_recipe_generates_the_images_of_its_version(name):
    """After an intended change, raise VERSION, because older runs used different data."""
    assert VERSION == 1
    assert list_facts(values(make(MADE[name]))) == pytest.approx(FACTS[name], abs=ROUNDING)


DRAWN = {
    "translation": ((-4.0,), (4.0,)),
    "rotation": ((-1.0,), (1.0,)),
    "se2": ((-1.0, -3.0), (1.0, 3.0)),
    "similarity": ((-1.0, -0.3, -3.0), (1.0, 0.3, 3.0)),
    "affine": ((-0.1, -3.0), (0.1, 3.0)),
    "projective": ((-0.1, -3.0, -0.004), (0.1, 3.0, 0.004)),
    "tps": ((-2.0,), (2.0,)),
    "elastic": ((-3.0,), (3.0,)),
    "color": ((-0.3, -0.2), (0.3, 0.2)),
    "morphology": ((-20.0, 0.0), (20.0, 0.3)),
    "noise": ((0.05, 0.0), (0.2, 1000.0)),
    "salt-and-pepper": ((0.05, 0.0), (0.2, 1000.0)),
    "erasing": ((0.0, -5.0), (9.0, 5.0)),
    "lens": ((-0.2,), (0.8,)),
    "motion-blur": ((0.0, -1.0), (9.0, 1.0)),
    "illumination": ((-0.8,), (0.8,)),
    "shadow": ((0.3, 0.3, 0.0), (0.9, 0.8, 1000.0)),
    "jpeg": ((20.0,), (90.0,)),
}
"""Lower and upper bounds for a distortion of each kind."""
DRAWN_FACTS = {
    "translation": (0.043706, 0.027623, -0.002658),
    "rotation": (0.043702, 0.027773, -0.002574),
    "se2": (0.043702, 0.027661, -0.002663),
    "similarity": (0.043695, 0.027457, 0.004929),
    "affine": (0.043343, 0.027620, -0.002063),
    "projective": (0.042632, 0.027115, -0.002492),
    "tps": (0.045362, 0.028640, -0.000382),
    "elastic": (0.045344, 0.028639, -0.001993),
    "color": (0.094072, 0.038304, -0.003959),
    "morphology": (0.067693, 0.047751, 0.003892),
    "noise": (0.093794, 0.038734, 0.004404),
    "salt-and-pepper": (0.109635, 0.096849, 0.007861),
    "erasing": (0.036772, 0.023703, -0.001210),
    "lens": (0.041962, 0.027600, -0.002305),
    "motion-blur": (0.043365, 0.021799, -0.002545),
    "illumination": (0.042724, 0.027979, -0.002545),
    "shadow": (0.025003, 0.013582, -0.003567),
    "jpeg": (0.048388, 0.028559, -0.002497),
}


def distorted(name):
    bases, distortion = ("key", "icon-horse", "digits:3"), Distortion(name, *DRAWN[name])
    return make(Recipe("generated", GeneratedConfig(bases, 2, 32, 0.5, (distortion,), 7)))


@pytest.mark.parametrize("name", DRAWN)
def test_a_kind_of_distortion_generates_the_images_of_its_version(name):
    """After an intended change, raise VERSION, because older runs used different data."""
    assert VERSION == 1
    assert list_facts(distorted(name).images) == pytest.approx(DRAWN_FACTS[name], abs=ROUNDING)
