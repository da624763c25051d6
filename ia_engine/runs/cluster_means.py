"""Follows the clusters of an attention run: their images, and their means at every iteration."""

from collections.abc import Sequence
from typing import Final

import torch

from ia_engine.attention.distances.alignment import find_anchors
from ia_engine.figures.export import read_images
from ia_engine.images import Images
from ia_engine.runs.attend import MethodStep, list_distances
from ia_engine.runs.clustering.samples import spread_evenly

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
