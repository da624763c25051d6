"""Patches, and their views in a fixed set of rotations about their centres."""

import math
from typing import Annotated

import torch
from torch import Tensor, nn
from torch.nn import functional

from ia_engine.attention.layer.layer import Views
from ia_engine.errors import EngineError
from ia_engine.images import Images, check_axes, pixel_grid
from ia_engine.transforms import GROUPS

Patches = Annotated[Tensor, "b n c h w"]


class PatchViews(nn.Module):
    """Maps patches to tokens: f_m(τ) = ⟨T_m, x∘τ⟩ for t rotations τ and learned templates T_m.

    A rotation of a patch by 90° shifts its views exactly by t/4 if t is a multiple of 4; other
    rotations shift them approximately, because of interpolation.
    """

    def __init__(
        self,
        channels: int,
        size: int,
        features: int,
        turns: int = 8,
        *,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        if turns < 1:
            raise EngineError(f"turns must be at least 1; got {turns}")
        shape = (features, channels, size, size)
        templates = torch.randn(shape, device=device, dtype=dtype) / math.sqrt(channels * size**2)
        self.templates = nn.Parameter(templates)
        self.bias = nn.Parameter(torch.zeros(features, device=device, dtype=dtype))
        self.register_buffer("turning", turning(size, turns, templates), persistent=False)

    def forward(self, x: Patches) -> Views:
        _, channels, size, _ = self.templates.shape
        check_axes(x, f"b n {channels} {size} {size}", "x")
        # Templates are rotated instead of patches, because there are fewer of them.
        turned = torch.einsum("tsd,mcd->tmcs", self.turning, self.templates.flatten(2))
        views = x.flatten(2) @ turned.flatten(2).flatten(0, 1).mT
        return views.unflatten(2, (len(turned), len(self.bias))) + self.bias


def orbit(x: Patches, turns: int) -> Views:
    """Return tokens without learned templates: the patches in every rotation, with their pixels as
    features."""
    size = check_axes(x, "b n c h w", "x")["h"]
    check_axes(x, f"b n c {size} {size}", "x")
    return torch.einsum("tsd,bncs->bntcd", turning(size, turns, x), x.flatten(3)).flatten(3)


def turning(size: int, turns: int, like: Tensor) -> Tensor:
    """Return matrices [t s d] that map the pixels of a patch to those of the rotated patch, within
    a disc.

    The disc has a soft rim. It excludes the corners, which a rotation moves into or out of the
    square.
    """
    eye = torch.eye(size**2, device=like.device, dtype=like.dtype).view(-1, 1, size, size)
    angles = torch.arange(turns, device=like.device, dtype=like.dtype) * (2 * math.pi / turns)
    turned = [GROUPS["rotation"].act(eye, angle.expand(len(eye), 1)) for angle in angles]
    return torch.stack(turned).flatten(2) * disc(size, like).flatten()


def disc(size: int, like: Tensor) -> Tensor:
    """Return a mask of the circle inscribed in a square patch: 1 inside and 0 outside, with a
    transition one pixel wide."""
    return (size / 2 + 0.5 - pixel_grid(size, size, like).norm(dim=-1)).clamp(0, 1)


def cut_patches(v: Images, size: int, stride: int) -> Patches:
    """Return all patches of the given size in row order; adjacent patches are `stride` pixels
    apart."""
    channels = check_axes(v, "n c h w", "v")["c"]
    columns = functional.unfold(v, size, stride=stride)
    return columns.mT.unflatten(2, (channels, size, size))
