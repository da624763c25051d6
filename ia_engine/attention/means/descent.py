"""The paper's own way to the invariant mean: gradient descent on the poses, section 2.4.

    ∇_τᵢ f = 2 W_ij g_σ*g_σ*(U(τ_i)v_i - μ) ⊙ d(U(τ_i)v_i)/dτ_i

by the chain rule from the dense field τ to a matrix, and from the matrix to (θ, b) or whatever the
coordinates of the group are. The paper leaves W_ij out, and its Algorithm 1 moves dense fields.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from ia_engine.attention.distances.bounds import admits
from ia_engine.attention.distances.schedules import Schedule
from ia_engine.attention.distances.slopes import read_slopes
from ia_engine.attention.distances.templates import prepare
from ia_engine.attention.means.problem import Laid, Problem
from ia_engine.images import blur, pixel_grid
from ia_engine.shapes import Poses
from ia_engine.transforms.base import density, move


@dataclass(frozen=True, eq=False)
class Descent:
    """A problem, how levels of smoothing are chosen, σ, to which they add, and the rate t."""

    problem: Problem
    schedule: Schedule
    sigma: float = 0.0
    rate: float = 1.0

    def run(self, steps: int) -> Iterator[Laid]:
        """From the identity and the sample mean.

        Of several levels that one is taken whose step leaves f itself lowest.
        """
        group, v = self.problem.group, self.problem.v
        plan = [self.levels(k, steps) for k in range(steps)]
        units = {level: self.unit(level) for level in {x for levels in plan for x in levels}}
        laid = self.problem.lay(group.identity(len(v), v), 0.0)
        yield laid
        for levels in plan:
            trials = [
                self.problem.lay(self._move(laid.tau, self.rate * units[level] * slope), level)
                for level, slope in zip(levels, self.gradients(laid, levels), strict=True)
            ]
            laid = min(trials, key=lambda trial: trial.objective)
            yield laid

    def levels(self, k: int, steps: int) -> tuple[float, ...]:
        """What step k = 0, 1, … may be smoothed with [px]."""
        side = min(self.problem.v.shape[-2:])
        return tuple(math.hypot(self.sigma, x * side) for x in self.schedule.tried(k, steps))

    def unit(self, sigma: float) -> Tensor:
        """What the slopes of a level are multiplied with at t = 1, one factor a coordinate [p].

        A coordinate is measured by the pixels that it moves, root mean square: a turn counts as the
        arcs that it draws. And where f is flatter a step goes farther, so that at every level the
        heaviest image, if it matched the mean but for its pose, would come to rest in one step
        where f is steepest. Up to t = 2 it is not thrown beyond its basin.
        """
        templates = prepare(blur(self.problem.v, sigma), self.problem.group)
        metric = templates.metric.diagonal().clamp_min(1e-6)  # 0 where the window is a pixel
        slope = templates.jets[..., 1 : 1 + len(metric)] / metric.sqrt()
        steepest = torch.linalg.eigvalsh(slope.mT @ slope)[:, -1]
        stiffness = 2 * (self.problem.weights * steepest).max()
        return 1 / (metric * stiffness.clamp_min(1e-12))

    def gradients(self, laid: Laid, levels: tuple[float, ...]) -> Tensor:
        """∇f by the coordinates, at each level [l n p]: v is read once for all of them."""
        v, group = self.problem.v, self.problem.group
        points = pixel_grid(v.shape[-2], v.shape[-1], v)
        with torch.enable_grad():
            tau = laid.tau.detach().requires_grad_()
            matrix = group.matrix(tau)
            field, root = move(matrix, points), density(matrix, points).sqrt()
        value, slope = read_slopes(v, field.detach())
        scale, weights = root.detach()[:, None], 2 * self.problem.weights.view(-1, 1, 1, 1)
        rest, slope = scale * value - laid.mu, scale[..., None] * slope
        found: list[Tensor] = []
        for sigma in levels:
            force = weights * blur(blur(rest, sigma), sigma)
            outer = ((force[..., None] * slope).sum(1), (force * value).sum(1))
            found += torch.autograd.grad((field, root), tau, outer, retain_graph=True)
        return torch.stack(found)

    def _move(self, tau: Poses, step: Tensor) -> Poses:
        """One step, without what it would do to all images alike, and within the scales.

        The common pose is free: it is held where it is, or the mean could drift out of the frame.
        """
        group = self.problem.group
        before, after = group.matrix(tau), group.matrix(tau - step)
        motion = torch.linalg.solve(before, after)
        common = torch.einsum("n,nij->ij", self.problem.weights, motion)
        held = after @ group.matrix(group.inverse(group.pose(common[None])))
        half = held.new_tensor([(size - 1) / 2 for size in self.problem.v.shape[-2:]])
        return torch.where(admits(held, half)[:, None], group.pose(held), tau)
