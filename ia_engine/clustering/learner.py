"""Learners train a model step by step, copy clusters, and give access to all tensors by name.

`training` decides which steps are taken, and when. `Adam` keeps its moments as plain named tensors,
so that they can be saved, and reset for a single cluster.

Initial prototypes (section 3.2) are random images, centres of K-means, or noise.
"""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import final

import torch
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from torch import Generator, Tensor
from torch.optim.adam import adam

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.model import Comparison, Dti, Params
from ia_engine.clustering.state import Batch
from ia_engine.distributed.ranks import ALONE, Ranks, share_norms
from ia_engine.errors import EngineError
from ia_engine.images import Images, check_axes

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8


class Adam:
    """The Adam optimiser for named parameters; parameters without a gradient do not change."""

    def __init__(self, parameters: Mapping[str, Tensor], decay: Mapping[str, float]) -> None:
        self.parameters, self.decay = dict(parameters), dict(decay)
        self.first = {name: torch.zeros_like(x) for name, x in parameters.items()}
        self.second = {name: torch.zeros_like(x) for name, x in parameters.items()}
        self.steps = {name: x.new_zeros((), dtype=torch.float32) for name, x in parameters.items()}

    def step(self, rate: float) -> None:
        """Update all parameters that have a gradient, and then delete the gradients."""
        for decay in sorted(set(self.decay.values())):
            names = [
                name
                for name, x in self.parameters.items()
                if x.grad is not None and self.decay[name] == decay
            ]
            self._step(names, rate, decay)
        for x in self.parameters.values():
            x.grad = None

    def _step(self, names: list[str], rate: float, decay: float) -> None:
        if not names:
            return
        with torch.no_grad():
            adam(
                [self.parameters[name] for name in names],
                [_gradient(self.parameters[name]) for name in names],
                [self.first[name] for name in names],
                [self.second[name] for name in names],
                [],
                [self.steps[name] for name in names],
                fused=True,
                amsgrad=False,
                beta1=BETA1,
                beta2=BETA2,
                lr=rate,
                weight_decay=decay,
                eps=EPSILON,
                maximize=False,
            )

    def renew(self, name: str, row: int, source: int) -> None:
        """Reset the moments of a copied row: the first moment becomes 0, and the second that of the
        source."""
        # All rows share one step count, so with a second moment of 0 the first steps would be up to
        # seven times too large.
        self.first[name][row] = 0
        self.second[name][row] = self.second[name][source]

    def tensors(self) -> dict[str, Tensor]:
        """Return, by name, all tensors on which the next step depends."""
        kinds = {"first": self.first, "second": self.second, "steps": self.steps}
        return {f"{kind}.{name}": x for kind, by in kinds.items() for name, x in by.items()}


def _gradient(x: Tensor) -> Tensor:
    assert x.grad is not None
    return x.grad


DECAY = 1e-6
"""Weight decay of the predictors."""
NOISE = 1e-2
"""Noise that is added to a copied prototype and its predictors, relative to their spread."""


class Learner(ABC):
    """A model in training: the part of a run that steps modify."""

    comparison: Comparison
    whole = False
    """True if every step uses all images."""

    @abstractmethod
    def settled(self) -> bool:
        """Return True if no further step will change anything."""

    @abstractmethod
    def step(self, images: Images, rows: Tensor, stage: int, rate: float) -> tuple[float, Batch]:
        """Train one step on a batch of images, whose indices in the training set are `rows`.

        Returns the loss, and how much each cluster was used.
        """

    @abstractmethod
    def predict(self, images: Images, rows: Tensor | None, stage: int) -> Params:
        """Return the parameters [k n p] of all pairs for the active modules, without an autograd
        graph.

        `rows` are the indices of training images, or None for images outside the training set.
        """

    @abstractmethod
    def copy(self, to: int, source: int, generator: Generator) -> None:
        """Replace cluster `to` with a slightly noisy copy of cluster `source`."""

    @abstractmethod
    def clear(self, k: int) -> None:
        """Reset the transformations of a cluster to the identity or, with shared predictors, to
        those that all clusters share."""

    @abstractmethod
    def tensors(self) -> dict[str, Tensor]:
        """Return all tensors by name. They are not copied, so changing them changes the learner."""

    @final
    def load(self, tensors: Mapping[str, Tensor]) -> None:
        """Load saved tensors. Raises EngineError if one is missing or has the wrong shape."""
        with torch.no_grad():
            for name, x in self.tensors().items():
                saved = tensors.get(name)
                if saved is None or saved.shape != x.shape:
                    got = "nothing" if saved is None else f"{tuple(saved.shape)}"
                    raise EngineError(
                        f"{name} must have the shape {tuple(x.shape)}; got {got}: the state is "
                        "damaged or was saved by an older version; start the run again"
                    )
                x.copy_(saved)


@final
class DtiLearner(Learner):
    """DTI K-means and DTI GMM, trained with Adam; every rank computes part of each batch."""

    def __init__(
        self,
        config: ClusterConfig,
        prototypes: Images,
        generator: Generator,
        ranks: Ranks = ALONE,
    ) -> None:
        self.model, self.ranks = Dti(config, prototypes, generator), ranks
        share_norms(self.model, ranks)
        self.comparison = self.model.comparison
        parameters = dict(self.model.named_parameters())
        decay = {name: 0.0 if name.startswith("comparison.") else DECAY for name in parameters}
        self.adam = Adam(parameters, decay)

    def settled(self) -> bool:
        return False

    def step(self, images: Images, rows: Tensor, stage: int, rate: float) -> tuple[float, Batch]:
        self.model.train()
        share = self.ranks.share(len(images))
        loss = self.model.loss(images[self.ranks.part(len(images))], stage)
        value = share * loss.value
        value.backward()
        self.ranks.add_gradients(self.adam.parameters.values())
        self.adam.step(rate)
        usage = loss.usage.gathered(self.ranks, share)
        if stage < len(self.comparison.config.modules):
            # Use the error of the whole batch, so that all ranks agree.
            self.comparison.even_out(usage.error.sum())
        if self.comparison.variances is not None:
            self.comparison.variances.data.clamp_min_(0)
        return float(self.ranks.sum(value.detach())), usage

    def predict(self, images: Images, rows: Tensor | None, stage: int) -> Params:
        self.model.eval()
        with torch.no_grad():
            return self.model.predict(images, stage)

    def copy(self, to: int, source: int, generator: Generator) -> None:
        with torch.no_grad():
            for name, x in self._by_cluster().items():
                x[to] = x[source]
                self.adam.renew(name, to, source)
                if name.endswith("prototypes") or ".weights." in name:
                    perturb(x, to, generator)

    def clear(self, k: int) -> None:
        with torch.no_grad():
            for name, x in self._by_cluster().items():
                last = name.endswith((".weights.2", ".biases.2"))
                if last:
                    x[k] = 0
                self.adam.renew(name, k, k)

    def tensors(self) -> dict[str, Tensor]:
        model = {f"model.{name}": x for name, x in self.model.state_dict().items()}
        return {**model, **{f"adam.{name}": x for name, x in self.adam.tensors().items()}}

    def _by_cluster(self) -> dict[str, Tensor]:
        """Return the parameters that have one row per cluster; those that all clusters share are
        excluded."""
        return {
            name: x
            for name, x in self.adam.parameters.items()
            if not name.startswith(("encoder.", "common."))
        }


def perturb(x: Tensor, row: int, generator: Generator) -> None:
    """Add a little noise to one row, relative to the spread of its values."""
    noise = torch.randn(x[row].shape, generator=generator, device=x.device, dtype=x.dtype)
    x[row] += NOISE * x[row].std() * noise


ENOUGH = 5000
"""Maximum number of images used to compute the initial centres of K-means."""


def draw_prototypes(config: ClusterConfig, images: Images, generator: Generator) -> Images:
    """Draw K initial prototypes [k c h w]."""
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
    """Raise an error if there are fewer images than clusters, or if a pixel is not finite."""
    n = check_axes(images, "n c h w", "images")["n"]
    if n < config.k:
        raise EngineError(f"k must be at most the number of images, {n}; got {config.k}")
    if not images.isfinite().all():
        raise EngineError(
            "images must be finite; got infinite or NaN values: remove or repair the images "
            "that contain them"
        )


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
