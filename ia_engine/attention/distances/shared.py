"""Distances computed in pieces, by several processes, and stored so that a run can resume.

A piece consists of some rows of the search, in the same blocks as in a single process. The result
is therefore bit-identical, no matter which process computed which piece.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor

from ia_engine.attention.distances.alignment import (
    Alignment,
    Distance,
    Euclidean,
    GlobalSearch,
    PairSearch,
)
from ia_engine.attention.distances.nearest import NearestSearch, Neighbours
from ia_engine.attention.distances.nearest import join as join_neighbours
from ia_engine.attention.distances.refinement import BestPoses, join
from ia_engine.distributed.ranks import Piece, Workshop
from ia_engine.errors import EngineError
from ia_engine.images import Images

PIECES: Final = 1024
"""Maximum number of pieces. It is large, so that little work is lost when a process dies, and
processes wait only briefly at the end."""


def share(distance: Distance, workshop: Workshop) -> Distance:
    """Return the same distance, but computed by all ranks in pieces that are stored in the
    workshop's folder."""
    if workshop.alone or isinstance(distance, Euclidean):  # too cheap to divide
        return distance
    if isinstance(distance, GlobalSearch):
        return SharedPairs(distance, workshop)
    if isinstance(distance, NearestSearch):
        return SharedNearest(distance, workshop)
    raise EngineError(
        "solver must be 'global' for several processes or for --blocks: choose 'global', "
        "or omit torchrun and --blocks"
    )


@dataclass(frozen=True)
class SharedPairs:
    """Computes all pairs in one direction, and then in the reverse direction."""

    solver: GlobalSearch
    workshop: Workshop

    def align(self, v: Images) -> Alignment:
        search = self.solver.prepare(v)
        runs = cut(search.blocks())
        name = fingerprint(self.solver, v, runs)

        def forward(number: int) -> Piece:
            return _to_piece([search.forward(rows) for rows in runs[number]])

        found = self.workshop.compute(f"{name}-forward", len(runs), forward)
        whole = _to_found(found, search.index)

        def backward(number: int) -> Piece:
            return _to_piece([search.backward(whole, rows) for rows in runs[number]])

        found = self.workshop.compute(f"{name}-backward", len(runs), backward)
        back = _to_found(found, _turned(search))
        if not self.solver.group.rigid:

            def again(number: int) -> Piece:
                return _to_piece([search.again(whole, back, rows) for rows in runs[number]])

            found = self.workshop.compute(f"{name}-again", len(runs), again)
            whole = _to_found(found, search.index)
        return search.sum(whole, (back.rows(rows) for rows in search.blocks()))


@dataclass(frozen=True)
class SharedNearest:
    """Computes only the nearest images of every image."""

    solver: NearestSearch
    workshop: Workshop

    def align(self, v: Images) -> Alignment:
        if self.solver.k >= len(v) - 1:
            everything = GlobalSearch(self.solver.group, self.solver.sigma)
            return SharedPairs(everything, self.workshop).align(v)
        search = self.solver.prepare(v)
        runs = cut(search.blocks())
        name = fingerprint(self.solver, v, runs)

        def seek(number: int) -> Piece:
            found = [search.seek(rows) for rows in runs[number]]
            parts = zip(*((x.index, x.d2, x.tau, cosine) for x, cosine in found), strict=True)
            return dict(zip(("index", "d2", "tau", "cosine"), map(_cat, parts), strict=True))

        pieces = [
            {key: x.to(v.device) for key, x in piece.items()}
            for piece in self.workshop.compute(f"{name}-nearest", len(runs), seek)
        ]
        parts = [Neighbours(piece["index"], piece["d2"], piece["tau"]) for piece in pieces]
        return search.spread(parts, [piece["cosine"] for piece in pieces])


def find_nearest(solver: NearestSearch, v: Images, workshop: Workshop) -> Neighbours:
    """Like `align_nearest`, but the neighbours are computed by all ranks. Memory grows with n·k."""
    search = solver.prepare(v)
    runs = cut(search.blocks())
    name = fingerprint(solver, v, runs)

    def seek(number: int) -> Piece:
        found = join_neighbours([search.seek(rows)[0] for rows in runs[number]])
        return {"index": found.index, "d2": found.d2, "tau": found.tau}

    pieces = workshop.compute(f"{name}-neighbours", len(runs), seek)
    parts = [Neighbours(**{key: x.to(v.device) for key, x in one.items()}) for one in pieces]
    return join_neighbours(parts)


def fingerprint(
    solver: GlobalSearch | NearestSearch, v: Images, runs: Sequence[Sequence[slice]]
) -> str:
    """Return a key for the pieces: sixteen hexadecimal digits computed from the images, method,
    rows, device and torch version."""
    method = [type(solver).__name__, solver.group.name, solver.sigma, torch.__version__]
    method += [v.device.type, *((run[0].start, run[-1].stop) for run in runs)]
    own = (solver.k,) if isinstance(solver, NearestSearch) else (solver.pool, solver.pruning)
    content = hashlib.sha256(repr([*method, *own, tuple(v.shape), str(v.dtype)]).encode())
    content.update(v.detach().cpu().contiguous().numpy().tobytes())
    return content.hexdigest()[:16]


def cut(blocks: Sequence[slice]) -> list[Sequence[slice]]:
    """Combine consecutive blocks into at most PIECES pieces."""
    many = -(-len(blocks) // PIECES)
    return [blocks[first : first + many] for first in range(0, len(blocks), many)]


def _turned(search: PairSearch) -> Tensor:
    """Return [n n//2]: the indices of the images that are aligned with the template of each row in
    the reverse direction."""
    n, k = search.index.shape
    place = torch.arange(n, device=search.order.device)[:, None] - 1
    return search.order[(place - torch.arange(k, device=search.order.device)) % n]


def _to_piece(parts: Sequence[BestPoses]) -> Piece:
    found = join(list(parts))
    piece = {"matrix": found.matrix, "score": found.score}
    return piece if found.spared is None else {**piece, "spared": found.spared}


def _to_found(pieces: Sequence[Piece], index: Tensor) -> BestPoses:
    """Return the results of all rows, on the device of `index`."""
    device, names = index.device, pieces[0].keys()
    whole = {name: _cat([piece[name] for piece in pieces]).to(device) for name in names}
    return BestPoses(index, whole["matrix"], whole["score"], whole.get("spared"))


def _cat(parts: Sequence[Tensor]) -> Tensor:
    return torch.cat(list(parts))
