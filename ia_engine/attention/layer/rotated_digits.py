"""A worked example, in which networks are trained on upright digits and tested on rotated ones."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final

import torch
from torch import Generator, Tensor, nn
from torch.nn import functional

from ia_engine.datasets.bases import load_digits
from ia_engine.images import Images, Labels, bilinear
from ia_engine.params import Config, Range
from ia_engine.transforms import GROUPS

SIDE: Final = 16
TRAINING: Final = 1200
"""Number of scikit-learn's 1,797 digits that are used for training; the others are used for
testing."""
COPIES: Final = 2
"""Number of random rotations of each test digit."""


@dataclass(frozen=True)
class DigitTrainingConfig(Config):
    """Training settings for AdamW with a learning rate that rises to a maximum and falls to 0."""

    epochs: Annotated[int, Range("e", 1, 1000, "number of training epochs")] = 10
    batch: Annotated[int, Range("b", 1, 1200, "number of digits per step")] = 60
    rate: Annotated[float, Range("η", 1e-5, 1, "maximum learning rate", log=True)] = 3e-3
    turn: Annotated[
        float, Range("θ", 0, 180, "maximum angle of random rotations of the training digits", "°")
    ] = 15.0


@dataclass(frozen=True, eq=False)
class Digits:
    """Upright digits for training, and other digits, rotated by random angles, for testing."""

    images: Images
    labels: Labels
    turned: Images
    truth: Labels


@dataclass(frozen=True)
class Epoch:
    """The mean loss over one pass through the training digits, and the error on the rotated
    digits."""

    k: int
    loss: float
    error: float


def draw_digits(generator: Generator) -> Digits:
    """Split the digits at random, and rotate those for testing by uniformly distributed angles."""
    images, labels = load_digits(SIDE)
    order = torch.randperm(len(labels), generator=generator, device="cpu")
    known, rest = order[:TRAINING], order[TRAINING:].repeat(COPIES)
    turned = turn_images(images[rest], math.pi, generator)
    return Digits(images[known], labels[known], turned, labels[rest])


def turn_images(v: Images, most: float, generator: Generator) -> Images:
    """Rotate every image by its own random angle between -most and most [rad]."""
    draw = torch.rand(len(v), 1, generator=generator, device="cpu", dtype=torch.float32)
    angle = (2 * draw - 1).to(v.device, v.dtype) * most
    return GROUPS["rotation"].act(v, angle, bilinear)


def train(
    network: nn.Module, digits: Digits, config: DigitTrainingConfig, generator: Generator
) -> Iterator[Epoch]:
    """Train the network in place, and yield after every epoch."""
    steps = config.epochs * math.ceil(len(digits.labels) / config.batch)
    optimiser = torch.optim.AdamW(network.parameters(), config.rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, config.rate, steps)
    for k in range(1, config.epochs + 1):
        losses = []
        for rows in _batches(digits, config, generator):
            v = turn_images(digits.images[rows], math.radians(config.turn), generator)
            loss = functional.cross_entropy(network(v), digits.labels[rows])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            schedule.step()
            losses.append(float(loss.detach()))
        error = measure_error(network, digits.turned, digits.truth)
        yield Epoch(k, sum(losses) / len(losses), error)


def measure_error(network: nn.Module, v: Images, labels: Labels) -> float:
    """Return the fraction of the images that are misclassified."""
    with torch.no_grad():
        found = torch.cat([network(batch).argmax(1) for batch in v.split(256)])
    return float((found != labels).float().mean())


def _batches(
    digits: Digits, config: DigitTrainingConfig, generator: Generator
) -> tuple[Tensor, ...]:
    order = torch.randperm(len(digits.labels), generator=generator, device="cpu")
    return order.split(config.batch)
