"""Soft dilation and erosion, equation (6) of DTI clustering with a[u', v'] on the window W = 7×7:

T(x)[u] = Σ_W a[u'] x[u+u'] e^(α x[u+u']) / Σ_W a[u'] e^(α x[u+u']), a ∈ [0, 1].
"""

from collections.abc import Callable
from typing import Final, Protocol

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional

from ia_engine.images import Images, Poses, check_axes
from ia_engine.params import Range
from ia_engine.transforms.base import Coordinates, Transform

WINDOW = 7
SHARPNESS = Range(
    "α",
    -50,
    50,
    "dilation if positive (the brightest pixel of the window dominates), erosion if "
    "negative (the darkest pixel dominates)",
)
REGION = Range("a", 0, 1, "value added to the weight of a pixel of the window")
STEEPEST: Final = 30.0
"""Largest |α| (max x - min x) / 2 at which convolutions are used. Above it, products of
exponentials overflow in float32, so the image is computed window by window."""
STEEPEST_SIGNED: Final = 80.0
LEAST: Final = 0.01
"""Minimum sum of a over the window for which (6) is used as printed, since it divides by 0 if every
a is 0. As the sum falls from this value to 0, the result changes gradually from (6) to the
input."""


class Morphology(Transform):
    """Equation (6) with coordinates (α, t row by row), where a = t + 1 at the centre and a = t
    elsewhere.

    a is clamped to [0, 1]; its gradient passes if descent moves it back into [0, 1]. At 0, the map
    is exactly the identity and has a non-zero derivative. Outside the canvas the nearest pixel is
    repeated, so that all results lie between the minimum and the maximum of the channel.
    """

    name = "morphology"

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (Coordinates("sharpness", SHARPNESS), Coordinates("window", REGION, WINDOW**2))

    def act(self, v: Images, tau: Poses) -> Images:
        check_axes(tau, f"{len(v)} {1 + WINDOW**2}", "tau")
        if v.numel() == 0:  # a convolution with zero groups is an error
            return v
        alpha, centre = tau[:, :1, None, None], _centre(tau)
        a = clamp_weights(tau[:, 1:] + centre)
        x = functional.pad(v, (WINDOW // 2,) * 4, mode="replicate")
        low, high = (bound[:, None, None, None] for bound in v.detach().flatten(1).aminmax(dim=1))
        steep = (alpha.detach().abs() * (high - low) / 2 > STEEPEST).flatten().nonzero()[:, 0]
        # The ratio does not depend on this shift, which keeps the exponentials finite.
        e = (alpha * (x - (low + high) / 2)).clamp(-STEEPEST, STEEPEST).exp()
        around = a * (1 - centre)
        pulled, moved = _correlate(e * x, around), _correlate(e, around)
        whole = _correlate(e, a)
        change = (pulled - v * moved) / whole.where(whole > 0, 1)
        if len(steep):
            exact = [_change_by_window(v[i], x[i], alpha[i], a[i]) for i in steep.tolist()]
            change = change.index_copy(0, steep, torch.stack(exact))
        result = v + change * (a.sum(1) / LEAST).clamp_max(1)[:, None, None, None]
        least, most = (bound[..., None, None] for bound in v.detach().flatten(2).aminmax(dim=2))
        # The clamp corrects rounding errors only.
        return result + (result.clamp(least, most) - result).detach()


def clamp_weights(t: Tensor) -> Tensor:
    """Return t clamped to [0, 1]; the gradient passes if descent moves t into or within [0, 1].

    A plain clamp has no gradient outside [0, 1], so a weight could never return.
    """
    clamp: Callable[[Tensor], Tensor] = _Clamp.apply
    return clamp(t)


def _change_by_window(v: Tensor, x: Tensor, alpha: Tensor, a: Tensor) -> Tensor:
    """Return T(v) - v for one image v [c h w]; x is v with margins. Exponents are relative to the
    largest one in each window."""
    windows = x.unfold(1, WINDOW, 1).unfold(2, WINDOW, 1).flatten(-2)
    exponent = alpha * windows
    top = exponent.detach().masked_fill(a == 0, -torch.inf).amax(-1, keepdim=True)
    # Pixels with weight 0 may exceed the maximum; clamping keeps their gradients finite.
    e = (exponent - top.where(top.isfinite(), 0)).clamp(-STEEPEST, STEEPEST).exp()
    whole = (a * e).sum(-1)
    return (a * e * (windows - v[..., None])).sum(-1) / whole.where(whole > 0, 1)


def _centre(tau: Poses) -> Tensor:
    """Return a window [7·7] that is 1 at its centre and 0 elsewhere."""
    centre = tau.new_zeros(WINDOW**2)
    centre[WINDOW**2 // 2] = 1
    return centre


class SignedMorphology(Transform):
    """A variant of (6) for any sign of a, divided by the sum of |a|; results may leave [0, 1].

    For a ≥ 0 it equals (6), with zeros outside the canvas. Data sets and earlier runs use it.
    Rewritten relative to x[u], it is x + Σ a (x[u+u'] - x[u]) e / Σ |a| e.
    """

    name = "morphology-signed"

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (Coordinates("sharpness", SHARPNESS), Coordinates("window", REGION, WINDOW**2))

    def act(self, v: Images, tau: Poses) -> Images:
        check_axes(tau, f"{len(v)} {1 + WINDOW**2}", "tau")
        if v.numel() == 0:  # a convolution with zero groups is an error
            return v
        alpha, added, centre = tau[:, :1, None, None], tau[:, 1:], _centre(tau)
        x = functional.pad(v, (WINDOW // 2,) * 4)
        around, weight = added * (1 - centre), (added + centre).abs()
        low, high = (bound[:, None, None, None] for bound in x.detach().flatten(1).aminmax(dim=1))
        steepness = alpha.detach().abs() * (high - low) / 2
        steep = (steepness > STEEPEST_SIGNED).flatten().nonzero()[:, 0]
        # The ratio does not depend on this shift, which keeps the exponentials of most images
        # finite.
        exponent = alpha * (x - (low + high) / 2)
        if len(steep):
            exponent = exponent.clamp(-STEEPEST_SIGNED, STEEPEST_SIGNED)
        e = exponent.exp()
        pulled, moved = _correlate(e * x, around), _correlate(e, around)
        result = v + (pulled - v * moved) / _correlate(e, weight)
        exact = [_by_window(v[i], x[i], alpha[i], around[i], weight[i]) for i in steep.tolist()]
        return result.index_copy(0, steep, torch.stack(exact)) if exact else result


class DrawnMorphology(SignedMorphology):
    """The variant for data sets, restricted to a ≥ 0. Saved recipes refer to it by its name."""

    name = "morphology"


def _by_window(v: Tensor, x: Tensor, alpha: Tensor, around: Tensor, weight: Tensor) -> Tensor:
    """Return the signed variant for one image v [c h w], window by window; x is v with margins."""
    windows = x.unfold(1, WINDOW, 1).unfold(2, WINDOW, 1).flatten(-2)
    exponent = alpha * windows
    top = (exponent + weight.log()).detach().amax(-1, keepdim=True)
    # Pixels with weight 0 may exceed the maximum; without clamping, 0 · ∞ would occur.
    e = (exponent - top).clamp_max(STEEPEST_SIGNED).exp()
    pull = (around * e * (windows - v[..., None])).sum(-1)
    return v + pull / (weight * e).sum(-1)


def _correlate(maps: Images, windows: Tensor) -> Tensor:
    """Convolve each map [n c h w] with its own window [n 7·7], in one grouped convolution."""
    n, channels = maps.shape[:2]
    kernels = windows.view(n, 1, 1, WINDOW, WINDOW).expand(-1, channels, -1, -1, -1)
    correlate: Callable[[Tensor, Tensor], Tensor] = _Correlation.apply
    result = correlate(maps.flatten(0, 1)[None], kernels.flatten(0, 1))
    return result.view(n, channels, *result.shape[2:])


class _Context(Protocol):
    """The context that torch passes to the forward and backward functions."""

    saved_tensors: tuple[Tensor, ...]
    needs_input_grad: tuple[bool, ...]

    def save_for_backward(self, *tensors: Tensor) -> None: ...


class _Clamp(Function):
    """The clamp that `clamp_weights` applies."""

    @staticmethod
    def forward(ctx: _Context, t: Tensor) -> Tensor:
        ctx.save_for_backward(t)
        return t.clamp(0, 1)

    @staticmethod
    def backward(ctx: _Context, slope: Tensor) -> Tensor:
        (t,) = ctx.saved_tensors
        blocked = ((t <= 0) & (slope > 0)) | ((t >= 1) & (slope < 0))
        return slope.masked_fill(blocked, 0)


class _Correlation(Function):
    """Convolution of maps [1 g h w] with kernels [g 1 7 7], whose gradient is computed as a
    convolution too.

    Torch's own gradient of a grouped convolution with respect to its kernels takes twenty times as
    long.
    """

    @staticmethod
    def forward(ctx: _Context, maps: Tensor, kernels: Tensor) -> Tensor:
        ctx.save_for_backward(maps, kernels)
        return functional.conv2d(maps, kernels, groups=len(kernels))

    @staticmethod
    def backward(ctx: _Context, slope: Tensor) -> tuple[Tensor | None, Tensor | None]:
        maps, kernels = ctx.saved_tensors
        groups, by_maps, by_kernels = len(kernels), None, None
        if ctx.needs_input_grad[0]:
            wide = functional.pad(slope, (WINDOW - 1,) * 4)
            by_maps = functional.conv2d(wide, kernels.flip(2, 3), groups=groups)
        if ctx.needs_input_grad[1]:
            by_kernels = functional.conv2d(maps, slope.movedim(0, 1), groups=groups).movedim(0, 1)
        return by_maps, by_kernels
