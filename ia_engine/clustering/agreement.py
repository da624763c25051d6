"""How well clusters fit known classes: Hungarian accuracy, or purity where their numbers differ."""

from dataclasses import dataclass

import torch
from torch import Tensor

from ia_engine.metrics import score_clusters
from ia_engine.shapes import Labels


@dataclass(frozen=True, eq=False)
class Agreement:
    """Accuracy and the rule that found it, NMI, ARI, and which class went where."""

    acc: float
    rule: str
    """Hungarian: one cluster for one class; purity: every cluster counts for its largest class."""
    nmi: float
    ari: float
    classes: Tensor
    """[c] the labels that occur, rising."""
    confusion: Tensor
    """[c k] images of each class in each cluster."""


def agree(labels: Labels, assignments: Labels, k: int | None = None) -> Agreement:
    """Compare k clusters, of which some may be empty, with the labels; k is counted unless told."""
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
