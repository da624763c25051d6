"""The invariant mean of paper 1, in scikit-learn's style."""

from typing import Self

import numpy as np
import torch
from numpy.typing import ArrayLike
from sklearn.base import OneToOneFeatureMixin
from torch import Generator

from ia_engine.attention.distances.across import align_across
from ia_engine.attention.iteration import normalise
from ia_engine.attention.means.algorithm1 import MeanConfig, find_mean
from ia_engine.estimators.images import (
    Array,
    ImageEstimator,
    Shape,
    draw_seed,
    to_rows,
)
from ia_engine.images import Images
from ia_engine.transforms import GROUPS


class InvariantMean(OneToOneFeatureMixin, ImageEstimator):
    """The mean of images up to the transformations of a group, Algorithm 1.

    Parameters are the settings of `MeanConfig`, and:

    image_shape: (h, w) or (c, h, w), if X is a matrix of images that are not square.
    random_state: seed of the initial poses if start is "random".

    All images belong to one cluster, 0.

    >>> from sklearn.datasets import load_digits
    >>> InvariantMean().fit(load_digits().images[:8]).mean_.shape
    (8, 8)
    """

    _config: MeanConfig
    _mean: Images
    """Settings and mean of `fit`, with which new images are aligned."""
    labels_: Array
    poses_: Array
    """[n p]: the poses that warp the images onto the mean."""
    cluster_centers_: Array
    """[1 p]: the mean as a row; the images are divided by their norms before."""
    mean_: Array
    """[h w] or [c h w]: the mean."""
    objective_: float
    """The value of the objective (2.3) at the mean."""

    def __init__(
        self,
        *,
        group: str = MeanConfig.group,
        start: str = MeanConfig.start,
        sigma: float = MeanConfig.sigma,
        schedule: str = MeanConfig.schedule,
        rate: float = MeanConfig.rate,
        steps: int = MeanConfig.steps,
        image_shape: Shape | None = None,
        random_state: object = None,
    ) -> None:
        self.group = group
        self.start = start
        self.sigma = sigma
        self.schedule = schedule
        self.rate = rate
        self.steps = steps
        self.image_shape = image_shape
        self.random_state = random_state

    def fit(self, X: ArrayLike, y: object = None) -> Self:
        """Compute the mean of the images of X."""
        self._config = config = self._configure(MeanConfig)
        images, flat = self._read_fitted(X)
        v, generator = normalise(images), None
        if config.start == "random":
            generator = Generator(device=v.device).manual_seed(draw_seed(self.random_state))
        *_, last = find_mean(config, v, torch.ones_like(v[:, 0, 0, 0]), generator)
        self._mean, self.cluster_centers_ = last.mu[None], to_rows(last.mu[None], flat)
        self.mean_ = self.cluster_centers_.reshape(self.image_shape_)
        self.mean_ = self.mean_[0] if len(self.mean_) == 1 else self.mean_
        self.objective_, self.labels_ = last.objective, np.zeros(len(v), np.int64)
        self.poses_ = to_rows(last.tau, flat)
        return self

    def fit_predict(self, X: ArrayLike, y: object = None) -> Array:
        """Compute the mean, and return `labels_`."""
        return self.fit(X).labels_

    def predict(self, X: ArrayLike) -> Array:
        """Return the cluster of each image, which is 0."""
        return np.zeros(len(self._read_new(X)[0]), np.int64)

    def transform(self, X: ArrayLike) -> Array:
        """Return the images [m p], aligned with the mean."""
        images, flat = self._read_new(X)
        group, sigma = GROUPS[self._config.group], self._config.sigma
        tau = align_across(normalise(images), self._mean, group, sigma).tau[:, 0]
        return to_rows(group.act(images, tau), flat)
