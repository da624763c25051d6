import pytest
import torch

from ia_engine.attention.distances.products import ByImage, ByTemplate, read_cubic
from ia_engine.attention.distances.templates import list_ink, prepare
from ia_engine.transforms import GROUPS
from tests.tensors import blobs
from tests.unit.attention.scenes import near

EVERY_GROUP = pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS.keys())


def both(group, v, tau, xi=None):
    """Products of the first image, in poses near that of the second image, computed by both
    methods. The window of the second image is first moved by -ξ.
    """
    templates = prepare(v, group)
    ink, cubic = list_ink(templates).take(slice(1, 2)), read_cubic(templates)
    away = torch.linalg.inv(templates.origin[0]) @ group.matrix(tau) @ templates.origin[1]
    away = away if xi is None else away @ group.matrix(-xi)
    image = torch.zeros(1, len(tau), dtype=torch.long, device="cpu")
    return [way(cubic).of(ink, image, away[None], group)[0] for way in (ByTemplate, ByImage)]


@EVERY_GROUP
def test_slopes_computed_from_the_image_and_from_the_template_agree_for_smooth_images(group):
    v = blobs(2, 2, size=61, sigma=5, reach=0.2)
    template, image = both(group, v, near(group, 3, n=6))
    scale = template.abs().amax(1, keepdim=True)
    assert ((image - template).abs() < 0.02 * scale + 1e-3 * scale.mean()).all()


@pytest.mark.parametrize("name", ["translation", "rotation", "se2", "similarity", "affine"])
def test_slopes_computed_from_the_image_are_the_derivatives_of_the_score(name):
    group = GROUPS[name]
    v, tau = blobs(2, size=41, sigma=3, reach=0.2), near(group, 4)
    _, here = both(group, v, tau)
    for a in range(group.dimension()):
        xi = torch.zeros(1, group.dimension(), dtype=tau.dtype, device="cpu")
        xi[0, a] = 1e-2
        ahead, behind = (both(group, v, tau, sign * xi)[1][0, 0] for sign in (1, -1))
        wanted = (ahead - behind) / 2e-2
        scale = here[1 : 1 + group.dimension(), 0].abs().max()
        assert abs(here[1 + a, 0] - wanted) < 0.05 * scale
