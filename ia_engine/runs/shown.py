"""What stays of a run: frames and numbers, and of the tensors only what a frame would round."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from ia_engine.attention.beta import exponents
from ia_engine.attention.clusters.measures import Measured
from ia_engine.attention.clusters.merges import MergeTree
from ia_engine.attention.iteration import AttentionConfig, Step, weigh_images
from ia_engine.figures.frames import Frame, make_frame
from ia_engine.figures.history import Numbers, tell
from ia_engine.runs.plan import Plan
from ia_engine.shapes import Matrix
from ia_engine.transforms import GROUPS

WHITE: Final = 255
BRIGHT: Final = 0.75
"""So large a share of the images is nowhere brighter than white; of the others it is cut off."""


@dataclass(frozen=True, eq=False)
class Shown:
    """One method at one iteration."""

    config: AttentionConfig
    """Under which it was computed: of what was kept, the old run's."""
    beta: float
    """The β with which the player shows the weights."""
    white: float
    """The value of a white pixel."""
    frame: Frame
    mu: Tensor
    """The means on the CPU, which are the next images; empty at the end of a run."""
    numbers: Numbers
    rough: Tensor | None = None
    """[n n]: the pairs whose distance is rough; None if there are none."""

    @property
    def nbytes(self) -> int:
        rough = 0 if self.rough is None else self.rough.nbytes
        return self.frame.nbytes + self.mu.nbytes + rough


@dataclass(frozen=True, eq=False)
class Iteration:
    """All methods of a run at one iteration: what a job of the page yields."""

    plan: Plan
    shown: Mapping[str, Shown]

    @property
    def nbytes(self) -> int:
        return sum(shown.nbytes for shown in self.shown.values())


def choose_white(v: Tensor) -> float:
    """The value of a white pixel in all frames of a run that begins at these images or points.

    All have norm 1, so what is thin is bright: a few such would leave no light for all others.
    """
    if not len(v):
        return 1.0
    return max(float(v.flatten(1).amax(1).quantile(BRIGHT)), 1e-12)


def keep(measured: Measured, config: AttentionConfig, beta: float, white: float) -> Shown:
    """What stays of a step, shown with this β."""
    step = measured.step
    x = exponents(step, config, beta)
    frame = make_frame(
        step.k - 1,
        step.d2.cpu(),
        x=None if x is None else x.cpu(),
        matrices=None if step.tau is None else GROUPS[config.group].matrix(step.tau).cpu(),
        assignments=measured.assignments.cpu(),
        white=white,
        **_picture(step.v),
    )
    rough = None if step.rough is None else step.rough.cpu()
    return Shown(config, beta, white, frame, step.mu.detach().cpu(), tell(measured), rough)


def look_ahead(shown: Shown) -> Frame:
    """The next frame as far as it is known: the means, whose distances are still to come."""
    n = len(shown.mu)
    unknown = torch.full((n, n), torch.nan, device="cpu")
    return make_frame(shown.numbers.p + 1, unknown, white=shown.white, **_picture(shown.mu))


def recall(shown: Shown, v: Tensor) -> Step:
    """The step again, from its frame and the images that it was of."""
    arrays = shown.frame.arrays
    d2, tau = torch.tensor(arrays["d2"], device=v.device), None
    if "matrices" in arrays:
        matrices = torch.tensor(arrays["matrices"], device=v.device)
        tau = GROUPS[shown.config.group].pose(matrices.unflatten(-1, (3, 3)))
    rough = None if shown.rough is None else shown.rough.to(v.device)
    W, beta = weigh_images(shown.config, v, d2, rough)
    mu, numbers = shown.mu.to(v.device), shown.numbers
    return Step(numbers.p + 1, v, d2, tau, W, beta, mu, numbers.seconds, rough)


def recall_all(kept: Sequence[Shown], v: Tensor) -> Iterator[Step]:
    """The steps of one method again, which began at the images v."""
    for shown in kept:
        step = recall(shown, v)
        yield step
        v = step.mu


def recall_weights(shown: Shown, sharper: float = 1.0) -> Matrix:
    """W as the player shows it, or with so many times its β."""
    arrays = shown.frame.arrays
    x = torch.tensor(arrays.get("x", arrays["d2"]), device="cpu")
    return (-sharper * shown.beta * x).softmax(0)


def regrow(kept: Sequence[Shown], lax: float) -> MergeTree:
    """The tree of merges, had images counted as one at so many times the distance."""
    tree = MergeTree(len(kept[0].frame.arrays["d2"]))
    for shown in kept:
        arrays = shown.frame.arrays
        d2 = torch.tensor(arrays["d2"], device="cpu") / lax
        v = torch.tensor(arrays["points"] if "points" in arrays else arrays["images"], device="cpu")
        v = v if "points" in arrays else v * (shown.white / WHITE)
        W = recall_weights(shown)
        tree = tree.grow(Step(shown.numbers.p + 1, v, d2, None, W, d2, v, 0.0))
    return tree


def recall_distances(kept: Sequence[Shown]) -> list[Matrix]:
    """d² at every iteration."""
    return [torch.tensor(s.frame.arrays["d2"], device="cpu") for s in kept]


def _picture(v: Tensor) -> dict[str, Tensor]:
    """Images are shown as images, points as points."""
    return {"points" if v.ndim == 2 else "images": v.detach().cpu()}
