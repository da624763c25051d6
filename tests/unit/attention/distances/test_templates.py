import pytest
import torch
from torch.nn import functional

from ia_engine.attention.distances.templates import prepare
from ia_engine.errors import EngineError
from ia_engine.images import pixel_grid
from ia_engine.transforms import GROUPS
from ia_engine.transforms.base import density, move
from tests.tensors import blobs, rand, tensor
from tests.unit.attention import reference

EVERY_GROUP = pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS.keys())
RIM = 1
"""Pixels to exclude at the border: differences use values outside the canvas, where polynomials are
not zero.
"""


def linear(points, coefficients):
    """Values of a linear function at points [... 2]."""
    return coefficients[0] + points @ coefficients[1:]


def _on_canvas(jets, size):
    """Crop the windows to the canvas. They exceed it by one pixel, which contains the slopes at its
    border.
    """
    return jets.view(-1, size[0] + 2, size[1] + 2)[:, 1:-1, 1:-1]


def quadratic(points, coefficients):
    """Values of a quadratic at points [h w 2], for which central differences are exact."""
    p, q = points.unbind(-1)
    terms = torch.stack([torch.ones_like(p), p, q, p * p, p * q, q * q], -1)
    return terms @ (coefficients * tensor([1, 1, 1, 0.1, 0.1, 0.1]))


def gaussians(points, coefficients, sigma=6.0):
    """Three wide blobs whose heights and centres are the coefficients [9]."""
    heights, places = coefficients[:3], coefficients[3:].view(3, 2)
    squares = (points[..., None, :] - 4 * places).square().sum(-1)
    return (-squares / (2 * sigma**2)).exp() @ heights


def act(image, xi, points):
    """U(exp ξ)v at the points for every ξ [m 3 3], computed analytically without interpolation."""
    matrix = torch.linalg.matrix_exp(xi)
    return density(matrix, points).sqrt() * image(move(matrix, points))


def differentiate(image, generators, points, step=0.001):
    """∂_a and ∂_a∂_b, a ≤ b, of U(exp ξ)v at ξ = 0, by finite differences of about `step` px."""
    moved = torch.einsum("aij,hwj->ahwi", generators, add_one(points))
    speeds = moved[..., :2] - points * moved[..., 2:]
    h = step / speeds.norm(dim=-1).mean((1, 2))
    x = generators * h[:, None, None]
    first = (act(image, x, points) - act(image, -x, points)) / (2 * h[:, None, None])
    a, b = torch.triu_indices(len(x), len(x), device="cpu")
    signs = ((1, 1), (1, -1), (-1, 1), (-1, -1))
    four = sum(s * t * act(image, s * x[a] + t * x[b], points) for s, t in signs)
    return first, four / (4 * h[a] * h[b])[:, None, None]


def add_one(points):
    return torch.cat([points, torch.ones_like(points[..., :1])], -1)


def assert_near(found, wanted, share):
    """Check that the error of each derivative is below this share of its largest value."""
    largest = wanted.abs().amax((1, 2), keepdim=True).clamp_min(1e-3)
    assert ((found - wanted).abs() / largest).max() < share


@EVERY_GROUP
@pytest.mark.parametrize("size", [(13, 13), (12, 9)])
@pytest.mark.parametrize(
    ("image", "count", "shares"),
    [(linear, 3, (1e-5, 1e-5)), (quadratic, 6, (0.06, 1e-5)), (gaussians, 9, (0.03, 0.03))],
)
def test_jets_are_the_derivatives_of_the_unitary_action(group, size, image, count, shares):
    points, coefficients = pixel_grid(*size, tensor([])), rand(count, low=-1, high=1, seed=4)
    v = image(points, coefficients)[None, None]
    jets = _on_canvas(prepare(v, group).jets[0].T, size)
    inside = (..., slice(RIM, -RIM), slice(RIM, -RIM))
    first, second = differentiate(
        lambda x: image(x, coefficients), tensor(group.generators), points[inside[1:]]
    )
    p = group.dimension()
    assert torch.equal(jets[0], v[0, 0])
    assert_near(jets[1 : 1 + p][inside], first, shares[0])
    assert_near(jets[1 + p :][inside], second, shares[1])


@EVERY_GROUP
def test_the_score_of_an_image_with_itself_has_no_slope(group):
    jets = prepare(off_centre()[:2], group).jets[..., : 1 + group.dimension()]
    products = torch.einsum("nk,nka->na", jets[..., 0], jets)
    share = 1e-3 if group.perspective else 1e-12
    assert (products[:, 1:].abs() < share * products[:, :1]).all()


@EVERY_GROUP
def test_the_jets_of_a_colour_image_are_those_of_its_channels(group):
    v = rand(2, 3, 7, 8)
    together = prepare(v, group).jets.unflatten(1, (3, -1))
    for channel in range(3):
        alone = prepare(v[:, channel : channel + 1], group).jets
        torch.testing.assert_close(together[:, channel], alone)


def off_centre(dtype=torch.float64):
    """Ink in different corners of a wide canvas, and a blank image."""
    v = torch.zeros(3, 2, 21, 34, dtype=dtype, device="cpu")
    v[0, 0, 1:8, 2:9] = rand(7, 7, seed=1, low=0.1, dtype=dtype)
    v[1, 1, 15:21, 25:34] = rand(6, 9, seed=2, low=0.1, dtype=dtype)
    return v


@EVERY_GROUP
def test_windows_contain_all_ink_at_their_stated_origin(group):
    v = off_centre()
    templates = prepare(v, group)
    values = templates.jets[..., 0].unflatten(1, (2, -1))
    points = (templates.origin @ templates.points)[:, :2].mT
    place = (points + tensor([10, 16.5])).round().long()
    torch.testing.assert_close(values.sum(-1), v.sum((2, 3)))
    for image, window, at in zip(functional.pad(v, (1, 1, 1, 1)), values, place + 1, strict=True):
        assert torch.equal(window, image[:, at[:, 0], at[:, 1]])


@EVERY_GROUP
def test_the_dense_lattice_has_the_values_of_keys_interpolation_between_pixels(group):
    v = off_centre()
    templates = prepare(v, group)
    rows, columns = templates.dense.shape[-2:]
    lattice = pixel_grid(rows - 2, columns - 2, v) / 2
    for n, image in enumerate(v):
        p, q = (lattice + templates.origin[n, :2, 2]).unbind(-1)
        for c in range(2):
            wanted = reference.read(image[c].numpy(), p.numpy(), q.numpy())
            found = templates.dense[n, c, 1:-1, 1:-1]
            torch.testing.assert_close(found, tensor(wanted), atol=1e-12, rtol=0)
    assert templates.half.tolist() == [(rows - 1) / 4, (columns - 1) / 4]
    assert rim(templates.dense).abs().max() == 0


def rim(v):
    return torch.cat([v[..., 0, :], v[..., -1, :], v[..., :, 0], v[..., :, -1]], -1)


@EVERY_GROUP
def test_the_metric_is_the_mean_square_displacement_over_the_window(group):
    templates = prepare(blobs(2), group)
    xi = rand(group.dimension(), low=-1, high=1) * 1e-6
    matrix = torch.linalg.matrix_exp(torch.einsum("a,aij->ij", xi, tensor(group.generators)))
    points = templates.points[:2].T[None]
    moved = move(matrix[None], points)[0] - points
    wanted = moved.square().sum(-1).mean()
    torch.testing.assert_close(xi @ templates.metric @ xi, wanted, rtol=1e-3, atol=0)


def test_the_number_of_axes_is_validated():
    with pytest.raises(EngineError, match="n c h w"):
        prepare(rand(3, 8, 8), GROUPS["se2"])
