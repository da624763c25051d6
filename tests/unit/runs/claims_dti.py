"""Alterations for which the claims of the figures of paper 2 fail."""

from collections.abc import Iterator
from dataclasses import replace

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.training import Step, begin, resume, train
from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.handwriting import DigitsConfig, load_plain
from ia_engine.images import Images
from ia_engine.runs.papers import dti_pictures as dti
from ia_engine.runs.papers.entry import Claim, Effort, Progress
from tests.unit.runs.altered import Altered

EFFORT = Effort(0.2)
BRIEF = 150
"""Number of iterations after which the claims of Figures 1b and 2b hold: 0.7 % of the paper's."""
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


def of_figure_1a(**altered: object) -> tuple[Claim, ...]:
    return claims_of(dti.choose_aligned(EFFORT, **altered))


def of_figure_2a() -> tuple[Claim, ...]:
    return claims_of(dti.compare_prototypes(EFFORT, learn=ignore_transformations))


def of_figure_3() -> tuple[Claim, ...]:
    own = dti.Photographs(("x.npz",), learn=ignore_transformations)
    return claims_of(own(Effort(0.2, given=photographs())))


ROWS = (
    Altered("dti-figure-1a", 0, "digits that are not rotated", lambda: of_figure_1a(reach=0.0)),
    Altered("dti-figure-1a", 1, "translations instead of rotations",
            lambda: of_figure_1a(group="translation")),
    *(Altered("dti-figure-1b", k, "untrained network",
              lambda: claims_of(dti.align_one(EFFORT, learn=do_not_train))) for k in range(3)),
    Altered("dti-figure-2a", 0, "a mixture without transformations", of_figure_2a),
    Altered("dti-figure-2a", 1, "a mixture without transformations", of_figure_2a),
    Altered("dti-figure-2b", 0, "untrained network",
            lambda: claims_of(dti.transform_all(EFFORT, learn=do_not_train))),
    Altered("dti-figure-2b", 1, "permuted labels",
            lambda: claims_of(dti.transform_all(EFFORT, learn=train_briefly, permute=True))),
    Altered("dti-figure-3a", 0, "a mixture without transformations", of_figure_3),
    Altered("dti-figure-3b", 0, "a mixture without transformations", of_figure_3),
)  # fmt: skip
