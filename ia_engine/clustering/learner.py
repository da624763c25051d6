"""Learners: one training step of a model, copying of clusters, and all tensors by name.

`training` decides how long and in which order they learn. `Adam` keeps its moments as plain tensors
by name, so that they can be saved, and reset per cluster.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import final

import torch
from torch import Generator, Tensor
from torch.optim.adam import adam

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.model import Comparison, Dti, Params
from ia_engine.clustering.state import Batch
from ia_engine.distributed.ranks import ALONE, Ranks, share_norms
from ia_engine.errors import EngineError
from ia_engine.shapes import Images

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8


class Adam:
    """Moments and step counts of named parameters; parameters without a gradient do not change."""

    def __init__(self, parameters: Mapping[str, Tensor], decay: Mapping[str, float]) -> None:
        self.parameters, self.decay = dict(parameters), dict(decay)
        self.first = {name: torch.zeros_like(x) for name, x in parameters.items()}
        self.second = {name: torch.zeros_like(x) for name, x in parameters.items()}
        self.steps = {name: x.new_zeros((), dtype=torch.float32) for name, x in parameters.items()}

    def step(self, rate: float) -> None:
        """One step on all gradients, which are deleted afterwards."""
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
        """Reset the moments of a row that is now a copy: first moment 0, second moment of the
        source."""
        # All rows share the step count, so a second moment of 0 would make the first steps up to
        # seven times too long.
        self.first[name][row] = 0
        self.second[name][row] = self.second[name][source]

    def tensors(self) -> dict[str, Tensor]:
        """Everything that the next step depends on, by name."""
        kinds = {"first": self.first, "second": self.second, "steps": self.steps}
        return {f"{kind}.{name}": x for kind, by in kinds.items() for name, x in by.items()}


def _gradient(x: Tensor) -> Tensor:
    assert x.grad is not None
    return x.grad


DECAY = 1e-6
"""Weight decay of the predictors' weights."""
NOISE = 1e-2
"""Noise of a copied prototype and its predictors, relative to their spread."""


class Learner(ABC):
    """The mutable part of a run between two steps."""

    comparison: Comparison
    whole = False
    """True if a step uses all images."""

    @abstractmethod
    def settled(self) -> bool:
        """True if no further step will change anything."""

    @abstractmethod
    def step(self, images: Images, rows: Tensor, stage: int, rate: float) -> tuple[float, Batch]:
        """One step on the images of these rows: the loss and the use of each cluster."""

    @abstractmethod
    def predict(self, images: Images, rows: Tensor | None, stage: int) -> Params:
        """The parameters [k n p] of every pair for the active modules; no graph.

        The rows are those of the training images; None means other images.
        """

    @abstractmethod
    def copy(self, to: int, source: int, generator: Generator) -> None:
        """Make a cluster a copy of another one with a little noise."""

    @abstractmethod
    def clear(self, k: int) -> None:
        """Reset the transformations of a cluster to the identity, or to those that all share."""

    @abstractmethod
    def tensors(self) -> dict[str, Tensor]:
        """All tensors by name, not copied: changing them changes the learner."""

    @final
    def load(self, tensors: Mapping[str, Tensor]) -> None:
        """Load saved tensors; raises EngineError if they do not fit."""
        with torch.no_grad():
            for name, x in self.tensors().items():
                saved = tensors.get(name)
                if saved is None or saved.shape != x.shape:
                    got = "nothing" if saved is None else f"{tuple(saved.shape)}"
                    raise EngineError(
                        f"a state needs {name} with the axes {tuple(x.shape)}; got {got}: it is "
                        "damaged or of an older version, begin the run again"
                    )
                x.copy_(saved)


@final
class DtiLearner(Learner):
    """DTI K-means and DTI GMM, trained with Adam; every rank computes a part of each batch."""

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
            # The error of the whole batch, so that all ranks agree.
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
        """The parameters whose rows belong to clusters, without shared ones."""
        return {
            name: x
            for name, x in self.adam.parameters.items()
            if not name.startswith(("encoder.", "common."))
        }


def perturb(x: Tensor, row: int, generator: Generator) -> None:
    """Add a little noise to one row, relative to its spread."""
    noise = torch.randn(x[row].shape, generator=generator, device=x.device, dtype=x.dtype)
    x[row] += NOISE * x[row].std() * noise
