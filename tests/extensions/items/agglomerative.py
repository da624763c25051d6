"""Agglomerative clustering of the pixels, with Ward's criterion."""

from collections.abc import Iterator

import torch
from sklearn.cluster import AgglomerativeClustering

from ia_engine.runs.comparison.methods import Best, Method, Task, average, choose_k, note_k


def solve_agglomerative(task: Task) -> Iterator[Best]:
    k = choose_k(task)
    points = task.images.flatten(1).double().cpu().numpy()
    found = AgglomerativeClustering(k).fit_predict(points)
    assignments = torch.from_numpy(found).long().to(task.images.device)
    yield Best(assignments, average(task.images, assignments), note_k(task, k))


AGGLOMERATIVE = Method("Agglomerative clustering", solve_agglomerative)
