"""Measures how well the search recovers the poses of generated pairs, and the positions of corners.

A pose is defined only if the objective has a unique maximum. A pair counts if no other maximum
found by brute force is within 0.02 of the best, and if d² rises by 0.01 at 3° and at 0.5 px.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.iteration import normalise
from ia_engine.datasets.bases import BASES, load_base, load_digits
from ia_engine.datasets.distortions import pose_copies
from ia_engine.datasets.named import read_split
from ia_engine.datasets.published import FASHION, MNIST
from ia_engine.images import Images, Poses, pixel_grid
from ia_engine.transforms import GROUPS, Group
from ia_engine.transforms.base import move
from tests.benchmarks.brute_force import Image, optimum, product
from tests.benchmarks.clock import one_thread
from tests.benchmarks.results import Found, share

SETS, PAIRS = 15, 20
"""Number of sets to solve, and number of images per set; each image has one copy."""
DEGREES, PIXELS, RECOVERED = 0.5, 0.25, 0.99
RIVAL, RISE = 0.02, 0.01
TURN, STEP = math.radians(3), 0.5
CORNER, NEAR = 1.0, 0.95
LESS = 1e-3
"""One pose scores lower than another if the difference exceeds this share of the norms."""
SHIFT = {64: 6.4, 48: 4.0}
"""Maximum translation [px] for each size of the canvas."""
LARGEST = {"scale": math.log(1.4), "stretch": 0.2, "perspective": 0.002}
"""Maximum absolute value of the other coordinates; rotations cover the full circle."""
SCALES = (0.7, 1.4)
"""Smallest and largest scale; the solver's bounds are 2/3 and 3/2."""
PICTURE = {64: 35, 48: 28}
"""Side of the picture in the centre of a canvas [px], before padding."""


def drawings(count: int, generator: torch.Generator) -> Images:
    """Upright drawings and icons in grey, on 64×64 pixels."""
    names = list(BASES)
    rows = torch.randint(len(names), (count,), generator=generator).tolist()
    return torch.stack([load_base(names[i], 64, 0.54).mean(0, keepdim=True) for i in rows])


def digits(count: int, generator: torch.Generator) -> Images:
    """scikit-learn's digits on 48×48 pixels, so that no rotation moves them off the canvas."""
    return _frame(load_digits(40)[0][..., 6:-6, 6:-6], count, generator)


def mnist(count: int, generator: torch.Generator) -> Images:
    return _frame(read_split(MNIST, "test")[0] / 255, count, generator)


def garments(count: int, generator: torch.Generator) -> Images:
    return _frame(read_split(FASHION, "sample")[0] / 255, count, generator)


def _frame(images: Images, count: int, generator: torch.Generator) -> Images:
    rows = torch.randint(len(images), (count,), generator=generator)
    return functional.pad(images[rows], (10,) * 4)


SOURCES: dict[str, Callable[[int, torch.Generator], Images]] = {
    "drawings": drawings,
    "digits": digits,
    "MNIST": mnist,
    "Fashion-MNIST": garments,
}


@dataclass(frozen=True, eq=False)
class Copies:
    """Images and their copies in known poses, U(τ)v[i]."""

    v: Images
    copy: Images
    tau: Poses


def generate(source: str, group: Group, seed: int) -> Copies:
    """One set; the pose of every copy is random and keeps its ink on the canvas."""
    generator = torch.Generator().manual_seed(seed)
    v = SOURCES[source](PAIRS, generator)
    made = pose_copies(v, (group,), lambda n: draw_poses(group, n, v.shape[-1], generator))
    copy = group.unitary(v, made.poses).clamp(0)
    return Copies(normalise(v), normalise(copy), made.poses)


def draw_poses(group: Group, n: int, side: int, generator: torch.Generator) -> Poses:
    """n random poses whose scales are within the bounds."""
    found = torch.empty(0, group.dimension())
    while len(found) < n:
        tau = _draw(group, n, side, generator)
        matrix = group.matrix(tau)
        linear = matrix[:, :2, :2] - matrix[:, :2, 2:] * matrix[:, 2:, :2]
        size = torch.linalg.svdvals(linear)
        kept = (size[:, 0] <= SCALES[1]) & (size[:, 1] >= SCALES[0])
        found = torch.cat([found, tau[kept]])
    return found[:n]


def _draw(group: Group, n: int, side: int, generator: torch.Generator) -> Poses:
    """Uniform random coordinates within their bounds; rotations cover the full circle."""
    names = [part.name for part in group.coordinates() for _ in range(part.count)]
    largest = {"turn": math.pi, "shift": SHIFT[side], **LARGEST}
    bound = torch.tensor([largest[name] for name in names])
    tau = bound * (2 * torch.rand(n, len(names), generator=generator) - 1)
    turn = math.pi * (2 * torch.rand(n, 1, generator=generator) - 1)
    if "turn" in names:
        return tau
    return group.pose(group.matrix(tau) @ GROUPS["rotation"].matrix(turn))


def solve(copies: Copies, group: Group) -> Poses:
    """The poses from every image to its copy that the global search over all pairs finds."""
    n = len(copies.v)
    tau = GlobalSearch(group).align(torch.cat([copies.v, copies.copy])).tau
    if tau is None:
        raise TypeError("the global search yields poses")
    return tau[torch.arange(n), n + torch.arange(n)]


def judge(v: Tensor, copy: Tensor) -> tuple[bool, Tensor]:
    """Determine by brute force whether d² of two images [h w] has a clear minimum, and its pose."""
    image, target = Image(v.double().numpy()), Image(copy.double().numpy())
    found = optimum(image, target)
    best = found.pose[0]
    turn = torch.remainder(found.pose[:, 0] - best[0] + math.pi, 2 * math.pi) - math.pi
    away = (turn.abs() > TURN) | ((found.pose[:, 1:] - best[1:]).norm(dim=1) > STEP)
    rival = bool((away & (2 * (found.score[0] - found.score) < RIVAL)).any())
    rise = 2 * (found.score[0] - product(image, target, _around(best, target))[0])
    return not rival and bool((rise >= RISE).all()), best


def _around(pose: Tensor, target: Image) -> Tensor:
    """The pose, rotated by ±3° about the target's ink, and translated by 0.5 px."""
    centre = target.ink.square() @ target.place / (target.ink @ target.ink)
    poses = pose.repeat(10, 1)
    poses[:2, 0] += pose.new_tensor([TURN, -TURN])
    for k in range(2):
        poses[k, 1:] += _spun(pose[0], centre) - _spun(poses[k, 0], centre)
    angle = torch.arange(8).double() * (math.pi / 4)
    poses[2:, 1:] += STEP * torch.stack([angle.cos(), angle.sin()], 1)
    return poses


def _spun(theta: Tensor, point: Tensor) -> Tensor:
    cos, sin = theta.cos(), theta.sin()
    return torch.stack([cos * point[0] + sin * point[1], -sin * point[0] + cos * point[1]])


def is_near(tau: Poses, truth: Poses) -> Tensor:
    """True for each pose that equals the true one within the tolerances."""
    away = tau - truth
    turn = torch.remainder(away[:, 0] + math.pi, 2 * math.pi) - math.pi
    return (turn.abs().rad2deg() <= DEGREES) & (away[:, 1:].norm(dim=1) <= PIXELS)


@dataclass(frozen=True)
class Recovery:
    """The share of the well-defined poses of SE(2) that the search recovers."""

    source: str
    sets: int = SETS

    @property
    def name(self) -> str:
        return f"poses of {self.source}"

    def measure(self) -> Found:
        group, right, limit, counts = GROUPS["se2"], [], [], []
        with one_thread():
            for seed in range(self.sets):
                copies = generate(self.source, group, seed)
                right.append(is_near(solve(copies, group), copies.tau))
                pairs = zip(copies.v[:, 0], copies.copy[:, 0], strict=True)
                one, best = zip(*(judge(a, b) for a, b in pairs), strict=True)
                counts.append(torch.tensor(one))
                limit.append(is_near(torch.stack(best), copies.tau))
        found, one, exact = torch.cat(right), torch.cat(counts), torch.cat(limit)
        return Found(
            {
                "pairs": len(found),
                "share excluded": share(~one),
                "share recovered of the well-defined poses": share(found[one]),
                "share of these with the highest score at the true pose": share(exact[one]),
                "share recovered of all": share(found),
            },
            {
                f"{RECOVERED:.0%} within {DEGREES:g}° and {PIXELS:g} px": share(found[one])
                >= RECOVERED
            },
            f"0-{self.sets - 1}",
        )


def corner_errors(group: Group, tau: Poses, truth: Poses, side: int) -> Tensor:
    """Maximum distance between the corners of the centre square under two poses [px]."""
    corners = pixel_grid(2, 2, tau) * (side - 1)
    moved = [move(group.matrix(pose), corners) for pose in (tau, truth)]
    return (moved[0] - moved[1]).norm(dim=-1).flatten(1).amax(1)


@dataclass(frozen=True)
class Corners:
    """Errors of the picture's corners under the poses found for larger groups."""

    source: str
    groups: tuple[str, ...] = ("similarity", "affine", "projective")
    sets: int = SETS

    @property
    def name(self) -> str:
        return f"corners of {self.source}"

    def measure(self) -> Found:
        figures: dict[str, object] = {"pairs of each group": self.sets * PAIRS}
        claims: dict[str, bool] = {}
        for name in self.groups:
            with one_thread():
                found = self._measure(GROUPS[name])
            figures |= {f"{name}: {what}": round(x, 4) for what, x in found.items()}
            claims[f"{name}: corner error below {CORNER:g} px on {NEAR:.0%}"] = (
                found["share below 1 px"] >= NEAR
            )
        return Found(figures, claims, f"0-{self.sets - 1}")

    def _measure(self, group: Group) -> dict[str, float]:
        canvas, picture, below = [], [], []
        for seed in range(self.sets):
            copies = generate(self.source, group, seed)
            tau, side = solve(copies, group), copies.v.shape[-1]
            canvas.append(corner_errors(group, tau, copies.tau, side))
            picture.append(corner_errors(group, tau, copies.tau, PICTURE[side]))
            below.append(_score(copies, group, tau) < _score(copies, group, copies.tau) - LESS)
        error = torch.cat(picture)
        return {
            "share below 1 px": share(error < CORNER),
            "median [px]": float(error.median()),
            "95th percentile [px]": float(error.quantile(0.95)),
            "share below 1 px at the corners of the canvas": share(torch.cat(canvas) < CORNER),
            "share that scores below the true pose": share(torch.cat(below)),
        }


def _score(copies: Copies, group: Group, tau: Poses) -> Tensor:
    return (group.unitary(copies.v, tau) * copies.copy).flatten(1).sum(1)


RECOVERIES = tuple(Recovery(source) for source in SOURCES)
CORNERS = tuple(Corners(source) for source in SOURCES)
