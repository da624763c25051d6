"""True poses are matrices that undo the transformations of copies; symmetries are detected."""

import math
from dataclasses import replace

import pytest
import torch

from ia_engine.datasets.distortions import Distortion
from ia_engine.datasets.generated import GeneratedConfig, generate, undistorted
from ia_engine.datasets.recipes import RECIPES, load_recipe, make
from ia_engine.datasets.true_poses import (
    find_order,
    find_orders,
    read_true_matrices,
    split_classes,
)
from ia_engine.images import keys, pixel_grid
from ia_engine.poses.errors import ANY
from ia_engine.transforms.base import move

pytestmark = pytest.mark.cpu_only("the catalogue's data are on the CPU")

ROTATION = Distortion("rotation", (-1.0,), (1.0,))
SIMILARITY = Distortion("similarity", (-0.5, -0.2, -3.0), (0.5, 0.2, 3.0))
MIRROR = Distortion("mirror", (0.0,), (1.0,))
NOISE = Distortion("noise", (0.0, 0.0), (0.0, 9.0))
CONFIG = GeneratedConfig(bases=("crab", "seven"), copies=4, size=48, fill=0.4)


def made(*distortions, **changes):
    return generate(replace(CONFIG, distortions=distortions, **changes))


@pytest.mark.parametrize(
    "distortions",
    [
        (ROTATION,),
        (ROTATION, MIRROR, SIMILARITY),
        (SIMILARITY, NOISE, ROTATION),
        (MIRROR, ROTATION),
    ],
)
def test_copies_are_the_original_images_warped_by_their_true_matrices(distortions):
    data = made(*distortions)
    start = undistorted(data.recipe.config)
    points = pixel_grid(48, 48, start.double())
    warped = keys(start.double(), move(read_true_matrices(data), points)).clamp(0, 1)
    difference = (warped - data.images).square().flatten(1).sum(1)
    assert (difference < 0.02 * start.square().flatten(1).sum(1)).all(), "only interpolation"


@pytest.mark.parametrize("name", ["experiment-1", "experiment-2"])
def test_the_true_poses_of_the_experiments_are_known(name):
    data = make(RECIPES[name])
    matrices = read_true_matrices(data)
    assert matrices.shape == (len(data.names), 3, 3)
    assert torch.allclose(matrices[:, :2, 2].float(), data.poses[:, 1:])


def test_without_poses_in_a_group_the_true_poses_are_unknown():
    assert read_true_matrices(made(NOISE)) is None
    assert read_true_matrices(made()) is None
    assert read_true_matrices(make(RECIPES["digits"])) is None
    assert read_true_matrices(replace(made(ROTATION), poses=None)) is None


def test_mirrored_copies_are_a_separate_class():
    data = made(ROTATION, MIRROR, copies=10)
    mirrored = (data.poses[:, 1] >= 0.5).long()
    assert 0 < int(mirrored.sum()) < 20
    assert split_classes(data, read_true_matrices(data)).tolist() == (
        (2 * data.labels + mirrored).tolist()
    )


def draw(test, size=64):
    p, q = pixel_grid(size, size, torch.zeros(1)).unbind(-1)
    return test(p, q).float()[None, None]


@pytest.mark.parametrize(
    ("shape", "order"),
    [
        (lambda p, q: (p.abs() < 4) & (q.abs() < 20), 2),
        (lambda p, q: ((p.abs() < 4) | (q.abs() < 4)) & (p**2 + q**2 < 400), 4),
        (lambda p, q: (p**2 + q**2) < 300, ANY),
        (lambda p, q: (p.abs() < 4) & (q > -4) & (q < 20), 1),
        (lambda p, q: (p**2 + q**2).sqrt() < 12 + 6 * torch.cos(3 * torch.atan2(p, q)), 3),
    ],
    ids=["bar", "cross", "disc", "half bar", "clover"],
)
def test_the_symmetry_of_a_shape_is_found(shape, order):
    assert find_order(draw(shape)) == order


def test_drawings_have_a_known_symmetry_and_handwriting_has_none():
    config = replace(CONFIG, bases=("crab", "digits:0"))
    assert find_orders(generate(config)) == [1, 1, 1, 1]
    assert find_orders(make(RECIPES["digits"])) == []


def test_every_true_angle_is_the_one_that_was_sampled():
    data = made(ROTATION)
    matrices = read_true_matrices(data)
    angles = torch.atan2(matrices[:, 0, 1], matrices[:, 0, 0])
    assert torch.allclose(angles.float(), data.poses[:, 0], atol=1e-6)
    assert angles.abs().max() <= 1.0 < math.pi


KEPT = {
    "experiment-1": ('{"source": "experiment-1"}', (-0.0084935, 5.3644361, -8.2304516), 4319.99),
    "experiment-2": ('{"source": "experiment-2"}', (1.3462609, 3.5730505, 3.0752339), 3199.51),
    "noise": (
        '{"source": "generated", "config": {"bases": ["key", "digits:3"], "copies": 3, "seed": 4, '
        '"distortions": [{"transform": "noise", "low": [0.1, 0], "high": [0.2, 1000]}, '
        '{"transform": "rotation", "low": [-1], "high": [1]}]}}',
        (0.1074071, 253.7454987, 0.1039599),
        2051.23,
    ),
}
"""Recipes of earlier versions, with the first pose and the sum of all pixels that they had."""


@pytest.mark.parametrize("name", KEPT)
def test_recipes_of_earlier_versions_still_make_the_same_images(name):
    recipe, pose, total = KEPT[name]
    data = make(load_recipe(recipe))
    assert data.poses[0].tolist() == pytest.approx(pose, rel=1e-5)
    assert float(data.images.double().sum()) == pytest.approx(total, rel=1e-4)
