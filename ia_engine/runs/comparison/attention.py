"""Kernel attention, and invariant attention over a group: clusters of the graph of distances.

On handwritten digits the clusters are best before any averaging, with a blur of 1 px: averaging
draws classes together whose images differ as much as the classes do.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import torch

from ia_engine.attention.clusters.detection import cluster
from ia_engine.attention.distances.alignment import Alignment
from ia_engine.attention.iteration import KERNEL_BETA, AttentionConfig, iterate, normalise
from ia_engine.runs.comparison.task import Best, Method, Task, average
from ia_engine.shapes import Images, Labels, Matrix
from ia_engine.ties import SOLVED, first_min
from ia_engine.transforms import GROUPS

SIGMA: Final = 1.0
"""Images are compared after a blur of this width [px]."""
PARTS: Final = (9, 3)
"""All pairs may be too many: first a ninth of the images is aligned, then a third, then all."""
FEWEST: Final = 12
"""Fewer images than these are not worth a part of their own."""
NOTHING: Final = "no image was aligned in time: these are kernel attention's clusters"


def attend_by_pixels(task: Task) -> Iterator[Best]:
    """Kernel attention."""
    config = AttentionConfig("ka", beta=KERNEL_BETA, sigma=SIGMA, steps=task.averagings + 1)
    for step in iterate(config, normalise(task.images)):
        found = cluster(step.d2, step.v, task.k)
        yield Best(found, average(task.images, found))


def attend_up_to(group: str) -> Method:
    """Invariant attention over this group."""

    def solve(task: Task) -> Iterator[Best]:
        config = AttentionConfig("ia", group, sigma=SIGMA, steps=task.averagings + 1)
        v, n = normalise(task.images), len(task.images)
        *_, plain = attend_by_pixels(replace(task, averagings=0))
        yield replace(plain, note=NOTHING)
        for part in PARTS:
            rows = torch.arange(0, n, part, device=v.device)
            if len(rows) >= max(FEWEST, task.k or 0):
                yield _solve_part(config, task, rows)
        for step in iterate(config, v):
            found = cluster(step.d2, step.v, task.k)
            known = Alignment(step.d2, step.tau)
            yield Best(found, centre(task.images, found, known, group))

    return solve


def centre(images: Images, assignments: Labels, found: Alignment, group: str) -> Images:
    """The mean [k c h w] of each cluster's images, each in the pose of the most central one."""
    assert found.tau is not None
    means = []
    for k in range(int(assignments.max()) + 1):
        own = (assignments == k).nonzero()[:, 0]
        anchor = own[first_min(found.d2[own][:, own].sum(0), within=SOLVED * len(own))]
        means.append(GROUPS[group].act(images[own], found.tau[own, anchor]).mean(0))
    return torch.stack(means).clamp(0, 1)  # Keys overshoots beside edges


def _solve_part(config: AttentionConfig, task: Task, rows: torch.Tensor) -> Best:
    """Clusters of some images; every other one joins the nearest of them, pixel by pixel."""
    part, n = task.images[rows], len(task.images)
    v = normalise(part)
    found = config.build().distance.align(v)
    own = cluster(found.d2, v, task.k)
    nearest = first_min(_distances(normalise(task.images), v))
    note = f"{len(rows):,} of {n:,} images were aligned in time; the others joined the nearest"
    return Best(own[nearest], centre(part, own, found, config.group), note)


def _distances(v: Images, to: Images) -> Matrix:
    return torch.cdist(v.flatten(1), to.flatten(1))
