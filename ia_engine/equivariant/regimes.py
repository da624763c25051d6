"""Attention maps of one network with strides, and with pooling instead (Figures 10 and 11)."""

from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from ia_engine.equivariant.groups import P4, act
from ia_engine.equivariant.maps import compose, trace
from ia_engine.equivariant.measures import relative_error
from ia_engine.equivariant.networks import NETWORKS
from ia_engine.equivariant.untrained import make_untrained
from ia_engine.images import resize
from ia_engine.shapes import Images

NAME: Final = "all-cnn-alpha-f-p4"


@dataclass(frozen=True, eq=False)
class Regime:
    """The composed attention at every quarter turn, [h y x], and how far it is from the first."""

    title: str
    heat: Tensor
    difference: Tensor
    """Turned back, less the upright one, [h y x]."""
    errors: tuple[float, ...]


def compare_regimes(v: Images) -> tuple[Regime, Regime]:
    """The picture [1 1 y x] through a network with strides, and through the exact one."""
    entry = NETWORKS[NAME]
    v = resize(v, entry.side, entry.side).expand(-1, entry.channels, -1, -1)
    return _see("with strides", v, exact=False), _see("stride 1, then pooling", v, exact=True)


def _see(title: str, v: Images, *, exact: bool) -> Regime:
    network = make_untrained(NAME, exact=exact)
    turned = torch.cat([act(P4, h, v) for h in range(len(P4))])
    heat = compose(trace(network, turned).maps, P4, v.shape[-1]).heat
    back = torch.cat([act(P4, P4.inverse[h], heat[h, None, None])[0] for h in range(len(P4))])
    errors = tuple(relative_error(one, heat[0]) for one in back)
    return Regime(title, heat, back - heat[0], errors)
