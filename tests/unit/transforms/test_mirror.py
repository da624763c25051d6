"""A mirrored image has its columns in reverse order; a threshold decides which are mirrored."""

import torch

from ia_engine.datasets.distortions import Distortion
from ia_engine.datasets.generated import GeneratedConfig, generate, undistorted
from ia_engine.transforms.mirror import Mirror
from tests.tensors import rand

CONFIG = GeneratedConfig(bases=("crab", "seven"), copies=20, size=24, distortions=())


def mirrors(*values):
    return torch.tensor(values, device="cpu", dtype=torch.float64)[:, None]


def test_coordinates_of_at_least_one_half_mirror_an_image_exactly():
    v = rand(4, 2, 6, 7)
    result = Mirror().act(v, mirrors(0.0, 0.499, 0.5, 1.0))
    torch.testing.assert_close(result[:2], v[:2], atol=1e-12, rtol=0)
    torch.testing.assert_close(result[2:], v[2:].flip(-1), atol=1e-12, rtol=0)


def test_a_mirrored_image_mirrored_again_is_the_original():
    v = rand(2, 1, 5, 8)
    once = Mirror().act(v, mirrors(1.0, 1.0))
    torch.testing.assert_close(Mirror().act(once, mirrors(1.0, 1.0)), v, atol=1e-12, rtol=0)


def test_about_half_of_the_generated_copies_are_mirrored_and_their_poses_state_which():
    made = generate(replace_distortions(Distortion("mirror", (0.0,), (1.0,))))
    plain = undistorted(CONFIG).clamp(0, 1)
    mirrored = made.poses[:, 0] >= 0.5
    assert 10 <= int(mirrored.sum()) <= 30
    wanted = torch.where(mirrored[:, None, None, None], plain.flip(-1), plain)
    torch.testing.assert_close(made.images, wanted, atol=1e-6, rtol=0)


def test_no_copy_loses_ink_when_it_is_mirrored():
    made = generate(replace_distortions(Distortion("mirror", (1.0,), (1.0,))))
    assert made.notes == ()


def replace_distortions(*distortions):
    return GeneratedConfig(**{**vars(CONFIG), "distortions": distortions})
