"""A worked example: networks learn digits that stand upright and are asked about turned ones."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final

import torch
from torch import Generator, Tensor, nn
from torch.nn import functional

from ia_engine.datasets.bases import load_digits
from ia_engine.images import bilinear
from ia_engine.params import Config, Range
from ia_engine.shapes import Images, Labels
from ia_engine.transforms import GROUPS

SIDE: Final = 16
TRAINING: Final = 1200
"""So many of scikit-learn's 1,797 digits are learned from; networks are asked about the rest."""
COPIES: Final = 2
"""How often each of the rest is asked about, in another turn every time."""


@dataclass(frozen=True)
class TrainingConfig(Config):
    """How a network learns: AdamW, its rate rising to the greatest and falling to 0."""

    epochs: Annotated[int, Range("e", 1, 1000, "how often every digit is seen")] = 10
    batch: Annotated[int, Range("b", 1, 1200, "digits in a step")] = 60
    rate: Annotated[float, Range("η", 1e-5, 1, "greatest learning rate", log=True)] = 3e-3
    turn: Annotated[float, Range("θ", 0, 180, "digits learned from turn up to this", "°")] = 15.0


@dataclass(frozen=True, eq=False)
class Digits:
    """Upright digits to learn from, and others turned by any angle."""

    images: Images
    labels: Labels
    turned: Images
    truth: Labels


@dataclass(frozen=True)
class Epoch:
    """One pass through the digits: the mean loss, and the error on the turned ones."""

    k: int
    loss: float
    error: float


def draw_digits(generator: Generator) -> Digits:
    """Split at random, and the second part turned by angles that are all as likely."""
    images, labels = load_digits(SIDE)
    order = torch.randperm(len(labels), generator=generator, device="cpu")
    known, rest = order[:TRAINING], order[TRAINING:].repeat(COPIES)
    turned = turn_images(images[rest], math.pi, generator)
    return Digits(images[known], labels[known], turned, labels[rest])


def turn_images(v: Images, most: float, generator: Generator) -> Images:
    """Every image turned by an angle of its own between ±most [rad]."""
    draw = torch.rand(len(v), 1, generator=generator, device="cpu", dtype=torch.float32)
    angle = (2 * draw - 1).to(v.device, v.dtype) * most
    return GROUPS["rotation"].act(v, angle, bilinear)


def train(
    network: nn.Module, digits: Digits, config: TrainingConfig, generator: Generator
) -> Iterator[Epoch]:
    """The network learns in place; every epoch is yielded."""
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
    """The share of images that are taken for another class."""
    with torch.no_grad():
        found = torch.cat([network(batch).argmax(1) for batch in v.split(256)])
    return float((found != labels).float().mean())


def _batches(digits: Digits, config: TrainingConfig, generator: Generator) -> tuple[Tensor, ...]:
    order = torch.randperm(len(digits.labels), generator=generator, device="cpu")
    return order.split(config.batch)
