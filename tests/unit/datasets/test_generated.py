import math
from dataclasses import replace

import pytest
import torch

from ia_engine.datasets.distortions import TOLERANCE, Distortion, apply, lost_ink
from ia_engine.datasets.generated import GeneratedConfig, generate, load_source, undistorted
from ia_engine.errors import EngineError
from ia_engine.images import blur
from ia_engine.transforms import GROUPS, TRANSFORMS

SMALL = GeneratedConfig(
    copies=4, size=48, distortions=(Distortion("se2", (-1.0, -5.0), (1.0, 5.0)),)
)


def shifts(low, high):
    return Distortion("translation", (low,), (high,))


def test_the_same_seed_gives_the_same_data_and_a_different_seed_different_data():
    assert generate(SMALL).digest == generate(SMALL).digest
    assert generate(SMALL).digest != generate(replace(SMALL, seed=1)).digest


def test_copies_are_labelled_and_named_by_their_base():
    made = generate(replace(SMALL, copies=2))
    assert made.labels.tolist() == [0, 0, 1, 1, 2, 2]
    assert made.classes == ("Crab", "Seven", "Snail")
    assert made.names == ("crab 1", "crab 2", "seven 1", "seven 2", "snail 1", "snail 2")
    assert made.recipe.source == "generated"


def test_true_poses_reproduce_the_images_from_the_bases():
    made = generate(SMALL)
    again = apply(undistorted(SMALL), (GROUPS["se2"],), made.poses)
    assert torch.equal(again, made.images)


@pytest.mark.parametrize(
    "distortion",
    [
        Distortion("se2", (-1.0, -4.0), (1.0, 4.0)),
        Distortion("similarity", (-1.0, -0.2, -3.0), (1.0, 0.2, 3.0)),
        Distortion("affine", (-0.15, -3.0), (0.15, 3.0)),
        Distortion("projective", (-0.1, -2.0, -0.002), (0.1, 2.0, 0.002)),
    ],
    ids=lambda distortion: distortion.transform,
)
def test_inverting_the_pose_maps_every_copy_back_to_its_base(distortion):
    config = replace(SMALL, copies=6, distortions=(distortion,))
    group, made = GROUPS[distortion.transform], generate(config)
    bases = blur(undistorted(config), 1.0)
    back = blur(group.act(made.images, group.inverse(made.poses)), 1.0)
    errors = (back - bases).flatten(1).norm(dim=1) / bases.flatten(1).norm(dim=1)
    moved = (blur(made.images, 1.0) - bases).flatten(1).norm(dim=1).mean()
    assert errors.max() < 0.06
    assert moved > 4 * (errors * bases.flatten(1).norm(dim=1)).mean()


def test_random_coordinates_fill_their_ranges_and_do_not_exceed_them():
    low, high = (-1.0, -2.0, 3.0), (0.5, 4.0, 5.0)
    config = replace(SMALL, copies=100, distortions=(Distortion("se2", low, high),))
    poses = generate(config).poses
    for coordinate, bottom, top in zip(poses.unbind(1), low, high, strict=True):
        assert coordinate.min() >= bottom
        assert coordinate.max() <= top
        assert coordinate.max() - coordinate.min() > 0.95 * (top - bottom)


def test_every_copy_has_its_own_pose():
    assert len(generate(SMALL).poses.unique(dim=0)) == 12


def test_poses_of_all_distortions_are_concatenated():
    noise = Distortion("noise", (0.05, 0.0), (0.1, 1e6))
    config = replace(SMALL, distortions=(*SMALL.distortions, noise))
    made = generate(config)
    assert made.poses.shape == (12, 5)
    transforms = (TRANSFORMS["se2"], TRANSFORMS["noise"])
    assert torch.equal(apply(undistorted(config), transforms, made.poses), made.images)


def test_poses_are_drawn_again_until_no_ink_leaves_the_canvas():
    config = replace(SMALL, copies=20, fill=0.7, distortions=(shifts(-14.0, 14.0),))
    made = generate(config)
    lost = lost_ink(blur(undistorted(config), 1.0), (TRANSFORMS["translation"],), made.poses)
    assert lost.max() <= TOLERANCE
    assert len(made.notes) == 1
    assert "drawn again" in made.notes[0]


def test_ink_that_inevitably_leaves_the_canvas_is_reported():
    made = generate(replace(SMALL, fill=0.9, distortions=(shifts(20.0, 30.0),)))
    assert made.notes[-1].startswith("12 of 12 copies lose more than 0.5 %")


def test_an_image_moved_half_out_of_the_canvas_loses_half_of_its_ink():
    v = torch.ones(1, 1, 32, 32, device="cpu")
    tau = torch.tensor([[16.0, 0.0]], device="cpu")
    assert lost_ink(v, (GROUPS["translation"],), tau).item() == pytest.approx(0.5, abs=1e-5)


def test_shrinking_an_image_does_not_count_as_lost_ink():
    tau = torch.tensor([[0.4, 0.6, 0.0, 0.0]], device="cpu")
    v = blur(undistorted(replace(SMALL, bases=("crab",), copies=1)), 1.0)
    assert abs(lost_ink(v, (GROUPS["similarity"],), tau).item()) < 0.005


@pytest.mark.parametrize("name", sorted(set(TRANSFORMS)))
def test_every_transform_can_be_used_as_a_distortion(name):
    parts = TRANSFORMS[name].coordinates()
    low = tuple(max(part.range.low, -0.01) for part in parts)
    high = tuple(min(part.range.high, 0.01) for part in parts)
    made = generate(replace(SMALL, copies=2, distortions=(Distortion(name, low, high),)))
    assert made.images.shape == (6, 1, 48, 48)
    assert made.poses.shape == (6, TRANSFORMS[name].dimension())


def test_without_distortions_copies_equal_the_bases():
    made = generate(replace(SMALL, distortions=()))
    assert torch.equal(made.images, undistorted(SMALL).clamp(0, 1))
    assert made.poses.shape == (12, 0)


def test_grey_bases_get_three_channels_if_others_are_coloured():
    made = generate(replace(SMALL, bases=("crab", "icon-horse"), copies=1))
    assert made.images.shape == (2, 3, 48, 48)


def test_copies_of_a_class_show_different_images_unless_one_is_chosen_by_its_number():
    config = replace(SMALL, bases=("digits:3",), distortions=())
    several, one = generate(config), generate(replace(config, bases=("digits:3:5",)))
    assert several.classes == ("3",)
    assert len(several.images.unique(dim=0)) == 4
    assert len(one.images.unique(dim=0)) == 1


def test_images_of_a_source_are_centred_on_the_canvas():
    config = replace(SMALL, bases=("fashion:1:0",), copies=1, size=65, fill=0.5, distortions=())
    margin = 16
    inside = generate(config).images[..., margin:-margin, margin:-margin]
    source = load_source("fashion")
    first = (source.labels == 1).nonzero()[:1, 0]
    assert torch.equal(inside, source.read(first, 33))


def test_a_config_is_unchanged_after_conversion_to_json_and_back():
    config = replace(
        SMALL, bases=("crab", "digits:3"), distortions=(*SMALL.distortions, shifts(-1, 1))
    )
    assert GeneratedConfig.from_json(config.to_json()) == config


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({"transform": "melt"}, "transform must be one of"),
        ({"low": (0.0,), "high": (1.0,)}, "se2 must have either 2 bounds"),
        ({"low": (0.0, 0.0), "high": (1.0,)}, "tuples of equal length"),
        ({"low": (1.0, 0.0), "high": (0.0, 0.0)}, "must have low ≤ high"),
        ({"low": (-4.0, 0.0), "high": (0.0, 0.0)}, "se2's turn must be between"),
        ({"low": ("a", 0.0), "high": (0.0, 0.0)}, "must be a number"),
        ({"low": 1.0}, "tuples"),
    ],
)
def test_an_impossible_distortion_is_refused_with_the_reason(values, complaint):
    with pytest.raises(EngineError, match=complaint):
        Distortion(**values)


def test_the_bounds_of_colour_may_be_given_for_each_channel_of_coloured_images():
    bounds = (-0.1, -0.2, -0.3, 0.0, 0.0, 0.0), (0.1, 0.2, 0.3, 0.0, 0.0, 0.0)
    colour = Distortion("color", *bounds)
    made = generate(replace(SMALL, bases=("icon-horse",), distortions=(colour,)))
    assert made.poses.shape == (4, 6)
    with pytest.raises(EngineError, match="color must have 2 bounds"):
        generate(replace(SMALL, bases=("crab",), distortions=(colour,)))


@pytest.mark.parametrize("base", ["krab", "digits", "digits:x", "digits:3:5:1", "digits:10", 3])
def test_an_unknown_base_is_refused(base):
    with pytest.raises(EngineError, match="a base must be one of"):
        GeneratedConfig(bases=(base,))


@pytest.mark.parametrize("bases", [(), "crab", None])
def test_bases_that_are_not_a_tuple_are_refused(bases):
    with pytest.raises(EngineError, match="bases must be a tuple"):
        GeneratedConfig(bases=bases)


def test_too_many_pixels_or_distortions_are_refused():
    with pytest.raises(EngineError, match="fewer copies or smaller images"):
        GeneratedConfig(bases=("crab",) * 10, copies=500, size=256)
    with pytest.raises(EngineError, match="at most 8 distortions"):
        GeneratedConfig(distortions=SMALL.distortions * 9)


def test_positive_rotations_of_a_copy_are_anticlockwise():
    turn = Distortion("rotation", (math.pi / 2,), (math.pi / 2,))
    config = replace(SMALL, distortions=(turn,))
    turned = undistorted(config).rot90(1, (2, 3))
    assert torch.allclose(generate(config).images, turned, atol=1e-3)
