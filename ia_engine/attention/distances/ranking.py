"""Who looks like whom at the best coarse pose: which pairs are worth an exact distance."""

import math
from dataclasses import replace

import torch
from torch import Tensor

from ia_engine.attention.distances.search import ROWS, TABLE, Tables
from ia_engine.ties import top

REACH = 3
"""Shifts of up to so many cells between the centres of ink; more find no other neighbours."""


def choose(rows: Tensor, first: int, k: int) -> Tensor:
    """Of rows [m n] of correlations, from image `first` on, the k highest but the image's own."""
    own = torch.arange(first, first + len(rows), device=rows.device)
    return top(rows.scatter(1, own[:, None], -torch.inf), k)


def correlate(near: Tables, rows: slice) -> Tensor:
    """Cosines [m n] of some rows: image i on image j, in row j.

    At the best of all turns and of the shifts in these tables.
    """
    angles = near.turned.shape[1]
    norm = near.turned[:, 0].norm(dim=1).clamp_min(1e-12)
    columns = max(1, TABLE // (ROWS * angles * near.cut.shape[1]))
    best = [
        torch.cat(
            [
                (part.flatten(0, 1) @ cut.flatten(0, 1).T)
                .view(len(part), angles, len(cut), -1)
                .amax((1, 3))
                for part in near.turned.split(columns)
            ]
        ).T
        for cut in near.cut[rows].split(ROWS)
    ]
    return torch.cat(best) / (norm[rows, None] * norm)


def within_reach(tables: Tables) -> Tables:
    """Only the shifts within REACH."""
    side, reach = math.isqrt(tables.cut.shape[1]), min(REACH, tables.reach)
    middle = slice(tables.reach - reach, tables.reach + reach + 1)
    cut = tables.cut.unflatten(1, (side, side))[:, middle, middle].flatten(1, 2)
    return replace(tables, cut=cut.contiguous(), reach=reach)
