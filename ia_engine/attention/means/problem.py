"""The invariant mean as a problem: images, weights, and what given poses make of them.

    f(τ) = Σ_i W_i (‖v_i‖² + ‖μ‖² - 2⟨U(τ_i)v_i, μ⟩) = Σ_i W_i ‖v_i‖² - ‖μ‖²,  μ = Σ_i W_i U(τ_i)v_i

This is (2.3) on the infinite plane, where what leaves the canvas still counts as a difference: the
sum over the canvas alone could be brought to 0 by pushing all images out of the frame.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from ia_engine.shapes import Images, Poses
from ia_engine.transforms import Group


@dataclass(frozen=True, eq=False)
class Laid:
    """Images laid on one another, and their mean."""

    tau: Poses
    aligned: Images
    """U(τ_i)v_i, whose weighted average is mu."""
    mu: Tensor
    """[c h w]."""
    objective: float
    """f, without any smoothing."""
    sigma: float
    """The smoothing with which the poses were found [px]; 0 where none were sought."""


@dataclass(frozen=True, eq=False)
class Problem:
    """Images [n c h w], their weights [n], whose sum is 1, and what does not count."""

    group: Group
    v: Images
    weights: Tensor

    def lay(self, tau: Poses, sigma: float) -> Laid:
        """The mean of given poses, (2.5)."""
        aligned = self.group.unitary(self.v, tau)
        mu = torch.einsum("n,nchw->chw", self.weights, aligned)
        power = self.weights @ self.v.flatten(1).square().sum(1)
        objective = (power - mu.square().sum()).clamp_min(0)  # rounding may lead below
        return Laid(tau, aligned, mu, float(objective), sigma)
