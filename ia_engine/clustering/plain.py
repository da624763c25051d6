"""Baselines from scikit-learn: plain K-means and Gaussian mixtures, a few iterations per step.

Initial prototypes (section 3.2): random samples, centres of K-means, or noise.
"""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, final

import torch
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.mixture import GaussianMixture
from torch import Generator, Tensor

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.learner import Learner, perturb
from ia_engine.clustering.losses import LEAST_VARIANCE
from ia_engine.clustering.model import Comparison, Params
from ia_engine.clustering.state import Batch
from ia_engine.errors import EngineError
from ia_engine.shapes import Images, check_axes

ENOUGH = 5000
"""Number of images from which the initial centres of K-means are computed."""


def draw_prototypes(config: ClusterConfig, images: Images, generator: Generator) -> Images:
    """K prototypes [k c h w]."""
    check_images(config, images)
    order = torch.randperm(len(images), generator=generator, device=images.device)
    if config.start == "sample":
        return images[order[: config.k]].clone()
    if config.start == "kmeans":
        return _centres(images[order[:ENOUGH]], config.k, generator)
    mean, spread = images.mean(0), images.std(0, correction=min(1, len(images) - 1))
    noise = torch.randn(
        config.k, *images.shape[1:], generator=generator, device=images.device, dtype=images.dtype
    )
    return mean + spread * noise


def check_images(config: ClusterConfig, images: Images) -> None:
    """Check for at least as many images as clusters, and for finite values."""
    n = check_axes(images, "n c h w", "images")["n"]
    if n < config.k:
        raise EngineError(f"k must not exceed the number of images; got {config.k} of {n}")
    if not images.isfinite().all():
        raise EngineError("images must be finite, some hold infinities or are not numbers")


@contextmanager
def unwarned() -> Iterator[None]:
    """Suppress scikit-learn's warning about empty clusters, which repeated images cause."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


def _centres(images: Images, k: int, generator: Generator) -> Images:
    seed = torch.randint(2**31 - 1, (), generator=generator, device=images.device).item()
    points = images.flatten(1).detach().cpu().double().numpy()
    model = KMeans(k, init="k-means++", n_init=1, random_state=int(seed))
    with unwarned():
        found = model.fit(points)
    centres = torch.from_numpy(found.cluster_centers_).to(images)
    return centres.view(k, *images.shape[1:])


STILL: Final = 1e-4
"""A fit has converged when no pixel of a prototype changes by more than this in a step."""
ALWAYS: Final = 1e300
"""A tolerance that ends a fit after its second iteration without a warning."""


@final
class PlainLearner(Learner):
    """All images in each step, without transformations; converged when prototypes do not change."""

    whole = True

    def __init__(self, config: ClusterConfig, prototypes: Images) -> None:
        self.comparison = Comparison(config, prototypes)
        self.still = torch.zeros((), dtype=torch.bool, device=prototypes.device)

    def settled(self) -> bool:
        return bool(self.still)

    def step(self, images: Images, rows: Tensor, stage: int, rate: float) -> tuple[float, Batch]:
        with torch.no_grad():
            before = self.comparison.prototypes.clone()
            points = images.detach().flatten(1).double().cpu().numpy()
            loss = self._fit_mixture(points) if self._mixture else self._fit_means(points)
            scores, errors = self.comparison.compare_twice(images, [])
            _, columns, weights = self.comparison.choose(scores)
            moved = (self.comparison.prototypes - before).abs().max()
            self.still.copy_(moved < STILL)
            return loss, Batch.of(errors, columns, weights)

    def predict(self, images: Images, rows: Tensor | None, stage: int) -> Params:
        return []

    def copy(self, to: int, source: int, generator: Generator) -> None:
        with torch.no_grad():
            for x in self.comparison.parameters():
                x[to] = x[source]
            perturb(self.comparison.prototypes, to, generator)
            self.still.fill_(False)

    def clear(self, k: int) -> None:
        self.still.fill_(False)

    def tensors(self) -> dict[str, Tensor]:
        model = self.comparison.state_dict()
        return {
            **{f"model.comparison.{name}": x for name, x in model.items()},
            "settled": self.still,
        }

    @property
    def _mixture(self) -> bool:
        return self.comparison.eta is not None

    def _fit_means(self, points: NDArray[Any]) -> float:
        """One iteration of Lloyd's algorithm."""
        centres = self.comparison.prototypes.flatten(1).double().cpu().numpy()
        model = KMeans(len(centres), init=centres, n_init=1, max_iter=1)
        with unwarned():
            found = model.fit(points)
        _put(self.comparison.prototypes, found.cluster_centers_)
        return float(found.inertia_ / points.size)

    def _fit_mixture(self, points: NDArray[Any]) -> float:
        """Two EM iterations, with the minimum variance of DTI GMM."""
        model = self.comparison
        assert model.variances is not None
        assert model.eta is not None
        variances = model.variances.flatten(1).double() + LEAST_VARIANCE
        found = GaussianMixture(
            len(variances),
            covariance_type="diag",
            weights_init=model.eta.double().softmax(0).cpu().numpy(),
            means_init=model.prototypes.flatten(1).double().cpu().numpy(),
            precisions_init=(1 / variances).cpu().numpy(),
            init_params="random_from_data",
            random_state=0,
            reg_covar=LEAST_VARIANCE,
            max_iter=2,
            tol=ALWAYS,
        ).fit(points if len(points) > 1 else points.repeat(2, axis=0))  # a fit needs two points
        _put(model.prototypes, found.means_)
        _put(model.variances, found.covariances_ - LEAST_VARIANCE)
        _put(model.eta, found.weights_)
        model.eta.clamp_min_(1e-12).log_()
        return float(-found.lower_bound_ / points.shape[1])


def _put(target: Tensor, values: NDArray[Any]) -> None:
    target.copy_(torch.from_numpy(values).view(target.shape))
