"""Which clusters have been chosen lately, what they cost, and which one had better be another.

The paper gives up clusters that few choose. A class that two clusters share while two classes share
one is not seen by that: there each of the two is chosen often, but hardly missed if it went.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Self

import torch
from torch import Tensor

from ia_engine.distributed.ranks import Ranks
from ia_engine.shapes import Matrix

MEMORY: Final = 0.97
"""Of all three: about 33 steps."""
PATIENCE: Final = 4
"""So many periods a new copy and its source have to become different."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Of one batch, [k] each and per image: the share that chose a cluster, and what it means."""

    share: Tensor
    error: Tensor
    """The errors of those who chose it."""
    loss: Tensor
    """How much they would add if it went, each to the next best."""

    @classmethod
    def of(cls, errors: Matrix, chosen: Tensor, weights: Tensor) -> Self:
        """From the errors of all pairs [n k], and which clusters were chosen with which weights."""
        n, empty = len(errors), torch.zeros_like(errors[0])
        two, columns = errors.topk(min(2, errors.shape[1]), 1, largest=False)
        winner = columns[:, 0]
        return cls(
            share=empty.index_add(0, chosen, weights) / n,
            error=empty.index_add(0, winner, two[:, 0]) / n,
            loss=empty.index_add(0, winner, two[:, -1] - two[:, 0]) / n,
        )

    def gathered(self, ranks: Ranks, part: float) -> Self:
        """Of the batch of which this is so large a part, and the other ranks have the rest."""
        own = part * torch.stack([self.share, self.error, self.loss])
        return type(self)(*ranks.sum(own))


@dataclass(frozen=True, eq=False)
class Usage:
    """The same, remembered over many batches; and since how many periods a cluster is its own."""

    share: Tensor
    error: Tensor
    loss: Tensor
    age: Tensor

    @classmethod
    def even(cls, k: int, like: Tensor) -> Self:
        share = like.new_full((k,), 1 / k)
        return cls(share, torch.zeros_like(share), torch.zeros_like(share), like.new_zeros(k))

    @classmethod
    def names(cls) -> list[str]:
        """What its tensors are called in a state, in order."""
        return [f"usage.{name}" for name in cls.__annotations__]

    @classmethod
    def from_tensors(cls, tensors: Mapping[str, Tensor]) -> Self:
        return cls(*(tensors[name].clone() for name in cls.names()))

    def tensors(self) -> dict[str, Tensor]:
        own = (self.share, self.error, self.loss, self.age)
        return {name: x.clone() for name, x in zip(self.names(), own, strict=True)}

    def add(self, batch: Batch) -> Self:
        """With one more batch."""
        return replace(
            self,
            share=MEMORY * self.share + (1 - MEMORY) * batch.share,
            error=MEMORY * self.error + (1 - MEMORY) * batch.error,
            loss=MEMORY * self.loss + (1 - MEMORY) * batch.loss,
        )

    def older(self) -> Self:
        return replace(self, age=self.age + 1)

    def copied(self, to: int, source: int) -> Self:
        """What a cluster had is now shared by two, which begin anew."""
        share, error, age = self.share.clone(), self.error.clone(), self.age.clone()
        share[[to, source]] = share[source] / 2
        error[[to, source]] = error[source] / 2
        age[[to, source]] = 0
        return replace(self, share=share / share.sum(), error=error, age=age)

    def small(self, least: float) -> list[int]:
        """Clusters whose share lies below this."""
        return (self.share < least).nonzero()[:, 0].tolist()

    def needless(self, part: float) -> tuple[int, int] | None:
        """The cluster that is missed least, and the one with the largest error to be split,

        if the one costs less than this part of the other, and both have been so for long.
        """
        old = self.age >= PATIENCE
        if part <= 0 or old.sum() < 2:
            return None
        to = int(self.loss.masked_fill(~old, torch.inf).argmin())
        error = self.error.masked_fill(~old, -torch.inf)
        error[to] = -torch.inf
        source = int(error.argmax())
        return (to, source) if self.loss[to] < part * self.error[source] else None
