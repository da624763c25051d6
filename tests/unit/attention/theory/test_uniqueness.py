from itertools import pairwise

import pytest
import torch

from ia_engine.attention.iteration import normalise
from ia_engine.attention.theory.uniqueness import TRIALS, start_again, uniqueness
from ia_engine.datasets.bases import load_digits
from ia_engine.datasets.experiments import Experiment2Config, make_experiment_2
from ia_engine.errors import EngineError
from ia_engine.images import blur
from tests.tensors import rand, tensor
from tests.unit.attention.scenes import drawing, turned


def threes(count):
    """The given number of 3s in different poses, smoothed with σ = 1.5 px."""
    images, labels = load_digits(32)
    poses = zip(range(0, 100, 10), range(-2, 3, 1), strict=False)
    turns = [(float(degrees), 0.4 * shift, -0.3 * shift) for degrees, shift in poses] * 2
    v = images[labels == 3][:count].double()
    moved = [turned(image[None], pose) for image, pose in zip(v, turns, strict=False)]
    return normalise(blur(torch.cat(moved), 1.5))


def seeded(seed=0):
    return torch.Generator(device="cpu").manual_seed(seed)


def check(found):
    """Check that every start led to the first solution, up to interpolation error."""
    for solution in found.solutions:
        assert solution.residual <= 1.3 * solution.floor
        assert solution.residual <= 0.02
        assert solution.objective == pytest.approx(found.objective, rel=0.02)


@pytest.mark.cpu_only("six solutions each; the tests below run on both")
@pytest.mark.parametrize(("dtype", "starts"), [(torch.float32, 2), (torch.float64, 5)])
def test_means_from_all_starts_differ_only_by_one_pose(dtype, starts):
    weights = rand(6, low=0.5, seed=4).to(dtype)
    found = uniqueness(threes(6).to(dtype), weights, starts, seeded())
    assert len({solution.anchor for solution in found.solutions}) == starts
    check(found)
    for solution in found.solutions:
        assert (solution.mu - found.mu).norm() == pytest.approx(
            solution.residual * found.radius, rel=1e-6
        )


@pytest.mark.cpu_only("six solutions of three images; the tests below run on both")
def test_for_three_images_with_several_minima_both_starts_lead_to_the_lowest_one():
    recipe = Experiment2Config(source="digits", copies=3)
    v = normalise(blur(make_experiment_2(recipe).images, 1.5))
    check(uniqueness(v, tensor([1.0, 1.0, 1.0], torch.float32), 2, seeded()))


def test_the_mean_of_two_drawings_does_not_depend_on_their_poses():
    v = turned(blur(drawing("crab", 32), 1.5), (0, 0, 0), (70, 1, 2))
    other = turned(blur(drawing("crab", 32, fill=0.55), 1.5), (-20, 0, -1))
    found = uniqueness(torch.cat([v, other]), tensor([0.5, 0.25, 0.25]), 1, seeded(1))
    assert found.solutions[0].residual <= 0.05
    assert found.radius > 0.05


def test_the_same_generator_gives_the_same_solutions():
    v = blur(torch.cat([drawing("seven", 16), drawing("crab", 16)]), 1.5)
    first, second = (uniqueness(v, tensor([0.7, 0.3]), 1, seeded(3)) for _ in range(2))
    assert torch.equal(first.solutions[0].mu, second.solutions[0].mu)


def test_solutions_are_yielded_one_by_one():
    v = blur(torch.cat([drawing("seven", 16), drawing("crab", 16)]), 1.5)
    found = list(start_again(v, tensor([0.7, 0.3]), 2, seeded(3)))
    counts = [len(so_far.solutions) for so_far in found]
    assert (counts == sorted(counts), counts[0], counts[-1]) == (True, 0, 2)
    assert len(found) <= TRIALS * 3
    heights = [so_far.objective for so_far in found if not so_far.solutions]
    assert all(b <= a + 1e-9 for a, b in pairwise(heights))


@pytest.mark.parametrize(
    ("n", "weights", "starts", "expected"),
    [(2, 3, 1, "weights"), (2, 2, 0, "starts must be at least 1"), (1, 1, 1, "images must differ")],
)
def test_impossible_problems_are_refused(n, weights, starts, expected):
    v = drawing("crab", 24).expand(n, -1, -1, -1)
    with pytest.raises(EngineError, match=expected):
        uniqueness(v, tensor([1.0] * weights), starts, seeded())
