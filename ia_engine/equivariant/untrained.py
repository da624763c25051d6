"""Networks with random weights, whose normalisations have seen a few pictures."""

from typing import Final

import torch
from torch import Generator, nn

from ia_engine.equivariant.digits import draw_digit
from ia_engine.equivariant.networks import NETWORKS, build_network
from ia_engine.equivariant.orbit import turn_each
from ia_engine.images import resize

SEED: Final = 0


def make_untrained(name: str, *, exact: bool = True) -> nn.Module:
    """The network in evaluation mode; without pictures its features would have any scale."""
    entry = NETWORKS[name]
    network = build_network(name, Generator(device="cpu").manual_seed(SEED), exact=exact)
    digits = torch.cat([draw_digit(digit) for digit in range(10)])
    angles = torch.arange(len(digits), device=digits.device) * 0.6
    pictures = turn_each(resize(digits, entry.side, entry.side), angles)
    pictures = pictures.expand(-1, entry.channels, -1, -1)
    network.eval()
    norms = [module for module in network.modules() if isinstance(module, nn.BatchNorm3d)]
    for norm in norms:
        norm.momentum = None  # the plain average of what it has seen
        norm.train()
    with torch.no_grad():
        network(pictures)
    return network.eval()
