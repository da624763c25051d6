"""False matches that must be rejected: shrunken copies, copies out of the frame, blank images."""

import math
from dataclasses import dataclass

import torch
from torch import Tensor

from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.iteration import normalise
from ia_engine.images import Images
from ia_engine.transforms import GROUPS, Group
from tests.benchmarks.clock import one_thread
from tests.benchmarks.poses import PAIRS, SOURCES, Copies, generate
from tests.benchmarks.results import Found

SETS = 3
TINY = 0.3
"""Scale of a shrunken picture; the solver's poses stretch by at most 1.5."""
LEFT = 0.3
"""Maximum share of its energy that a picture out of the frame keeps on the canvas."""
SHARE = 0.9
KINDS = ("shrunken", "out of the frame", "blank")


def shrink(v: Images) -> Images:
    tau = torch.tensor([[0.0, -math.log(TINY), 0.0, 0.0]]).expand(len(v), -1)
    return normalise(GROUPS["similarity"].act(v, tau))


def push_out(v: Images, generator: torch.Generator) -> Images:
    """Images shifted in a random direction until little of them remains; they are not normalised
    again.
    """
    angle = 2 * math.pi * torch.rand(len(v), generator=generator)
    way = torch.stack([angle.cos(), angle.sin()], 1)
    reach = torch.zeros(len(v), 1)
    out = v
    while bool((crowded := out.flatten(1).square().sum(1) > LEFT).any()):
        reach = reach + crowded[:, None]
        out = GROUPS["translation"].act(v, reach * way)
    return out


def similarity(d2: Tensor, square: Tensor) -> Tensor:
    """1 - d²/(‖v_i‖² + ‖v_j‖²): 1 for identical images, and 0 for images that have nothing in
    common.
    """
    return 1 - d2 / (square[:, None] + square).clamp_min(1e-12)


@dataclass(frozen=True)
class Impostors:
    """The similarity of images to false matches, relative to that to their true match."""

    source: str
    groups: tuple[str, ...] = ("se2", "similarity", "affine", "projective")
    sets: int = SETS

    @property
    def name(self) -> str:
        return f"impostors of {self.source}"

    def measure(self) -> Found:
        figures: dict[str, object] = {"images": self.sets * PAIRS}
        claims: dict[str, bool] = {}
        for name in self.groups:
            with one_thread():
                ratios = torch.cat([self._ratios(GROUPS[name], k) for k in range(self.sets)])
            nearest = zip(KINDS, ratios.amax(0).tolist(), strict=True)
            figures |= {f"{name}: nearest {kind}": round(x, 3) for kind, x in nearest}
            claims[f"{name}: never within 10 % of the true match"] = bool((ratios < SHARE).all())
        return Found(figures, claims, f"0-{self.sets - 1}")

    def _ratios(self, group: Group, seed: int) -> Tensor:
        """Similarity to the nearest impostors of three kinds, relative to the similarity to the
        match.
        """
        generator = torch.Generator().manual_seed(seed)
        copies: Copies = generate(self.source, group, seed)
        v = copies.v
        stack = [v, copies.copy, shrink(v), push_out(v, generator), torch.zeros_like(v)]
        images = torch.cat(stack)
        d2 = GlobalSearch(group).align(images).d2
        alike = similarity(d2, images.flatten(1).square().sum(1))
        n = len(v)
        match = alike[:n, n : 2 * n].diagonal()
        nearest = alike[:n, 2 * n :].unflatten(1, (3, n)).amax(2)
        return nearest / match[:, None]


IMPOSTORS = tuple(Impostors(source) for source in SOURCES)
