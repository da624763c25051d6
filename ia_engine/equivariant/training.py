"""Training as a generator of steps, which can be stopped, saved, and resumed with bit-identical
results.

Random numbers depend only on the seed and the iteration: the order of an epoch, the augmentation
and dropout are drawn from new generators. The best epoch is chosen on a validation split; the test
split is used only once, at the end. (The authors' code chooses the epoch on the test set.)
"""

import copy
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import torch
from torch import Generator, Tensor, nn
from torch.nn import functional

from ia_engine.devices import cpu_seconds
from ia_engine.distributed.ranks import ALONE, Ranks, share_norms
from ia_engine.equivariant.checkpoint import Checkpoint, flatten_optimiser, restore_optimiser
from ia_engine.equivariant.layers import scale_dropout, seed_dropout
from ia_engine.equivariant.maps import evaluating
from ia_engine.equivariant.networks import build_network, find_network
from ia_engine.equivariant.recipes import AUGMENTATIONS, SCHEDULES, TrainingConfig
from ia_engine.equivariant.splits import Part, Splits
from ia_engine.errors import EngineError

MEASURED_AT_ONCE = 200


@dataclass(frozen=True, eq=False)
class Progress:
    """One iteration, with its errors if they were measured."""

    iteration: int
    seconds: float
    """CPU seconds of training and validation so far."""
    loss: float
    rate: float
    validation_error: float | None
    test_error: float | None
    """Only in the last step: the error of the weights with the lowest validation error."""
    last: bool
    best_error: float
    """Lowest validation error so far; infinite before the first validation."""
    network: nn.Module
    """The network, which is trained in place. In the last step, it has the weights with the lowest
    validation error."""
    keep: Callable[[], Checkpoint]
    """A function that returns the state after this step; it must be called before the next step."""


def train(
    config: TrainingConfig,
    data: Splits,
    seed: int = 0,
    resume: Checkpoint | None = None,
    budget: float | None = None,
    *,
    ranks: Ranks = ALONE,
) -> Iterator[Progress]:
    """Train until the number of iterations is reached, or until a rank has used up the budget of
    CPU seconds.

    With a budget, the learning rate depends on the completed fraction of the iterations or of the
    budget, whichever is greater, so that its schedule is completed. Without a budget, a run depends
    only on the config, the data and the seed.
    """
    run = _Run(config, data.fit(find_network(config.network)), seed, ranks)
    if resume is not None:
        run.restore(resume)
        if run.iteration >= config.iterations or run.spent(budget) >= 1:
            yield run.conclude()
            return
    while run.iteration < config.iterations:
        share = run.share(budget)
        loss = run.step(share)
        ended = run.iteration == config.iterations or run.spent(budget) >= 1
        error = run.validate() if ended or run.iteration % run.every == 0 else None
        yield run.finish(loss, error) if ended else run.report(loss, error)
        if ended:
            return


def measure_error(network: nn.Module, part: Part) -> float:
    """Return the fraction of the images that are misclassified."""
    return float((_answer(network, part).argmax(1) != part.labels).double().mean())


def _answer(network: nn.Module, part: Part) -> Tensor:
    """Return the output of the network for each image, [n classes]."""
    with evaluating(network):
        return torch.cat([network(v) for v in part.images.split(MEASURED_AT_ONCE)])


class _Run:
    """The state of a run between two iterations."""

    def __init__(self, config: TrainingConfig, data: Splits, seed: int, ranks: Ranks) -> None:
        self.config, self.data, self.seed, self.ranks = config, data, seed, ranks
        like, exact = data.train.images, config.pooling == "exact"
        self.network = build_network(
            config.network,
            _generator(seed, 0, 0),
            exact=exact,
            device=like.device,
            dtype=like.dtype,
        )
        share_norms(self.network, ranks)
        scale_dropout(self.network, config.dropout)
        self.optimiser = _make_optimiser(config, self.network)
        self.iteration, self.seconds, self.rate = 0, 0.0, config.rate
        self.best: dict[str, Tensor] = {}
        self.best_error, self.factor, self.stale = math.inf, 1.0, 0
        self.loss, self.best_loss = math.nan, math.inf
        # loss of the last batch, and lowest loss on the validation split
        self.batches = max(1, len(data.train) // config.batch)
        self.every = config.every or self.batches

    def spent(self, budget: float | None) -> float:
        return 0.0 if budget is None else self.seconds / budget

    def share(self, budget: float | None) -> float:
        return min(1.0, max(self.iteration / self.config.iterations, self.spent(budget)))

    def step(self, share: float) -> float:
        """Train on one batch, and return its mean loss."""
        started = cpu_seconds()
        epoch, place = divmod(self.iteration, self.batches)
        chance = _generator(self.seed, 1, self.iteration, self.data.train.images.device)
        batch = self.data.train.rows(self._rows(epoch, place))
        part, weight = self.ranks.part(len(batch)), self.ranks.share(len(batch))
        seed_dropout(self.network, chance, (len(batch), part))
        self.rate = self.config.rate * self.factor * SCHEDULES[self.config.schedule](
            share, self.config.drops
        )  # fmt: skip
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate
        v = AUGMENTATIONS[self.config.augment](batch.images, chance)
        self.network.train()
        loss = weight * functional.cross_entropy(self.network(v[part]), batch.labels[part])
        self.loss = float(
            self.ranks.sum(loss.detach())
        )  # equal on all ranks, so all of them continue or none
        if not math.isfinite(self.loss):
            raise EngineError(
                f"the training diverged at iteration {self.iteration + 1}, where the loss is "
                f"{self.loss}: choose a lower learning rate"
            )
        self.optimiser.zero_grad()
        loss.backward()
        self.ranks.add_gradients(self.network.parameters())
        self.optimiser.step()
        self.iteration += 1
        self.seconds += self.ranks.greatest(cpu_seconds() - started)
        return self.loss

    def validate(self) -> float:
        """Return the error on the validation split, and keep the weights with the lowest error.

        The learning rate depends on the loss (appendix B), which still decreases when the error no
        longer does.
        """
        started = cpu_seconds()
        error, loss = self._measure(self.data.validation)
        self.stale = 0 if loss < self.best_loss else self.stale + 1
        self.best_loss = min(loss, self.best_loss)
        if error <= self.best_error:
            self.best, self.best_error = copy.deepcopy(self.network.state_dict()), error
        if self.config.patience and self.stale >= self.config.patience:
            self.factor, self.stale = self.factor / 2, 0
        self.seconds += self.ranks.greatest(cpu_seconds() - started)
        return error

    def report(self, loss: float, error: float | None) -> Progress:
        return Progress(
            self.iteration, self.seconds, loss, self.rate, error, None, False,
            self.best_error, self.network, self.keep,
        )  # fmt: skip

    def conclude(self) -> Progress:
        """Return the last step of a finished run, which is yielded again when the run is
        resumed."""
        error = self._measure(self.data.validation)[0] if self.best else self.validate()
        return self.finish(self.loss, error)

    def finish(self, loss: float, error: float | None) -> Progress:
        """Load the best weights, evaluate the test split, and return the last step."""
        checkpoint = self.keep()
        self.network.load_state_dict(self.best)
        seed_dropout(self.network, None)
        tested, _ = self._measure(self.data.test)
        last = self.report(loss, error)
        return replace(last, test_error=tested, last=True, keep=lambda: checkpoint)

    def keep(self) -> Checkpoint:
        tensors = {f"network.{name}": x for name, x in self.network.state_dict().items()}
        tensors |= {f"best.{name}": x for name, x in self.best.items()}
        tensors |= flatten_optimiser(self.optimiser)
        numbers = {
            "iteration": self.iteration,
            "seconds": self.seconds,
            "loss": self.loss,
            "best_error": self.best_error,
            "best_loss": self.best_loss,
            "factor": self.factor,
            "stale": self.stale,
        }
        kept = {name: x.detach().cpu().clone() for name, x in tensors.items()}
        return Checkpoint(self.config, self.seed, self.data.digest, numbers, kept)

    def restore(self, checkpoint: Checkpoint) -> None:
        if (checkpoint.config, checkpoint.seed) != (self.config, self.seed):
            raise EngineError(
                "a run must be resumed with the config and seed that it was started with; got "
                "different values: start a new run"
            )
        if checkpoint.digest not in (self.data.digest, self.data.pixel_digest):
            raise EngineError(
                "a run must be resumed with the data that it was started with; got different "
                "data: start a new run"
            )
        self.network.load_state_dict(checkpoint.under("network."))
        self.best = checkpoint.under("best.")
        restore_optimiser(self.optimiser, checkpoint.under("optimiser."))
        numbers = checkpoint.numbers
        self.iteration, self.stale = int(numbers["iteration"]), int(numbers["stale"])
        self.seconds, self.factor = numbers["seconds"], numbers["factor"]
        self.best_error = numbers["best_error"]
        self.loss = numbers.get("loss", math.nan)  # missing in checkpoints of 2026-11-18
        self.best_loss = numbers.get("best_loss", math.inf)

    def _measure(self, part: Part) -> tuple[float, float]:
        """Return the fraction of misclassified images and the mean loss. Every rank evaluates a
        part of the images."""
        n, rows = len(part), self.ranks.part(len(part))
        own = Part(part.images[rows], part.labels[rows])
        found = _answer(self.network, own)
        wrong = int((found.argmax(1) != own.labels).sum())
        loss = float(functional.cross_entropy(found, own.labels, reduction="sum"))
        total = self.ranks.sum(torch.tensor([wrong, loss], dtype=torch.float64, device="cpu"))
        return float(total[0]) / n, float(total[1]) / n

    def _rows(self, epoch: int, place: int) -> Tensor:
        n, batch = len(self.data.train), min(self.config.batch, len(self.data.train))
        order = torch.randperm(n, generator=_generator(self.seed, 2, epoch), device="cpu")
        rows = order[place * batch : (place + 1) * batch]
        return rows.to(self.data.train.images.device)


def _make_optimiser(config: TrainingConfig, network: nn.Module) -> torch.optim.Optimizer:
    parameters = network.parameters()
    if config.optimiser == "adam":
        return torch.optim.Adam(parameters, config.rate, weight_decay=config.decay)
    return torch.optim.SGD(parameters, config.rate, config.momentum, weight_decay=config.decay)


def _generator(
    seed: int, purpose: int, count: int, device: torch.device | str = "cpu"
) -> Generator:
    """Return a new generator for a purpose and a count, so that no state of a generator has to be
    saved."""
    mixed = (seed * 1_000_003 + count) * 8 + purpose
    return Generator(device=device).manual_seed(mixed % (1 << 62))
