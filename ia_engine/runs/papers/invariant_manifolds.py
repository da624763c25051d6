"""Invariant Attention's Figure 1: three manifolds that become one."""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Final

import numpy as np
import torch
from torch import Tensor

from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.iteration import AttentionConfig, normalise
from ia_engine.datasets.distortions import Distortion
from ia_engine.datasets.generated import GeneratedConfig, generate
from ia_engine.figures.papers.panels import Array, Curves, Points, show
from ia_engine.runs.attend import iterate_to_end
from ia_engine.runs.papers.entry import Claim, Effort, Number, Outcome, Progress
from ia_engine.transforms import GROUPS

TURNS: Final = 40
THREES: Final = GeneratedConfig(
    bases=("digits:3",),
    copies=3,
    size=64,
    fill=0.7,
    distortions=(Distortion("rotation", (-math.pi,), (math.pi,)),),
)


def converge(effort: Effort) -> Iterator[Progress]:
    """Figure 1: the manifolds of three images in the plane, over the iterations."""
    data = generate(replace(THREES, seed=effort.seed))
    steps = []
    for step in iterate_to_end(AttentionConfig(beta=2.0, steps=5), normalise(data.images)):
        steps.append(step)
        yield Progress(f"iteration {step.k}")
    radius = [float(step.d2.max()) ** 0.5 for step in steps]
    moments = (0, 1, len(steps) - 1)
    curves = _flatten([_turn(steps[k].v) for k in moments])
    names = tuple("the data" if k == 0 else f"after {k} iteration{'s'[: k - 1]}" for k in moments)
    turned = [_turn_away(steps[k].v) for k in moments]
    labels = tuple(i for i in range(3) for _ in range(TURNS))
    yield Progress("done", Outcome(
        numbers=(
            Number("largest distance R of the data", radius[0]),
            Number("after one iteration", radius[1]),
            Number(f"after {len(steps) - 1} iterations", radius[-1]),
        ),
        claims=(
            Claim("every iteration brings the manifolds closer",
                  all(b < a for a, b in pairwise(radius))),
            Claim("in the end they coincide: R is below a tenth of its first value",
                  radius[-1] < 0.1 * radius[0]),
        ),
        panels=(
            Points("Each closed curve: one image under a full rotation, in the plane of largest "
                   "variance", names, curves, labels, closed=True),
            Curves("Images 1 and 2: distance while image 1 is rotated; its minimum falls to 0",
                   "turn [°]", "distance", names, np.arange(TURNS) * (360 / TURNS),
                   torch.stack(turned).numpy()),
            show("The images", torch.cat([steps[k].v for k in moments]),
                 [f"{i + 1}, {name}" for name in names for i in range(3)], 3),
        ),
        data="Three handwritten 3s of scikit-learn under rotations; the paper's is a sketch.",
    ))  # fmt: skip


def _turn(v: Tensor) -> Tensor:
    """Every image at all rotation angles, [n turns pixels]."""
    angles = _angles(v)
    turned = [GROUPS["rotation"].act(image.expand(TURNS, -1, -1, -1), angles[:, None])
              for image in v]  # fmt: skip
    return torch.stack(turned).flatten(2)


def _turn_away(v: Tensor) -> Tensor:
    """‖v_1∘τ - v_2‖ for every rotation τ, with v_1 shifted onto v_2 at each, [turns]."""
    turned = GROUPS["rotation"].act(v[:1].expand(TURNS, -1, -1, -1), _angles(v)[:, None])
    found = GlobalSearch(GROUPS["translation"]).align(torch.cat([v[1:2], turned]))
    return found.d2[0, 1:].clamp_min(0).sqrt()


def _angles(v: Tensor) -> Tensor:
    return torch.arange(TURNS, device=v.device) * (2 * math.pi / TURNS)


def _flatten(moments: list[Tensor]) -> Array:
    """All moments in the plane of largest variance of the first one, [moments points 2]."""
    first = moments[0].flatten(0, 1)
    mean = first.mean(0)
    _, _, directions = torch.linalg.svd(first - mean, full_matrices=False)
    return torch.stack([(m.flatten(0, 1) - mean) @ directions[:2].T for m in moments]).numpy()
