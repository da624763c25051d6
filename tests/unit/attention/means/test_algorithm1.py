import math
from itertools import islice, pairwise

import pytest
import torch

from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.distances.bounds import SCALES
from ia_engine.attention.distances.schedules import CONSTANT, LEVELS, Constant
from ia_engine.attention.iteration import normalise
from ia_engine.attention.means.algorithm1 import MeanConfig, find_mean
from ia_engine.attention.means.solvers import MeanDescent, Problem
from ia_engine.errors import EngineError
from ia_engine.images import blur
from ia_engine.transforms import GROUPS
from tests.tensors import blobs, rand, tensor
from tests.unit.attention.scenes import drawing, near, turned

EVERY_GROUP = pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS.keys())
EVERY_START = pytest.mark.parametrize("start", ["pairwise", "identity", "random"])
SE2 = GROUPS["se2"]
TIE = 1e-4
"""Objectives that differ by less than this are equal up to interpolation error."""
READING = 2e-3
"""Share of ‖v‖² that smooth blobs lose by interpolation."""


def seeded(seed=0):
    return torch.Generator(device="cpu").manual_seed(seed)


def solve(v, weights=None, seed=0, **options):
    weights = torch.ones_like(v[:, 0, 0, 0]) if weights is None else weights
    return list(find_mean(MeanConfig(**options), v, weights, seeded(seed)))


def smooth(n=4, seed=0, size=41):
    """Images of unit norm that show the same shape in different poses."""
    kind, own = blobs(1, size=size, seed=seed, sigma=3, reach=0.15), blobs(n, size=size, seed=9)
    return normalise(kind + 0.25 * own)


def posed(v, seed=1):
    return SE2.act(v, rand(len(v), 3, seed=seed, low=-1, high=1) * tensor([math.pi, 3, 3]))


def f_by_hand(v, weights, aligned, mu):
    """Σ_i W_i (‖v_i‖² + ‖μ‖² - 2⟨u_i, μ⟩), image by image."""
    total = 0.0
    for x, w, u in zip(v, weights / weights.sum(), aligned, strict=True):
        total += float(w) * float((x**2).sum() + (mu**2).sum() - 2 * (u * mu).sum())
    return total


def test_the_first_of_equally_central_images_keeps_its_pose_despite_rounding_errors():
    one, other = smooth(2).float().split(1)
    for seed in range(4):
        v = torch.cat([posed(one).float(), other, posed(one).float(), other])
        v = v * (1 + 1e-7 * rand(*v.shape, seed=seed, low=-1, high=1).float())
        start = solve(v, start="pairwise", steps=1)[0]
        assert (start.tau[0] == 0).all(), "the other images are aligned with the first"


@EVERY_GROUP
@EVERY_START
def test_a_step_contains_poses_aligned_images_their_mean_and_its_objective(group, start):
    v, weights = normalise(rand(4, 2, 11, 14)), tensor([1.0, 0.5, 2.0, 0.0])
    steps = solve(v, weights, group=group.name, start=start, steps=3)
    assert [step.k for step in steps] == [0, 1, 2, 3]
    for step in steps:
        torch.testing.assert_close(step.aligned, group.unitary(v, step.tau))
        wanted = (weights / 3.5) @ step.aligned.flatten(1)
        torch.testing.assert_close(step.mu.flatten(), wanted)
        assert step.objective == pytest.approx(f_by_hand(v, weights, step.aligned, step.mu))
        assert step.seconds >= 0


@EVERY_START
def test_weights_may_have_a_different_precision_from_the_images(start):
    v = smooth(3).float()
    last = solve(v, tensor([1.0, 0.5, 2.0]), start=start, steps=1)[-1]
    assert last.mu.dtype == torch.float32
    same = solve(v, tensor([1.0, 0.5, 2.0]).float(), start=start, steps=1)[-1]
    torch.testing.assert_close(last.mu, same.mu)


def test_while_images_stay_within_the_frame_the_objective_is_the_sum_over_the_canvas():
    v = posed(smooth())
    for step in solve(v, steps=2):
        literal = (step.aligned - step.mu).square().sum((1, 2, 3)).mean()
        assert step.objective == pytest.approx(float(literal), abs=READING)


def test_leaving_the_frame_does_not_lower_the_objective():
    problem = Problem(SE2, smooth(), torch.full((4,), 0.25, dtype=torch.float64, device="cpu"))
    gone = problem.lay(tensor([[0.0, 0.0, 500.0]] * 4), 0.0)
    assert gone.objective == pytest.approx(1)


@EVERY_GROUP
@pytest.mark.parametrize("start", ["pairwise", "random"])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_second_order_steps_never_raise_the_objective(group, start, dtype):
    v = normalise(blobs(5, 2, size=21, dtype=dtype))
    steps = solve(v, group=group.name, start=start, steps=8)
    assert all(after.objective <= before.objective for before, after in pairwise(steps))
    assert steps[-1].objective < steps[0].objective
    assert steps[-1].mu.dtype == dtype


def test_smoothed_second_order_steps_never_raise_the_smoothed_objective():
    v, sigma = posed(smooth()), 2.0
    steps = solve(v, start="random", sigma=sigma, steps=8)
    heights = [float(blur(step.mu[None], sigma).square().sum()) for step in steps]
    assert all(after >= before for before, after in pairwise(heights))
    assert {step.sigma for step in steps} == {sigma}


def test_the_anchor_does_not_move():
    v = posed(smooth())
    d2 = GlobalSearch(SE2).align(v).d2
    weights = tensor([0.1, 0.5, 0.2, 0.2])
    for step in solve(v, weights, steps=4):
        anchor = int((weights @ d2).argmin())
        assert (step.tau[anchor] == 0).all()
        torch.testing.assert_close(step.aligned[anchor], v[anchor])


def test_the_descent_does_not_drift():
    v = turned(drawing(), (20, 2, -1), (-15, -2, 1), (5, 1, 2), (-30, 0, -2))
    steps = solve(v, start="identity", steps=12)
    matrices = torch.stack([SE2.matrix(step.tau) for step in steps])
    motion = torch.linalg.solve(matrices[:-1], matrices[1:]).mean(1)
    assert SE2.pose(motion).abs().max() < 0.02
    assert steps[-1].tau.mean(0).abs().max() < 0.5


@EVERY_GROUP
@pytest.mark.parametrize("sigma", [0.0, 1.3])
def test_slopes_are_the_derivatives_of_the_smoothed_objective(group, sigma):
    v, weights, h = blobs(2, 2, size=17, sigma=2), tensor([0.3, 0.7]), 1e-5
    problem, mu = Problem(group, v, weights), blobs(1, 2, size=17, seed=5, sigma=2)[0]
    laid = problem.lay(near(group, 2, n=2, part=0.3), 0.0)
    laid = type(laid)(laid.tau, laid.aligned, mu, laid.objective, 0.0)

    def f(tau):
        rest = blur(group.unitary(v, tau) - mu, sigma)
        return float((weights * rest.square().sum((1, 2, 3))).sum())

    found = MeanDescent(problem, CONSTANT).gradients(laid, (4.0, sigma))[1]
    for i, a in torch.cartesian_prod(*(torch.arange(s, device="cpu") for s in laid.tau.shape)):
        nudge = torch.zeros_like(laid.tau)
        nudge[i, a] = h
        wanted = (f(laid.tau + nudge) - f(laid.tau - nudge)) / (2 * h)
        assert float(found[i, a]) == pytest.approx(wanted, rel=1e-4, abs=1e-6)


def smoothed_slopes(v, weights, at, sigma):
    """The slopes of (2.7) by finite differences, one image and one coordinate at a time."""
    slopes, h = torch.zeros_like(at.tau), 1e-4
    for i, tau in enumerate(at.tau):
        for a in range(len(tau)):
            nudge = torch.zeros_like(tau)
            nudge[a] = h
            up, down = (
                blur(SE2.act(v[i : i + 1], x[None]) - at.mu, sigma).square().sum()
                for x in (tau + nudge, tau - nudge)
            )
            slopes[i, a] = weights[i] * (up - down) / (2 * h)
    return slopes


def test_the_greedy_schedule_chooses_the_level_whose_step_lowers_the_unsmoothed_objective_most():
    v = turned(drawing(), (20, 2, -3), (-40, -3, 1), (60, 1, 2), (-10, 0, -2))
    weights, side = tensor([0.25] * 4), 48
    steps = solve(v, start="identity", schedule="greedy", steps=4)
    unit = MeanDescent(Problem(SE2, v, weights), CONSTANT).unit
    decided = 0
    for before, after in pairwise(steps):
        tried = {}
        for level in LEVELS:
            sigma = level * side
            slopes = smoothed_slopes(v, weights, before, sigma)
            aligned = SE2.act(v, before.tau - 1.5 * unit(sigma) * slopes)
            tried[sigma] = f_by_hand(v, weights, aligned, aligned.mean(0))
        best, second = sorted(tried, key=tried.get)[:2]
        clear = tried[second] - tried[best] > TIE
        assert after.sigma == best or not clear
        assert after.objective == pytest.approx(tried[best], abs=TIE)
        decided += clear
    assert decided > len(LEVELS) // 2
    assert max(step.sigma for step in steps) > 0


def test_the_greedy_schedule_reaches_a_lower_objective_than_the_constant_one():
    poses = ((40, 4, -5), (-50, -5, 4), (50, 3, 4), (-10, -3, -4))
    v = turned(drawing("crab", 32, dtype=torch.float32), *poses)
    plain, greedy = (
        solve(v, start="identity", schedule=name, steps=40)[-1].objective
        for name in ("constant", "greedy")
    )
    assert greedy < plain / 3


@EVERY_GROUP
def test_the_descent_reaches_the_second_order_mean_from_a_nearby_start(group):
    v = smooth(1, size=33)
    v = group.unitary(v.expand(3, -1, -1, -1), near(group, 4, n=3, part=0.4))
    slow = solve(v, group=group.name, start="identity", schedule="constant", steps=30)
    fast = solve(v, group=group.name, steps=5)
    assert slow[0].sigma == 0
    assert slow[-1].objective < fast[-1].objective + READING
    assert slow[-1].objective < slow[0].objective / 2


def test_the_smoothing_of_the_schedule_is_added_to_sigma_in_quadrature():
    problem = Problem(SE2, smooth(), tensor([0.25] * 4))
    descent = MeanDescent(problem, Constant(3 / 41), sigma=4.0)
    assert descent.levels(0, 9) == pytest.approx((5.0,))
    assert [step.sigma for step in solve(problem.v, start="identity", sigma=1.5, steps=2,
                                         schedule="constant")] == [0, 1.5, 1.5]  # fmt: skip


@pytest.mark.parametrize("name", ["similarity", "affine", "projective"])
def test_images_are_not_scaled_beyond_the_bounds(name):
    group, v = GROUPS[name], torch.cat([drawing("crab", fill=0.3), drawing("crab", fill=0.9)])
    for step in solve(v, group=name, start="identity", rate=4.0, steps=15):
        matrix = group.matrix(step.tau)
        linear = matrix[..., :2, :2] - matrix[..., :2, 2:] * matrix[..., 2:, :2]
        size = torch.linalg.svdvals(linear)
        assert size.min() > SCALES[0] - 1e-6
        assert size.max() < SCALES[1] + 1e-6
        assert step.mu.isfinite().all()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_means_of_images_in_unknown_poses_differ_only_by_one_pose(seed):
    v = smooth(seed=seed)
    means = [solve(x, steps=8)[-1] for x in (v, posed(v, seed))]
    d2 = GlobalSearch(SE2).align(torch.stack([step.mu for step in means])).d2
    assert d2[0, 1] < READING
    assert means[0].objective == pytest.approx(means[1].objective, abs=2 * READING)


def test_the_scale_of_the_weights_and_images_without_weight_do_not_affect_the_mean():
    v = posed(smooth())
    half = solve(v, tensor([1.0, 1.0, 1.0, 0.0]), steps=2)[-1]
    whole = solve(v, tensor([7.0, 7.0, 7.0, 0.0]), steps=2)[-1]
    less = solve(v[:3], steps=2)[-1]
    torch.testing.assert_close(whole.mu, half.mu)
    d2 = GlobalSearch(SE2).align(torch.stack([half.mu, less.mu])).d2
    assert d2[0, 1] < READING


@EVERY_START
def test_a_single_image_is_its_own_mean(start):
    v = smooth(1)
    last = solve(v, start=start, steps=2)[-1]
    assert GlobalSearch(SE2).align(torch.stack([last.mu, v[0]])).d2[0, 1] < READING


@pytest.mark.parametrize("seed", range(4))
def test_the_objective_of_identical_images_is_never_negative(seed):
    v = normalise(rand(1, 1, 12, 12, seed=seed, dtype=torch.float32)).repeat(6, 1, 1, 1)
    assert all(step.objective >= 0 for step in solve(v, steps=2))


@EVERY_GROUP
@EVERY_START
def test_blank_images_have_a_blank_mean(group, start):
    v = torch.zeros(3, 1, 9, 12, device="cpu")
    last = solve(v, group=group.name, start=start, steps=2)[-1]
    assert (last.mu == 0).all()
    assert last.tau.isfinite().all()


def test_steps_are_computed_only_on_request():
    steps = find_mean(MeanConfig(steps=500), smooth(), tensor([1.0] * 4))
    assert [step.k for step in islice(steps, 2)] == [0, 1]
    steps.close()


@EVERY_START
def test_inputs_are_not_modified_and_results_are_reproducible(start):
    v, weights = posed(smooth()), tensor([0.4, 0.3, 0.2, 0.1])
    before = [v.clone(), weights.clone()]
    first, second = (solve(v, weights, start=start, steps=2) for _ in range(2))
    assert all(map(torch.equal, before, (v, weights)))
    assert torch.equal(first[-1].mu, second[-1].mu)


def test_a_different_seed_gives_different_random_poses():
    v = smooth()
    first, second = (solve(v, start="random", seed=seed, steps=1)[0].tau for seed in (1, 2))
    assert not torch.equal(first, second)
    assert (first[:, 1:].abs() <= 4.1).all()


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0, -0.1], "must be non-negative"),
        ([0.0, 0.0], "must not all be 0"),
        ([1.0], "weights must have"),
    ],
)
def test_weights_are_validated_before_the_first_step(weights, message):
    with pytest.raises(EngineError, match=message):
        find_mean(MeanConfig(), smooth(2), tensor(weights))


def test_random_poses_need_a_generator():
    with pytest.raises(EngineError, match=r"torch\.Generator"):
        find_mean(MeanConfig(start="random"), smooth(2), tensor([1.0, 1.0]))


@pytest.mark.parametrize(
    "values",
    [{"group": "so3"}, {"start": "here"}, {"sigma": -1.0}, {"schedule": "slow"}, {"rate": 0.0},
     {"steps": 0}, {"steps": 2.5}],
    ids=str,
)  # fmt: skip
def test_the_error_names_the_value_that_is_out_of_bounds(values):
    with pytest.raises(EngineError, match=f"^{next(iter(values))} must"):
        MeanConfig(**values)
