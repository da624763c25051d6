"""Alterations for which the claims of the entries of paper 3 fail."""

from collections.abc import Iterator
from functools import cache, partial

import torch
from torch import nn

from ia_engine.datasets.data import ImageSet, Recipe
from ia_engine.datasets.handwriting import DigitsConfig
from ia_engine.equivariant.networks import make_untrained
from ia_engine.runs.papers import attentive_maps as maps
from ia_engine.runs.papers import attentive_tables as tables
from ia_engine.runs.papers.attentive_theorem import check_if, check_only_if, keep, untie
from ia_engine.runs.papers.entry import Claim, Effort, Progress
from tests.unit.runs.altered import Altered

EFFORT = Effort(0.2)


def claims_of(found: Iterator[Progress]) -> tuple[Claim, ...]:
    *_, last = found
    assert last.outcome is not None
    return last.outcome.claims


def break_attention(network: nn.Module) -> nn.Module:
    """Leave the filters of one pose unrotated in every convolution of the network."""
    for module in network.modules():
        if isinstance(module._buffers.get("index"), torch.Tensor):
            index = module.get_buffer("index")
            if len(index) > 1:
                index[1] = index[0]
    return network


def pool_instead(_: nn.Module) -> nn.Module:
    return make_untrained(maps.ALL_CNN, exact=True, seed=0)


def swapped(*order: int) -> tuple[tuple[str, int, int, bool], ...]:
    return tuple(maps.STRIDES[k] for k in order)


def one_more(network: nn.Module) -> int:
    return sum(p.numel() for p in network.parameters()) + 10_000


def of_tissue() -> tuple[Claim, ...]:
    """Maps of random images by a network whose filters are not rotated."""
    chance = torch.Generator("cpu").manual_seed(0)
    images = torch.rand(24, 3, 96, 96, generator=chance, dtype=torch.float32, device="cpu")
    names = tuple(f"tissue {k}" for k in range(len(images)))
    labels = torch.arange(len(images), device="cpu") % 2
    given = ImageSet(images, names, Recipe("tissue", DigitsConfig()), labels)
    return claims_of(maps.show_cells(Effort(0.05, given=given), alter=break_attention))


@cache
def pooled() -> tuple[Claim, ...]:
    return claims_of(maps.Regime(exact=False, alter=pool_instead)(EFFORT))


@cache
def unturned() -> tuple[Claim, ...]:
    return claims_of(maps.Regime(exact=True, alter=break_attention)(EFFORT))


@cache
def untied() -> tuple[Claim, ...]:
    return claims_of(check_if(EFFORT, alter=untie))


BLANK = torch.ones(2, 1, 28, 28, dtype=torch.float32, device="cpu")
ROWS = (
    Altered("gcnn-figure-7", 0, "filters not rotated",
            lambda: claims_of(maps.show_digits(EFFORT, alter=break_attention))),
    Altered("gcnn-figure-7", 1, "blank pictures",
            lambda: claims_of(maps.show_digits(EFFORT, digits=BLANK))),
    Altered("gcnn-figure-8", 0, "filters not rotated", of_tissue),
    Altered("gcnn-figure-9", 0, "odd side instead of even",
            lambda: claims_of(maps.show_supports(EFFORT, cases=swapped(1, 0, 2)))),
    Altered("gcnn-figure-9", 1, "even side instead of odd",
            lambda: claims_of(maps.show_supports(EFFORT, cases=swapped(1, 0, 2)))),
    Altered("gcnn-figure-9", 2, "stride instead of pooling",
            lambda: claims_of(maps.show_supports(EFFORT, cases=swapped(1, 2, 0)))),
    *(Altered("gcnn-figure-10", k, "pooling instead of strides", pooled) for k in range(2)),
    *(Altered("gcnn-figure-11", k, "filters not rotated", unturned) for k in range(2)),
    Altered("gcnn-table-2", 0, "networks with more parameters",
            partial(lambda table: claims_of(table(EFFORT, count=one_more)), tables.OBJECTS)),
    Altered("gcnn-table-3", 0, "networks with more parameters",
            partial(lambda table: claims_of(table(EFFORT, count=one_more)), tables.CELLS)),
    *(Altered("gcnn-theorem-1a", k, "filters of the attention not rotated", untied)
      for k in range(2)),
    Altered("gcnn-theorem-1b", 0, "operators that satisfy (15)",
            lambda: claims_of(check_only_if(EFFORT, alter=keep))),
    Altered("gcnn-theorem-1b", 1, "a change of attention that cancels",
            lambda: claims_of(check_only_if(EFFORT))),
)  # fmt: skip
