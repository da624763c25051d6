"""Laws of the distance between transformation manifolds and of attention based on it."""

import math
from itertools import pairwise

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from ia_engine.attention.distances.alignment import Euclidean, GlobalSearch
from ia_engine.attention.iteration import normalise
from ia_engine.attention.means.mean import Invariant
from ia_engine.attention.weights import weigh
from ia_engine.datasets.bases import BASES, load_base, load_digits
from ia_engine.transforms import GROUPS
from tests.tensors import blobs, rand, tensor

few_examples = settings(max_examples=8, derandomize=True, deadline=None, database=None)
seeds = st.integers(0, 2**16)
SE2 = GROUPS["se2"]
FLOOR = 2e-3
"""Share of ‖v‖² that smooth blobs lose when they are interpolated."""


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def scene(seed, n=4):
    """Smooth images of unit norm with room for rotations and translations."""
    v = blobs(n, size=41, seed=seed, sigma=2.5, reach=0.15)
    return v / v.flatten(1).norm(dim=1)[:, None, None, None]


def drawings():
    """Normalised drawings from the catalogue in single precision, as on the pages."""
    return normalise(torch.stack([load_base(name, 40, 0.6).mean(0, True) for name in BASES][:24]))


def digits():
    return normalise(load_digits(28)[0][:24])


CHAIN = ("translation", "se2", "similarity", "affine", "projective")
PICTURES = {"drawings": drawings, "digits": digits, "blobs": lambda: scene(0, 24).float()}


def map_groups(v):
    """Distances over groups, each of which contains the one before it."""
    return [distances(v, GROUPS[name]) for name in CHAIN]


def poses(seed, n):
    return rand(n, 3, seed=seed, low=-1, high=1) * tensor([math.pi, 4, 4])


def distances(v, group=SE2):
    return GlobalSearch(group).align(v).d2


def assert_near(found, wanted, atol=FLOOR):
    torch.testing.assert_close(found, wanted, atol=atol, rtol=0)


@few_examples
@given(seed=seeds)
def test_distances_are_invariant_to_rotations_and_translations_unlike_euclidean_distances(seed):
    v = scene(seed)
    moved = SE2.act(v, poses(seed + 1, len(v)))
    assert_near(distances(moved), distances(v), 2 * FLOOR)
    assert (Euclidean().align(moved).d2 - Euclidean().align(v).d2).abs().max() > 10 * FLOOR


@few_examples
@given(seed=seeds, turns=st.integers(1, 3), shift=st.integers(-5, 5))
def test_translations_by_whole_pixels_and_rotations_by_90_degrees_do_not_change_distances(
    seed, turns, shift
):
    v = scene(seed)
    moved = torch.rot90(v, turns, (2, 3)).roll(shift, 2)
    both = torch.cat([v, moved])
    d2 = distances(both)
    # Within the interpolation error, a pose between pixels may score as high as the exact one.
    assert d2.diagonal(len(v)).max() < FLOOR
    assert_near(d2[len(v) :, len(v) :], d2[: len(v), : len(v)], 2 * FLOOR)


@few_examples
@given(seed=seeds)
def test_distances_do_not_increase_from_pixels_to_translations_and_to_se2(seed):
    v = scene(seed)
    exact = [distances(v, GROUPS[name]) for name in ("translation", "se2")]
    for smaller, larger in pairwise([Euclidean().align(v).d2, *exact]):
        assert (larger <= smaller + FLOOR).all()


@pytest.mark.parametrize("source", PICTURES)
def test_distances_rarely_increase_with_the_group(source):
    """Searches over groups larger than SE(2) start from a few poses and can miss the best one."""
    chain = map_groups(PICTURES[source]())
    for (smaller, larger), name in zip(pairwise(chain), CHAIN[1:], strict=True):
        worse = (larger > smaller + 5 * FLOOR).double().mean()
        assert worse < 0.005, f"{name}: {worse:.3f} of the pairs"
    with_shifts, turns = chain[1], distances(PICTURES[source](), GROUPS["rotation"])
    assert (with_shifts <= turns + 5 * FLOOR).all()


@few_examples
@given(seed=seeds)
def test_distances_between_manifolds_satisfy_the_triangle_inequality(seed):
    d = distances(scene(seed)).sqrt()
    around = (d[:, :, None] + d[None]).amin(1)
    assert (d <= around + math.sqrt(FLOOR)).all()


@few_examples
@given(seed=seeds, factor=st.floats(0.1, 10))
def test_squared_distances_scale_with_the_square_of_the_pixel_values(seed, factor):
    v = scene(seed, 3)
    assert_near(distances(factor * v) / factor**2, distances(v))


@few_examples
@given(seed=seeds)
def test_permuting_the_images_permutes_their_distances(seed):
    v = scene(seed)
    generator = torch.Generator(device="cpu").manual_seed(seed)
    order = torch.randperm(len(v), generator=generator)
    assert_near(distances(v[order]), distances(v)[order][:, order])


@few_examples
@given(seed=seeds)
def test_weights_are_invariant_to_rotations_and_translations(seed):
    v = scene(seed)
    moved = SE2.act(v, poses(seed + 1, len(v)))
    assert_near(weigh(distances(moved), 5.0), weigh(distances(v), 5.0), 0.02)


@few_examples
@given(seed=seeds)
def test_the_mean_is_transformed_in_the_same_way_as_the_image_that_it_replaces(seed):
    v, tau = scene(seed, 3), poses(seed + 1, 3)
    W = weigh(distances(v), 5.0)
    means = [
        Invariant(SE2).average(x, W, GlobalSearch(SE2).align(x).tau) for x in (v, SE2.act(v, tau))
    ]
    error = (SE2.act(means[0], tau) - means[1]).square().sum((1, 2, 3))
    assert error.max() < 10 * FLOOR
