"""Second-order ascent: finds the poses that maximise ⟨U(τ) v_i, v_j⟩ from given starts, in batches.

A step is a Newton step if the score is concave at the pose, and a Gauss-Newton step otherwise. Both
are damped (Levenberg-Marquardt) and limited to a trust radius. A step that does not improve the
score is undone.

Poses are batched: each step evaluates many poses of many pairs at once.
"""

from dataclasses import dataclass, replace
from typing import Self

import torch
from torch import Tensor

from ia_engine.attention.distances.bounds import admits, confine
from ia_engine.attention.distances.products import ByTemplate, Products, read_cubic, read_lattice
from ia_engine.attention.distances.templates import Ink, Templates, list_ink, list_true
from ia_engine.images import Homography
from ia_engine.ties import top
from ia_engine.transforms import GROUPS, Group

RADIUS = 1.5
"""Default maximum step length [px], as a root mean square over the window."""
TINY = 1e-20


class Newton:
    """Newton steps for a set of templates, with everything that does not depend on the pose
    precomputed."""

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
        """Return the next pose to try, and the increase of the score that the second-order model
        predicts."""
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
        if not self.group.rigid:  # a shortened step may decrease the score
            trial = torch.where((gain > 0)[..., None, None], trial, matrix)
        return trial, gain.clamp_min(0)

    def _within(
        self, matrix: Homography, trial: Homography, xi: Tensor
    ) -> tuple[Homography, Tensor]:
        """Shorten steps that would leave the set of admissible poses; they end on its boundary."""
        out = ~admits(trial, self.half)
        if not out.any():
            return trial, xi
        held = confine(trial[out], self.half.expand(*out.shape, 2)[out])
        taken = self.group.pose(torch.linalg.solve(matrix[out], held))
        trial, along = trial.clone(), xi.movedim(1, -1).clone()
        trial[out], along[out] = held, -taken
        return trial, along.movedim(-1, 1)


def solve(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """Solve A x = b [m p r] for symmetric A by Cholesky decomposition; also return where A is
    positive definite.

    `a` [m p(p+1)/2 r] holds the upper triangle of A, row by row. The algorithm is written out
    because a batch would need thousands of LAPACK calls, each of which takes longer than the
    arithmetic for such a small matrix.
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


BLOCK = 1 << 17
"""Maximum number of pixels that are sampled at once, chosen so that the data of a step fit into the
cache."""

DAMPING = 0.02


@dataclass(frozen=True, eq=False)
class ImagePairs:
    """Pairs to align: k images for each of m templates."""

    source: Templates
    index: Tensor
    """[m k]: the indices of the images in `source`."""
    target: Templates


@dataclass(frozen=True, eq=False)
class Poised:
    """s poses of every pair and their scores."""

    matrix: Homography
    """[m k s 3 3]: the maps from the canvas of the template to the canvas of the image."""
    score: Tensor
    """[m k s]: ⟨U v_i, v_j⟩."""
    gain: Tensor
    """[m k s]: the predicted increase of the score in the next step."""
    ahead: Homography
    """[m k s 3 3]: the pose after the next step."""

    @property
    def promise(self) -> Tensor:
        """[m k s]: the predicted score after the next step."""
        return self.score + self.gain

    def best(self, keep: int) -> Self:
        """Return the `keep` poses with the highest predicted scores, in descending order."""
        order = top(self.promise, min(keep, self.promise.shape[-1]))
        square = order[..., None, None].expand(*order.shape, 3, 3)
        return type(self)(
            matrix=self.matrix.gather(2, square),
            score=self.score.gather(2, order),
            gain=self.gain.gather(2, order),
            ahead=self.ahead.gather(2, square),
        )

    def improve(self, other: Self, tried: Tensor) -> Self:
        """Return the better of the two poses where `other` was tried. Where it is not better, no
        next step is predicted."""
        better = tried & (other.score > self.score)
        square, kept = better[..., None, None], self.stay(tried & ~better)
        return type(self)(
            matrix=torch.where(square, other.matrix, kept.matrix),
            score=torch.where(better, other.score, kept.score),
            gain=torch.where(better, other.gain, kept.gain),
            ahead=torch.where(square, other.ahead, kept.ahead),
        )

    def stay(self, here: Tensor) -> Self:
        """Remove the predicted next step where `here` is True."""
        ahead = torch.where(here[..., None, None], self.matrix, self.ahead)
        return replace(self, gain=self.gain.masked_fill(here, 0), ahead=ahead)

    def rivals(self, margin: Tensor, moment: Tensor, apart: float) -> Tensor:
        """Return a mask [m k s] of the sorted poses whose predicted score is within `margin` [m k]
        of the first.

        Poses that are closer together than `apart` [px] lead to the same maximum, so only the best
        of them is included.
        """
        place = (self.ahead[..., :2, :] @ moment).flatten(-2)
        gram = place @ place.mT
        square = gram.diagonal(dim1=-2, dim2=-1)
        near = square[..., :, None] + square[..., None, :] - 2 * gram < apart**2
        again = near.tril(-1).any(-1)
        return (self.promise > self.promise[..., :1] - margin[..., None]) & ~again


def ascend(pairs: ImagePairs, start: Homography, group: Group, steps: int) -> Poised:
    """Improve the poses [m k s 3 3] of all pairs; with 0 steps, only evaluate them."""
    products = ByTemplate(read_lattice(pairs.source, "bilinear"))
    laid = TemplatePairs(products, pairs.index, list_ink(pairs.target))
    found = climb(laid, _enter(pairs, start), group, steps)
    return replace(found, matrix=_leave(pairs, found.matrix), ahead=_leave(pairs, found.ahead))


def score(pairs: ImagePairs, matrix: Homography) -> Tensor:
    """Return the exact scores of given poses, with Keys' interpolation, which the ascent
    approximates."""
    ink = list_ink(pairs.target)
    products = ByTemplate(read_cubic(pairs.source))
    laid = TemplatePairs(products, pairs.index, replace(ink, jets=ink.jets[:, :1]))
    image = pairs.index.repeat_interleave(matrix.shape[2], 1)
    found = measure(laid, image, _enter(pairs, matrix).flatten(1, 2), GROUPS["projective"])
    return found.view(matrix.shape[:3])


def _enter(pairs: ImagePairs, matrix: Homography) -> Homography:
    """Convert poses between canvases to poses between windows."""
    away = torch.linalg.inv(pairs.source.origin)[pairs.index][:, :, None]
    return away @ matrix @ pairs.target.origin[:, None, None]


def _leave(pairs: ImagePairs, relative: Homography) -> Homography:
    """Convert poses between windows to poses between canvases."""
    back = torch.linalg.inv(pairs.target.origin)[:, None, None]
    return pairs.source.origin[pairs.index][:, :, None] @ relative @ back


@dataclass(frozen=True, eq=False)
class TemplatePairs:
    """Images index[m k] for each of m templates, and the method that computes their products."""

    products: Products
    index: Tensor
    ink: Ink
    radius: float = RADIUS


def climb(
    laid: TemplatePairs, start: Homography, group: Group, steps: int, chosen: Tensor | None = None
) -> Poised:
    """Run the ascent between windows from the starts [m k s 3 3] that the mask `chosen` [m k s]
    selects.

    By default, all starts are used. Poses that are not selected do not move, and their score is -∞.
    """
    image = laid.index.repeat_interleave(start.shape[2], 1)
    if chosen is None:
        found = _climb(laid, image, start.flatten(1, 2), group, steps)
        return Poised(*(x.view(*start.shape[:3], *x.shape[2:]) for x in found))
    chosen = chosen.flatten(1)
    longest = max(1, int(chosen.sum(1).max()))
    place = list_true(chosen, longest)
    square = place[..., None, None].expand(-1, -1, 3, 3)
    matrix = start.flatten(1, 2)
    part = matrix.gather(1, square)
    found = _climb(laid, image.gather(1, place), part, group, steps)
    low = torch.full_like(matrix[..., 0, 0], -torch.inf)
    valid = chosen.gather(1, place)
    score = low.scatter(1, place, found[1].where(valid, -torch.inf))
    gain = torch.zeros_like(low).scatter(1, place, found[2].where(valid, 0))
    best, ahead = (
        matrix.scatter(1, square, x.where(valid[..., None, None], part))
        for x in (found[0], found[3])
    )
    return Poised(*(x.view(*start.shape[:3], *x.shape[2:]) for x in (best, score, gain, ahead)))


def _climb(
    laid: TemplatePairs, image: Tensor, matrix: Homography, group: Group, steps: int
) -> tuple[Homography, Tensor, Tensor, Homography]:
    """Improve poses [m r 3 3] of image[m r]. Return the final poses, their scores, and the gains
    and poses of the next steps."""
    newton = Newton(laid.ink, group, laid.radius)
    products = measure(laid, image, matrix, group)
    damping = torch.full_like(products[:, 0], DAMPING)
    trial, gain = newton.step(matrix, products, damping)
    for _ in range(steps):
        reached = measure(laid, image, trial, group)
        better = reached[:, 0] > products[:, 0]
        damping = torch.where(better, damping * 0.2, damping * 8 + 0.05)
        matrix = torch.where(better[..., None, None], trial, matrix)
        products = torch.where(better[:, None], reached, products)
        trial, gain = newton.step(matrix, products, damping)
    return matrix, products[:, 0], gain, trial


def measure(laid: TemplatePairs, image: Tensor, matrix: Homography, group: Group) -> Tensor:
    """Return the products [m 1+p+p(p+1)/2 r] for the poses [m r 3 3] of image[m r], computed in
    blocks."""
    m, r = image.shape
    area = laid.ink.jets[0, 0].numel()
    columns = max(1, min(r, BLOCK // area))
    rows = max(1, BLOCK // (area * columns))
    found = matrix.new_empty(m, laid.ink.jets.shape[1], r)
    for row in range(0, m, rows):
        ink = laid.ink.take(slice(row, row + rows))
        for column in range(0, r, columns):
            part = slice(row, row + rows), slice(column, column + columns)
            found[part[0], :, part[1]] = laid.products.of(ink, image[part], matrix[part], group)
    return found
