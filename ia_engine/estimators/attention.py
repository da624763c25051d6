"""Clusters of iterated attention (paper 1), and the invariant mean, in scikit-learn's style."""

from abc import ABC, abstractmethod
from typing import Final, Self

import torch
from numpy.typing import ArrayLike
from sklearn.base import (
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
)
from sklearn.utils.validation import check_is_fitted, validate_data
from torch import Tensor

from ia_engine.attention.clusters.detection import cluster
from ia_engine.attention.iteration import (
    KERNEL_BETA,
    AttentionConfig,
    Step,
    iterate,
    normalise,
    weigh_images,
)
from ia_engine.errors import EngineError
from ia_engine.estimators.images import (
    FLOATS,
    PRECOMPUTED,
    Array,
    ImageEstimator,
    Shape,
    check_count,
    to_labels,
    to_rows,
    to_tensor,
)
from ia_engine.images import Labels, Matrix
from ia_engine.params import Choice
from ia_engine.predict import AttentionModel, choose, find_distances

IMAGES: Final = "images"
METRIC: Final = Choice(
    "metric",
    (IMAGES, PRECOMPUTED),
    "what X holds: images, or the squared distances d² between images of unit norm",
)
ROUNDING: Final = 1e-4
"""Largest rounding error of d², for images of unit norm."""


class _Attention(ClassNamePrefixFeaturesOutMixin, ClusterMixin, ImageEstimator, ABC):
    """The base class of the attention estimators."""

    _method: str
    _labels: Labels
    """A copy of `labels_`, from which new images are assigned."""
    n_clusters: int | None
    metric: str
    labels_: Array
    """[n]: the cluster of each image, numbered from 0."""
    poses_: Array
    """[n p]: the poses that warp the images onto the central images of their clusters."""
    cluster_centers_: Array
    """[k p]: the mean of the images of each cluster in these poses."""

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Cluster the images of X, or the rows of a matrix of squared distances."""
        config = self._configure(AttentionConfig, method=self._method)
        for name in ("model_", "poses_", "cluster_centers_", "image_shape_"):
            if hasattr(self, name):  # distances have none of these
                delattr(self, name)
        if self._is_precomputed():
            self._find_clusters(self._attend_distances(config, self._read_distances(X)))
            return self
        images, flat = self._read_fitted(X)
        first, *more = iterate(config, normalise(images))
        self._find_clusters(more[-1] if more else first)
        beta = float(first.beta.median())
        self.model_ = AttentionModel(config, images, self._labels, first.d2, beta)
        self.poses_ = to_rows(self.model_.poses, flat)
        self.cluster_centers_ = to_rows(self.model_.centres, flat)
        return self

    def predict(self, X: ArrayLike) -> Array:
        """Return the cluster of each new image: that of the nearest image of the training set.

        With metric="precomputed", X holds d² between new images and the training set [m n].
        """
        return to_labels(choose(self._measure(X)[0]))

    def transform(self, X: ArrayLike) -> Array:
        """Return the distance d² [m k] between each image and the nearest image of each cluster in
        the training set. `predict` returns the smallest."""
        return to_rows(*self._measure(X))

    def align(self, X: ArrayLike) -> Array:
        """Return the images [m p] in the pose of the central image of their cluster."""
        check_is_fitted(self)
        if self._is_precomputed():
            raise EngineError(
                "align needs images, but this estimator was fitted to distances: set "
                "metric='images' and fit it to images"
            )
        images, flat = self._read_new(X)
        return to_rows(self.model_.predict(images).aligned, flat)

    @property
    def _n_features_out(self) -> int:
        return int(self.labels_.max()) + 1

    @abstractmethod
    def _attend_distances(self, config: AttentionConfig, d2: Matrix) -> Step:
        """Return the last step, computed from the squared distances of images of unit norm."""

    def _is_precomputed(self) -> bool:
        METRIC.check("metric", self.metric)
        return self.metric == PRECOMPUTED

    def _find_clusters(self, step: Step) -> None:
        k = None if self.n_clusters is None else int(self.n_clusters)
        if k is not None:
            check_count(len(step.d2), k)
        found = cluster(step.d2, step.v, k)
        self.labels_, self._labels = to_labels(found), found.cpu()

    def _measure(self, X: ArrayLike) -> tuple[Matrix, Array]:
        """Return d² [m k] between each image and each cluster, and X as a matrix."""
        check_is_fitted(self)
        if not self._is_precomputed():
            images, flat = self._read_new(X)
            return self.model_.measure(images), flat
        matrix = validate_data(self, X, dtype=FLOATS, reset=False)
        return find_distances(to_tensor(matrix), self._labels), matrix

    def _read_distances(self, X: ArrayLike) -> Matrix:
        matrix = validate_data(self, X, dtype=FLOATS)
        d2 = to_tensor(matrix)
        if d2.shape[0] != d2.shape[1] or not torch.allclose(d2, d2.T, atol=ROUNDING):
            raise EngineError(
                "X must be a symmetric matrix of squared distances [n n] if metric is "
                f"'precomputed'; got a matrix of shape {tuple(d2.shape)}"
            )
        if float(d2.amin()) < -ROUNDING or float(d2.diagonal().amax()) > ROUNDING:
            raise EngineError(
                "X must contain squared distances d², which are 0 on the diagonal and not "
                f"negative, if metric is 'precomputed'; got {float(d2.amin()):g} as the smallest "
                f"value and {float(d2.diagonal().amax()):g} on the diagonal"
            )
        return d2


class InvariantClustering(_Attention):
    """Clusters of images up to the transformations of a group, by invariant attention.

    Parameters are the settings of `AttentionConfig`, and:

    n_clusters: number of clusters; if None, it is estimated as in `ia_engine.cluster`.
    metric: "images", or "precomputed" for squared distances d² of images of unit norm, such as
        those of `GlobalSearch`. Means need images, so "precomputed" requires steps=1.
    image_shape: (h, w) or (c, h, w), if X is a matrix of images that are not square.

    Without images of a known shape, a row of X is an image of one row of pixels, which the group
    can shift or reverse.

    >>> from sklearn.datasets import load_digits
    >>> X = load_digits().images[:12]
    >>> InvariantClustering(n_clusters=3, steps=1).fit_predict(X).shape
    (12,)
    """

    _method = "ia"

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        group: str = AttentionConfig.group,
        beta: float = AttentionConfig.beta,
        sigma: float = AttentionConfig.sigma,
        steps: int = AttentionConfig.steps,
        solver: str = AttentionConfig.solver,
        schedule: str = AttentionConfig.schedule,
        rate: float = AttentionConfig.rate,
        updates: int = AttentionConfig.updates,
        kernel: str = AttentionConfig.kernel,
        bandwidth: str = AttentionConfig.bandwidth,
        neighbours: int = AttentionConfig.neighbours,
        quantile: float = AttentionConfig.quantile,
        constant: float = AttentionConfig.constant,
        pairs: str = AttentionConfig.pairs,
        nearest: int = AttentionConfig.nearest,
        metric: str = IMAGES,
        image_shape: Shape | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.group = group
        self.beta = beta
        self.sigma = sigma
        self.steps = steps
        self.solver = solver
        self.schedule = schedule
        self.rate = rate
        self.updates = updates
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.neighbours = neighbours
        self.quantile = quantile
        self.constant = constant
        self.pairs = pairs
        self.nearest = nearest
        self.metric = metric
        self.image_shape = image_shape

    def _attend_distances(self, config: AttentionConfig, d2: Matrix) -> Step:
        if config.steps != 1:
            raise EngineError(
                "steps must be 1 if metric is 'precomputed', because the means of later steps need "
                f"images; got {config.steps}"
            )
        v = torch.ones_like(d2[:, :1])  # only their norms are used
        W, beta = weigh_images(config, v, d2, None)
        return Step(1, v, d2, None, W, beta, v, 0.0)


class KernelAttention(_Attention):
    """Clusters of images that are compared pixel by pixel, by kernel attention.

    Parameters are the settings of `AttentionConfig` that kernel attention uses, and those of
    `InvariantClustering`; `poses_` has no columns.

    metric: "images", or "precomputed" for the squared Euclidean distances d² of images of unit
        norm, which determine all steps.

    >>> from sklearn.datasets import load_digits
    >>> KernelAttention(n_clusters=3).fit_predict(load_digits().data[:12]).shape
    (12,)
    """

    _method = "ka"

    def __init__(
        self,
        n_clusters: int | None = None,
        *,
        beta: float = KERNEL_BETA,
        sigma: float = AttentionConfig.sigma,
        steps: int = AttentionConfig.steps,
        kernel: str = AttentionConfig.kernel,
        bandwidth: str = AttentionConfig.bandwidth,
        neighbours: int = AttentionConfig.neighbours,
        quantile: float = AttentionConfig.quantile,
        constant: float = AttentionConfig.constant,
        metric: str = IMAGES,
        image_shape: Shape | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.beta = beta
        self.sigma = sigma
        self.steps = steps
        self.kernel = kernel
        self.bandwidth = bandwidth
        self.neighbours = neighbours
        self.quantile = quantile
        self.constant = constant
        self.metric = metric
        self.image_shape = image_shape

    def _attend_distances(self, config: AttentionConfig, d2: Matrix) -> Step:
        if config.sigma > 0:
            raise EngineError(
                "sigma must be 0 if metric is 'precomputed', because distances cannot be smoothed; "
                f"got {config.sigma:g}"
            )
        *_, last = iterate(config, embed(d2))
        return last


def embed(d2: Matrix) -> Tensor:
    """Return points [n n] of unit norm with the given squared distances: ⟨x_i, x_j⟩ = 1 - d²/2.

    >>> points = embed(torch.tensor([[0.0, 2.0], [2.0, 0.0]]))
    >>> (points @ points.T).round().tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    values, vectors = torch.linalg.eigh(1 - d2.double() / 2)
    if float(values.amin()) < -ROUNDING * len(d2):
        raise EngineError(
            "X must contain squared Euclidean distances of images of unit norm if metric is "
            f"'precomputed'; got distances of up to {float(d2.max()):g} that no such images have: "
            "divide each image by its norm"
        )
    return (vectors * values.clamp_min(0).sqrt()).to(d2)
