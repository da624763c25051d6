"""One kind of attention for all layers of a network, and the layers made with it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import torch
from torch import Generator

from ia_engine.equivariant.convolution import Convolution, Device
from ia_engine.equivariant.groups import FiniteGroup
from ia_engine.equivariant.input_attention import AttendedInput, InputAttention, PoseAttention
from ia_engine.equivariant.layers import GroupBatchNorm, Layer, PlainLayer
from ia_engine.equivariant.response_attention import (
    ResponseAttention,
    ResponseChannels,
    ResponsePlaces,
)
from ia_engine.errors import EngineError

ATTENTIONS: Final = ("none", "rh", "ch", "sp", "f", "full")


@dataclass(frozen=True, eq=False)
class Builder:
    """Makes the layers of one network; its generator draws their weights."""

    group: FiniteGroup
    attention: str = "none"
    hidden: Callable[[int], int] = lambda channels: max(1, channels // 2)
    """How many channels are left between W1 and W2."""
    generator: Generator | None = None
    device: Device = None
    dtype: torch.dtype | None = None

    def __post_init__(self) -> None:
        if self.attention not in ATTENTIONS:
            raise EngineError(
                f"attention is one of {', '.join(ATTENTIONS)}; got {self.attention!r}"
            )

    def lift(
        self, source: int, filters: int, kernel: int, *, padding: int = 0, window: int = 7
    ) -> Layer:
        """From a picture [n c 1 y x] to the group."""
        return self._attend(source, filters, self._convolve(source, filters, kernel, 1, padding,
                            lifts=True), window, lifts=True)  # fmt: skip

    def convolve(
        self,
        source: int,
        filters: int,
        kernel: int,
        *,
        stride: int = 1,
        padding: int = 0,
        window: int = 7,
    ) -> Layer:
        """From the group to the group; the attention looks through window² places."""
        convolution = self._convolve(source, filters, kernel, stride, padding, lifts=False)
        return self._attend(source, filters, convolution, window, lifts=False)

    def normalise(self, channels: int) -> GroupBatchNorm:
        return GroupBatchNorm(channels, self.device, self.dtype)

    def _convolve(
        self, source: int, filters: int, kernel: int, stride: int, padding: int, *, lifts: bool
    ) -> Convolution:
        return Convolution(
            self.group,
            source,
            filters,
            kernel,
            lifts=lifts,
            stride=stride,
            padding=padding,
            generator=self.generator,
            device=self.device,
            dtype=self.dtype,
        )

    def _attend(
        self, source: int, filters: int, convolution: Convolution, window: int, *, lifts: bool
    ) -> Layer:
        if self.attention == "none":
            return PlainLayer(convolution)
        if self.attention in ("rh", "f"):
            return AttendedInput(self._to_input(source, window, lifts), convolution)
        places = channels = None
        if self.attention != "sp":
            channels = ResponseChannels(
                self.group, source, filters, self.hidden(source), lifts=lifts,
                generator=self.generator, device=self.device, dtype=self.dtype,
            )  # fmt: skip
        if self.attention != "ch":
            places = ResponsePlaces(
                self.group, filters, window, lifts=lifts,
                generator=self.generator, device=self.device, dtype=self.dtype,
            )  # fmt: skip
        return ResponseAttention(convolution, channels, places)

    def _to_input(self, source: int, window: int, lifts: bool) -> InputAttention | PoseAttention:
        if self.attention == "rh":
            return PoseAttention(
                self.group, source, lifts=lifts,
                generator=self.generator, device=self.device, dtype=self.dtype,
            )  # fmt: skip
        return InputAttention(
            self.group, source, self.hidden(source), window, lifts=lifts,
            generator=self.generator, device=self.device, dtype=self.dtype,
        )  # fmt: skip
