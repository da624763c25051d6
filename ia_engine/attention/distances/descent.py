"""The paper's own solver of (2.2): gradient descent from the identity, with smoothing (section 5).

M ← M exp(-t G⁻¹ ∇f): for SE(2) this is descent on (θ, b) by the chain rule, in the metric G in
which a turn and a shift that move v_j's edges equally far are equally long.
The images are smoothed, once for every level, and not the residuals at every step. For rigid
motions that is the same; for other groups g_σ*(v∘τ) differs from the (g_σ*v)∘τ that is used here.
Images are read linearly from a lattice of Keys' values, the distances at the end by Keys itself.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import torch
from torch import Tensor
from torch.nn import functional

from ia_engine.attention.distances.alignment import Alignment, Euclidean, list_partners
from ia_engine.attention.distances.bounds import confine
from ia_engine.attention.distances.objectives import MANIFOLD, Objective, Stage, enclose, stage
from ia_engine.attention.distances.schedules import ANNEALED, Schedule
from ia_engine.images import blur, pixel_grid
from ia_engine.shapes import Homography, Images
from ia_engine.ties import first_min
from ia_engine.transforms import Group
from ia_engine.transforms.base import NEAREST_HORIZON

BLOCK = 1 << 18
"""Pixels warped at once: what a step touches has to stay in the cache."""


@dataclass(frozen=True, eq=False)
class DescentStep:
    """Where every pair stands: k images index[j] on their way to image j."""

    k: int
    """0 at the identity."""
    index: Tensor
    """[n k]: every pair of images stands in it."""
    tau: Tensor
    """[n k p]: the poses of images index[j, k]."""
    objective: Tensor
    """[n k]: without the schedule's smoothing."""
    sigma: Tensor
    """[n k]: the smoothing of the step that led here [px]; 0 at the identity."""


@dataclass(frozen=True)
class Descent:
    """The distance of all pairs where the descent from the identity ends, in its own basin."""

    group: Group
    sigma: float = 0.0
    schedule: Schedule = ANNEALED
    objective: Objective = MANIFOLD
    rate: float = 1.0
    steps: int = 100

    def align(self, v: Images) -> Alignment:
        """The last poses; the identity where it is nearer, so that d is at most Euclid's."""
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
        """Every state of the descent, from the identity on: steps + 1 of them."""
        walk = _Walk(self, blur(v, self.sigma))
        index = list_partners(len(v), v)
        matrix = torch.eye(3, device=v.device, dtype=v.dtype).expand(*index.shape, 3, 3)
        sigma = torch.zeros_like(matrix[..., 0, 0])
        for k in range(self.steps + 1):
            yield DescentStep(k, index, self.group.pose(matrix), walk.value(index, matrix), sigma)
            if k < self.steps:
                matrix, sigma = walk.step(index, matrix, self.schedule.tried(k, self.steps))

    def _measure(self, g: Images, source: Tensor, target: Tensor, tau: Tensor) -> Tensor:
        """The objective at given poses [n k p] by Keys' interpolation itself."""
        square, found = g.flatten(1).square().sum(1), torch.empty_like(tau[..., 0])
        most = max(1, BLOCK // g[0].numel())
        pairs = (x.flatten(0, 1).split(most) for x in (source, target, tau, found))
        for i, j, pose, result in zip(*pairs, strict=True):
            u = enclose(self.objective.act(g[i], self.group, pose))[:, None]
            result[:] = self.objective.value(u, square[i, None], enclose(g[j]))[:, 0]
        return found


class _Walk:
    """The images at every level of smoothing, and how a step is taken with them."""

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
        """The objective without the schedule's smoothing, [n k]."""
        found = torch.empty_like(matrix[..., 0, 0])
        for part in self._parts(index):
            u = self._read(self.stages[0.0], index[part], matrix[part])
            square, v = self.square[index[part]], self.stages[0.0].v[part[0]]
            found[part] = self.descent.objective.value(u, square, v)
        return found

    def step(
        self, index: Tensor, matrix: Homography, levels: tuple[float, ...]
    ) -> tuple[Homography, Tensor]:
        """One step at the level that suits each pair best, and that level [px]."""
        trials = torch.stack([self._move(index, matrix, level) for level in levels])
        sigma = matrix.new_tensor(levels) * self.side
        if len(levels) == 1:
            return trials[0], sigma.expand(index.shape)
        best = first_min(torch.stack([self.value(index, trial) for trial in trials]), 0)
        chosen = trials.gather(0, best[None, ..., None, None].expand(1, *matrix.shape))
        return chosen[0], sigma[best]

    def _move(self, index: Tensor, matrix: Homography, level: float) -> Homography:
        """One step of length t down the slope of one level."""
        moved = torch.empty_like(matrix)
        for part in self._parts(index):
            now = self.stages[level]
            target = replace(now, v=now.v[part[0]], lifted=now.lifted[part[0]])
            slope = self.descent.objective.slope(self._read(now, index[part], matrix[part]), target)
            xi = torch.linalg.solve(now.metric[part[0], None], slope[..., None])[..., 0]
            moved[part] = matrix[part] @ self.group.matrix(-self.descent.rate * xi)
        return moved if self.group.rigid else confine(moved, self.points[-1, -1])

    def _read(self, source: Stage, index: Tensor, matrix: Homography) -> Tensor:
        """The images index [m k] in their poses, on the canvas and its rim: [m k c h+2 w+2]."""
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
        """Rows and columns of the pairs that together fit the cache."""
        most = max(1, BLOCK // self.stages[0.0].v[0].numel())
        columns = max(1, min(index.shape[1], most))
        rows = max(1, most // columns)
        for row in range(0, index.shape[0], rows):
            for column in range(0, index.shape[1], columns):
                yield slice(row, row + rows), slice(column, column + columns)


def _rows(index: Tensor) -> Tensor:
    return torch.arange(len(index), device=index.device)[:, None].expand_as(index)
