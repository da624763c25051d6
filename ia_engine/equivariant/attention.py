"""Attention during the convolution: α, α_CH and α_SP (eq. 14-19), on a residual branch (3.3).

The responses R [n i h~ o h y x] are never stored. The sum of α_C R over the I channels is I times
its mean, so out = f ⋆ ψ - Σ_h~ α_X Σ_i α_C R needs R itself only for two maxima. The stored arrays
have the axes [n i h~ o h] for statistics over positions, and [n h~ o h y x] for statistics over
channels.

The module also implements attention to the input of a convolution: α_F (3.4, eq. 20) and the
earlier α_RH. Before the lifting, a picture has no poses. Its spatial attention is therefore a
separate lifting, which gives every pose h its own map of the picture. Its channel attention is the
same for all poses.
"""

import math
from typing import Final

import torch
from torch import Generator, Tensor, nn
from torch.nn import functional

from ia_engine.equivariant.groups import Z2, FiniteGroup, Table, indices
from ia_engine.equivariant.layers import Convolution, Device, Layer, Maps, draw, turn_filters
from ia_engine.equivariant.responses import (
    Window,
    maximum_over_places,
    mean_over_places,
    pool_over_channels,
    subtract_gated,
)


class InputAttention(nn.Module):
    """α_F: channel attention from two convolutions on H, and spatial attention from one on G."""

    def __init__(
        self,
        group: FiniteGroup,
        source: int,
        hidden: int,
        kernel: int,
        *,
        lifts: bool,
        generator: Generator | None = None,
        device: Device = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()

        def convolve(i: int, o: int, k: int) -> Convolution:
            # On a picture, a 1×1 filter is the same for all poses, so one pose is enough.
            acting = Z2 if lifts and k == 1 else group
            return Convolution(
                acting, i, o, k, lifts=lifts, padding=k // 2,
                generator=generator, device=device, dtype=dtype,
            )  # fmt: skip

        self.down = convolve(source, hidden, 1)
        self.up = convolve(hidden, source, 1)
        self.places = convolve(2, 1, kernel)

    def forward(self, f: Tensor) -> Tensor:
        _, weighed, spatial = self._weigh(f)
        return torch.addcmul(f, spatial, weighed, value=-1)

    def maps(self, f: Tensor) -> Maps:
        channel, _, spatial = self._weigh(f)
        return Maps(spatial[:, 0], channel[..., 0, 0])

    def _weigh(self, f: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return α_C [n c h 1 1], α_C f, and α_X [n 1 h y x]."""
        average, top = f.mean((3, 4), keepdim=True), f.amax((3, 4), keepdim=True)
        hidden: Tensor = self.down(average).relu() + self.down(top).relu()
        channel: Tensor = self.up(hidden).sigmoid()
        weighed = channel * f
        statistics = torch.stack([weighed.mean(1), weighed.amax(1)], 1)
        spatial: Tensor = self.places(statistics).sigmoid()
        return channel, weighed, spatial


class PoseAttention(nn.Module):
    """α_RH: one value for every position and pose, from a 1×1 convolution on the group."""

    def __init__(
        self,
        group: FiniteGroup,
        source: int,
        *,
        lifts: bool,
        generator: Generator | None = None,
        device: Device = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        acting = Z2 if lifts else group
        self.poses = Convolution(
            acting, source, 1, 1, lifts=lifts, generator=generator, device=device, dtype=dtype
        )

    def forward(self, f: Tensor) -> Tensor:
        spatial: Tensor = self.poses(f).sigmoid()
        return torch.addcmul(f, spatial, f, value=-1)

    def maps(self, f: Tensor) -> Maps:
        return Maps(self.poses(f).sigmoid()[:, 0], None)


class AttendedInput(Layer):
    """A convolution of f - α_X α_C f, the residual branch of section 3.3."""

    def __init__(self, attention: InputAttention | PoseAttention, convolution: Convolution) -> None:
        super().__init__()
        self.attention, self.convolution = attention, convolution

    def forward(self, f: Tensor) -> Tensor:
        attended: Tensor = self.attention(f)
        if attended.shape[2] > self.convolution.depth:  # each pose has its own picture
            return self.convolution.each_pose(attended)
        found: Tensor = self.convolution(attended)
        return found

    def maps(self, f: Tensor) -> Maps | None:
        return self.attention.maps(f)


BLOCK: Final = 1_000_000
"""Number of values in a map [n h~ o h y x] that are processed at a time."""


class ResponseChannels(nn.Module):
    """α_C(h, h~) = σ(W2 [W1 s_avg]⁺ + W2 [W1 s_max]⁺), with W shifted to W(h⁻¹h~) (eq. 17)."""

    index: Tensor

    def __init__(
        self,
        group: FiniteGroup,
        source: int,
        filters: int,
        hidden: int,
        *,
        lifts: bool,
        generator: Generator | None = None,
        device: Device = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        table: Table = tuple((0,) for _ in group.table) if lifts else group.shifts
        self.register_buffer("index", torch.tensor(table, device=device), persistent=False)
        poses = len(table[0])
        down = draw(filters, poses, hidden, source, generator=generator, dtype=dtype)
        up = draw(filters, poses, source, hidden, generator=generator, dtype=dtype)
        self.down = nn.Parameter((down * math.sqrt(2 / source)).to(device))
        self.up = nn.Parameter((up * math.sqrt(2 / hidden)).to(device))

    def forward(self, average: Tensor, top: Tensor) -> Tensor:
        """Return α_C. Like both statistics, it has the axes [n i h~ o h]."""
        down, up = (w[:, self.index] for w in (self.down, self.up))  # [o h h~ . .]
        hidden = sum(torch.einsum("nitoh,ohtji->nohtj", s, down).relu() for s in (average, top))
        return torch.einsum("nohtj,ohtij->nitoh", hidden, up).sigmoid()


class ResponsePlaces(nn.Module):
    """α_X(x, h, h~) = σ([s_X ⋆ L_h ψ_X](x, h~)), with one ψ_X per filter (eq. 18)."""

    index: Tensor

    def __init__(
        self,
        group: FiniteGroup,
        filters: int,
        kernel: int,
        *,
        lifts: bool,
        generator: Generator | None = None,
        device: Device = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        index = indices(group, kernel, lifts)
        self.kernel = kernel
        self.register_buffer("index", torch.tensor(index, device=device), persistent=False)
        scale = math.sqrt(1 / kernel**2)
        weight = draw(filters, 2, len(index[0]), generator=generator, dtype=dtype)
        self.weight = nn.Parameter((weight * scale).to(device))

    def forward(self, total: Tensor, top: Tensor, count: int) -> Tensor:
        """Return α_X before the σ, computed from the sum and the maximum over `count` channels; all
        have the axes [n h~ o h y x]."""
        shape = total.shape
        weight = turn_filters(self.weight, self.index)
        weight = weight.unflatten(3, (shape[1], self.kernel, self.kernel))
        weight = weight.permute(3, 0, 1, 2, 4, 5).flatten(0, 2)  # [h~oh 2 k k]
        average = self._convolve(total, weight[:, :1] / count)
        found = average + self._convolve(top, weight[:, 1:])
        if found.requires_grad:  # this layout is four times faster
            found.register_hook(_channels_last)
        return found.contiguous().view(shape)

    def _convolve(self, s: Tensor, weight: Tensor) -> Tensor:
        """Convolve every map with its own filter."""
        maps = _channels_last(s.flatten(1, 3))
        return functional.conv2d(maps, weight, padding=self.kernel // 2, groups=len(weight))


class ResponseAttention(Layer):
    """α: channel attention, followed by spatial attention. α_CH and α_SP omit one of them."""

    def __init__(
        self,
        convolution: Convolution,
        channels: ResponseChannels | None,
        places: ResponsePlaces | None,
    ) -> None:
        super().__init__()
        self.convolution, self.channels, self.places = convolution, channels, places

    def forward(self, f: Tensor) -> Tensor:
        plain: Tensor = self.convolution(f)
        filters = self._filters()
        blocks = zip(plain.split(self._block(plain)), f.split(self._block(plain)), strict=True)
        return torch.cat([self._subtract(block, x, filters) for block, x in blocks])

    def _subtract(self, plain: Tensor, f: Tensor, filters: Tensor) -> Tensor:
        """Return plain - Σ_i,h~ α_X α_C R."""
        alpha = self._attend_channels(f, filters)
        if self.places is None:
            return plain - self._weighed_sum(f, filters, alpha).view_as(plain)
        return subtract_gated(plain, *self._attend_places(f, filters, alpha))

    def _block(self, plain: Tensor) -> int:
        """Return the number of samples per block whose maps fit into the cache."""
        return max(1, BLOCK // (plain[0].numel() * self.convolution.depth))

    def maps(self, f: Tensor) -> Maps | None:
        filters = self._filters()
        alpha = self._attend_channels(f, filters)
        places = None if self.places is None else self._attend_places(f, filters, alpha)[1]
        spatial = None if places is None else places.sigmoid()
        shape = self.convolution.fibre
        return Maps(spatial, None if self.channels is None else alpha.unflatten(3, shape))

    @property
    def window(self) -> Window:
        c = self.convolution
        return Window(c.kernel, c.stride, c.padding)

    def _filters(self) -> Tensor:
        """Return the transformed filters, [i h~ oh kk]."""
        return self.convolution.turned().flatten(4).flatten(0, 1).permute(1, 2, 0, 3).contiguous()

    def _attend_channels(self, f: Tensor, filters: Tensor) -> Tensor:
        """Return α_C [n i h~ oh], or ones if there is no channel attention."""
        if self.channels is None:
            return f.new_ones(len(f), *filters.shape[:3])
        shape = self.convolution.fibre
        average = mean_over_places(f, filters, self.window).unflatten(3, shape)
        top = maximum_over_places(f, filters, self.window)
        alpha: Tensor = self.channels(average, top.unflatten(3, shape))
        return alpha.flatten(3)

    def _attend_places(self, f: Tensor, filters: Tensor, alpha: Tensor) -> tuple[Tensor, Tensor]:
        """Return Σ_i α_C R, and α_X before the σ, both [n h~ o h y x]."""
        assert self.places is not None
        shape = self.convolution.fibre
        plane = tuple(self.window.side(length) for length in f.shape[-2:])
        total, top = (
            s.unflatten(2, shape).unflatten(4, plane)
            for s in pool_over_channels(f, filters, alpha, self.window)
        )
        spatial: Tensor = self.places(total, top, f.shape[1])
        return total, spatial

    def _weighed_sum(self, f: Tensor, filters: Tensor, alpha: Tensor) -> Tensor:
        """Return Σ_i,h~ α_C R [n oh y x]. Each sample has its own filters."""
        k, stride, padding = self.window.kernel, self.window.stride, self.window.padding
        own = (filters * alpha[..., None]).permute(0, 3, 1, 2, 4).flatten(0, 1).flatten(1, 2)
        samples = f.flatten(0, 2)[None]
        own = own.unflatten(2, (k, k))
        found = functional.conv2d(samples, own, None, stride, padding, 1, len(f))
        return found.unflatten(1, (len(f), -1))[0]


def _channels_last(f: Tensor) -> Tensor:
    return f.contiguous(memory_format=torch.channels_last)
