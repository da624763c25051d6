"""TI clustering, eq. (2): the parameters of every pair of an image and a prototype are optimised
instead of predicted.

The two minimisations alternate: several steps on the parameters of a batch are followed by one step
on the prototypes.
"""

from typing import Final, final

import torch
from torch import Generator, Tensor

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.learner import BETA1, BETA2, EPSILON, Adam, Learner, perturb
from ia_engine.clustering.model import Comparison, Params
from ia_engine.clustering.state import Batch
from ia_engine.images import Images

INNER: Final = 4
"""Number of steps on the parameters per step on the prototypes."""
POSE_RATE: Final = 10.0
"""Learning rate of the parameters, relative to that of the prototypes."""
FIRST_SEARCH: Final = 100
"""Number of steps that find the parameters of images outside the training set."""


@final
class TiLearner(Learner):
    """TI clustering: the prototypes, and the parameters of all pairs with their moments."""

    def __init__(self, config: ClusterConfig, prototypes: Images, n: int) -> None:
        self.config = config
        self.comparison = Comparison(config, prototypes)
        self.counts = [part.count for part in self.comparison.modules_on.parts]
        self.sizes = torch.tensor(self.counts, device=prototypes.device, dtype=torch.int64)
        shape = (n, config.k, sum(self.counts))
        self.poses, self.first, self.second = (prototypes.new_zeros(shape) for _ in range(3))
        self.steps = prototypes.new_zeros(n, len(self.counts))
        # per image and module, because modules start at different times
        self.adam = Adam({"prototypes": self.comparison.prototypes}, {"prototypes": 0.0})

    def settled(self) -> bool:
        return False

    def step(self, images: Images, rows: Tensor, stage: int, rate: float) -> tuple[float, Batch]:
        for _ in range(INNER if stage else 0):
            self._search(images, rows, stage, POSE_RATE * rate)
        params = self._params(self.poses[rows], stage)
        with torch.no_grad():
            errors = self.comparison.compare(images, params)
            kept, columns, weights = self.comparison.choose(errors)
            usage = Batch.of(errors, columns, weights)
        winners = [values[columns, kept] for values in params]
        scores = self.comparison.score(images[kept], columns, winners)
        loss = self.comparison.weigh(scores, columns, weights, len(images))
        loss.backward()
        self.adam.step(rate)
        return float(loss.detach()), usage

    def predict(self, images: Images, rows: Tensor | None, stage: int) -> Params:
        """Return the stored parameters of training images. For new images, optimise them, starting
        at the identity."""
        if rows is not None:
            return self._params(self.poses[rows], stage)
        prototypes = self.comparison.prototypes.detach()
        fresh = TiLearner(self.config, prototypes, len(images))
        here = torch.arange(len(images), device=images.device)
        for _ in range(FIRST_SEARCH if stage else 0):
            fresh._search(images, here, stage, POSE_RATE * self.config.rate)
        return self._params(fresh.poses, stage)

    def copy(self, to: int, source: int, generator: Generator) -> None:
        with torch.no_grad():
            self.comparison.prototypes[to] = self.comparison.prototypes[source]
            perturb(self.comparison.prototypes, to, generator)
        self.adam.renew("prototypes", to, source)
        self.poses[:, to] = self.poses[:, source]
        self.first[:, to], self.second[:, to] = 0, self.second[:, source]

    def clear(self, k: int) -> None:
        self.adam.renew("prototypes", k, k)
        for x in (self.poses, self.first):
            x[:, k] = 0

    def tensors(self) -> dict[str, Tensor]:
        poses = {"poses": self.poses, "poses.first": self.first, "poses.second": self.second}
        return {
            "model.comparison.prototypes": self.comparison.prototypes,
            "poses.steps": self.steps,
            **poses,
            **{f"adam.{name}": x for name, x in self.adam.tensors().items()},
        }

    def _search(self, images: Images, rows: Tensor, stage: int, rate: float) -> None:
        """Take one step of Adam on the parameters of these rows, for every prototype."""
        poses = self.poses[rows].requires_grad_()
        held = self.comparison.prototypes.requires_grad_(False)
        with torch.enable_grad():
            total = self.comparison.compare(images, self._params(poses, stage)).sum()
        (slope,) = torch.autograd.grad(total, poses)
        held.requires_grad_()
        on = slice(sum(self.counts[:stage]))
        slope, count = slope[..., on], self.steps[rows, :stage] + 1
        first = BETA1 * self.first[rows, :, on] + (1 - BETA1) * slope
        second = BETA2 * self.second[rows, :, on] + (1 - BETA2) * slope.square()
        t = count.repeat_interleave(self.sizes[:stage], 1)[:, None]
        bias1, bias2 = (1 - beta**t for beta in (BETA1, BETA2))
        change = rate * (first / bias1) / ((second / bias2).sqrt() + EPSILON)
        self.poses[rows, :, on] = (poses[..., on] - change).detach()
        self.first[rows, :, on], self.second[rows, :, on] = first, second
        self.steps[rows, :stage] = count

    def _params(self, poses: Tensor, stage: int) -> Params:
        """Split poses [n k P] into [k n p] for each active module."""
        return list(poses.transpose(0, 1).split(self.counts, dim=2))[:stage]
