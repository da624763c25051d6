"""A network that was never trained: its batch normalisations get to know the images."""

import torch
from torch import nn

from ia_engine.equivariant.layers import GroupBatchNorm
from ia_engine.shapes import Images


def settle(network: nn.Module, v: Images) -> nn.Module:
    """Let every batch normalisation take its statistics from these images; weights stay."""
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
