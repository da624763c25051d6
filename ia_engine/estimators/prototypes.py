"""The prototypes of paper 2, which learn to be transformed, in scikit-learn's style."""

from typing import Final, Self

from numpy.typing import ArrayLike
from sklearn.base import ClassNamePrefixFeaturesOutMixin, ClusterMixin
from torch import Tensor

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.reading import put_back
from ia_engine.clustering.seeds import SeedStep, train_seeds
from ia_engine.errors import EngineError
from ia_engine.estimators.images import (
    Array,
    ImageEstimator,
    Shape,
    check_count,
    draw_seed,
    to_labels,
    to_rows,
)
from ia_engine.params import Range
from ia_engine.predict import PrototypeModel

STARTS: Final = Range(
    "S", 1, 1000, "number of seeds, of which the one with the lowest loss is kept"
)


class _Prototypes(ClassNamePrefixFeaturesOutMixin, ClusterMixin, ImageEstimator):
    """What K-means and mixtures with learned transformations have in common."""

    _model: str
    labels_: Array
    """[n]: the prototype of each image."""
    poses_: Array
    """[n P]: the parameters of all modules in sequence, which transform the prototype onto the
    image."""
    cluster_centers_: Array
    """[k p]: the prototypes, in the scale of X."""
    loss_: float
    """The mean training loss of the images, per pixel."""
    scale_: float
    """The largest magnitude in the training set, by which all values are divided."""

    def __init__(
        self,
        n_clusters: int = ClusterConfig.k,
        *,
        sequence: str = ClusterConfig.sequence,
        encoder: str = ClusterConfig.encoder,
        iterations: int = ClusterConfig.iterations,
        batch: int = ClusterConfig.batch,
        rate: float = ClusterConfig.rate,
        curriculum: str = ClusterConfig.curriculum,
        reassign: float = ClusterConfig.reassign,
        exchange: float = ClusterConfig.exchange,
        period: int = ClusterConfig.period,
        start: str = ClusterConfig.start,
        focus: float = ClusterConfig.focus,
        outside: str = ClusterConfig.outside,
        colors: str = ClusterConfig.colors,
        predictors: str = ClusterConfig.predictors,
        n_init: int = 1,
        image_shape: Shape | None = None,
        random_state: object = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.sequence = sequence
        self.encoder = encoder
        self.iterations = iterations
        self.batch = batch
        self.rate = rate
        self.curriculum = curriculum
        self.reassign = reassign
        self.exchange = exchange
        self.period = period
        self.start = start
        self.focus = focus
        self.outside = outside
        self.colors = colors
        self.predictors = predictors
        self.n_init = n_init
        self.image_shape = image_shape
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Train the prototypes on the images of X."""
        STARTS.check("n_init", self.n_init)
        config = self._configure(
            ClusterConfig, model=self._model, k=self.n_clusters, sequence=self.sequence
        )
        images, flat = self._read_fitted(X)
        check_count(len(images), config.k)
        self.scale_ = float(images.abs().amax()) or 1.0
        images, best = images / self.scale_, None
        seed = draw_seed(self.random_state)
        for step in train_seeds(config, images, int(self.n_init), seed=seed):
            best = step if step.best else best
        self._keep(best, flat)
        self.poses_ = to_rows(put_back(self.model_.state, images).tau, flat)
        return self

    def predict(self, X: ArrayLike) -> Array:
        """Return the prototype of each image."""
        images, _ = self._read_scaled(X)
        return to_labels(self.model_.predict(images).assignments)

    def transform(self, X: ArrayLike) -> Array:
        """Return the distance [m k] between each image and each transformed prototype: the squared
        error per pixel or, for a mixture, -log π_k G per pixel. `predict` returns the smallest.

        The values of X are divided by `scale_` before.
        """
        images, flat = self._read_scaled(X)
        return to_rows(self.model_.predict(images).distances, flat)

    def align(self, X: ArrayLike) -> Array:
        """Return the images [m p], mapped back to their prototypes. Morphology is not undone."""
        images, flat = self._read_scaled(X)
        return to_rows(self.scale_ * self.model_.predict(images).aligned, flat)

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def _read_scaled(self, X: ArrayLike) -> tuple[Tensor, Array]:
        images, flat = self._read_new(X)
        return images / self.scale_, flat

    def _keep(self, best: SeedStep | None, flat: Array) -> None:
        if best is None or best.final is None:
            raise EngineError("no seed ended with a finite loss: choose a smaller rate")
        self.model_ = PrototypeModel.of(best.step.state, best.final)
        self.labels_, self.loss_ = to_labels(best.final.assignments), best.final.loss
        self.cluster_centers_ = to_rows(self.scale_ * self.model_.centres, flat)


class DTIKMeans(_Prototypes):
    """K-means whose prototypes learn to be transformed onto their images (DTI K-means).

    Parameters are the settings of `ClusterConfig`, and:

    n_clusters: number of clusters.
    n_init: number of seeds, of which the one with the lowest loss is kept.
    image_shape: (h, w) or (c, h, w), if X is a matrix of images that are not square.
    random_state: the first seed.

    >>> from sklearn.datasets import load_digits
    >>> model = DTIKMeans(3, sequence="affine", iterations=2, random_state=0)
    >>> model.fit(load_digits().images[:12]).cluster_centers_.shape
    (3, 64)
    """

    _model = "dti-kmeans"


class DTIMixture(_Prototypes):
    """A Gaussian mixture whose means learn to be transformed onto their images (DTI GMM).

    Its parameters are those of `DTIKMeans`.

    >>> from sklearn.datasets import load_digits
    >>> model = DTIMixture(3, sequence="affine", iterations=2, random_state=0)
    >>> model.fit(load_digits().images[:12]).transform(load_digits().images[:2]).shape
    (2, 3)
    """

    _model = "dti-gmm"
