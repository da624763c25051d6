"""Refinement of coarse poses, in several rounds with ever fewer poses and more exact sampling.

A round evaluates every pose once and keeps those with the highest scores predicted for the next
Newton step. If several poses lead to the same maximum, it keeps only one of them. The final poses
of a smaller group are also starts of the larger group, so that a larger group never gives a larger
distance.

Pruning: pairs that cannot have a significant weight in W need no exact distance. After two rounds,
the score of a pair is known up to SLACK, which also bounds d². The sum by which a column of W is
divided is at least 1, because it contains κ(0) = 1 of the image itself. A pair therefore keeps its
rough distance if n times its κ is less than half of the tolerance. Together, all such pairs change
no column by more than the tolerance.
"""

from dataclasses import dataclass, replace
from typing import Self

import torch
from torch import Tensor

from ia_engine.attention.distances.ascent import Poised, TemplatePairs, climb
from ia_engine.attention.distances.bounds import confine, flatten
from ia_engine.attention.distances.products import ByImage, ByTemplate, read_cubic, read_lattice
from ia_engine.attention.distances.search import Spectra, Starts, Tables
from ia_engine.attention.distances.templates import Ink, Templates, list_ink, prepare
from ia_engine.images import Homography, Images
from ia_engine.transforms import GROUPS, Group

SLACK = 0.08
"""Largest possible increase of a score after the first two rounds, relative to ‖v_i‖ ‖v_j‖.

For rigid groups, the largest value measured on data and on means is 0.08 (Fashion-MNIST with
translations), and 0.05 with rotations. Larger groups exceed it (similarity 0.21, affine 0.23), so
their pairs must not be pruned.
"""
MANY = 300
"""Minimum number of images for pruning. With fewer images, all distances are exact, so that β can
be changed."""


@dataclass(frozen=True)
class Pruning:
    """Pruning for κ = exp(-β d²); each column of W changes by at most `tolerance` in total."""

    beta: float
    tolerance: float = 1e-3

    def spares(self, d2: Tensor, norm: Tensor, n: int) -> Tensor:
        """Return a mask of the pairs that need no refinement, given their rough d² and norm = ‖v_i‖
        ‖v_j‖."""
        least = d2 - 2 * SLACK * norm
        return n * torch.exp(-self.beta * least) < self.tolerance / 2


RIVALS, FINALISTS, LAST = 10, 6, 4
"""Maximum number of poses per pair after the first, second and third rounds."""
MARGINS = (0.1, 0.03, 0.01, 0.003)
"""Maximum difference from the best predicted score in each round, as a fraction of ‖v_i‖ ‖v_j‖.
Poses with a larger difference are dropped."""
APART = 0.5
"""Distance [px], as a root mean square over the window, below which two poses count as leading to
the same maximum."""
WARY, WARIER = 0.7, 0.5
"""Maximum step length of competing poses [px], with rough sampling and with Keys' interpolation.
Patterns have narrow maxima, which longer steps would leave."""
BRIGHT = 0.03
"""Fraction of the ink that the first round omits, in addition to every other pixel."""
BELIEVED = 1e-3
"""A last step with a predicted gain below this fraction of ‖v‖² is taken without being
evaluated."""
PATIENCE = 4
"""Maximum number of additional steps for poses with a larger predicted gain."""
WITHIN = {"affine": GROUPS["similarity"], "projective": GROUPS["affine"]}
"""For each larger group, the smaller group whose best poses are also used as starts."""
FEW = 8
"""Number of starts for the smaller group."""
RISE = 2
"""Number of steps taken from the best pose of a smaller group, or from the best whole-pixel
shift."""


@dataclass(frozen=True, eq=False)
class BestPoses:
    """The best poses [m k 3 3] of images index[m k] on m templates, and their scores [m k]."""

    index: Tensor
    matrix: Homography
    score: Tensor
    spared: Tensor | None = None
    """[m k]: True for pruned pairs, whose scores are rough; None without pruning."""

    def rows(self, rows: slice) -> "BestPoses":
        """Return the results for the templates in `rows`."""
        spared = None if self.spared is None else self.spared[rows]
        return BestPoses(self.index[rows], self.matrix[rows], self.score[rows], spared)

    def improve(self, other: "BestPoses") -> "BestPoses":
        """Return the better of the two poses for each pair; pruned pairs keep theirs."""
        better = other.score > self.score
        better = better if self.spared is None else better & ~self.spared
        matrix = torch.where(better[..., None, None], other.matrix, self.matrix)
        return replace(self, matrix=matrix, score=torch.where(better, other.score, self.score))


def join(parts: list[BestPoses]) -> BestPoses:
    """Concatenate the results for consecutive templates."""
    index, matrix, score = (
        torch.cat(x) for x in zip(*((p.index, p.matrix, p.score) for p in parts), strict=True)
    )
    spared = [p.spared for p in parts if p.spared is not None]
    return BestPoses(index, matrix, score, torch.cat(spared) if spared else None)


@dataclass(frozen=True, eq=False)
class Refinement:
    """The images of a set at all required resolutions, some of which are used as templates.

    Poses are between windows, not between canvases.
    """

    group: Group
    templates: Templates
    nearest: ByTemplate
    cubic: ByTemplate
    exact: ByImage
    rough: Ink
    ink: Ink
    within: "Refinement | None"
    """The refinement for a smaller group, if there is one."""

    @classmethod
    def of(cls, v: Images, group: Group) -> Self:
        templates = prepare(v, group)
        cubic = read_cubic(templates)
        return cls(
            group=group,
            templates=templates,
            nearest=ByTemplate(read_lattice(templates, "nearest")),
            cubic=ByTemplate(cubic),
            exact=ByImage(cubic),
            rough=list_ink(templates, BRIGHT, sparse=True),
            ink=list_ink(templates),
            within=cls.of(v, WITHIN[group.name]) if group.name in WITHIN else None,
        )

    @property
    def order(self) -> Tensor:
        """[n]: the images sorted by the number of ink pixels, so that consecutive images have lists
        of similar length."""
        return self.ink.count.argsort(stable=True) if self.within is None else self.within.order

    @property
    def _shifts(self) -> bool:
        """True for the group of translations, which is rigid and has two coordinates."""
        return self.group.rigid and len(self.ink.metric) == 2

    def starts(self, tables: Tables) -> Starts:
        """Return the search that finds start poses between windows: `Spectra` for translations,
        otherwise the tables."""
        if self._shifts:
            return Spectra.of(self.templates)
        return replace(tables, centre=tables.centre - self.templates.origin[:, :2, 2])

    def of_canvas(self, found: BestPoses, rows: Tensor) -> BestPoses:
        """Convert poses between windows to poses between canvases; `rows` [m] are the templates."""
        origin = self.templates.origin
        back = torch.linalg.inv(origin[rows])[:, None]
        return replace(found, matrix=origin[found.index] @ found.matrix @ back)

    def take(self, rows: Tensor) -> Self:
        """Return the same images with only the images in `rows` as templates."""
        within = None if self.within is None else self.within.take(rows)
        return replace(self, rough=self.rough.take(rows), ink=self.ink.take(rows), within=within)

    def search(
        self, index: Tensor, starts: Homography, pruning: Pruning | None = None
    ) -> BestPoses:
        """Return the best poses that can be reached from the starts [m k s 3 3].

        Projective maps start from affine maps only, because predictions in eight coordinates are
        too optimistic.
        """
        if self.within is None:
            found = self._search(index, starts, pruning)
            if not self._shifts:
                return found
            # Also try the first start: it is the best whole-pixel shift, which the rounds may have
            # dropped.
            return found.improve(self._rise(replace(found, matrix=starts[:, :, 0])))
        if self.group.perspective:
            return self._rise(self.within.search(index, starts, pruning))
        found = self._search(index, starts, pruning)
        return found.improve(self._rise(self.within.search(index, starts[:, :, :FEW], pruning)))

    def _search(self, index: Tensor, starts: Homography, pruning: Pruning | None) -> BestPoses:
        square = self.templates.square[index] + self.ink.square[:, None]
        norm = (self.templates.square[index] * self.ink.square[:, None]).sqrt()
        laid = TemplatePairs(self.nearest, index, self.rough, WARY)
        found = climb(laid, starts, self.group, 0).best(RIVALS)
        chosen = found.rivals(MARGINS[0] * norm, self._moment, APART)
        laid = TemplatePairs(self.nearest, index, self.ink, WARY)
        found = climb(laid, found.ahead, self.group, 0, chosen).best(FINALISTS)
        chosen = found.rivals(MARGINS[1] * norm, self._moment, APART)
        starts = found.ahead
        rough = BestPoses(index, starts[:, :, 0], found.promise[:, :, 0])
        if pruning is not None:
            spared = pruning.spares(square - 2 * rough.score, norm, len(self.templates.jets))
            rough, chosen = replace(rough, spared=spared), chosen & ~spared[..., None]
        laid = TemplatePairs(self.cubic, index, self.ink, WARY)
        found = climb(laid, starts, self.group, 0, chosen).best(LAST)
        chosen = found.rivals(MARGINS[2] * norm, self._moment, APART)
        laid = TemplatePairs(self.exact, index, self.ink, WARIER)
        found = climb(laid, found.ahead, self.group, 0, chosen).best(LAST)
        # Compare the remaining poses only after all of them have moved closer to their maxima.
        chosen = found.rivals(MARGINS[3] * norm, self._moment, APART) & self._rising(found)
        found = found.improve(climb(laid, found.ahead, self.group, 0, chosen), chosen)
        return self._top(rough, laid, found.best(1))

    def finish(self, rough: BestPoses) -> BestPoses:
        """Climb to the maximum under Keys' interpolation, except for pruned pairs."""
        if self.within is not None:
            return self._rise(self._allowed(rough))
        laid = TemplatePairs(self.exact, rough.index, self.ink)
        chosen = None if rough.spared is None else ~rough.spared[..., None]
        found = climb(laid, rough.matrix[:, :, None], self.group, 0, chosen)
        return self._top(rough, laid, found)

    def _allowed(self, rough: BestPoses) -> BestPoses:
        """Make poses admissible, because in the reverse direction the horizon may be too close.

        For projective maps, the same pose without tilt is tried as well, and the better one is
        returned.
        """
        there = confine(rough.matrix, self.ink.half[:, None])
        if not self.group.perspective:
            return replace(rough, matrix=there)
        both = torch.stack([there, flatten(there)], 2)
        laid = TemplatePairs(self.exact, rough.index, self.ink)
        return replace(rough, matrix=climb(laid, both, self.group, 0).best(1).matrix[:, :, 0])

    def _rise(self, rough: BestPoses) -> BestPoses:
        """Take RISE steps from the given poses; where a step fails, a shorter one is tried."""
        laid = TemplatePairs(self.exact, rough.index, self.ink)
        chosen = None if rough.spared is None else ~rough.spared[..., None]
        found = climb(laid, rough.matrix[:, :, None], self.group, RISE, chosen)
        score = found.score[..., 0]
        score = score if rough.spared is None else torch.where(rough.spared, rough.score, score)
        return replace(rough, matrix=found.matrix[:, :, 0], score=score)

    def _top(self, rough: BestPoses, laid: TemplatePairs, found: Poised) -> BestPoses:
        """Take the last step without evaluating it, once its predicted gain is negligible."""
        for _ in range(PATIENCE):
            rising = self._rising(found)
            if not rising.any():
                break
            found = found.improve(climb(laid, found.ahead, self.group, 0, rising), rising)
        found = found.stay(self._rising(found))
        score = found.promise[..., 0]
        score = score if rough.spared is None else torch.where(rough.spared, rough.score, score)
        return replace(rough, matrix=found.ahead[:, :, 0], score=score)

    def _rising(self, found: Poised) -> Tensor:
        """Return a mask of the poses whose predicted gain is too large for a step without
        evaluation."""
        return found.gain > BELIEVED * self.ink.square[:, None, None]

    @property
    def _moment(self) -> Tensor:
        """The square root of the second moment of a window. It converts differences between poses
        to px."""
        points = self.templates.points
        moment = points @ points.T / points.shape[1]
        return torch.linalg.cholesky(moment + 1e-6 * torch.diag_embed(torch.ones_like(moment[0])))
