"""Agreement between a clustering and labels: ARI, NMI, and accuracy.

The accuracy uses the best one-to-one mapping from clusters to classes (Hungarian algorithm). If the
numbers of clusters and classes differ, it is the purity.
"""

from dataclasses import dataclass

import numpy as np
import torch
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix
from torch import Tensor

from ia_engine.images import Labels


@dataclass(frozen=True)
class Scores:
    """Adjusted Rand index, normalised mutual information, and accuracy (Hungarian algorithm)."""

    ari: float
    nmi: float
    acc: float


def score_clusters(labels: Labels, assignments: Labels) -> Scores:
    """Compare clusters with labels; images in a cluster without a matching class count as
    errors."""
    truth, found = labels.cpu().numpy(), assignments.cpu().numpy()
    table = contingency_matrix(truth, found)
    matched = table[linear_sum_assignment(table, maximize=True)].sum()
    return Scores(
        ari=float(adjusted_rand_score(truth, found)),
        nmi=float(normalized_mutual_info_score(truth, found)),
        acc=float(matched / np.maximum(len(truth), 1)),
    )


@dataclass(frozen=True, eq=False)
class Agreement:
    """Accuracy and its rule, NMI, ARI, and the confusion matrix."""

    acc: float
    rule: str
    """How the accuracy is computed: Hungarian (one cluster per class), or purity (every cluster is
    mapped to its most frequent class)."""
    nmi: float
    ari: float
    classes: Tensor
    """[c]: the distinct labels in ascending order."""
    confusion: Tensor
    """[c k]: the number of images of each class in each cluster."""


def agree(labels: Labels, assignments: Labels, k: int | None = None) -> Agreement:
    """Compare k clusters, some possibly empty, with the labels.

    By default, k is the largest index in `assignments` plus 1.
    """
    k = int(assignments.max()) + 1 if k is None else k
    classes, truth = torch.unique(labels, return_inverse=True)
    pairs = truth * k + assignments
    confusion = torch.bincount(pairs, minlength=len(classes) * k).view(len(classes), k)
    scores = score_clusters(labels, assignments)
    if k == len(classes):
        acc, rule = scores.acc, "Hungarian"
    else:
        acc, rule = float(confusion.amax(0).sum() / max(len(labels), 1)), "purity"
    return Agreement(acc, rule, scores.nmi, scores.ari, classes, confusion)
