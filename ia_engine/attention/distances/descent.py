"""The paper's solver of (2.2): gradient descent from the identity, with smoothing (section 5).

M ← M exp(-t G⁻¹ ∇f): for SE(2) this is descent on (θ, b) by the chain rule, in the metric G in
which a rotation and a translation that move the edges of v_j equally far have equal length. The
images are smoothed once per level, whereas the paper smooths the residuals at every step. For rigid
motions, both are equivalent; for other groups, (g_σ*v)∘τ, which is used here, differs from
g_σ*(v∘τ). Images are sampled linearly from a lattice of Keys' values; the final distances use Keys'
interpolation itself.

The objective and its derivatives: with X_a = w_a·∇ + ½ div w_a, the generators of the unitary
action, and u = U(M) v_i,

    d² = ‖v_i‖² + ‖v_j‖² - 2⟨u, v_j⟩,    ∂d²/∂ξ_a at M exp(ξ) = -2⟨X_a u, v_j⟩ = 2⟨u, X_a v_j⟩,

because X_a is skew. Only u depends on v_i. The objective of (2.2), taken literally, needs ∇u
itself.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Protocol

import torch
from torch import Tensor
from torch.nn import functional

from ia_engine.attention.distances.alignment import Alignment, Euclidean, list_partners
from ia_engine.attention.distances.bounds import confine
from ia_engine.attention.distances.schedules import ANNEALED, Schedule
from ia_engine.attention.distances.templates import densify
from ia_engine.images import Homography, Images, Poses, blur, pixel_grid
from ia_engine.ties import first_min
from ia_engine.transforms import Group
from ia_engine.transforms.base import NEAREST_HORIZON, density

FAINT = 0.01
"""Fraction of the mean metric that is added to each metric, to limit the steps of nearly uniform
images."""


@dataclass(frozen=True, eq=False)
class Stage:
    """A set of n images at one level of smoothing, on a canvas with a rim of zeros one pixel
    wide."""

    v: Images
    """[n c h+2 w+2]."""
    dense: Images
    """[n c 2h+3 2w+3]: Keys' values at the pixels and halfway between them."""
    lifted: Tensor
    """[n c·s p]: X_a v at the s pixels."""
    velocity: Tensor
    """[p h+2 w+2 2]: w_a, the velocity of each pixel under each generator."""
    metric: Tensor
    """[n p p]: 2 Σ_x |∇v|² w_a·w_b, the mean square displacement of v's edges up to a factor.

    At a match, it is at least the curvature of d², so that a step of length 1 does not overshoot.
    """


class Objective(Protocol):
    """An objective function of the poses. The argument u holds images [m k c h+2 w+2] sampled at
    their poses."""

    def act(self, v: Images, group: Group, tau: Poses) -> Images:
        """Transform the images v by the poses tau, with Keys' interpolation."""

    def factor(self, group: Group, matrix: Homography, points: Tensor) -> Tensor | None:
        """Return the factor that multiplies v∘τ at each point; None stands for 1."""

    def value(self, u: Tensor, square: Tensor, v: Images) -> Tensor:
        """Return the distance between each image v [m] and the images u [m k ...] sampled from
        images with ‖v_i‖² = square."""

    def slope(self, u: Tensor, target: Stage) -> Tensor:
        """Return the derivatives [m k p] of the value in the directions of the generators."""


@dataclass(frozen=True)
class Manifold:
    """d² of two transformation manifolds, which does not decrease if an image leaves the frame."""

    def act(self, v: Images, group: Group, tau: Poses) -> Images:
        return group.unitary(v, tau)

    def factor(self, group: Group, matrix: Homography, points: Tensor) -> Tensor | None:
        return None if group.rigid else density(matrix, points).sqrt()

    def value(self, u: Tensor, square: Tensor, v: Images) -> Tensor:
        own = v.flatten(1).square().sum(1)[:, None]
        return square + own - 2 * torch.einsum("mkchw,mchw->mk", u, v)

    def slope(self, u: Tensor, target: Stage) -> Tensor:
        return 2 * u.flatten(2) @ target.lifted


@dataclass(frozen=True)
class CanvasObjective:
    """‖v_i∘τ - v_j‖² summed over the canvas, as written in (2.2); it may decrease if an image
    leaves the frame."""

    def act(self, v: Images, group: Group, tau: Poses) -> Images:
        return group.act(v, tau)

    def factor(self, group: Group, matrix: Homography, points: Tensor) -> Tensor | None:
        return None

    def value(self, u: Tensor, square: Tensor, v: Images) -> Tensor:
        return _inner(u - v[:, None]).square().sum((2, 3, 4))

    def slope(self, u: Tensor, target: Stage) -> Tensor:
        rest = _inner(u - target.v[:, None])
        moment = torch.stack([(rest * d).sum(2) for d in _central(u)], -1)
        return 2 * torch.einsum("mkhwx,ahwx->mka", moment, target.velocity[:, 1:-1, 1:-1])


MANIFOLD, CANVAS = Manifold(), CanvasObjective()


def enclose(v: Images) -> Images:
    """Return the images with a rim of zeros one pixel wide."""
    return functional.pad(v, (1, 1, 1, 1))


def stage(v: Images, group: Group) -> Stage:
    """Prepare images for the descent over the poses of a group."""
    framed = enclose(v)
    velocity = _velocity(group, pixel_grid(framed.shape[-2], framed.shape[-1], v))
    power = sum(d.square().sum(1) for d in _central(enclose(framed)))
    metric = 2 * torch.einsum("nhw,ahwx,bhwx->nab", power, velocity, velocity)
    faint = FAINT * metric.mean(0) + torch.eye(len(velocity), device=v.device).to(v) * 1e-12
    return Stage(
        framed, densify(enclose(framed)), _lift(framed, velocity), velocity, metric + faint
    )


def _inner(framed: Tensor) -> Tensor:
    return framed[..., 1:-1, 1:-1]


def _central(framed: Tensor) -> tuple[Tensor, Tensor]:
    """Return central differences along rows and columns, inside the rim. They equal the derivatives
    of Keys' interpolation."""
    down = framed[..., 2:, 1:-1] - framed[..., :-2, 1:-1]
    right = framed[..., 1:-1, 2:] - framed[..., 1:-1, :-2]
    return down / 2, right / 2


def _velocity(group: Group, points: Tensor) -> Tensor:
    """Return w_a(x) = (E_a x̄)₁₂ - x (E_a x̄)₃ for every generator E_a, [p h w 2]."""
    basis = points.new_tensor(group.generators)
    homogeneous = torch.cat([points, torch.ones_like(points[..., :1])], -1)
    moved = torch.einsum("aij,hwj->ahwi", basis, homogeneous)
    return moved[..., :2] - points * moved[..., 2:]


def _lift(v: Images, velocity: Tensor) -> Tensor:
    """Return X_a v = ½ (w_a·∇v + ∇·(w_a v)); this discrete X_a is skew, like the one on the
    plane."""
    v_p, v_q = _central(enclose(v))
    lifted = []
    for w in velocity:
        w_p, w_q = w.unbind(-1)
        out_p, out_q = _central(enclose(w_p * v))[0], _central(enclose(w_q * v))[1]
        lifted.append((w_p * v_p + w_q * v_q + out_p + out_q) / 2)
    return torch.stack(lifted, -1).flatten(1, 3)


BLOCK = 1 << 18
"""Number of pixels that are warped at once, chosen so that the data of a step fit into the
cache."""


@dataclass(frozen=True, eq=False)
class DescentStep:
    """The state of the descent after a step: for every image j, the images index[j] that are
    aligned with it."""

    k: int
    """Number of the step; 0 is the identity."""
    index: Tensor
    """[n k]: indices of images, among which every pair occurs."""
    tau: Tensor
    """[n k p]: the poses of images index[j, k]."""
    objective: Tensor
    """[n k]: the objective, without the smoothing of the schedule."""
    sigma: Tensor
    """[n k]: the smoothing [px] of the step that led to this state; 0 at the start."""


@dataclass(frozen=True)
class Descent:
    """Distances of all pairs at the local minima that a descent from the identity reaches."""

    group: Group
    sigma: float = 0.0
    schedule: Schedule = ANNEALED
    objective: Objective = MANIFOLD
    rate: float = 1.0
    steps: int = 100

    def align(self, v: Images) -> Alignment:
        """Return the distances at the final poses, or at the identity where it is better, so that
        none exceeds the Euclidean distance."""
        (last,) = deque(self.descend(v), maxlen=1)
        there = self.group.matrix(last.tau)
        g, j = blur(v, self.sigma), _rows(last.index)
        d2 = Euclidean().align(g).d2
        tau = self.group.identity(len(g) ** 2, g).view(len(g), len(g), -1)
        for source, target, matrix in (
            (last.index, j, there),
            (j, last.index, torch.linalg.inv(there)),
        ):
            pose = self.group.pose(matrix)
            reached, still = self._measure(g, source, target, pose), d2[source, target]
            better = (reached < still)[..., None]
            tau[source, target] = torch.where(better, pose, tau[source, target])
            d2[source, target] = torch.minimum(reached, still).clamp_min(0)
        return Alignment((d2 + d2.T) / 2, tau)

    def descend(self, v: Images) -> Iterator[DescentStep]:
        """Yield all steps + 1 states of the descent, beginning with the identity."""
        walk = _Walk(self, blur(v, self.sigma))
        index = list_partners(len(v), v)
        matrix = torch.eye(3, device=v.device, dtype=v.dtype).expand(*index.shape, 3, 3)
        sigma = torch.zeros_like(matrix[..., 0, 0])
        for k in range(self.steps + 1):
            yield DescentStep(k, index, self.group.pose(matrix), walk.value(index, matrix), sigma)
            if k < self.steps:
                matrix, sigma = walk.step(index, matrix, self.schedule.tried(k, self.steps))

    def _measure(self, g: Images, source: Tensor, target: Tensor, tau: Tensor) -> Tensor:
        """Return the objective at given poses [n k p], with Keys' interpolation."""
        square, found = g.flatten(1).square().sum(1), torch.empty_like(tau[..., 0])
        most = max(1, BLOCK // g[0].numel())
        pairs = (x.flatten(0, 1).split(most) for x in (source, target, tau, found))
        for i, j, pose, result in zip(*pairs, strict=True):
            u = enclose(self.objective.act(g[i], self.group, pose))[:, None]
            result[:] = self.objective.value(u, square[i, None], enclose(g[j]))[:, 0]
        return found


class _Walk:
    """The images at every level of smoothing, and the steps of the descent."""

    def __init__(self, descent: Descent, g: Images) -> None:
        self.descent, self.group = descent, descent.group
        self.side = min(g.shape[-2:])
        self.points = pixel_grid(g.shape[-2] + 2, g.shape[-1] + 2, g)
        flat = self.points.flatten(0, 1)
        self.homogeneous = torch.cat([flat, torch.ones_like(flat[:, :1])], 1).T.contiguous()
        half = g.new_tensor([(size + 1) / 2 for size in g.shape[-2:]])
        self.unit = torch.diag(torch.cat([1 / half, half.new_ones(1)]))[[1, 0, 2]]
        self.square = g.flatten(1).square().sum(1)
        levels = {x for k in range(descent.steps) for x in descent.schedule.tried(k, descent.steps)}
        self.stages: Mapping[float, Stage] = {
            level: stage(blur(g, level * self.side), self.group) for level in levels | {0.0}
        }

    def value(self, index: Tensor, matrix: Homography) -> Tensor:
        """Return the objective [n k], without the smoothing of the schedule."""
        found = torch.empty_like(matrix[..., 0, 0])
        for part in self._parts(index):
            u = self._read(self.stages[0.0], index[part], matrix[part])
            square, v = self.square[index[part]], self.stages[0.0].v[part[0]]
            found[part] = self.descent.objective.value(u, square, v)
        return found

    def step(
        self, index: Tensor, matrix: Homography, levels: tuple[float, ...]
    ) -> tuple[Homography, Tensor]:
        """Take one step at the best level for each pair; also return these levels [px]."""
        trials = torch.stack([self._move(index, matrix, level) for level in levels])
        sigma = matrix.new_tensor(levels) * self.side
        if len(levels) == 1:
            return trials[0], sigma.expand(index.shape)
        best = first_min(torch.stack([self.value(index, trial) for trial in trials]), 0)
        chosen = trials.gather(0, best[None, ..., None, None].expand(1, *matrix.shape))
        return chosen[0], sigma[best]

    def _move(self, index: Tensor, matrix: Homography, level: float) -> Homography:
        """Return the poses after one step of length t against the gradient at one level."""
        moved = torch.empty_like(matrix)
        for part in self._parts(index):
            now = self.stages[level]
            target = replace(now, v=now.v[part[0]], lifted=now.lifted[part[0]])
            slope = self.descent.objective.slope(self._read(now, index[part], matrix[part]), target)
            xi = torch.linalg.solve(now.metric[part[0], None], slope[..., None])[..., 0]
            moved[part] = matrix[part] @ self.group.matrix(-self.descent.rate * xi)
        return moved if self.group.rigid else confine(moved, self.points[-1, -1])

    def _read(self, source: Stage, index: Tensor, matrix: Homography) -> Tensor:
        """Return the images index[m k] at their poses, on the canvas with its rim: [m k c h+2
        w+2]."""
        flat = matrix.flatten(0, 1)
        moved = (self.unit @ flat) @ self.homogeneous
        if self.group.perspective:
            moved = moved / moved[:, 2:].clamp_min(NEAREST_HORIZON)
        grid = moved[:, :2].mT.unflatten(1, self.points.shape[:2])
        u = functional.grid_sample(source.dense[index.flatten()], grid, align_corners=True)
        factor = self.descent.objective.factor(self.group, flat, self.points)
        u = u if factor is None else u * factor[:, None]
        return u.view(*index.shape, *u.shape[1:])

    def _parts(self, index: Tensor) -> Iterator[tuple[slice, slice]]:
        """Yield the rows and columns of blocks of pairs that fit into the cache."""
        most = max(1, BLOCK // self.stages[0.0].v[0].numel())
        columns = max(1, min(index.shape[1], most))
        rows = max(1, most // columns)
        for row in range(0, index.shape[0], rows):
            for column in range(0, index.shape[1], columns):
                yield slice(row, row + rows), slice(column, column + columns)


def _rows(index: Tensor) -> Tensor:
    return torch.arange(len(index), device=index.device)[:, None].expand_as(index)
