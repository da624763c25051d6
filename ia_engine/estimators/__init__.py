"""Clustering and means in scikit-learn's style: `fit`, `predict` for new images, `transform`."""

from ia_engine.estimators.attention import InvariantClustering, KernelAttention
from ia_engine.estimators.mean import InvariantMean
from ia_engine.estimators.prototypes import DTIKMeans, DTIMixture

__all__ = ["DTIKMeans", "DTIMixture", "InvariantClustering", "InvariantMean", "KernelAttention"]
