"""Runs both solvers on one pair of images: the result of the global search, and the path of the
descent.

The descent is the first half of Algorithm 1 with the smoothing of section 5 of Invariant Attention.
The global search is exhaustive, so it has no path.
"""

import math
from dataclasses import dataclass
from typing import Annotated, Final, Literal

import torch
from torch import Tensor

from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.distances.descent import Descent
from ia_engine.attention.distances.schedules import SCHEDULES
from ia_engine.images import Images, blur
from ia_engine.params import Choice, Config, Range
from ia_engine.transforms import GROUPS

SE2: Final = GROUPS["se2"]
HIGHER: Final = 0.02
"""Difference up to which two results count as equally good, as a fraction of the height of the
landscape."""
APART: Final = math.radians(10)
"""Difference in angle above which two results count as different poses."""
LEAST_CHANGE: Final = 1e-5
WATCHED: Final = 10
"""A descent has converged if, within this number of steps, d² has changed by less than LEAST_CHANGE
times the height of the landscape."""

Outcome = Literal["found", "rival", "wrong", "moving"]


@dataclass(frozen=True)
class PairConfig(Config):
    """Settings of the comparison of a pair, and of the descent."""

    sigma: Annotated[
        float, Range("σ", 0, 8, "standard deviation of the Gaussian smoothing of both images", "px")
    ] = 0.0
    schedule: Annotated[
        str,
        Choice(
            "schedule",
            tuple(SCHEDULES),
            "additional smoothing of the descent; constant: none; annealed: decreasing; "
            "greedy: the best level at every step, as in the paper",
        ),
    ] = "constant"
    updates: Annotated[int, Range("N", 1, 400, "maximum number of steps of the descent")] = 100


@dataclass(frozen=True, eq=False)
class Route:
    """The poses of v_i during its alignment with v_j, from the first to the last."""

    theta: Tensor
    """[k]: the angles [rad], in (-π, π]."""
    shift: Tensor
    """[k 2]: the translations (b_p, b_q) [px]."""
    d2: Tensor
    """[k]: d²_σ at each pose."""

    @property
    def tau(self) -> Tensor:
        """The last pose, [1 3]."""
        return torch.cat([self.theta[-1:, None], self.shift[-1:]], 1)

    @property
    def degrees(self) -> float:
        """The last θ [°]."""
        return math.degrees(float(self.theta[-1]))


@dataclass(frozen=True, eq=False)
class Solved:
    """The results of both solvers for a pair v_i and v_j."""

    best: Route
    """The result of the global search, a single pose."""
    descent: Route
    """The path of the descent, starting from the identity."""
    euclid: float
    """‖g_σ*v_i - g_σ*v_j‖²."""
    height: float
    """‖g_σ*v_i‖² + ‖g_σ*v_j‖²."""

    @property
    def outcome(self) -> Outcome:
        """The result of the descent: "found" (the best pose), "rival" (a different but equally good
        pose), "wrong" (a worse pose), or "moving" (not converged yet)."""
        if float(self.descent.d2[-1] - self.best.d2[-1]) > HIGHER * self.height:
            return "wrong" if _rests(self.descent.d2.tolist(), self.height) else "moving"
        apart = float(self.descent.theta[-1] - self.best.theta[-1])
        return "rival" if abs(math.remainder(apart, 2 * math.pi)) > APART else "found"


def solve(source: Images, target: Images, config: PairConfig) -> Solved:
    """Run both solvers on one pair of images with unit norm, [1 c h w] each."""
    v = torch.cat([source, target])
    found = GlobalSearch(SE2, config.sigma).align(v)
    if found.tau is None:
        raise TypeError("the global search must yield poses; got None")
    descent = Descent(SE2, config.sigma, SCHEDULES[config.schedule], steps=config.updates)
    g = blur(v, config.sigma)
    height = float(g.square().sum())
    tau, d2 = _walk(descent, v, height)
    return Solved(
        best=_route(found.tau[0, 1][None], found.d2[0, 1][None]),
        descent=_route(tau, d2),
        euclid=float((g[0] - g[1]).square().sum()),
        height=height,
    )


def align(source: Images, route: Route) -> Images:
    """Return v_i∘τ at the last pose of the route."""
    return SE2.act(source, route.tau)


def _walk(descent: Descent, v: Images, height: float) -> tuple[Tensor, Tensor]:
    """Return the poses [k 3] and d² [k] of the first image on its descent towards the second, until
    convergence.

    A schedule with several levels is always followed to its end.
    """
    tried = {descent.schedule.tried(k, descent.steps) for k in range(descent.steps)}
    poses, values, read = [], [], list[float]()
    for state in descent.descend(v):
        poses.append(state.tau[1, 0])
        values.append(state.objective[1, 0])
        read.append(float(values[-1]))
        if len(tried) == 1 and _rests(read, height):
            break
    return torch.stack(poses), torch.stack(values)


def _rests(d2: list[float], height: float) -> bool:
    return len(d2) > WATCHED and abs(d2[-1 - WATCHED] - d2[-1]) < LEAST_CHANGE * height


def _route(tau: Tensor, d2: Tensor) -> Route:
    theta = torch.atan2(tau[:, 0].sin(), tau[:, 0].cos())
    return Route(theta, tau[:, 1:], d2.clamp_min(0))
