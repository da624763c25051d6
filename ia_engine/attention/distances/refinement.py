"""From many rough poses of every pair to the best one: fewer and fewer, read better and better.

A round reads every pose once and keeps those that lead highest, by what the next Newton step
promises, and only one of those that lead to the same place. Coarse to fine over groups: what a
smaller group ends with is a start of the larger one too, so that larger groups bring images nearer.

Pairs that cannot weigh anything in W need no exact distance.

After two rounds of the search the score of a pair is known but for SLACK, and so is d². A column
of W is divided by at least its own image's κ(0) = 1: a pair of which n times κ is less than half of
the tolerance keeps its rough distance, and all such pairs change no column by more than that.
"""

from dataclasses import dataclass, replace
from typing import Self

import torch
from torch import Tensor

from ia_engine.attention.distances.ascent import Laid, Poised, climb
from ia_engine.attention.distances.bounds import confine, flatten
from ia_engine.attention.distances.products import ByImage, ByTemplate, read_cubic, read_lattice
from ia_engine.attention.distances.search import Spectra, Starts, Tables
from ia_engine.attention.distances.templates import Ink, Templates, list_ink, prepare
from ia_engine.shapes import Homography, Images
from ia_engine.transforms import GROUPS, Group

SLACK = 0.08
"""By so much more than two rounds promise a score may be, of ‖v_i‖ ‖v_j‖.

Measured with the rigid groups, on data and on means: at most 0.08 (shifts of Fashion-MNIST), 0.05
with turns. Larger groups exceed it (similarity 0.21, affine 0.23): there nothing may be pruned.
"""
MANY = 300
"""From so many images on pruning pays; of fewer, all distances are kept for β to be turned."""


@dataclass(frozen=True)
class Pruning:
    """For κ = exp(-β d²): columns of W sum to 1 and change by at most `tolerance` in sum."""

    beta: float
    tolerance: float = 1e-3

    def spares(self, d2: Tensor, norm: Tensor, n: int) -> Tensor:
        """Which of the pairs with these rough d², and ‖v_i‖ ‖v_j‖, need not be refined."""
        least = d2 - 2 * SLACK * norm
        return n * torch.exp(-self.beta * least) < self.tolerance / 2


RIVALS, FINALISTS, LAST = 10, 6, 4
"""So many poses of a pair are left after the first, the second and the third round."""
MARGINS = (0.1, 0.03, 0.01, 0.003)
"""Nor are those whose promise is by so much less than the best one's, of ‖v_i‖ ‖v_j‖."""
APART = 0.5
"""Poses nearer than this lead to the same place [px], root mean square over the window."""
WARY, WARIER = 0.7, 0.5
"""Rivals move by no more at once [px], read roughly and by Keys: patterns have narrow tops, and
longer steps leave the highest."""
BRIGHT = 0.03
"""The first round leaves out this share of the ink, and then every other pixel."""
BELIEVED = 1e-3
"""A step that promises less than this share of ‖v‖² is believed."""
PATIENCE = 4
"""So many more steps for those that are not."""
WITHIN = {"affine": GROUPS["similarity"], "projective": GROUPS["affine"]}
"""The smaller group whose best poses are starts as well."""
FEW = 8
"""So many of the starts are given to the smaller group."""
RISE = 2
"""Steps from a smaller group's best pose, or from the best whole shift."""


@dataclass(frozen=True, eq=False)
class Found:
    """The best pose of images index[m k] on m templates, [m k 3 3], and its score [m k]."""

    index: Tensor
    matrix: Homography
    score: Tensor
    spared: Tensor | None = None
    """[m k]: the pairs that were pruned, if any may be: their score is rough."""

    def rows(self, rows: slice) -> "Found":
        """Of these templates only."""
        spared = None if self.spared is None else self.spared[rows]
        return Found(self.index[rows], self.matrix[rows], self.score[rows], spared)

    def improve(self, other: "Found") -> "Found":
        """The other poses where they are better; pairs that are spared stay as they are."""
        better = other.score > self.score
        better = better if self.spared is None else better & ~self.spared
        matrix = torch.where(better[..., None, None], other.matrix, self.matrix)
        return replace(self, matrix=matrix, score=torch.where(better, other.score, self.score))


def join(parts: list[Found]) -> Found:
    """All templates again."""
    index, matrix, score = (
        torch.cat(x) for x in zip(*((p.index, p.matrix, p.score) for p in parts), strict=True)
    )
    spared = [p.spared for p in parts if p.spared is not None]
    return Found(index, matrix, score, torch.cat(spared) if spared else None)


@dataclass(frozen=True, eq=False)
class Refinement:
    """The images of a set, in all the ways in which they are read, and some of them as templates.

    Poses lie between windows, not between canvases.
    """

    group: Group
    templates: Templates
    nearest: ByTemplate
    cubic: ByTemplate
    exact: ByImage
    rough: Ink
    ink: Ink
    within: "Refinement | None"
    """The same for a smaller group."""

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
        """[n]: images with equally much ink beside one another, as a smaller group orders them."""
        return self.ink.count.argsort(stable=True) if self.within is None else self.within.order

    @property
    def _shifts(self) -> bool:
        """Whether the group is that of translations: rigid, of two coordinates."""
        return self.group.rigid and len(self.ink.metric) == 2

    def starts(self, tables: Tables) -> Starts:
        """What finds poses between windows: all shifts where nothing turns, or the tables."""
        if self._shifts:
            return Spectra.of(self.templates)
        return replace(tables, centre=tables.centre - self.templates.origin[:, :2, 2])

    def of_canvas(self, found: Found, rows: Tensor) -> Found:
        """Poses between canvases, where rows [m] are the templates."""
        origin = self.templates.origin
        back = torch.linalg.inv(origin[rows])[:, None]
        return replace(found, matrix=origin[found.index] @ found.matrix @ back)

    def take(self, rows: Tensor) -> Self:
        """Only these templates; all images."""
        within = None if self.within is None else self.within.take(rows)
        return replace(self, rough=self.rough.take(rows), ink=self.ink.take(rows), within=within)

    def search(self, index: Tensor, starts: Homography, pruning: Pruning | None = None) -> Found:
        """The best of the poses to which the starts [m k s 3 3] lead.

        Steps of eight coordinates promise more than they keep: projective maps begin with affine
        ones alone.
        """
        if self.within is None:
            found = self._search(index, starts, pruning)
            if not self._shifts:
                return found
            # The first start is the best of all whole shifts: rounds may have lost it.
            return found.improve(self._rise(replace(found, matrix=starts[:, :, 0])))
        if self.group.perspective:
            return self._rise(self.within.search(index, starts, pruning))
        found = self._search(index, starts, pruning)
        return found.improve(self._rise(self.within.search(index, starts[:, :, :FEW], pruning)))

    def _search(self, index: Tensor, starts: Homography, pruning: Pruning | None) -> Found:
        square = self.templates.square[index] + self.ink.square[:, None]
        norm = (self.templates.square[index] * self.ink.square[:, None]).sqrt()
        laid = Laid(self.nearest, index, self.rough, WARY)
        found = climb(laid, starts, self.group, 0).best(RIVALS)
        chosen = found.rivals(MARGINS[0] * norm, self._moment, APART)
        laid = Laid(self.nearest, index, self.ink, WARY)
        found = climb(laid, found.ahead, self.group, 0, chosen).best(FINALISTS)
        chosen = found.rivals(MARGINS[1] * norm, self._moment, APART)
        starts = found.ahead
        rough = Found(index, starts[:, :, 0], found.promise[:, :, 0])
        if pruning is not None:
            spared = pruning.spares(square - 2 * rough.score, norm, len(self.templates.jets))
            rough, chosen = replace(rough, spared=spared), chosen & ~spared[..., None]
        laid = Laid(self.cubic, index, self.ink, WARY)
        found = climb(laid, starts, self.group, 0, chosen).best(LAST)
        chosen = found.rivals(MARGINS[2] * norm, self._moment, APART)
        laid = Laid(self.exact, index, self.ink, WARIER)
        found = climb(laid, found.ahead, self.group, 0, chosen).best(LAST)
        # The last are judged where all have come nearer to their tops.
        chosen = found.rivals(MARGINS[3] * norm, self._moment, APART) & self._rising(found)
        found = found.improve(climb(laid, found.ahead, self.group, 0, chosen), chosen)
        return self._top(rough, laid, found.best(1))

    def finish(self, rough: Found) -> Found:
        """To the top of what Keys' interpolation itself reads, but for pairs that are spared."""
        if self.within is not None:
            return self._rise(self._allowed(rough))
        laid = Laid(self.exact, rough.index, self.ink)
        chosen = None if rough.spared is None else ~rough.spared[..., None]
        found = climb(laid, rough.matrix[:, :, None], self.group, 0, chosen)
        return self._top(rough, laid, found)

    def _allowed(self, rough: Found) -> Found:
        """Poses that count. Seen from the other side the horizon may be too near.

        Then the same without a tilt is a start as well.
        """
        there = confine(rough.matrix, self.ink.half[:, None])
        if not self.group.perspective:
            return replace(rough, matrix=there)
        both = torch.stack([there, flatten(there)], 2)
        laid = Laid(self.exact, rough.index, self.ink)
        return replace(rough, matrix=climb(laid, both, self.group, 0).best(1).matrix[:, :, 0])

    def _rise(self, rough: Found) -> Found:
        """Some steps from given poses, shorter where a long one fails."""
        laid = Laid(self.exact, rough.index, self.ink)
        chosen = None if rough.spared is None else ~rough.spared[..., None]
        found = climb(laid, rough.matrix[:, :, None], self.group, RISE, chosen)
        score = found.score[..., 0]
        score = score if rough.spared is None else torch.where(rough.spared, rough.score, score)
        return replace(rough, matrix=found.matrix[:, :, 0], score=score)

    def _top(self, rough: Found, laid: Laid, found: Poised) -> Found:
        """The last step is not read again: it promises so little that it can be believed."""
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
        """Which poses have a step ahead that is too long to be believed."""
        return found.gain > BELIEVED * self.ink.square[:, None, None]

    @property
    def _moment(self) -> Tensor:
        """A root of the second moment of a window: what makes of poses' differences [px]."""
        points = self.templates.points
        moment = points @ points.T / points.shape[1]
        return torch.linalg.cholesky(moment + 1e-6 * torch.diag_embed(torch.ones_like(moment[0])))
