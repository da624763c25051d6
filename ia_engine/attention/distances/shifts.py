"""Coarse search where nothing turns: every shift at which two windows overlap, of every pair.

The correlations of a pair at all whole shifts are one product of Fourier transforms. What is
coarse is only that the shifts are whole; windows larger than CELLS are looked at in wider cells.
"""

from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor
from torch.nn import functional

from ia_engine.attention.distances.search import fit_vertex
from ia_engine.attention.distances.templates import FINE, Templates
from ia_engine.shapes import Homography
from ia_engine.ties import STEP, top

CELLS = 64
"""No more cells than these span a window."""
QUICK = 8
"""Multiples of this are transformed quickly."""
PEAKS = 6
"""No more local maxima are starts: they are ranked by the very score."""
TABLE = 1 << 20
"""Correlations that are held at once."""


@dataclass(frozen=True, eq=False)
class Spectra:
    """The windows of n images, transformed."""

    wave: Tensor
    """[n c rows columns/2+1], complex."""
    shape: tuple[int, int]
    """Cells of the transform: all shifts there and back, and some more so that it is fast."""
    pitch: int
    """The width of a cell [px]."""

    @classmethod
    def of(cls, templates: Templates) -> Self:
        v = templates.dense[..., 1:-1:FINE, 1:-1:FINE]
        pitch = -(-max(v.shape[-2:]) // CELLS)
        if pitch > 1:
            v = functional.avg_pool2d(v, pitch, ceil_mode=True, count_include_pad=False)
        rows, columns = (QUICK * -(-2 * size // QUICK) for size in v.shape[-2:])
        return cls(torch.fft.rfft2(v, s=(rows, columns)), (rows, columns), pitch)

    def search(self, index: Tensor, keep: int, rows: Tensor | None = None) -> Homography:
        """The best poses of image index[j, k] on image rows[j], by itself j: [m k keep 3 3]."""
        m, k = index.shape
        keep = min(keep, PEAKS)
        if not index.numel():  # MKL transforms no empty batch
            return torch.empty(m, k, keep, 3, 3, device=index.device, dtype=self.wave.real.dtype)
        rows = torch.arange(m, device=index.device) if rows is None else rows
        source, target = index.flatten(), rows.repeat_interleave(k)
        some = max(1, TABLE // (self.shape[0] * self.shape[1]))
        parts = zip(source.split(some), target.split(some), strict=True)
        shift = torch.cat([self._best(i, j, keep) for i, j in parts])
        matrix = torch.eye(3, device=shift.device, dtype=shift.dtype).repeat(*shift.shape[:2], 1, 1)
        matrix[..., :2, 2] = shift
        return matrix.unflatten(0, (m, k))

    def _best(self, source: Tensor, target: Tensor, keep: int) -> Tensor:
        """Where image source[b] is to be read to lie on image target[b], [b keep 2] px."""
        wave = (self.wave[source] * self.wave[target].conj()).sum(1)
        table = torch.fft.irfft2(wave, s=self.shape)
        neighbours = [(table.roll(1, axis), table.roll(-1, axis)) for axis in (1, 2)]
        peak = torch.ones_like(table, dtype=torch.bool)
        raised = table + STEP * table.amax((1, 2), keepdim=True)  # all of a plateau are peaks
        for before, after in neighbours:
            peak &= (raised >= before) & (raised >= after)
        low = table.amax() - table.amin() + 1
        score = torch.where(peak, table, table - low).flatten(1)
        place = top(score, keep)
        here = table.flatten(1).gather(1, place)
        beside = [[x.flatten(1).gather(1, place) for x in pair] for pair in neighbours]
        vertex = [fit_vertex(before, here, after) for before, after in beside]
        at = [place // self.shape[1], place % self.shape[1]]
        # The second half of the shifts are those to the other side.
        whole = [(x + n // 2) % n - n // 2 for x, n in zip(at, self.shape, strict=True)]
        return self.pitch * (torch.stack(whole, -1) + torch.stack(vertex, -1))
