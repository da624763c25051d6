"""Baselines from scikit-learn: plain K-means and Gaussian mixtures, with a few iterations per
step."""

from typing import Any, Final, final

import torch
from numpy.typing import NDArray
from sklearn.cluster import KMeans
from sklearn.mixture import GaussianMixture
from torch import Generator, Tensor

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.learner import Learner, perturb, unwarned
from ia_engine.clustering.model import LEAST_VARIANCE, Comparison, Params
from ia_engine.clustering.state import Batch
from ia_engine.images import Images

STILL: Final = 1e-4
"""A fit has converged if no pixel of a prototype changes by more than this in one step."""
ALWAYS: Final = 1e300
"""A tolerance so large that a fit ends after its second iteration without a warning."""


@final
class PlainLearner(Learner):
    """Clustering without transformations. Each step uses all images, until the prototypes
    converge."""

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
        """Run one iteration of Lloyd's algorithm, and return the loss."""
        centres = self.comparison.prototypes.flatten(1).double().cpu().numpy()
        model = KMeans(len(centres), init=centres, n_init=1, max_iter=1)
        with unwarned():
            found = model.fit(points)
        _put(self.comparison.prototypes, found.cluster_centers_)
        return float(found.inertia_ / points.size)

    def _fit_mixture(self, points: NDArray[Any]) -> float:
        """Run two iterations of EM with the minimum variance of DTI GMM, and return the loss."""
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
