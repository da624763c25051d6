"""Algorithm 1 of Invariant Attention: the invariant mean of weighted images, (2.3)-(2.7).

The paper descends from the identity, with smoothing so that the descent reaches the right minimum.
Our second-order steps start from the poses of all pairs, which are already close to this minimum.
Unlike the loop in the paper, this one makes N updates instead of N + 1, and its first mean is
weighted.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import torch
from torch import Generator, Tensor

from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.distances.schedules import SCHEDULES
from ia_engine.attention.means.solvers import AlignedMean, MeanAscent, MeanDescent, Problem
from ia_engine.devices import cpu_seconds
from ia_engine.errors import EngineError
from ia_engine.images import Images, Poses, check_axes
from ia_engine.params import Choice, Config, Range
from ia_engine.ties import SOLVED, first_min
from ia_engine.transforms import GROUPS

WANDER = 0.1
"""Maximum translation of random poses, as a fraction of the shorter side of the canvas."""


@dataclass(frozen=True)
class MeanConfig(Config):
    """Settings of Algorithm 1."""

    group: Annotated[
        str, Choice("𝕋", tuple(GROUPS), "group of transformations that the mean ignores")
    ] = "se2"
    start: Annotated[
        str,
        Choice(
            "start",
            ("pairwise", "identity", "random"),
            "initial poses; pairwise: the poses of all pairs, followed by second-order steps; "
            "identity: the identity, followed by the paper's gradient descent; random: "
            "random poses, followed by second-order steps",
        ),
    ] = "pairwise"
    sigma: Annotated[
        float,
        Range(
            "σ",
            0,
            8,
            "standard deviation of the Gaussian smoothing of images before their comparison",
            "px",
        ),
    ] = 0.0
    schedule: Annotated[
        str,
        Choice(
            "schedule",
            tuple(SCHEDULES),
            "additional smoothing of the descent; constant: none; annealed: decreasing; "
            "greedy: the best level at every step, as in the paper",
        ),
    ] = "greedy"
    rate: Annotated[
        float,
        Range("t", 0.05, 4, "step size of the descent, which overshoots at 2 and above"),
    ] = 1.5
    steps: Annotated[int, Range("N", 1, 500, "number of updates of the poses and the mean")] = 5


@dataclass(frozen=True, eq=False)
class MeanStep:
    """The mean after k updates; k = 0 is the mean at the initial poses."""

    k: int
    mu: Tensor
    """The mean, [c h w]."""
    aligned: Images
    """The aligned images U(τ_i)v_i, whose weighted average is mu."""
    tau: Poses
    objective: float
    """The value of (2.3), without smoothing."""
    sigma: float
    """The smoothing [px] with which the poses of this step were found; 0 for the initial poses."""
    seconds: float
    """CPU time of this step."""


def find_mean(
    config: MeanConfig, v: Images, weights: Tensor, generator: Generator | None = None
) -> Iterator[MeanStep]:
    """Run Algorithm 1 on images [n c h w] with weights [n]; yield the initial mean and then every
    update.

    The generator is required only for random initial poses.
    """
    n = check_axes(v, "n c h w", "v")["n"]
    check_axes(weights, f"{n}", "weights")
    if not (bool((weights >= 0).all()) and float(weights.sum()) > 0):
        raise EngineError(
            "weights must be non-negative and must not all be 0; got negative weights or only zeros"
        )
    if config.start == "random" and generator is None:
        raise EngineError("generator must be a torch.Generator for random initial poses; got None")
    weights = weights.to(v)
    problem = Problem(GROUPS[config.group], v, weights / weights.sum())
    return _number(_solve(config, problem, generator))


def _number(found: Iterator[AlignedMean]) -> Iterator[MeanStep]:
    started = cpu_seconds()
    for k, at in enumerate(found):
        seconds = cpu_seconds() - started
        yield MeanStep(k, at.mu, at.aligned, at.tau, at.objective, at.sigma, seconds)
        started = cpu_seconds()


def _solve(
    config: MeanConfig, problem: Problem, generator: Generator | None
) -> Iterator[AlignedMean]:
    if config.start == "identity":
        schedule = SCHEDULES[config.schedule]
        yield from MeanDescent(problem, schedule, config.sigma, config.rate).run(config.steps)
        return
    if generator is None or config.start == "pairwise":
        anchor, tau = _match(problem, config.sigma)
    else:
        anchor, tau = int(problem.weights.argmax()), _draw(problem, generator)
    yield from MeanAscent(problem, config.sigma, anchor).run(tau, config.steps)


def _match(problem: Problem, sigma: float) -> tuple[int, Poses]:
    """Return the index of the image with the smallest weighted distance to the others, and the
    poses that align all images with it."""
    found = GlobalSearch(problem.group, sigma).align(problem.v)
    accuracy = SOLVED * float(problem.weights @ problem.v.flatten(1).square().sum(1))
    anchor = int(first_min(problem.weights @ found.d2, within=accuracy))
    if found.tau is None:  # the distance has no poses
        return anchor, problem.group.identity(len(problem.v), problem.v)
    return anchor, found.tau[:, anchor]


def _draw(problem: Problem, generator: Generator) -> Poses:
    """Return random poses, uniform within the ranges of the coordinates, with translations limited
    by WANDER."""
    v, side = problem.v, min(problem.v.shape[-2:])
    bounds = [
        (-WANDER * side, WANDER * side)
        if part.name == "shift"
        else (part.range.low, part.range.high)
        for part in problem.group.coordinates()
        for _ in range(part.count)
    ]
    low, high = v.new_tensor(bounds).T
    draw = torch.rand(len(v), len(low), generator=generator, device=generator.device)
    return low + (high - low) * draw.to(v)
