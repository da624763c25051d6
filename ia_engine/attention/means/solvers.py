"""The invariant mean: its objective and two solvers, second-order steps and the paper's descent.

    f(τ) = Σ_i W_i (‖v_i‖² + ‖μ‖² - 2⟨U(τ_i)v_i, μ⟩) = Σ_i W_i ‖v_i‖² - ‖μ‖²,  μ = Σ_i W_i U(τ_i)v_i

This is (2.3) on the infinite plane, where ink outside the canvas still counts as a difference. A
sum over the canvas alone would be 0 if all images moved out of the frame.

`MeanAscent` takes second-order steps. The mean is the template to which the images are aligned: f
decreases when Σ_i W_i ⟨U(τ_i)v_i, μ⟩ increases, and again when μ becomes the mean at the new poses.
One image, the anchor, does not move, which fixes the common pose.

`MeanDescent` is the gradient descent of section 2.4:

    ∇_τᵢ f = 2 W_ij g_σ*g_σ*(U(τ_i)v_i - μ) ⊙ d(U(τ_i)v_i)/dτ_i

with the chain rule applied from the dense field τ to a matrix, and from the matrix to the
coordinates of the group. The paper omits W_ij, and its Algorithm 1 updates dense fields. In the
derivative of Keys' interpolation v∘τ = Σ_kl v_kl φ(τ_p - k) φ(τ_q - l), one φ is replaced by φ';
between two pixels, φ is a cubic polynomial for each of the four surrounding pixels.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from ia_engine.attention.distances.ascent import ImagePairs, ascend
from ia_engine.attention.distances.bounds import admits
from ia_engine.attention.distances.schedules import Schedule
from ia_engine.attention.distances.templates import prepare
from ia_engine.images import Field, Images, Poses, blur, check_axes, pixel_grid
from ia_engine.transforms import Group
from ia_engine.transforms.base import density, move


@dataclass(frozen=True, eq=False)
class AlignedMean:
    """Aligned images and their mean."""

    tau: Poses
    aligned: Images
    """The aligned images U(τ_i)v_i, whose weighted average is mu."""
    mu: Tensor
    """The mean, [c h w]."""
    objective: float
    """f, without smoothing."""
    sigma: float
    """The smoothing [px] with which the poses were found; 0 for given poses."""


@dataclass(frozen=True, eq=False)
class Problem:
    """The problem of one mean: images [n c h w], their weights [n], which sum to 1, and the
    group."""

    group: Group
    v: Images
    weights: Tensor

    def lay(self, tau: Poses, sigma: float) -> AlignedMean:
        """Align the images by given poses, and compute their mean (2.5)."""
        aligned = self.group.unitary(self.v, tau)
        mu = torch.einsum("n,nchw->chw", self.weights, aligned)
        power = self.weights @ self.v.flatten(1).square().sum(1)
        objective = (power - mu.square().sum()).clamp_min(0)  # rounding errors can make f negative
        return AlignedMean(tau, aligned, mu, float(objective), sigma)


CLIMB = 2
"""Number of steps that every pose takes between two updates of the mean."""


@dataclass(frozen=True, eq=False)
class MeanAscent:
    """The second-order solver for a problem, with the smoothing of the images and the index of the
    anchor."""

    problem: Problem
    sigma: float
    anchor: int

    def run(self, tau: Poses, steps: int) -> Iterator[AlignedMean]:
        """Yield the mean at given poses, which should be close to the best ones, and after every
        step."""
        source = prepare(blur(self.problem.v, self.sigma), self.problem.group)
        index = torch.arange(len(tau), device=tau.device)[None]
        laid = self.problem.lay(tau, self.sigma)
        yield laid
        for _ in range(steps):
            target = prepare(blur(laid.mu[None], self.sigma), self.problem.group)
            laid = self._step(laid, ImagePairs(source, index, target))
            yield laid

    def _step(self, laid: AlignedMean, pairs: ImagePairs) -> AlignedMean:
        """Update the poses, then the mean. Updates that do not lower f under Keys' interpolation
        are undone."""
        group = self.problem.group
        start = group.matrix(laid.tau)[None, :, None]
        tau = group.pose(ascend(pairs, start, group, CLIMB).matrix[0, :, 0])
        change = group.unitary(self.problem.v, tau) - laid.aligned
        force = blur(blur(laid.mu[None], self.sigma), self.sigma)
        better = (change * force).flatten(1).sum(1) > 0
        better = better & (torch.arange(len(tau), device=tau.device) != self.anchor)
        trial = self.problem.lay(torch.where(better[:, None], tau, laid.tau), self.sigma)
        return trial if self._height(trial) > self._height(laid) else laid

    def _height(self, laid: AlignedMean) -> float:
        """Return ‖g_σ*μ‖², the amount by which the smoothed f is lower than for a blank mean."""
        return float(blur(laid.mu[None], self.sigma).square().sum())


CUBICS = (
    (0.0, -0.5, 1.0, -0.5),
    (1.0, 0.0, -2.5, 1.5),
    (0.0, 0.5, 2.0, -1.5),
    (0.0, 0.0, -0.5, 0.5),
)
"""The coefficients of 1, t, t² and t³ in φ(t + 1), φ(t), φ(t - 1) and φ(t - 2), for 0 ≤ t < 1."""
RIM = 3
"""Distance [px] outside the canvas beyond which all values are 0."""


def read_slopes(v: Images, field: Field) -> tuple[Images, Tensor]:
    """Return the values of v at the points in `field` [px], and its derivatives there, [n c h w 2]
    per px."""
    n, channels, height, width = check_axes(v, "n c h w", "v").values()
    check_axes(field, f"{n} h w 2", "field")
    place = field.flatten(1, 2) + field.new_tensor([(height - 1) / 2, (width - 1) / 2])
    place = torch.minimum(place.clamp_min(-RIM), place.new_tensor([height + RIM, width + RIM]) - 1)
    corner = place.floor()
    taps = _gather(v, corner.long() - 1).view(n, channels, 4, 4, -1)
    phi, slope = _weigh(place - corner)
    across = torch.einsum("ncabs,bns->ncas", taps, phi[..., 1])
    along = torch.einsum("ncabs,bns->ncas", taps, slope[..., 1])
    parts = ((across, phi), (across, slope), (along, phi))
    found = [torch.einsum("ncas,ans->ncs", part, rows[..., 0]) for part, rows in parts]
    value, down, right = (x.unflatten(-1, field.shape[1:3]) for x in found)
    return value, torch.stack([down, right], -1)


def _weigh(t: Tensor) -> tuple[Tensor, Tensor]:
    """Return φ and φ' for the four surrounding pixels, [4 n s 2] each; t [n s 2] is the position
    between the middle two."""
    cubics = t.new_tensor(CUBICS)
    power = torch.stack([torch.ones_like(t), t, t**2, t**3])
    slope = torch.stack([torch.zeros_like(t), torch.ones_like(t), 2 * t, 3 * t**2])
    return torch.einsum("ax,x...->a...", cubics, power), torch.einsum(
        "ax,x...->a...", cubics, slope
    )


def _gather(v: Images, first: Tensor) -> Tensor:
    """Return the 4×4 pixels that start at `first` [n s 2], [n c 16·s]; pixels outside the canvas
    are 0."""
    margin = RIM + 2
    stride = v.shape[-1] + 2 * margin
    step = torch.arange(4, device=v.device)
    taps = (step[:, None] * stride + step).flatten()
    place = (first[..., 0] + margin) * stride + first[..., 1] + margin
    index = (place[:, None] + taps[:, None]).flatten(1)
    flat = functional.pad(v, (margin,) * 4).flatten(2)
    return flat.gather(2, index[:, None].expand(-1, v.shape[1], -1))


@dataclass(frozen=True, eq=False)
class MeanDescent:
    """The paper's solver for a problem, with a schedule of smoothing levels, a σ that is added to
    each level, and the step size t."""

    problem: Problem
    schedule: Schedule
    sigma: float = 0.0
    rate: float = 1.0

    def run(self, steps: int) -> Iterator[AlignedMean]:
        """Yield the sample mean, with all poses at the identity, and the mean after every step.

        If there are several levels, the step that lowers the unsmoothed f most is taken.
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
        """Return the levels of smoothing [px] to try at step k = 0, 1, …."""
        side = min(self.problem.v.shape[-2:])
        return tuple(math.hypot(self.sigma, x * side) for x in self.schedule.tried(k, steps))

    def unit(self, sigma: float) -> Tensor:
        """Return one factor per coordinate [p], by which the derivative is multiplied for a step
        with t = 1.

        A change of a coordinate is measured by the root mean square displacement of the pixels; for
        a rotation, these displacements are arc lengths. Steps are longer at levels where f is
        flatter: if the image with the largest weight matched the mean up to its pose, one step from
        the steepest point of f would align it. Up to t = 2, the image stays within its basin.
        """
        templates = prepare(blur(self.problem.v, sigma), self.problem.group)
        metric = templates.metric.diagonal().clamp_min(1e-6)  # 0 if the window is one pixel
        slope = templates.jets[..., 1 : 1 + len(metric)] / metric.sqrt()
        steepest = torch.linalg.eigvalsh(slope.mT @ slope)[:, -1]
        stiffness = 2 * (self.problem.weights * steepest).max()
        return 1 / (metric * stiffness.clamp_min(1e-12))

    def gradients(self, laid: AlignedMean, levels: tuple[float, ...]) -> Tensor:
        """Return ∇f with respect to the coordinates at each level, [l n p]. v is sampled only once
        for all levels."""
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
        """Take one step, without the motion that all images have in common and within the
        admissible scales.

        The common pose is arbitrary. It is kept fixed, because otherwise the mean could drift out
        of the frame.
        """
        group = self.problem.group
        before, after = group.matrix(tau), group.matrix(tau - step)
        motion = torch.linalg.solve(before, after)
        common = torch.einsum("n,nij->ij", self.problem.weights, motion)
        held = after @ group.matrix(group.inverse(group.pose(common[None])))
        half = held.new_tensor([(size - 1) / 2 for size in self.problem.v.shape[-2:]])
        return torch.where(admits(held, half)[:, None], group.pose(held), tau)
