"""Section 2.2's example: a 7 and a 7 with a bar are nearer to each other than either is to a 3."""

from typing import Final

import torch

from ia_engine.attention.iteration import normalise
from ia_engine.attention.manifolds.few import SIDE
from ia_engine.attention.manifolds.turning import SE2, Matrices, measure_all
from ia_engine.datasets.bases import load_base
from ia_engine.shapes import Images

DRAWINGS: Final = ("seven", "seven-barred", "three")
POSES: Final = ((0.0, 0.0, 0.0), (0.9, 3.0, -4.0), (-0.6, -4.0, 2.0))
"""(θ, b_p, b_q) [rad, px], so that pixels are no help."""
FILL: Final = 0.6


def make_sevens() -> tuple[Images, Matrices]:
    """The three images of unit norm, and their distances."""
    drawn = torch.stack([load_base(name, SIDE, FILL) for name in DRAWINGS])
    v = normalise(SE2.act(drawn, drawn.new_tensor(POSES)))
    return v, measure_all(v)
