"""Measures of a run of attention, computed from its stored steps: the means of its clusters, the
quantities of Theorem 4.1, and the errors of its poses."""

from collections.abc import Iterator, Sequence
from typing import Final

import torch

from ia_engine.attention.advice import Known
from ia_engine.attention.distances.alignment import find_anchors
from ia_engine.attention.iteration import normalise
from ia_engine.attention.theory.contraction import Trial
from ia_engine.attention.theory.quantities import (
    Quantities,
    explain_missing_constant,
    list_quantities,
    scan_constants,
)
from ia_engine.datasets.data import Data, PointSet, thin
from ia_engine.datasets.true_poses import find_orders, read_true_matrices, split_classes
from ia_engine.figures.export import read_images
from ia_engine.images import Images
from ia_engine.poses.errors import PoseErrors, compare_poses
from ia_engine.runs.attend import Iteration, MethodStep, known_distances, list_distances
from ia_engine.runs.clustering.result import spread_evenly

MAX_ITERATIONS: Final = 5
"""Maximum number of iterations at which a mean is shown, evenly spaced."""


def list_members(step: MethodStep) -> list[list[int]]:
    """Return the images of each cluster of a step, in the order of the cluster numbers."""
    found: dict[int, list[int]] = {}
    for i, cluster in enumerate(step.numbers.assignments):
        found.setdefault(cluster, []).append(i)
    return [found[cluster] for cluster in sorted(found)]


def find_centre(steps: Sequence[MethodStep], members: Sequence[int]) -> int:
    """Return the most central of these images, by the distances between the original images."""
    rows = torch.tensor(members, device="cpu")
    d2 = list_distances(steps[:1])[0][rows][:, rows]
    return members[int(find_anchors(d2, torch.zeros_like(rows))[0])]


def follow_mean(
    steps: Sequence[MethodStep], members: Sequence[int], most: int = MAX_ITERATIONS
) -> tuple[list[int], Images]:
    """Return iterations p, and the mean [p c h w] of a cluster at each of them.

    Iteration 0 shows the most central image; later ones show the means that have replaced it,
    which are in its pose.
    """
    centre = find_centre(steps, members)
    iterations = spread_evenly(range(len(steps)), most)
    return iterations, torch.stack([read_images(steps[p].frame)[centre] for p in iterations])


def measure_quantities(kept: Sequence[MethodStep], labels: Sequence[int]) -> list[Quantities]:
    """Return the quantities of Theorem 4.1 at every iteration, from the stored distances.

    The c′ of an iteration belongs to the config with which this iteration was computed.
    """
    known = [known_distances(shown.frame, shown.config) for shown in kept]
    classes = torch.tensor(labels, device="cpu") if labels else None
    return list_quantities([one.d2 for one in known], [_single_beta(one) for one in known], classes)


def _single_beta(known: Known) -> float | None:
    """Return the β of the weights; None if every mean has its own, or if they have no c′."""
    if explain_missing_constant(known.weighting, len(known.d2)):
        return None
    _, beta = known.weighting.weigh(known.d2, known.square)
    return float(beta) if beta.ndim == 0 else None


def explain_constants(kept: Sequence[MethodStep]) -> list[str]:
    """Return why Theorem 4.1 does not apply to iterations of a method, each reason once."""
    n = len(kept[0].frame.arrays["d2"])
    reasons = (explain_missing_constant(shown.config.build(n).weighting, n) for shown in kept)
    return [*dict.fromkeys(filter(None, reasons))]


def scan_run(first: Iteration, data: Data, constants: Sequence[float]) -> Iterator[Trial]:
    """Yield the first iteration of a run with β = c′/R², for each c′."""
    part = thin(data, first.plan.size)
    v = part.points if isinstance(part, PointSet) else normalise(part.images)
    config = (first.shown.get("ia") or first.shown["ka"]).config
    return scan_constants(config.build(len(v)), v.to(first.plan.device), constants)


def measure_poses(step: MethodStep, data: Data, size: int) -> PoseErrors | None:
    """Return the errors of the poses of the first iteration of a run on `size` rows of the data;
    None if the true poses are unknown or the method has none."""
    part, matrices = thin(data, size), step.frame.arrays.get("matrices")
    if isinstance(part, PointSet) or matrices is None:
        return None
    true = read_true_matrices(part)
    if true is None:
        return None
    found = torch.tensor(matrices, device="cpu").unflatten(-1, (3, 3))
    d2 = torch.tensor(step.frame.arrays["d2"], device="cpu")
    classes = split_classes(part, true).cpu()
    width, orders = part.images.shape[-1], find_orders(part)
    return compare_poses(
        true.cpu(), found, d2, classes, width=width, orders=orders, rough=step.rough
    )
