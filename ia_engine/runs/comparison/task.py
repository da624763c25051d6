"""The task of a method of the comparison, and its answer."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import torch
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score

from ia_engine.shapes import Images, Labels

MAX_K: Final = 12
"""The largest number of clusters that is tried."""


@dataclass(frozen=True, eq=False)
class Task:
    """The images and limits, the same for every method."""

    images: Images
    """[n c h w] in [0, 1]."""
    k: int | None
    """The number of clusters; None if the method has to find it."""
    budget: float
    """CPU seconds."""
    seed: int = 0
    averagings: int = 0


@dataclass(frozen=True, eq=False)
class Best:
    """The best result of a method so far."""

    assignments: Labels
    """[n], the clusters numbered from 0 without gaps, unless centres belong to the numbers."""
    centres: Images
    """[k c h w]."""
    note: str = ""
    """What differs from the task, in one sentence."""


Method = Callable[[Task], Iterator[Best]]
"""Yields a first result soon and better ones later."""


def average(images: Images, assignments: Labels) -> Images:
    """The mean [k c h w] of each cluster's images, pixel by pixel."""
    within = torch.nn.functional.one_hot(assignments).to(images)
    total = torch.einsum("nk,nchw->kchw", within, images)
    return total / within.sum(0).clamp_min(1)[:, None, None, None]


def choose_k(task: Task) -> int:
    """K of the task, or else that of the K-means with the best silhouette (Rousseeuw 1987)."""
    if task.k is not None:
        return task.k
    points = task.images.flatten(1).double().cpu().numpy()
    scores = {}
    for k in range(2, min(MAX_K, len(points) - 1) + 1):
        found = KMeans(k, n_init=3, random_state=task.seed).fit_predict(points)
        if len(set(found.tolist())) > 1:
            scores[k] = float(silhouette_score(points, found))
    return max(scores, key=scores.__getitem__, default=1)


def note_k(task: Task, k: int) -> str:
    """How K was chosen if the task does not state it."""
    return "" if task.k is not None else f"K = {k} by K-means' silhouette"
