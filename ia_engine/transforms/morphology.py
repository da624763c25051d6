"""Soft dilation and erosion, equation (6) of DTI clustering with a[u', v'] on the window W = 7×7:

T(x)[u] = Σ_W a[u'] x[u+u'] e^(α x[u+u']) / Σ_W a[u'] e^(α x[u+u']).
"""

from collections.abc import Callable
from typing import Protocol

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional

from ia_engine.params import Range
from ia_engine.shapes import Images, Poses, check_axes
from ia_engine.transforms.base import Coordinates, Transform

WINDOW = 7
SHARPNESS = Range(
    "α", -50, 50, "above 0 the brightest of the window wins (dilation), below the darkest"
)
STEEPEST = 80.0
"""Beyond e^±80 a float32 is soon infinite or 0: such an image is done window by window."""
REGION = Range(
    "a", 0, 1, "adds this pixel to the window; even below 0, where values move away from it"
)


class Morphology(Transform):
    """Coordinates (α, a by rows), where a is 1 at the centre and 0 elsewhere before they are added.

    With x[u] taken out, (6) is x + Σ a (x[u+u'] - x[u]) e / Σ a e. With |a| in the denominator it
    is the same where a ≥ 0, and a passes through 0 smoothly: 0 is the identity, and not flat.
    """

    name = "morphology"

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (Coordinates("sharpness", SHARPNESS), Coordinates("window", REGION, WINDOW**2))

    def act(self, v: Images, tau: Poses) -> Images:
        check_axes(tau, f"{len(v)} {1 + WINDOW**2}", "tau")
        if v.numel() == 0:  # a convolution of no groups is an error
            return v
        alpha, added = tau[:, :1, None, None], tau[:, 1:]
        centre = tau.new_zeros(WINDOW**2)
        centre[WINDOW**2 // 2] = 1
        x = functional.pad(v, (WINDOW // 2,) * 4)
        around, weight = added * (1 - centre), (added + centre).abs()
        low, high = (bound[:, None, None, None] for bound in x.detach().flatten(1).aminmax(dim=1))
        steep = (alpha.detach().abs() * (high - low) / 2 > STEEPEST).flatten().nonzero()[:, 0]
        # The ratio does not know this shift; it keeps the exponentials of most images finite.
        exponent = alpha * (x - (low + high) / 2)
        e = (exponent.clamp(-STEEPEST, STEEPEST) if len(steep) else exponent).exp()
        pulled, moved = _correlate(e * x, around), _correlate(e, around)
        result = v + (pulled - v * moved) / _correlate(e, weight)
        exact = [_by_window(v[i], x[i], alpha[i], around[i], weight[i]) for i in steep.tolist()]
        return result.index_copy(0, steep, torch.stack(exact)) if exact else result


def _by_window(v: Tensor, x: Tensor, alpha: Tensor, around: Tensor, weight: Tensor) -> Tensor:
    """One image [c h w] with its margins x, each window shifted by its own greatest exponent."""
    windows = x.unfold(1, WINDOW, 1).unfold(2, WINDOW, 1).flatten(-2)
    exponent = alpha * windows
    top = (exponent + weight.log()).detach().amax(-1, keepdim=True)
    # What has no weight may rise above the top; without a bound 0 · ∞ would follow.
    e = (exponent - top).clamp_max(STEEPEST).exp()
    pull = (around * e * (windows - v[..., None])).sum(-1)
    return v + pull / (weight * e).sum(-1)


def _correlate(maps: Images, windows: Tensor) -> Tensor:
    """Each map [n c h w] with its own window [n 7·7]: one grouped convolution."""
    n, channels = maps.shape[:2]
    kernels = windows.view(n, 1, 1, WINDOW, WINDOW).expand(-1, channels, -1, -1, -1)
    correlate: Callable[[Tensor, Tensor], Tensor] = _Correlation.apply
    result = correlate(maps.flatten(0, 1)[None], kernels.flatten(0, 1))
    return result.view(n, channels, *result.shape[2:])


class _Context(Protocol):
    """What torch hands to both halves of a function."""

    saved_tensors: tuple[Tensor, ...]
    needs_input_grad: tuple[bool, ...]

    def save_for_backward(self, *tensors: Tensor) -> None: ...


class _Correlation(Function):
    """Maps [1 g h w] with kernels [g 1 7 7]: the slope in a kernel is a convolution as well.

    Torch's own gradient of a grouped convolution takes twenty times as long for the kernels.
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
