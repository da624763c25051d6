"""One step uphill, for many poses at once.

Newton's step where the score is concave, Gauss-Newton's elsewhere, both damped (Levenberg and
Marquardt) and never longer than a trust radius.
"""

import torch
from torch import Tensor

from ia_engine.attention.distances.bounds import admits, confine
from ia_engine.attention.distances.ink import Ink
from ia_engine.shapes import Homography
from ia_engine.transforms import Group

RADIUS = 1.5
"""The longest step [px], root mean square over the window, unless a shorter one is asked for."""
TINY = 1e-20


class Newton:
    """What the steps on some templates have in common."""

    def __init__(self, ink: Ink, group: Group, radius: float = RADIUS) -> None:
        self.group, self.metric, self.radius = group, ink.metric, radius
        self.p = len(ink.metric)
        self.row, self.column = torch.triu_indices(self.p, self.p, device=ink.points.device)
        self.twice = torch.where(self.row == self.column, 0.5, 1.0).to(ink.points)[:, None]
        first = ink.jets[:, 1 : 1 + self.p].flatten(2)
        gauss = first @ first.mT + 1e-6 * self.metric
        gauss = gauss + TINY * torch.diag_embed(torch.ones_like(gauss[0, 0]))
        self.shallow = torch.linalg.inv(gauss)
        self.gauss = gauss[:, self.row, self.column, None]
        self.half = ink.half[:, None]
        self.square = ink.jets[:, :1].flatten(2).square().sum(2).clamp_min(1e-12)

    def step(
        self, matrix: Homography, products: Tensor, damping: Tensor
    ) -> tuple[Homography, Tensor]:
        """The pose to try next, and what it adds to the score if the second order is all."""
        slope, bend = products[:, 1 : 1 + self.p], products[:, 1 + self.p :]
        alike = (products[:, 0] / self.square).clamp(0.2, 1) + damping
        steep, concave = solve(damping[:, None] * self.gauss - bend, slope)
        xi = torch.where(concave[:, None], steep, self.shallow @ slope / alike[:, None])
        length = ((self.metric @ xi) * xi).sum(1, keepdim=True).sqrt()
        xi = xi * (self.radius / length.clamp_min(self.radius))
        trial = matrix @ self.group.matrix(-xi.movedim(1, -1))
        if not self.group.rigid:
            trial, xi = self._within(matrix, trial, xi)
        curve = xi[:, self.row] * xi[:, self.column] * self.twice
        gain = (slope * xi).sum(1) + (bend * curve).sum(1)
        if not self.group.rigid:  # what a bound has bent may lead downwards
            trial = torch.where((gain > 0)[..., None, None], trial, matrix)
        return trial, gain.clamp_min(0)

    def _within(
        self, matrix: Homography, trial: Homography, xi: Tensor
    ) -> tuple[Homography, Tensor]:
        """Steps that would leave the poses that count end where those end, and are shorter."""
        out = ~admits(trial, self.half)
        if not out.any():
            return trial, xi
        held = confine(trial[out], self.half.expand(*out.shape, 2)[out])
        taken = self.group.pose(torch.linalg.solve(matrix[out], held))
        trial, along = trial.clone(), xi.movedim(1, -1).clone()
        trial[out], along[out] = held, -taken
        return trial, along.movedim(-1, 1)


def solve(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """x of A x = b [m p r], A symmetric, by Cholesky, and whether A is positive definite.

    `a` [m p(p+1)/2 r] holds A's upper triangle, row by row. Written out, since LAPACK takes longer
    for the call than for a matrix so small, and a batch is thousands of calls.
    """
    p, zero = b.shape[1], torch.zeros_like(b[:, 0])
    entry = iter(a.unbind(1))
    upper = {(i, j): next(entry) for i in range(p) for j in range(i, p)}
    definite = zero == 0
    inverse = []
    for i in range(p):
        pivot = upper[i, i]
        for k in range(i):
            pivot = torch.addcmul(pivot, upper[k, i], upper[k, i], value=-1)
        definite = definite & (pivot > 0)
        inverse.append(pivot.clamp_min(1e-30).rsqrt())
        for j in range(i + 1, p):
            entry_ij = upper[i, j]
            for k in range(i):
                entry_ij = torch.addcmul(entry_ij, upper[k, i], upper[k, j], value=-1)
            upper[i, j] = entry_ij * inverse[i]
    x = list(b.unbind(1))
    for i in range(p):
        for k in range(i):
            x[i] = torch.addcmul(x[i], upper[k, i], x[k], value=-1)
        x[i] = x[i] * inverse[i]
    for i in reversed(range(p)):
        for k in range(i + 1, p):
            x[i] = torch.addcmul(x[i], upper[i, k], x[k], value=-1)
        x[i] = x[i] * inverse[i]
    return torch.stack(x, 1), definite
