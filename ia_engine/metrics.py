"""How well a clustering fits the labels: ARI, NMI, and accuracy by the best one-to-one map."""

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
from sklearn.metrics.cluster import contingency_matrix

from ia_engine.shapes import Labels


@dataclass(frozen=True)
class Scores:
    """Adjusted Rand index, normalised mutual information, accuracy by the Hungarian map."""

    ari: float
    nmi: float
    acc: float


def score_clusters(labels: Labels, assignments: Labels) -> Scores:
    """Compare found clusters with the labels; a cluster without a class of its own is wrong."""
    truth, found = labels.cpu().numpy(), assignments.cpu().numpy()
    table = contingency_matrix(truth, found)
    matched = table[linear_sum_assignment(table, maximize=True)].sum()
    return Scores(
        ari=float(adjusted_rand_score(truth, found)),
        nmi=float(normalized_mutual_info_score(truth, found)),
        acc=float(matched / np.maximum(len(truth), 1)),
    )
