"""The catalogue of networks, by the names that the pages, the shell and files use.

The module also creates networks with random weights, whose batch normalisation is calibrated on a
few pictures.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import torch
from torch import Generator, nn

from ia_engine.equivariant.architectures import AllCnn, Builder, DenseNet, ResNet, RotatedCnn
from ia_engine.equivariant.digits import draw_digit
from ia_engine.equivariant.groups import P4, P4M, Z2, FiniteGroup
from ia_engine.equivariant.layers import Device, GroupBatchNorm
from ia_engine.equivariant.orbit import turn_each
from ia_engine.errors import EngineError
from ia_engine.images import Images, resize

Make = Callable[[Builder, bool], nn.Module]


@dataclass(frozen=True, eq=False)
class NetworkEntry:
    """An entry in the catalogue of networks."""

    name: str
    title: str
    group: FiniteGroup
    attention: str
    family: str
    parameters: int | None
    """Number of parameters in the paper; None if the paper has no such network."""
    channels: int
    side: int
    classes: int
    hidden: Callable[[int], int]
    make: Make


def build_network(
    name: str,
    generator: Generator | None = None,
    *,
    exact: bool = True,
    device: Device = None,
    dtype: torch.dtype | None = None,
) -> nn.Module:
    """Return a network whose weights are drawn from the generator. It has strides (appendix C)
    unless `exact` is True."""
    entry = find_network(name)
    build = Builder(entry.group, entry.attention, entry.hidden, generator, device, dtype)
    return entry.make(build, exact)


def find_network(name: str) -> NetworkEntry:
    if name not in NETWORKS:
        raise EngineError(f"a network must be one of {', '.join(NETWORKS)}; got {name!r}")
    return NETWORKS[name]


def count_parameters(network: nn.Module) -> int:
    return sum(p.numel() for p in network.parameters())


def _half(channels: int) -> int:
    return max(1, channels // 2)


def _sixteenth(channels: int) -> int:
    return channels // 16 or channels


def _two(channels: int) -> int:
    """Return 2 for any number of channels, which reproduces the numbers of parameters in Tables 2
    and 3."""
    return channels if channels <= 3 else 2


def _rotated(
    name: str, title: str, group: FiniteGroup, attention: str, size: tuple[int, int | None]
) -> NetworkEntry:
    """Return an entry for rotated digits; `size` consists of the number of channels per layer and
    the number of parameters in the paper."""
    width, parameters = size

    def make(build: Builder, _: bool) -> nn.Module:
        return RotatedCnn(build, width)

    return NetworkEntry(
        name, title, group, attention, "rot-mnist", parameters, 1, 28, 10, _half, make
    )


def _all_cnn(
    name: str, title: str, group: FiniteGroup, attention: str, parameters: int | None
) -> NetworkEntry:
    widths = {"p4": (48, 96), "p4m": (32, 64)}[group.name]

    def make(build: Builder, exact: bool) -> nn.Module:
        return AllCnn(build, *widths, exact)

    return NetworkEntry(
        name, title, group, attention, "all-cnn", parameters, 3, 32, 10, _sixteenth, make
    )


def _resnet(name: str, title: str, attention: str, parameters: int) -> NetworkEntry:
    def make(build: Builder, exact: bool) -> nn.Module:
        return ResNet(build, (11, 23, 45), exact)

    return NetworkEntry(name, title, P4M, attention, "resnet44", parameters, 3, 32, 10, _two, make)


def _densenet(
    name: str, title: str, group: FiniteGroup, attention: str, parameters: int
) -> NetworkEntry:
    growth = {"z2": 26, "p4": 13, "p4m": 9}[group.name]

    def make(build: Builder, _: bool) -> nn.Module:
        return DenseNet(build, growth)

    return NetworkEntry(name, title, group, attention, "densenet", parameters, 3, 96, 2, _two, make)


_ENTRIES: Final = (
    _rotated("z2", "Z²-CNN", Z2, "none", (20, 21_620)),
    _rotated("p4", "p4-CNN", P4, "none", (10, 24_610)),
    _rotated("alpha-rh-p4", "α_RH-p4-CNN", P4, "rh", (10, 24_851)),
    _rotated("alpha-ch-p4", "α_CH-p4-CNN", P4, "ch", (10, 48_630)),
    _rotated("alpha-sp-p4", "α_SP-p4-CNN", P4, "sp", (10, 49_110)),
    _rotated("alpha-f-p4", "α_F-p4-CNN", P4, "f", (10, 29_462)),
    _rotated("alpha-p4", "α-p4-CNN", P4, "full", (10, 73_130)),
    _rotated("p4m", "p4m-CNN", P4M, "none", (7, None)),
    _rotated("alpha-f-p4m", "α_F-p4m-CNN", P4M, "f", (7, None)),
    _rotated("big11-p4", "BIG 11 p4-CNN", P4, "none", (11, 29_051)),
    _rotated("big15-p4", "BIG 15 p4-CNN", P4, "none", (15, 50_415)),
    _rotated("big19-p4", "BIG 19 p4-CNN", P4, "none", (19, 77_539)),
    _all_cnn("all-cnn-p4", "p4-All-CNN", P4, "none", 1_370_372),
    _all_cnn("all-cnn-alpha-f-p4", "α_F-p4-All-CNN", P4, "f", 1_400_120),
    _all_cnn("all-cnn-alpha-p4", "α-p4-All-CNN", P4, "full", None),
    _all_cnn("all-cnn-p4m", "p4m-All-CNN", P4M, "none", 1_219_252),
    _all_cnn("all-cnn-alpha-f-p4m", "α_F-p4m-All-CNN", P4M, "f", 1_249_192),
    _resnet("resnet44-p4m", "p4m-ResNet44", "none", 2_621_683),
    _resnet("resnet44-alpha-f-p4m", "α_F-p4m-ResNet44", "f", 2_693_911),
    _densenet("densenet-z2", "Z²-DenseNet", Z2, "none", 130_598),
    _densenet("densenet-p4", "p4-DenseNet", P4, "none", 129_649),
    _densenet("densenet-alpha-f-p4", "α_F-p4-DenseNet", P4, "f", 140_453),
    _densenet("densenet-p4m", "p4m-DenseNet", P4M, "none", 124_209),
    _densenet("densenet-alpha-f-p4m", "α_F-p4m-DenseNet", P4M, "f", 141_221),
)

NETWORKS: Final = {entry.name: entry for entry in _ENTRIES}


def calibrate_batch_norm(network: nn.Module, v: Images) -> nn.Module:
    """Set the statistics of every batch normalisation to those of the given images. Weights do not
    change."""
    norms = [module for module in network.modules() if isinstance(module, GroupBatchNorm)]
    momenta = [norm.momentum for norm in norms]
    for norm in norms:
        norm.momentum = 1.0
    network.train()
    with torch.no_grad():
        network(v)
    for norm, momentum in zip(norms, momenta, strict=True):
        norm.momentum = momentum
    return network.eval()


SEED: Final = 0


def make_untrained(name: str, *, exact: bool = True, seed: int | None = None) -> nn.Module:
    """Return an untrained network in evaluation mode, calibrated on pictures so that its features
    have a normal scale."""
    entry = NETWORKS[name]
    generator = Generator(device="cpu").manual_seed(SEED if seed is None else seed)
    network = build_network(name, generator, exact=exact)
    digits = torch.cat([draw_digit(digit) for digit in range(10)])
    angles = torch.arange(len(digits), device=digits.device) * 0.6
    pictures = turn_each(resize(digits, entry.side, entry.side), angles)
    pictures = pictures.expand(-1, entry.channels, -1, -1)
    network.eval()
    norms = [module for module in network.modules() if isinstance(module, nn.BatchNorm3d)]
    for norm in norms:
        norm.momentum = None  # plain average over all pictures
        norm.train()
    with torch.no_grad():
        network(pictures)
    return network.eval()
