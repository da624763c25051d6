"""The distance between two images over SE(2) by brute force, in double precision, without the
engine.

max_τ ⟨U(τ)v_i, v_j⟩ by an independent implementation of Keys' interpolation: at 120 angles and all
integer translations, then by Newton steps from the best points of that grid until convergence.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import torch
from torch import Tensor

ANGLES = 120
STARTS = 24
"""Number of grid points from which climbs start."""
APART = (3, 2)
"""Starts differ by more than this number of grid angles, or by more than this number of pixels."""
STEPS = 60
RISING = 1e-7
"""A climb has converged when a step raises the product by less than this share of the norms."""
CANDIDATES = 4000
"""Number of grid cells from which the starts are selected."""
MARGIN = 4

KEYS = (
    (0.0, -0.5, 1.0, -0.5),
    (1.0, 0.0, -2.5, 1.5),
    (0.0, 0.5, 2.0, -1.5),
    (0.0, 0.0, -0.5, 0.5),
)
"""Keys' weights of the four pixels around 0 ≤ t < 1, by powers of t; a = -1/2."""


@dataclass(frozen=True, eq=False)
class Optimum:
    """Results of the climbs from all starts, in descending order of the score."""

    score: Tensor
    """[s]: ⟨U(τ)v_i, v_j⟩."""
    pose: Tensor
    """[s 3]: (θ, b_p, b_q)."""


def weights(t: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Keys' weights at t and their first and second derivatives, [4 ...] each."""
    power = torch.stack([torch.ones_like(t), t, t * t, t * t * t])
    cubic = t.new_tensor(KEYS)
    first = cubic[:, 1:] * t.new_tensor([1, 2, 3])
    second = cubic[:, 2:] * t.new_tensor([2, 6])
    return tuple(
        torch.einsum("ak,k...->a...", c, power[: c.shape[1]]) for c in (cubic, first, second)
    )


class Image:
    """A picture [h w] in float64 that can be sampled at any point; 0 outside."""

    def __init__(self, pixels: np.ndarray) -> None:
        whole = torch.from_numpy(np.asarray(pixels, np.float64))
        rows, columns = whole.nonzero(as_tuple=True)
        self.ink = whole[rows, columns]
        """The pixels that are not 0, the only ones that contribute to a product."""
        centre = (whole.new_tensor(whole.shape) - 1) / 2
        self.place = torch.stack([rows, columns], 1).double() - centre
        self.blank = not len(rows)
        if self.blank:
            return
        corner = (int(rows.min()), int(columns.min()))
        self.v = whole[corner[0] : int(rows.max()) + 1, corner[1] : int(columns.max()) + 1]
        self.centre = centre - whole.new_tensor(corner)
        """The canvas's centre, in pixels of the box around the ink."""
        self.middle = (self.v.new_tensor(self.v.shape) - 1) / 2 - self.centre
        """The centre of that box [px from the canvas's centre]."""

    @cached_property
    def turned(self) -> Tensor:
        """The picture, rotated about its centre by every angle of the grid, [r side side]."""
        side = math.ceil(math.hypot(*self.v.shape)) + 2
        axis = torch.arange(side).double() - (side - 1) / 2
        points = torch.stack(torch.meshgrid(axis, axis, indexing="ij"), -1).flatten(0, 1)
        poses = torch.zeros(ANGLES, 3).double()
        poses[:, 0] = torch.arange(ANGLES) * (2 * math.pi / ANGLES)
        poses[:, 1:] = self.middle
        parts = [self.read(pose, points)[0] for pose in poses.split(8)]
        return torch.cat(parts).view(ANGLES, side, side)

    def read(self, pose: Tensor, points: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """v∘τ at the points, [s k]; its gradient there, [s k 2]; and (∂pp, ∂pq, ∂qq), [s k 3]."""
        cos, sin = pose[:, 0].cos(), pose[:, 0].sin()
        turn = torch.stack([cos, sin, -sin, cos], -1).view(-1, 2, 2)
        at = torch.einsum("sxy,ky->skx", turn, points) + pose[:, None, 1:] + self.centre
        height, width = self.v.shape
        padded = torch.nn.functional.pad(self.v, (MARGIN + 1,) * 4)
        limit = at.new_tensor([height, width]) + MARGIN - 2.001
        at = torch.minimum(at.clamp_min(1 - MARGIN), limit)
        corner = at.floor()
        p, q = (corner.long() + MARGIN).unbind(-1)
        row, column = (weights(t) for t in (at - corner).unbind(-1))
        flat, stride = padded.flatten(), padded.shape[1]
        taps = torch.stack([flat[(p + a) * stride + q + b] for a in range(4) for b in range(4)])
        taps = taps.unflatten(0, (4, 4))
        lines = [torch.einsum("abk,bk->ak", taps.flatten(2), c.flatten(1)) for c in column]

        def dot(r: Tensor, line: Tensor) -> Tensor:
            return (r.flatten(1) * line).sum(0).view(p.shape)

        value = dot(row[0], lines[0])
        slope = torch.stack([dot(row[1], lines[0]), dot(row[0], lines[1])], -1)
        bend = [dot(row[2], lines[0]), dot(row[1], lines[1]), dot(row[0], lines[2])]
        return value, slope, torch.stack(bend, -1)


def product(image: Image, target: Image, pose: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """⟨v_i∘τ, v_j⟩ at poses [s 3], with its gradient [s 3] and Hessian [s 3 3] by (θ, b_p, b_q)."""
    value, slope, bend = image.read(pose, target.place)
    cos, sin = pose[:, :1].cos(), pose[:, :1].sin()
    x, y = target.place.T
    point = torch.stack([cos * x + sin * y, -sin * x + cos * y], -1)
    arc = torch.stack([point[..., 1], -point[..., 0]], -1)
    pp, pq, qq = bend.unbind(-1)
    along = torch.stack([pp * arc[..., 0] + pq * arc[..., 1], pq * arc[..., 0] + qq * arc[..., 1]])
    weight = target.ink
    d_theta = ((slope * arc).sum(-1) * weight).sum(1)
    d_shift = torch.einsum("skx,k->sx", slope, weight)
    twice = (along[0] * arc[..., 0] + along[1] * arc[..., 1] - (slope * point).sum(-1)) @ weight
    mixed = (along @ weight).T
    hessian = torch.stack(
        [twice, mixed[:, 0], mixed[:, 1], mixed[:, 0], pp @ weight, pq @ weight,
         mixed[:, 1], pq @ weight, qq @ weight], -1
    ).view(-1, 3, 3)  # fmt: skip
    return value @ weight, torch.cat([d_theta[:, None], d_shift], 1), hessian


def climb(image: Image, target: Image, pose: Tensor) -> tuple[Tensor, Tensor]:
    """The scores and poses at which damped Newton steps converge, for every start."""
    arc = float(target.place.square().sum(1) @ target.ink.square()) / float(target.ink @ target.ink)
    metric = pose.new_tensor([arc, 1, 1]).clamp_min(1e-6)
    least = RISING * float(target.ink.norm() * image.v.norm())
    score, slope, hessian = product(image, target, pose)
    damping = torch.ones_like(score)
    moving = torch.arange(len(pose))
    pose, still = pose.clone(), torch.zeros(len(pose), dtype=torch.long)
    for _ in range(STEPS):
        step = _newton(slope[moving], hessian[moving], damping[moving], metric)
        trial = pose[moving] + step
        found = product(image, target, trial)
        rise = found[0] - score[moving]
        better = rise > 0
        rows = moving[better]
        pose[rows] = trial[better]
        for kept, new in zip((score, slope, hessian), found, strict=True):
            kept[rows] = new[better]
        damping[moving] *= torch.where(better, 0.2, 6.0)
        still[moving] = torch.where(rise > least, 0, still[moving] + 1)
        moving = (still < 4).nonzero()[:, 0]
        if not len(moving):
            break
    return score, pose


def _newton(slope: Tensor, hessian: Tensor, damping: Tensor, metric: Tensor) -> Tensor:
    """An ascent step of at most one pixel; along each eigenvector, it is divided by the absolute
    curvature.
    """
    root = metric.sqrt()
    value, vector = torch.linalg.eigh(hessian / (root[:, None] * root))
    floor = 1e-3 * value.abs().amax(1, keepdim=True) + 1e-12
    along = (vector.mT @ (slope / root)[..., None])[..., 0]
    size = torch.maximum(value.abs(), floor) * (1 + damping[:, None])
    step = (vector @ (along / size)[..., None])[..., 0]
    return step / step.norm(dim=1, keepdim=True).clamp_min(1) / root


def grid_starts(image: Image, target: Image) -> Tensor:
    """The best points [s 3] of the grid of angles and integer translations that are apart from each
    other.
    """
    size = image.turned.shape[-1] + max(target.v.shape)
    spectrum = torch.fft.rfft2(image.turned, (size, size))
    scores = torch.fft.irfft2(
        spectrum.conj() * torch.fft.rfft2(target.v, (size, size)), (size, size)
    )
    angle, shift = _choose(scores, image.turned.shape[-1])
    theta = angle.double() * (2 * math.pi / ANGLES)
    # So far, pixel 0 of the rotated picture lies on pixel `shift` of the target's box.
    s = shift.double() + (image.turned.shape[-1] - 1) / 2 - target.centre
    cos, sin = theta.cos(), theta.sin()
    back = torch.stack([cos * s[:, 0] + sin * s[:, 1], -sin * s[:, 0] + cos * s[:, 1]], 1)
    return torch.cat([theta[:, None], image.middle - back], 1)


def _choose(scores: Tensor, side: int) -> tuple[Tensor, Tensor]:
    """Angles and shifts of the highest scores in [r size size] that are apart from each other."""
    size = scores.shape[-1]
    highest = scores.flatten().topk(CANDIDATES).indices
    angle, rest = highest // size**2, highest % size**2
    shift = torch.stack([rest // size, rest % size], 1)
    shift = torch.where(shift > size - side, shift - size, shift)
    chosen: list[int] = []
    free = torch.ones(len(highest), dtype=torch.bool)
    while len(chosen) < STARTS and bool(free.any()):
        k = int(free.int().argmax())
        chosen.append(k)
        turn = (angle - angle[k]).abs()
        near = torch.minimum(turn, ANGLES - turn) <= APART[0]
        free &= ~(near & ((shift - shift[k]).abs().amax(1) <= APART[1]))
    return angle[chosen], shift[chosen]


def optimum(image: Image, target: Image) -> Optimum:
    """The results of the climbs from the grid."""
    if image.blank or target.blank:
        zero = torch.zeros(1).double()
        return Optimum(zero, zero.expand(1, 3))
    score, pose = climb(image, target, grid_starts(image, target))
    order = score.argsort(descending=True)
    return Optimum(score[order], pose[order])


def distance(a: Image, b: Image) -> float:
    """d² as defined: averaged over both directions."""
    square = float(a.ink @ a.ink) + float(b.ink @ b.ink)
    return square - float(optimum(a, b).score[0]) - float(optimum(b, a).score[0])


def distances(v: np.ndarray) -> Iterator[float]:
    """d² of all pairs of images [n h w], in the order of the upper triangle."""
    images = [Image(one) for one in v]
    for a, b in combinations(images, 2):
        yield distance(a, b)
