"""The invariant mean by second-order steps: the mean is the template, and the images climb to it.

f falls with every Σ_i W_i ⟨U(τ_i)v_i, μ⟩ that rises, and again when μ takes its place as the mean
of the new poses. One image, the anchor, stays where it is: that holds the free common pose.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch

from ia_engine.attention.distances.ascent import Pairs, ascend
from ia_engine.attention.distances.templates import prepare
from ia_engine.attention.means.problem import Laid, Problem
from ia_engine.images import blur
from ia_engine.shapes import Poses

CLIMB = 2
"""Steps of every pose between two means."""


@dataclass(frozen=True, eq=False)
class Ascent:
    """A problem, the smoothing with which images are compared, and the image that stays."""

    problem: Problem
    sigma: float
    anchor: int

    def run(self, tau: Poses, steps: int) -> Iterator[Laid]:
        """From given poses, which are near their best ones."""
        source = prepare(blur(self.problem.v, self.sigma), self.problem.group)
        index = torch.arange(len(tau), device=tau.device)[None]
        laid = self.problem.lay(tau, self.sigma)
        yield laid
        for _ in range(steps):
            target = prepare(blur(laid.mu[None], self.sigma), self.problem.group)
            laid = self._step(laid, Pairs(source, index, target))
            yield laid

    def _step(self, laid: Laid, pairs: Pairs) -> Laid:
        """Poses climb, and then the mean; what Keys' interpolation finds no better is undone."""
        group = self.problem.group
        start = group.matrix(laid.tau)[None, :, None]
        tau = group.pose(ascend(pairs, start, group, CLIMB).matrix[0, :, 0])
        change = group.unitary(self.problem.v, tau) - laid.aligned
        force = blur(blur(laid.mu[None], self.sigma), self.sigma)
        better = (change * force).flatten(1).sum(1) > 0
        better = better & (torch.arange(len(tau), device=tau.device) != self.anchor)
        trial = self.problem.lay(torch.where(better[:, None], tau, laid.tau), self.sigma)
        return trial if self._height(trial) > self._height(laid) else laid

    def _height(self, laid: Laid) -> float:
        """‖g_σ*μ‖², by which the smoothed f lies below that of blank images."""
        return float(blur(laid.mu[None], self.sigma).square().sum())
