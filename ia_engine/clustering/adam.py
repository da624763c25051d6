"""Adam whose moments are plain tensors by name, so that they can be saved, and reset by cluster."""

from collections.abc import Mapping

import torch
from torch import Tensor
from torch.optim.adam import adam

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8


class Adam:
    """Moments and step counts of named parameters; parameters without a gradient stay untouched."""

    def __init__(self, parameters: Mapping[str, Tensor], decay: Mapping[str, float]) -> None:
        self.parameters, self.decay = dict(parameters), dict(decay)
        self.first = {name: torch.zeros_like(x) for name, x in parameters.items()}
        self.second = {name: torch.zeros_like(x) for name, x in parameters.items()}
        self.steps = {name: x.new_zeros((), dtype=torch.float32) for name, x in parameters.items()}

    def step(self, rate: float) -> None:
        """One step on all gradients, which are gone afterwards."""
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
        """The moments of a row that has become a copy of another: no direction yet, its scale."""
        # The step count is common to all rows: a second moment of 0 would make the first steps
        # up to seven times too long.
        self.first[name][row] = 0
        self.second[name][row] = self.second[name][source]

    def tensors(self) -> dict[str, Tensor]:
        """Everything that the next step depends on, by name."""
        kinds = {"first": self.first, "second": self.second, "steps": self.steps}
        return {f"{kind}.{name}": x for kind, by in kinds.items() for name, x in by.items()}


def _gradient(x: Tensor) -> Tensor:
    assert x.grad is not None
    return x.grad
