"""Alterations for which the claims of the figures of paper 2, and of affNIST, fail."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from unittest.mock import patch

import torch

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.training import Step, begin, resume, train
from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.handwriting import DigitsConfig, load_plain
from ia_engine.equivariant.digits import draw_digit
from ia_engine.images import Images
from ia_engine.runs.papers import dti_alignment as alignment
from ia_engine.runs.papers import dti_pictures as dti
from ia_engine.runs.papers import dti_tables as tables
from ia_engine.runs.papers.entry import Claim, Effort, Progress
from tests.unit.runs.altered import Altered

EFFORT = Effort(0.2)
BRIEF = 150
"""Number of iterations after which the claims of Figures 1b and 2b hold: 0.7 % of the authors'."""
FEW = 3
"""Number of iterations of the plain mixture that replaces DTI GMM."""


def claims_of(found: Iterator[Progress]) -> tuple[Claim, ...]:
    *_, last = found
    assert last.outcome is not None
    return last.outcome.claims


def do_not_train(config: ClusterConfig, v: Images, seed: int, _: float) -> Iterator[Step]:
    """Return the state before the first iteration."""
    yield next(resume(begin(config, v, seed), v))


def ignore_transformations(config: ClusterConfig, v: Images, seed: int, _: float) -> Iterator[Step]:
    """Train a plain mixture for a few iterations, regardless of the model."""
    return train(replace(config, model="gmm", iterations=FEW), v, seed, rhythm=100.0)


def train_briefly(config: ClusterConfig, v: Images, seed: int, _: float) -> Iterator[Step]:
    """Train for a number of iterations that does not depend on the speed of the computer."""
    return train(replace(config, iterations=BRIEF), v, seed, rhythm=100.0)


def photographs() -> ImageSet:
    return load_plain(DigitsConfig(count=40))


def upright_prototypes(_: int) -> alignment.Samples:
    """The prototypes themselves instead of rotated digits."""
    digits = torch.cat([draw_digit(digit) for digit in range(10)])
    return alignment.Samples(digits, torch.arange(10, device="cpu"), stand_in=True)


@cache
def of_figure_1a() -> tuple[Claim, ...]:
    return claims_of(alignment.choose_aligned(EFFORT, sample=upright_prototypes))


def of_affnist() -> tuple[Claim, ...]:
    """Few digits instead of affNIST, with labels that are permuted."""
    data = photographs()
    assert data.labels is not None
    permuted = replace(data, labels=torch.arange(len(data.labels), device="cpu") % 10)
    with patch.object(tables, "_load", lambda *_: permuted):
        return claims_of(tables.Table(2, ("affnist",))(EFFORT))


@cache
def of_figure_1b() -> tuple[Claim, ...]:
    return claims_of(dti.align_one(EFFORT, learn=do_not_train))


@cache
def of_figure_2a() -> tuple[Claim, ...]:
    return claims_of(dti.compare_prototypes(EFFORT, learn=ignore_transformations))


def of_figure_3() -> tuple[Claim, ...]:
    own = dti.Photographs(("x.npz",), learn=ignore_transformations)
    return claims_of(own(Effort(0.2, given=photographs())))


ROWS = (
    *(Altered("dti-figure-1a", k, "prototypes that are not rotated", of_figure_1a)
      for k in range(2)),
    *(Altered("dti-figure-1b", k, "untrained network", of_figure_1b) for k in range(3)),
    Altered("dti-figure-2a", 0, "a mixture without transformations", of_figure_2a),
    Altered("dti-figure-2a", 1, "a mixture without transformations", of_figure_2a),
    Altered("dti-figure-2b", 0, "untrained network",
            lambda: claims_of(dti.transform_all(EFFORT, learn=do_not_train))),
    Altered("dti-figure-2b", 1, "permuted labels",
            lambda: claims_of(dti.transform_all(EFFORT, learn=train_briefly, permute=True))),
    Altered("dti-figure-3a", 0, "a mixture without transformations", of_figure_3),
    Altered("dti-figure-3b", 0, "a mixture without transformations", of_figure_3),
    Altered("dti-table-2-affnist", 0, "permuted labels", of_affnist),
)  # fmt: skip
