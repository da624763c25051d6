"""The arithmetic mean of kernel attention (2.1) and the invariant mean, (2.3) to (2.7).

μ_j = Σ_i W_ij v_i∘τ_i, where the τ_i bring every image as close as possible to μ_j. The initial
poses are those of the pairs, which warp v_i onto v_j. Image j itself does not move. This fixes the
common pose, without which a mean could drift out of the frame.
"""

from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor
from torch.nn import functional

from ia_engine.attention.distances.ascent import ImagePairs, ascend
from ia_engine.attention.distances.templates import prepare
from ia_engine.images import Images, Matrix, blur
from ia_engine.transforms import Group

TAIL = 1e-3
"""Maximum total weight of the images that a mean omits, starting with the smallest weights."""


class Mean(Protocol):
    """Interface of means, which replace every image by the average of all images, weighted by a
    column of W."""

    def average(self, v: Images, W: Matrix, tau: Tensor | None) -> Images: ...


@dataclass(frozen=True)
class Arithmetic:
    """v_j⁺ = Σ_i W_ij v_i, for images or points."""

    def average(self, v: Tensor, W: Matrix, tau: Tensor | None) -> Tensor:
        return torch.einsum("i...,ij->j...", v, W)


@dataclass(frozen=True)
class Invariant:
    """Algorithm 1, started from the poses of the pairs and with second-order steps."""

    group: Group
    sigma: float = 0.0
    rounds: int = 1
    steps: int = 2

    def average(self, v: Images, W: Matrix, tau: Tensor | None) -> Images:
        index, weight = _heavy(W)
        row = torch.arange(len(W), device=W.device)[:, None]
        pose = self.group.identity(index.numel(), v).view(*index.shape, -1)
        if tau is not None:
            pose = tau[index, row]
        mu = self._mean(v, index, weight, pose)
        source = prepare(blur(v, self.sigma), self.group)
        own = (index == row)[..., None]
        for _ in range(self.rounds):
            target = prepare(blur(mu, self.sigma), self.group)
            pairs = ImagePairs(source, index, target)
            start = self.group.matrix(pose)[:, :, None]
            found = ascend(pairs, start, self.group, self.steps).matrix[:, :, 0]
            pose = torch.where(own, pose, self.group.pose(found))
            mu = self._mean(v, index, weight, pose)
        return mu

    def _mean(self, v: Images, index: Tensor, weight: Tensor, pose: Tensor) -> Images:
        """Compute one mean at a time, so that n images are in memory instead of n²."""
        return torch.stack(
            [
                torch.einsum("k,kchw->chw", w, self.group.unitary(v[i], p))
                for i, w, p in zip(index, weight, pose, strict=True)
            ]
        )


def _heavy(W: Matrix) -> tuple[Tensor, Tensor]:
    """Return the indices [m k] of the images with the largest weights in every column, and these
    weights, scaled to a sum of 1.

    k is the same for all columns; weights that are negligible in a column are set to 0.
    """
    weight, index = W.T.sort(1, descending=True)
    before = weight.cumsum(1) - weight
    kept = before < (1 - TAIL) * weight.sum(1, keepdim=True)
    k = int(kept.sum(1).max())
    weight = (weight * kept)[:, :k]
    return index[:, :k], weight / weight.sum(1, keepdim=True)


def sharpness(mu: Images, v: Images) -> Tensor:
    """Return ‖∇μ‖² of each mean [m] relative to that of the images; it is 1 for identical images
    that are perfectly aligned.

    If the images are not aligned, the edges of the mean are blurred, so the value is smaller.
    """
    return _edges(mu) / _edges(v).mean().clamp_min(1e-30)


def _edges(v: Images) -> Tensor:
    """Return ‖∇v‖², computed from differences between adjacent pixels, with zeros outside the
    canvas."""
    framed = functional.pad(v, (1, 1, 1, 1))
    slopes = (framed.diff(dim=axis).square().flatten(1).sum(1) for axis in (-2, -1))
    return sum(slopes, torch.zeros_like(v[:, 0, 0, 0]))
