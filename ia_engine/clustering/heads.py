"""K×M predictors, d → 128 → 128 → p each, as batched products; the last layer starts at 0."""

import math
from dataclasses import dataclass

import torch
from torch import Generator, Tensor, nn
from torch.nn import functional

HIDDEN = 128


class Head(nn.Module):
    """The predictors of one module for all K prototypes."""

    def __init__(self, k: int, d: int, p: int, like: Tensor, generator: Generator) -> None:
        super().__init__()
        sizes = ((d, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, p))
        self.weights = nn.ParameterList(like.new_zeros(k, a, b) for a, b in sizes)
        self.biases = nn.ParameterList(like.new_zeros(k, 1, b) for _, b in sizes)
        with torch.no_grad():
            for x in list(self.weights)[:-1]:
                x.normal_(0, math.sqrt(2 / x.shape[1]), generator=generator)

    def forward(self, features: Tensor) -> Tensor:
        """From features [b d] for all, or [k b d] for each prototype, to parameters [k b p]."""
        x = torch.matmul(features, self.weights[0]) + self.biases[0]
        for weight, bias in zip(list(self.weights)[1:], list(self.biases)[1:], strict=True):
            x = torch.baddbmm(bias, functional.relu(x), weight)
        return x


@dataclass(frozen=True, eq=False)
class Pairs:
    """Some (image, prototype) pairs in the prototypes' order, and where each is in a full table."""

    rows: Tensor
    """[m] the images."""
    columns: Tensor
    """[m] the prototypes, rising."""
    slots: Tensor
    """[m] the place of each among those of its prototype."""
    table: Tensor
    """[k g] the images of each prototype, filled up with image 0."""

    @classmethod
    def of(cls, rows: Tensor, columns: Tensor, weights: Tensor, k: int) -> tuple["Pairs", Tensor]:
        """The pairs in the order of their prototypes, and the weights in the same order."""
        order = columns.argsort(stable=True)
        rows, columns = rows[order], columns[order]
        counts = torch.bincount(columns, minlength=k)
        begins = counts.cumsum(0) - counts
        slots = torch.arange(len(rows), device=rows.device) - begins[columns]
        table = rows.new_zeros(k, int(counts.max()) if len(rows) else 0)
        table[columns, slots] = rows
        return cls(rows, columns, slots, table), weights[order]

    def predict(self, head: Head, features: Tensor) -> Tensor:
        """The parameters [m p] of these pairs only."""
        return head(features[self.table])[self.columns, self.slots]
