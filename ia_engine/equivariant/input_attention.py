"""Attention to the input of a convolution: α_F (3.4, eq. 20), and the earlier α_RH.

A picture that is lifted has no poses yet. Its places are attended by a lifting of their own, so
that every pose h reads the picture through a map of its own; its channels are attended alike.
"""

import torch
from torch import Generator, Tensor, nn

from ia_engine.equivariant.convolution import Convolution, Device
from ia_engine.equivariant.groups import Z2, FiniteGroup
from ia_engine.equivariant.layers import Layer, Maps


class InputAttention(nn.Module):
    """α_F: channels by two convolutions on H, places by one 7×7 convolution on G."""

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
            # On a picture a 1×1 filter is the same in all poses: one of them is enough.
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
        """α_C [n c h 1 1], α_C f, and α_X [n 1 h y x]."""
        average, top = f.mean((3, 4), keepdim=True), f.amax((3, 4), keepdim=True)
        hidden: Tensor = self.down(average).relu() + self.down(top).relu()
        channel: Tensor = self.up(hidden).sigmoid()
        weighed = channel * f
        statistics = torch.stack([weighed.mean(1), weighed.amax(1)], 1)
        spatial: Tensor = self.places(statistics).sigmoid()
        return channel, weighed, spatial


class PoseAttention(nn.Module):
    """α_RH: one value for every place and pose, by a 1×1 convolution on the group."""

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
    """f - α_X α_C f, convolved: the residual branch of section 3.3."""

    def __init__(self, attention: InputAttention | PoseAttention, convolution: Convolution) -> None:
        super().__init__()
        self.attention, self.convolution = attention, convolution

    def forward(self, f: Tensor) -> Tensor:
        attended: Tensor = self.attention(f)
        if attended.shape[2] > self.convolution.depth:  # a picture for every pose
            return self.convolution.each_pose(attended)
        found: Tensor = self.convolution(attended)
        return found

    def maps(self, f: Tensor) -> Maps | None:
        return self.attention.maps(f)
