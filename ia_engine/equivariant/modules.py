"""Group convolution and attentive group convolution as modules for any network (eq. 11-20)."""

from dataclasses import replace
from typing import Annotated, final

import torch
from torch import Generator, Tensor, nn

from ia_engine.equivariant.architectures import ATTENTIONS, Builder
from ia_engine.equivariant.groups import GROUPS, FiniteGroup
from ia_engine.equivariant.layers import Layer, Maps
from ia_engine.errors import EngineError

OnGroup = Annotated[Tensor, "n c h y x"]
"""Features on the group; h is the group axis. Pictures [n c y x] have no group axis."""


@final
class GroupConv(nn.Module):
    """A convolution that is equivariant to rotations by 90° (p4) and to reflections (p4m).

    With `lifts`, the input are pictures [n source y x], otherwise features [n source h y x] on the
    group. The output [n filters h y x] is always on the group; its maximum or mean over h does not
    depend on the orientation of the picture. `seed` determines the initial weights.

    >>> import torch
    >>> from ia_engine import GroupConv
    >>> lift, convolve = GroupConv(1, 4, 3, lifts=True, seed=0), GroupConv(4, 2, 3, seed=1)
    >>> picture = torch.rand(1, 1, 9, 9, device="cpu")
    >>> features = convolve(lift(picture))
    >>> features.shape
    torch.Size([1, 2, 4, 5, 5])
    >>> turned = convolve(lift(picture.rot90(1, (-2, -1))))
    >>> torch.allclose(turned.amax(2), features.amax(2).rot90(1, (-2, -1)), atol=1e-5)
    True
    """

    def __init__(
        self,
        source: int,
        filters: int,
        kernel: int,
        group: str = "p4",
        *,
        lifts: bool = False,
        stride: int = 1,
        padding: int = 0,
        seed: int | None = None,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        builder = Builder(_find_group(group), "none", device=device, dtype=dtype)
        self.lifts = lifts
        self.layer = _build(
            _seed(builder, seed), (source, filters, kernel), lifts, stride=stride, padding=padding
        )

    def forward(self, f: Tensor) -> OnGroup:
        found: Tensor = self.layer(_on_group(f, self.lifts))
        return found


@final
class AttentiveGroupConv(nn.Module):
    """A group convolution whose input or responses are weighted by equivariant attention.

    `attention` is one of "f" (α_F: attention to the input, the paper's fast form), "rh", "full"
    (α: attention to every response), "ch" and "sp" (only channels, only positions). `window` is the
    side of the attention window [px], and `hidden` the number of channels between the two maps of
    channel attention (default: half of `source`). The axes are those of `GroupConv`.

    >>> import torch
    >>> from ia_engine import AttentiveGroupConv
    >>> layer = AttentiveGroupConv(1, 4, 3, lifts=True, window=5, seed=0)
    >>> picture = torch.rand(1, 1, 9, 9, device="cpu")
    >>> layer(picture).shape
    torch.Size([1, 4, 4, 7, 7])
    >>> layer.maps(picture).spatial.shape  # the attention that is subtracted, for every pose
    torch.Size([1, 4, 9, 9])
    """

    def __init__(
        self,
        source: int,
        filters: int,
        kernel: int,
        group: str = "p4",
        *,
        attention: str = "f",
        lifts: bool = False,
        stride: int = 1,
        padding: int = 0,
        window: int = 7,
        hidden: int | None = None,
        seed: int | None = None,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        if attention not in ATTENTIONS[1:]:
            raise EngineError(
                f"attention must be one of {', '.join(ATTENTIONS[1:])}; got {attention!r}: use "
                "GroupConv for a convolution without attention"
            )
        builder = Builder(_find_group(group), attention, device=device, dtype=dtype)
        if hidden is not None:
            builder = replace(builder, hidden=lambda _: hidden)
        self.lifts = lifts
        self.layer = _build(
            _seed(builder, seed),
            (source, filters, kernel),
            lifts,
            stride=stride,
            padding=padding,
            window=window,
        )

    def forward(self, f: Tensor) -> OnGroup:
        found: Tensor = self.layer(_on_group(f, self.lifts))
        return found

    def maps(self, f: Tensor) -> Maps:
        """Return the attention of the layer to f."""
        found = self.layer.maps(_on_group(f, self.lifts))
        assert found is not None
        return found


def _seed(builder: Builder, seed: int | None) -> Builder:
    """Return a builder that draws its weights with a seed, if there is one."""
    if seed is None:
        return builder
    return replace(builder, generator=Generator("cpu").manual_seed(seed))


def _find_group(name: str) -> FiniteGroup:
    if name not in GROUPS:
        raise EngineError(f"group must be one of {', '.join(GROUPS)}; got {name!r}")
    return GROUPS[name]


def _build(
    builder: Builder,
    sizes: tuple[int, int, int],
    lifts: bool,
    *,
    stride: int,
    padding: int,
    window: int = 1,
) -> Layer:
    """Build a layer from the numbers of its inputs and filters and the side of its kernel."""
    names = ("source", "filters", "kernel", "stride", "window")
    for name, size in zip(names, (*sizes, stride, window), strict=True):
        if size < 1:
            raise EngineError(f"{name} must be at least 1; got {size}")
    if not lifts:
        return builder.convolve(*sizes, stride=stride, padding=padding, window=window)
    if stride != 1:
        raise EngineError(f"stride must be 1 if a layer lifts pictures to the group; got {stride}")
    return builder.lift(*sizes, padding=padding, window=window)


def _on_group(f: Tensor, lifts: bool) -> OnGroup:
    """Return f [n c h y x]; a picture has a single pose."""
    axes = 4 if lifts else 5
    if f.ndim != axes:
        wanted = "pictures [n c y x]" if lifts else "features [n c h y x] of a lifting layer"
        raise EngineError(f"this layer needs {wanted}; got the shape {tuple(f.shape)}")
    return f[:, :, None] if lifts else f
