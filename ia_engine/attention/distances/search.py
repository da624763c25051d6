"""Coarse exhaustive search over all rotations and translations of every pair, at low resolution.

One table holds every image, centred on its ink and rotated by every angle; another holds every
image cropped at every shift. The product of the two tables contains the correlations of all pairs
at all poses. The second-order ascent starts from the best of these poses.

For translations alone, `Spectra` computes the correlations of a pair at all whole-pixel shifts as
one product of Fourier transforms. In windows larger than WINDOW_CELLS, pixels are averaged into
larger cells.
"""

import math
from dataclasses import dataclass
from typing import Protocol, Self

import torch
from torch import Tensor
from torch.nn import functional

from ia_engine.attention.distances.templates import FINE, Templates, can_shift
from ia_engine.images import Homography, Images, bilinear, blur, pixel_grid
from ia_engine.ties import STEP, lean, top
from ia_engine.transforms import GROUPS, Group

ROTATION = GROUPS["rotation"]
CELLS = 28
"""Number of cells of the coarse lattice across the widest image."""
ANGLES = 36
SHIFTS = 7
"""Maximum shift between the centres of ink in each direction [cells]."""
RANK = 64
"""Dimension of the subspace onto which rotated images are projected; it contains 98 % of their
energy."""
SAMPLE = 2048
"""Approximate number of rotated images used to compute the subspace."""
SOME = 32
"""Number of images that are rotated and cropped at a time."""
ROWS = 8
TABLE = 1 << 21
"""Maximum number of entries of the product that are in memory at a time."""


class Starts(Protocol):
    """Interface of the searches for poses from which the refinement starts."""

    def search(self, index: Tensor, keep: int, rows: Tensor | None = None) -> Homography:
        """Return the `keep` best poses [m k keep 3 3] of image index[j, k] on image rows[j] (by
        default, image j)."""


@dataclass(frozen=True, eq=False)
class Tables:
    """The coarse images, rotated by every angle [n r l] and cropped at every shift [n s l]."""

    turned: Tensor
    cut: Tensor
    centre: Tensor
    """[n 2]: the centres of ink [px]."""
    pitch: float
    """The width of a cell [px]."""
    reach: int
    """Maximum shift of the crops from the centre of ink [cells]; s = (2 reach + 1)²."""

    def search(self, index: Tensor, keep: int, rows: Tensor | None = None) -> Homography:
        """Return the best poses; see `Starts.search`."""
        m, k = index.shape
        angles, shifts = self.turned.shape[1], self.cut.shape[1]
        rows = torch.arange(m, device=index.device) if rows is None else rows
        matrix = self.centre.new_empty(m, k, min(keep, angles), 3, 3)
        # If rows have few images in common, the full product would be wasteful.
        together = min(ROWS, 1 + k // 4) if 4 * k >= len(self.turned) else 1
        columns = max(1, TABLE // (together * angles * shifts))
        for row in range(0, m, together):
            target = rows[row : row + together]
            cut = self.cut[target].flatten(0, 1)
            for column in range(0, k, columns):
                part = slice(row, row + together), slice(column, column + columns)
                images, place = torch.unique(index[part], return_inverse=True)
                table = self.turned[images].flatten(0, 1) @ cut.T
                found = _peaks(table.view(len(images), angles, len(target), shifts), place, keep)
                shift = found.shift * self.pitch + self.centre[target, None, None]
                matrix[part] = _poses(
                    ROTATION.matrix(found.angle[..., None]), self.centre[index[part]], shift
                )
        return matrix


def tabulate(v: Images, group: Group) -> Tables:
    """Rotate and crop all images."""
    shifts = can_shift(group, v)
    centre = _ink_centre(v) if shifts else v.new_zeros(len(v), 2)
    radius = _ink_radius(v, centre)
    pitch = max(1.0, 2 * radius / CELLS)
    reach = SHIFTS if shifts else 0
    side = 2 * math.ceil(radius / pitch) + 1
    coarse = blur(v, pitch / 2)
    turned = _Turned(pixel_grid(side, side, v) * pitch, _turns(group, v))
    step = max(1, len(v) * len(turned.turns) // SAMPLE)
    some = turned.read(coarse[::step], centre[::step])
    basis = _span(some.flatten(0, 1))
    wide = pixel_grid(side + 2 * reach, side + 2 * reach, v) * pitch
    # This is done in parts, because one image in every rotation takes as much memory as a hundred
    # images.
    parts = list(zip(coarse.split(SOME), centre.split(SOME), strict=True))
    cut = torch.cat([_cut(_read(one, wide, at), basis) for one, at in parts])
    every = [some @ basis] if step == 1 else [turned.read(*part) @ basis for part in parts]
    table = torch.cat(every)
    return Tables(table, cut, centre, pitch, reach)


@dataclass(frozen=True, eq=False)
class _Turned:
    """The lattice on which images are sampled, and the rotations of the search."""

    lattice: Tensor
    turns: Homography

    def read(self, v: Images, centre: Tensor) -> Tensor:
        """Return all images in every rotation, [n r l]."""
        every = self.lattice @ self.turns[:, None, :2, :2].mT  # stack the rotated lattices
        found = _read(v, every.flatten(0, 1), centre).unflatten(2, every.shape[:2])
        return found.transpose(1, 2).flatten(2)


def _cut(wide: Images, basis: Tensor) -> Tensor:
    """Crop images [n c h w] at every shift and project the crops onto the basis: [n s RANK]."""
    side = math.isqrt(len(basis) // wide.shape[1])
    filters = basis.T.unflatten(1, (wide.shape[1], side, side))
    return functional.conv2d(wide, filters).flatten(2).mT.contiguous()


def _span(rows: Tensor) -> Tensor:
    """Return an orthonormal basis [l RANK] of the space that the rows approximately span, found by
    one power iteration."""
    seed = rows[:: max(1, len(rows) // RANK)][:RANK]
    return torch.linalg.qr(rows.T @ (rows @ seed.T)).Q


@dataclass(frozen=True, eq=False)
class _Peaks:
    """Interpolated maxima in the table: angles [b k keep] [rad] and shifts [b k keep 2] [cells]."""

    angle: Tensor
    shift: Tensor


def _peaks(table: Tensor, place: Tensor, keep: int) -> _Peaks:
    """Return the `keep` best pairs of an angle and a shift. Each angle is paired with its best
    shift, and the better half of the angles also with the second-best local maximum.

    `table` [images r b s] holds the correlations of a block, and `place` [b k] the index of each
    image in it. Poses are moved to the maxima of parabolas through adjacent angles and shifts of
    the table.
    """
    _, angles, rows, shifts = table.shape
    side = math.isqrt(shifts)
    row = torch.arange(rows, device=table.device)[:, None]
    best = table.amax(3)[place, :, row]
    before, after = best.roll(1, -1), best.roll(-1, -1)
    turn = fit_vertex(before, best, after)
    raised = best + STEP * best.amax(-1, keepdim=True)  # every point of a plateau is a peak
    peak, rise = (raised >= before) & (raised >= after), (after - before) * turn / 4
    low = best.amax() - best.amin() + 1
    angle = top(torch.where(peak, best + rise, best - low), min(keep, angles))
    line = ((place[..., None] * angles + angle) * rows + row[..., None]).flatten()
    scores = table.view(-1, shifts).index_select(0, line).view(*angle.shape, shifts)
    # The index of a maximum is computed for some rows only; it takes ten times as long as its
    # value.
    height, shift = _highest(scores)
    which = torch.arange(angle.shape[2], device=angle.device).expand(angle.shape)
    if side > 2:
        twice = slice(0, (keep + 1) // 2)
        rest = _but_the_first(scores[:, :, twice], shift[..., twice], side)
        pairs = zip((height, shift), _highest(rest), strict=True)
        height, shift = (torch.cat(x, -1) for x in pairs)
        which = torch.cat([which, which[..., twice]], -1)
        rises = rise.gather(-1, angle).gather(-1, which)
        order = top(height + rises, min(keep, angles))
        height, shift, which = (x.gather(-1, order) for x in (height, shift, which))
        angle = angle.gather(-1, which)
    moved = []
    for at, stride in ((shift // side, side), (shift % side, 1)):
        step = stride * ((at > 0) & (at < side - 1))
        down, up = (
            scores.flatten(2).gather(2, which * shifts + shift + sign * step) for sign in (-1, 1)
        )
        moved.append(at - side // 2 + fit_vertex(down, height, up))
    turned = angle + turn.gather(-1, angle)
    return _Peaks(turned * (2 * math.pi / angles), torch.stack(moved, -1))


def _highest(scores: Tensor) -> tuple[Tensor, Tensor]:
    """Return the maximum of the scores [... s] and its index; if several scores are equal, the
    first index."""
    shift = lean(scores).argmax(-1)
    return scores.gather(-1, shift[..., None])[..., 0], shift


def _but_the_first(scores: Tensor, first: Tensor, side: int) -> Tensor:
    """Return the scores [... s] at all local maxima over the shifts except at `first`, and -1
    elsewhere."""
    every = torch.arange(scores.shape[-1], device=scores.device)
    column = every % side
    inside = (column > 0) & (column < side - 1)
    last = scores.shape[-1] - side
    peak = inside[side:last] & (every[side:last] != first[..., None])
    inner = scores[..., side:last]
    for step in (-side, -1, 1, side):
        peak = peak & (inner >= scores[..., side + step : last + step])
    return functional.pad(torch.where(peak, inner, -1), (side, side), value=-1)


def fit_vertex(before: Tensor, here: Tensor, after: Tensor) -> Tensor:
    """Return the position of the maximum of a parabola through three adjacent values, relative to
    the middle one."""
    bend = (before + after - 2 * here).clamp_max(-1e-9)
    return ((before - after) / (2 * bend)).clamp(-0.5, 0.5)


def _poses(turn: Homography, source: Tensor, target: Tensor) -> Homography:
    """Return the motions [m k s 3 3] that rotate by `turn` and map `target` to `source`.

    The points are target [m k s 2] and source [m k 2].
    """
    matrix = turn.clone()
    matrix[..., :2, 2] = source[:, :, None] - (turn[..., :2, :2] @ target[..., None])[..., 0]
    return matrix


def _turns(group: Group, like: Tensor) -> Homography:
    """Return the rotations of the search; only the identity if the group has no rotations."""
    count = ANGLES if group.contains(ROTATION.matrix(like.new_tensor([math.pi / 2]))) else 1
    angle = torch.arange(count, device=like.device).to(like) * (2 * math.pi / count)
    return ROTATION.matrix(angle[:, None])


def _read(v: Images, lattice: Tensor, centre: Tensor) -> Images:
    return bilinear(v, lattice + centre[:, None, None])


def _ink_centre(v: Images) -> Tensor:
    """Return the centres of mass of v², on which faint noise has little influence."""
    mass = v.square().sum(1)
    moment = torch.einsum("nhw,hwx->nx", mass, pixel_grid(v.shape[-2], v.shape[-1], v))
    return moment / mass.sum((1, 2))[:, None].clamp_min(1e-12)


def _ink_radius(v: Images, centre: Tensor) -> float:
    """Return the radius [px] of the circle around the centre that contains 99 % of the energy of
    every image."""
    grid = pixel_grid(v.shape[-2], v.shape[-1], v)
    ring = (grid - centre[:, None, None]).norm(dim=-1).flatten(1).long()
    energy = v.new_zeros(len(v), int(ring.max()) + 1)
    energy.scatter_add_(1, ring, v.square().sum(1).flatten(1))
    outside = energy.cumsum(1) < 0.99 * energy.sum(1, keepdim=True)
    return 1.0 + float(outside.sum(1).max())


WINDOW_CELLS = 64
"""Maximum number of cells across a window."""
QUICK = 8
"""The length of the transform is a multiple of this number, which makes it fast."""
PEAKS = 6
"""Maximum number of local maxima that become starts."""
SPECTRUM_TABLE = 1 << 20
"""Maximum number of correlations that are in memory at a time."""


@dataclass(frozen=True, eq=False)
class Spectra:
    """The Fourier transforms of the windows of n images."""

    wave: Tensor
    """[n c rows columns/2+1], complex."""
    shape: tuple[int, int]
    """Size of the transform [cells]: large enough for all shifts in both directions, and rounded up
    to a fast length."""
    pitch: int
    """The width of a cell [px]."""

    @classmethod
    def of(cls, templates: Templates) -> Self:
        v = templates.dense[..., 1:-1:FINE, 1:-1:FINE]
        pitch = -(-max(v.shape[-2:]) // WINDOW_CELLS)
        if pitch > 1:
            v = functional.avg_pool2d(v, pitch, ceil_mode=True, count_include_pad=False)
        rows, columns = (QUICK * -(-2 * size // QUICK) for size in v.shape[-2:])
        return cls(torch.fft.rfft2(v, s=(rows, columns)), (rows, columns), pitch)

    def search(self, index: Tensor, keep: int, rows: Tensor | None = None) -> Homography:
        """Return the best poses; see `Starts.search`."""
        m, k = index.shape
        keep = min(keep, PEAKS)
        if not index.numel():  # MKL cannot transform an empty batch
            return torch.empty(m, k, keep, 3, 3, device=index.device, dtype=self.wave.real.dtype)
        rows = torch.arange(m, device=index.device) if rows is None else rows
        source, target = index.flatten(), rows.repeat_interleave(k)
        some = max(1, SPECTRUM_TABLE // (self.shape[0] * self.shape[1]))
        parts = zip(source.split(some), target.split(some), strict=True)
        shift = torch.cat([self._best(i, j, keep) for i, j in parts])
        matrix = torch.eye(3, device=shift.device, dtype=shift.dtype).repeat(*shift.shape[:2], 1, 1)
        matrix[..., :2, 2] = shift
        return matrix.unflatten(0, (m, k))

    def _best(self, source: Tensor, target: Tensor, keep: int) -> Tensor:
        """Return the shifts [b keep 2] [px] at which image source[b] matches image target[b]
        best."""
        wave = (self.wave[source] * self.wave[target].conj()).sum(1)
        table = torch.fft.irfft2(wave, s=self.shape)
        neighbours = [(table.roll(1, axis), table.roll(-1, axis)) for axis in (1, 2)]
        peak = torch.ones_like(table, dtype=torch.bool)
        # Every point of a plateau is a peak.
        raised = table + STEP * table.amax((1, 2), keepdim=True)
        for before, after in neighbours:
            peak &= (raised >= before) & (raised >= after)
        low = table.amax() - table.amin() + 1
        score = torch.where(peak, table, table - low).flatten(1)
        place = top(score, keep)
        here = table.flatten(1).gather(1, place)
        beside = [[x.flatten(1).gather(1, place) for x in pair] for pair in neighbours]
        vertex = [fit_vertex(before, here, after) for before, after in beside]
        at = [place // self.shape[1], place % self.shape[1]]
        # Indices in the second half stand for negative shifts.
        whole = [(x + n // 2) % n - n // 2 for x, n in zip(at, self.shape, strict=True)]
        return self.pitch * (torch.stack(whole, -1) + torch.stack(vertex, -1))
