"""Keys' interpolation together with its slope: the d(v∘τ)/dτ of Invariant Attention, section 2.4.

v∘τ = Σ_kl v_kl φ(τ_p - k) φ(τ_q - l), so its slope has φ' in place of one φ. Between two pixels φ
is a cubic for each of the four pixels around, and φ' that cubic's derivative.
"""

import torch
from torch import Tensor
from torch.nn import functional

from ia_engine.shapes import Field, Images, check_axes

CUBICS = (
    (0.0, -0.5, 1.0, -0.5),
    (1.0, 0.0, -2.5, 1.5),
    (0.0, 0.5, 2.0, -1.5),
    (0.0, 0.0, -0.5, 0.5),
)
"""φ(t + 1), φ(t), φ(t - 1) and φ(t - 2) for 0 ≤ t < 1: the coefficients of 1, t, t² and t³."""
RIM = 3
"""Points farther outside than this [px] read 0, as they would there."""


def read_slopes(v: Images, field: Field) -> tuple[Images, Tensor]:
    """v at the points of field [px], and its derivatives by them, [n c h w 2] per px."""
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
    """φ and φ' of the four pixels around, [4 n s 2] each, at t [n s 2] between the middle two."""
    cubics = t.new_tensor(CUBICS)
    power = torch.stack([torch.ones_like(t), t, t**2, t**3])
    slope = torch.stack([torch.zeros_like(t), torch.ones_like(t), 2 * t, 3 * t**2])
    return torch.einsum("ax,x...->a...", cubics, power), torch.einsum(
        "ax,x...->a...", cubics, slope
    )


def _gather(v: Images, first: Tensor) -> Tensor:
    """The 4×4 pixels from `first` [n s 2] on, [n c 16·s]; 0 outside the canvas."""
    margin = RIM + 2
    stride = v.shape[-1] + 2 * margin
    step = torch.arange(4, device=v.device)
    taps = (step[:, None] * stride + step).flatten()
    place = (first[..., 0] + margin) * stride + first[..., 1] + margin
    index = (place[:, None] + taps[:, None]).flatten(1)
    flat = functional.pad(v, (margin,) * 4).flatten(2)
    return flat.gather(2, index[:, None].expand(-1, v.shape[1], -1))
