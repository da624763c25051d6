"""The landscape of (2.2) that the solvers search: d² of a pair for every rotation and translation.

    d²_σ(θ, b) = ‖g_σ*v_i‖² + ‖g_σ*v_j‖² - 2 ⟨g_σ*(v_i∘τ), g_σ*v_j⟩,    τ = (θ, b) in SE(2).

An isotropic blur commutes with rotations and translations, so the last inner product is c(θ, b) =
⟨v_i∘τ, v_j⟩, smoothed twice along b. Since c is computed only once, a different σ costs no more
than two products with banded matrices.
"""

import math
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from ia_engine.errors import EngineError
from ia_engine.images import NARROWEST, Images, blur, check_axes
from ia_engine.ties import first_min
from ia_engine.transforms import GROUPS

TURNS: Final = 180
"""Number of angles in the lattice, one every 2°."""
WIDEST: Final = 3
"""Maximum step length of the descent on the lattice, in each direction."""
LARGEST: Final = 128
"""Maximum side of an image [px]; larger images would take too much memory."""
PLACES: Final = 31
"""Number of bits in the index of a lattice point, and in a distance."""


@dataclass(frozen=True, eq=False)
class Survey:
    """The landscape of a pair for any σ."""

    theta: Tensor
    """[r]: the angles [rad], from -180° to one step below 180°."""
    correlation: Tensor
    """[r p q]: c(θ, b) at whole-pixel shifts b, with b = 0 in the middle."""
    images: Images
    """[2 c h w]: v_i and v_j on a canvas that contains them at every rotation."""
    reach: tuple[int, int]
    """Largest displayed translation in rows and in columns; the correlation also contains larger
    ones."""

    def smooth(self, sigma: float) -> "Landscape":
        """Return the landscape for a smoothing σ [px]."""
        sigma = sigma if sigma > NARROWEST else 0.0
        _, height, width = self.correlation.shape
        rows, columns = (
            _smoother(size, reach, sigma, self.correlation)
            for size, reach in zip((height, width), self.reach, strict=True)
        )
        near = _middle(_middle(self.correlation, 1, rows.shape[1]), 2, columns.shape[1])
        around = math.ceil(4 * sigma)
        lit = blur(functional.pad(self.images, (around,) * 4), sigma).square().sum()
        return Landscape(self.theta, lit - 2 * (rows @ near @ columns.T), lit, sigma)


@dataclass(frozen=True, eq=False)
class Landscape:
    """d²_σ on a lattice of angles [rad] and translations [px]."""

    theta: Tensor
    """[r]: the angles."""
    d2: Tensor
    """[r p q]: d² at whole-pixel shifts, with b = 0 in the middle."""
    height: Tensor
    """‖g_σ*v_i‖² + ‖g_σ*v_j‖², the value of d² if the images do not overlap."""
    sigma: float
    """The smoothing [px]."""

    def curve(self) -> Tensor:
        """Return for every angle [r] the minimum d² over all translations, interpolated by
        parabolas."""
        best = first_min(self.d2.flatten(1))
        row, column = best // self.d2.shape[2], best % self.d2.shape[2]
        turn = torch.arange(len(best), device=best.device)
        here, last = self.d2[turn, row, column], [size - 1 for size in self.d2.shape[1:]]
        up, down = ((row + step).clamp(0, last[0]) for step in (-1, 1))
        left, right = ((column + step).clamp(0, last[1]) for step in (-1, 1))
        depth = _dip(self.d2[turn, up, column], here, self.d2[turn, down, column])
        depth = depth + _dip(self.d2[turn, row, left], here, self.d2[turn, row, right])
        return (here - depth).clamp_min(0)

    def slice_at(self, theta: float) -> Tensor:
        """Return d² for all translations [p q] at the lattice angle closest to θ [rad]."""
        step = 2 * math.pi / len(self.theta)
        return self.d2[round((theta + math.pi) / step) % len(self.theta)]

    def basin(self) -> Tensor:
        """Return a mask [r p q] of the points from which steepest descent on the lattice reaches
        its minimum.

        The maximum step length is the σ of the blur, because narrower minima are artefacts of the
        lattice.
        """
        reach = min(max(round(self.sigma), 1), WIDEST)
        to = _lowest_near(self.d2, reach)
        # Indexing with [] takes four times as long as gather.
        while not torch.equal(further := to.gather(0, to), to):
            to = further
        lowest = to[first_min(self.d2.flatten())]
        return (to == lowest).view(self.d2.shape)


def survey(source: Images, target: Images) -> Survey:
    """Rotate the target by every angle and correlate it with the source at every translation; both
    are [1 c h w]."""
    sizes = check_axes(source, "1 c h w", "source")
    check_axes(target, f"1 {sizes['c']} {sizes['h']} {sizes['w']}", "target")
    if max(sizes["h"], sizes["w"]) > LARGEST:
        raise EngineError(
            f"images must be at most {LARGEST} px wide and high to compute a landscape; got "
            f"{sizes['h']}×{sizes['w']}: "
            "resize them first"
        )
    pair = _enlarge(torch.cat([source, target]))
    theta = torch.arange(TURNS, device=pair.device).to(pair) * (2 * math.pi / TURNS) - math.pi
    back = torch.stack([-theta, theta * 0, theta * 0], 1)
    turned = GROUPS["se2"].act(pair[1:].expand(TURNS, -1, -1, -1), back)
    return Survey(theta, _correlate(pair[:1], turned), pair, (sizes["h"] // 2, sizes["w"] // 2))


def _enlarge(v: Images) -> Images:
    """Centre the images on a square canvas that contains them in every rotation."""
    height, width = v.shape[-2:]
    side = math.ceil(math.hypot(height, width))
    rows, columns = ((side - size + 1) // 2 for size in (height, width))
    return functional.pad(v, (columns, columns, rows, rows))


def _correlate(v: Images, turned: Images) -> Tensor:
    """Return Σ_x v(x + b) w(x) for all translations b at which the canvases overlap, [r p q]."""
    height, width = v.shape[-2:]
    shape = (2 * height, 2 * width)
    spectrum = (torch.fft.rfft2(v, shape) * torch.fft.rfft2(turned, shape).conj()).sum(1)
    whole = torch.fft.irfft2(spectrum, shape).roll((height - 1, width - 1), (1, 2))
    return whole[:, : 2 * height - 1, : 2 * width - 1].contiguous()


def _middle(x: Tensor, axis: int, size: int) -> Tensor:
    return x.narrow(axis, (x.shape[axis] - size) // 2, size)


def _smoother(size: int, reach: int, sigma: float, like: Tensor) -> Tensor:
    """Return the banded matrix that smooths twice by a Gaussian of width σ along one axis.

    Only its middle part is returned: [2 reach + 1, number of inputs that contribute].
    """
    far = math.ceil(4 * sigma)
    place = torch.arange(size, device=like.device)
    lag = (place[:, None] - place).abs().to(like)
    kernel = torch.exp(-lag.square() / (2 * max(sigma, 1e-3) ** 2)) * (lag <= far)
    kernel = kernel / kernel[size // 2].sum()
    twice = _middle(kernel, 0, 2 * reach + 1) @ kernel
    return _middle(twice, 1, min(size, 2 * (reach + 2 * far) + 1))


def _dip(before: Tensor, here: Tensor, after: Tensor) -> Tensor:
    """Return how far the minimum of a parabola through three adjacent values lies below the middle
    value; 0 if the middle value is not the smallest."""
    bend = (before + after - 2 * here).clamp_min(1e-9)
    return torch.where(
        (before > here) & (after > here), (before - after).square() / (8 * bend), here * 0
    )


def _lowest_near(d2: Tensor, reach: int) -> Tensor:
    """Return for every pose the index [r·p·q] of the neighbouring pose with the lowest d²; angles
    are cyclic.

    Value and index are combined into one integer, so that one pass finds both the minimum and its
    index.
    """
    place = torch.arange(d2.numel(), device=d2.device)
    # Non-negative floats have the same order as their bits.
    order = d2.float().clamp_min(0).view(torch.int32)
    keys = (order.long() << PLACES) + place.view(d2.shape)
    for axis in range(3):
        keys = _least_beside(keys, axis, reach, around=axis == 0)
    to = keys.flatten() & ((1 << PLACES) - 1)
    height = order.flatten()
    return torch.where(height.gather(0, to) < height, to, place)


def _least_beside(x: Tensor, axis: int, reach: int, *, around: bool) -> Tensor:
    """Return the minimum of all values within a distance `reach` along one axis, which is cyclic if
    `around`."""
    least = x.clone()
    size = x.shape[axis]
    for far in range(1, reach + 1):
        if around:
            least = torch.minimum(least, x.roll(far, axis)).minimum(x.roll(-far, axis))
        elif far < size:
            after, before = (x.narrow(axis, start, size - far) for start in (far, 0))
            for start, beside in ((0, after), (far, before)):
                part = least.narrow(axis, start, size - far)
                torch.minimum(part, beside, out=part)
    return least
