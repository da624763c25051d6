"""K for methods that have to be told it: the number of clusters that lie furthest apart."""

from typing import Final

from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score

from ia_engine.runs.comparison.task import Task

MOST: Final = 12
"""No more clusters than these are tried."""


def number(task: Task) -> int:
    """K as told, or that of the K-means whose silhouette (Rousseeuw 1987) is best."""
    if task.k is not None:
        return task.k
    points = task.images.flatten(1).double().cpu().numpy()
    scores = {}
    for k in range(2, min(MOST, len(points) - 1) + 1):
        found = KMeans(k, n_init=3, random_state=task.seed).fit_predict(points)
        if len(set(found.tolist())) > 1:
            scores[k] = float(silhouette_score(points, found))
    return max(scores, key=scores.__getitem__, default=1)


def note(task: Task, k: int) -> str:
    """Where K came from, if it was not told."""
    return "" if task.k is not None else f"K = {k} by K-means' silhouette"
