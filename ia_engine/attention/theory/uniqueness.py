"""Checks Theorem 3.1 numerically: all solutions of (3.3) are equal up to a pose in SE(2).

    min_μ Σ_i min_τᵢ W_ij ‖v_i∘τ_i - μ‖²

The problem is solved repeatedly, with the images transformed at random and initial poses relative
to different images. The theorem requires R ≤ c ρ_min. The reach ρ_min is defined in (B.9) of an
appendix that the available text does not contain, so it is neither computed nor approximated.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.optimize import minimize
from torch import Generator, Tensor
from torch.nn import functional

from ia_engine.attention.clusters.detection import relative
from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.means.solvers import AlignedMean, MeanAscent, Problem
from ia_engine.attention.theory.contraction import SAME
from ia_engine.errors import EngineError
from ia_engine.images import Images, Poses, check_axes
from ia_engine.ties import bottom
from ia_engine.transforms import GROUPS

SE2 = GROUPS["se2"]
ROUNDS = 10
"""Number of alternating updates of poses and mean before all poses are optimised jointly."""
RIVALS = 3
"""Number of images whose poses are tried as starts; the result with the lowest objective is
used."""
TRIALS = RIVALS + 2
"""Number of results yielded per solution if there are at least three images: one after every
trial."""
SHIFT = 3.0
"""Maximum translation of a random pose [px]; its rotation is arbitrary."""
ARC = 0.1
"""Rotation [rad] that counts as much as a translation by one pixel, because it moves points at a
radius of ten pixels by one pixel."""

REACH = 2.0
"""A translation [px] after which an image has little overlap with itself."""
LEAST = 1e-4
"""Minimum weight of an image in the computation of step sizes."""
GRADIENT = 1e-5
"""Derivative of the objective, per translation by REACH, below which the poses have converged."""


@dataclass(frozen=True, eq=False)
class Solution:
    """The solution from one start, and its comparison with the first solution."""

    anchor: int
    """Index of the image to which all others were initially aligned."""
    mu: Tensor
    """[c h w]: the mean in the pose of the first solution."""
    objective: float
    residual: float
    """‖μ∘ρ - μ_1‖ / R for the best pose ρ."""
    floor: float
    """The same for the true poses: the error that is due to interpolating twice."""


@dataclass(frozen=True, eq=False)
class Uniqueness:
    """The first solution, and the others compared with it."""

    radius: float
    """R, the largest distance between two images."""
    mu: Tensor
    objective: float
    solutions: tuple[Solution, ...]


def uniqueness(v: Images, weights: Tensor, starts: int, generator: Generator) -> Uniqueness:
    """Solve (3.3) for one column of W from several starts, each with random unknown poses."""
    *_, last = start_again(v, weights, starts, generator)
    return last


def start_again(
    v: Images, weights: Tensor, starts: int, generator: Generator
) -> Iterator[Uniqueness]:
    """Like `uniqueness`, but yield partial results, TRIALS times for every solution.

    Before a solution is final, the best result so far is yielded, if there is one.
    """
    n = check_axes(v, "n c h w", "v")["n"]
    check_axes(weights, f"{n}", "weights")
    if starts < 1:
        raise EngineError(f"starts must be at least 1; got {starts}")
    v = _make_room(v)
    first = Problem(SE2, v, weights / weights.sum())
    found = GlobalSearch(SE2).align(v)
    radius = float(found.d2.max()) ** 0.5
    if bool((relative(found.d2, v) <= SAME).all()):
        raise EngineError(
            "the images must differ for Theorem 3.1; got images that are all equal up to rotation "
            "and translation: choose different data or a different class"
        )
    order = bottom(first.weights @ found.d2, n).tolist()
    tau = first.v.new_zeros(0)
    for tau in _solve(first, order[0]):
        laid = first.lay(tau, 0.0)
        so_far = Uniqueness(radius, laid.mu, laid.objective, ())
        yield so_far
    for start in range(1, starts + 1):
        for one in _compare(first, tau, _draw(n, v, generator), order[start % n], radius):
            if one is not None:
                so_far = replace(so_far, solutions=(*so_far.solutions, one))
            yield so_far


def _make_room(v: Images) -> Images:
    """Enlarge the canvas so that no random pose moves ink off it."""
    height, width = v.shape[-2:]
    side = math.hypot(height, width) + 2 * SHIFT
    margin = [math.ceil((side - size) / 2) for size in (width, width, height, height)]
    return functional.pad(v, margin)


def _draw(n: int, like: Tensor, generator: Generator) -> Poses:
    largest = like.new_tensor([math.pi, SHIFT, SHIFT])
    draw = torch.rand(n, 3, generator=generator, device=generator.device).to(like)
    return largest * (2 * draw - 1)


def _solve(problem: Problem, anchor: int) -> Iterator[Poses]:
    """Solve from the poses of all images relative to one image, and then relative to the mean.

    If images match in several ways, (3.3) has several minima. The images with the best initial
    means are therefore tried as references. The best poses so far are yielded after each of these
    trials; the last ones are the solution.
    """
    start = _align(problem.v)
    others = [k for k in range(len(problem.v)) if k != anchor]
    others.sort(key=lambda k: problem.lay(start[:, k], 0.0).objective)
    best = _climb(problem, start[:, anchor], anchor)
    yield best.tau
    for k in others[: RIVALS - 1]:
        best = min(best, _climb(problem, start[:, k], k), key=_height)
        yield best.tau
    best = min(best, _climb(problem, _match(problem.v, best.mu), anchor), key=_height)
    yield best.tau
    yield _minimise(lambda tau: -_average(problem, tau).square().sum(), best.tau, problem.weights)


def _height(laid: AlignedMean) -> float:
    return laid.objective


def _climb(problem: Problem, tau: Poses, anchor: int) -> AlignedMean:
    *_, last = MeanAscent(problem, 0.0, anchor).run(tau, ROUNDS)
    return last


def _align(v: Images) -> Tensor:
    """Return the best poses [n n p] of all pairs among all rotations and translations."""
    tau = GlobalSearch(SE2).align(v).tau
    if tau is None:  # the distance has no poses
        return SE2.identity(len(v) ** 2, v).view(len(v), len(v), -1)
    return tau


def _match(v: Images, target: Tensor) -> Poses:
    """Return the poses [n p] that align all images with a single image."""
    return _align(torch.cat([v, target[None]]))[:-1, -1]


def _average(problem: Problem, tau: Poses) -> Tensor:
    return torch.einsum("n,nchw->chw", problem.weights, SE2.unitary(problem.v, tau))


def _minimise(loss: Callable[[Tensor], Tensor], start: Poses, weights: Tensor) -> Poses:
    """Optimise all poses jointly by quasi-Newton steps with Keys' interpolation.

    The steps are scaled so that the loss has similar curvature in all poses; images with large
    weights move less.
    """
    unit = start.new_tensor([ARC, 1, 1]) * REACH / weights.clamp_min(LEAST)[:, None].sqrt()

    def value(x: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        with torch.enable_grad():
            moved = torch.from_numpy(x).to(start).view_as(start).requires_grad_()
            found = loss(start + moved * unit)
        return float(found.detach()), _flat(torch.autograd.grad(found, moved)[0])

    found = minimize(value, _flat(torch.zeros_like(start)), jac=True, options={"gtol": GRADIENT})
    return start + torch.from_numpy(found.x).to(start).view_as(start) * unit


def _flat(x: Tensor) -> NDArray[np.float64]:
    return x.detach().flatten().cpu().double().numpy()


def _compare(
    first: Problem, tau: Poses, unknown: Poses, anchor: int, radius: float
) -> Iterator[Solution | None]:
    """Transform the images, solve the problem again, and align the mean with the first one. Yield
    None after every trial but the first, and then the solution."""
    mu = _average(first, tau)
    problem = Problem(SE2, SE2.unitary(first.v, unknown), first.weights)
    found = tau
    for trial, best in enumerate(_solve(problem, anchor)):
        found = best
        if trial:
            yield None
    common = _lay_on(problem, found, mu)
    solved = _average(problem, common)
    truth = _average(problem, SE2.compose(SE2.inverse(unknown), tau))
    yield Solution(
        anchor=anchor,
        mu=solved,
        objective=problem.lay(found, 0.0).objective,
        residual=float((solved - mu).norm()) / radius,
        floor=float((truth - mu).norm()) / radius,
    )


def _lay_on(problem: Problem, tau: Poses, target: Tensor) -> Poses:
    """Compose all poses with the pose that aligns their mean with a target.

    The images are sampled at the composed poses, so that the mean is not interpolated, and hence
    smoothed, a second time.
    """

    def after(pose: Poses) -> Poses:
        return SE2.compose(tau, pose.expand_as(tau))

    def differ(pose: Poses) -> Tensor:
        return (_average(problem, after(pose)) - target).square().sum()

    start = _match(_average(problem, tau)[None], target)
    return after(_minimise(differ, start, start.new_ones(1)))
