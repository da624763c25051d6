"""Disjoint sets of images for training, validation and testing."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Final, Self

import numpy as np
import torch
from torch import Generator, Tensor

from ia_engine.datasets.data import ImageSet, digest_bytes, digest_recipe
from ia_engine.datasets.formats import DAMAGE, read_npz
from ia_engine.datasets.generated import load_source
from ia_engine.datasets.named import ALL, NamedSet, is_here, read_split
from ia_engine.datasets.published import CIFAR, MNIST
from ia_engine.equivariant.networks import NetworkEntry
from ia_engine.errors import EngineError
from ia_engine.images import Images, Labels, bilinear, resize
from ia_engine.transforms import GROUPS

TRAIN, VALIDATION, TEST = 10_000, 2_000, 10_000
"""Sizes of our training, validation and test sets of rotated digits; the last is the size of
MNIST's test split."""
PUBLISHED: Final = (10_000, 2_000, 50_000)
"""Sizes of the training, validation and test sets of rotated MNIST in section 4.1."""
SHARES: Final = (0.65, 0.15)
CIFAR_VALIDATION: Final = 10_000


@dataclass(frozen=True, eq=False)
class Part:
    """Images and their classes."""

    images: Images
    labels: Labels

    def __len__(self) -> int:
        return len(self.labels)

    def rows(self, index: Tensor) -> "Part":
        return Part(self.images[index], self.labels[index])


@dataclass(frozen=True, eq=False)
class Splits:
    """The sets for training, validation and testing, and their source."""

    train: Part
    validation: Part
    test: Part
    classes: int
    about: str
    made: str = ""
    """Everything that determines the pixels if they were generated; "" if they were read from
    files."""

    def __post_init__(self) -> None:
        if not all((len(self.train), len(self.validation), len(self.test))):
            raise EngineError(
                "the training, validation and test sets must not be empty: load more images"
            )

    @cached_property
    def digest(self) -> str:
        """Digest of the settings that generate the images, or of their pixels; see
        `ImageSet.digest`."""
        if not self.made:
            return self.pixel_digest
        shapes = [tuple(part.images.shape) for part in self._parts]
        return digest_recipe(self.made, shapes, [part.labels.tolist() for part in self._parts])

    @cached_property
    def pixel_digest(self) -> str:
        """SHA-256 of all pixels, rounded to 8 bits, and all labels."""
        contents: list[Tensor | str] = []
        for part in self._parts:
            pixels = (255 * part.images).round().to("cpu", torch.uint8)
            contents += [repr(tuple(pixels.shape)), pixels, part.labels]
        return digest_bytes(*contents)

    @property
    def _parts(self) -> tuple[Part, Part, Part]:
        return self.train, self.validation, self.test

    def to(self, device: torch.device | str) -> Self:
        return self._each(lambda v: v.to(device), lambda labels: labels.to(device))

    def fit(self, entry: NetworkEntry) -> Self:
        """Return the same images with the size and the number of channels that a network needs."""
        if self.classes > entry.classes:
            raise EngineError(
                f"the data for {entry.title} must have at most {entry.classes} classes; got "
                f"{self.classes}"
            )
        return self._each(
            lambda v: fit_images(v, entry.channels, entry.side), lambda labels: labels
        )

    def _each(self, images: Callable[[Tensor], Tensor], labels: Callable[[Tensor], Tensor]) -> Self:
        def change(part: Part) -> Part:
            return Part(images(part.images), labels(part.labels))

        return replace(
            self,
            train=change(self.train),
            validation=change(self.validation),
            test=change(self.test),
        )


def rotated_digits(
    train: int = TRAIN,
    validation: int = VALIDATION,
    test: int = TEST,
    seed: int = 0,
    source: str = "best",
) -> Splits:
    """Return digits at random angles, from MNIST's splits if they are available, otherwise from
    scikit-learn's digits.

    A rotated 6 may look like a 9. If there are too few digits, all three sets are reduced by the
    same factor.
    """
    generator = Generator(device="cpu").manual_seed(seed)
    if source == "best":
        source = "mnist" if is_here(MNIST) else "digits"
    if source == "mnist":
        known, unseen = (_read(MNIST, split) for split in ("train", "test"))
        order = torch.randperm(len(known), generator=generator, device="cpu")
        selected = order[:train], order[train : train + validation]
        parts = [known.rows(rows) for rows in selected]
        rows = torch.randperm(len(unseen), generator=generator, device="cpu")[:test]
        parts.append(unseen.rows(rows))
        about = "Rotated MNIST: trained and validated on its train split, tested on its test split"
    else:
        digits = load_source(source)
        everything = Part(digits.read(torch.arange(len(digits.labels), device="cpu"), 28),
                          digits.labels)  # fmt: skip
        shrink = min(1.0, len(everything) / (train + validation + test))
        sizes = [int(shrink * size) for size in (train, validation, test)]
        order = torch.randperm(len(everything), generator=generator, device="cpu")
        parts = [everything.rows(rows) for rows in order[: sum(sizes)].split(sizes)]
        about = f"{digits.title}, turned"
    turned = [_turn(part, generator) for part in parts]
    made = f"rotated {source}, {train} {validation} {test}, seed {seed}"
    return Splits(turned[0], turned[1], turned[2], 10, about, made)


def rotated_mnist(seed: int = 0) -> Splits:
    """Return rotated MNIST with the set sizes of section 4.1, drawn from all 70,000 digits of
    MNIST.

    The digits and their angles in [-π, π) depend only on the seed. The published files, which
    `load_original` reads, have different digits, angles and interpolation (here, it is bilinear).
    Raises EngineError if a file of MNIST is missing.
    """
    everything = _read(MNIST, ALL)
    generator = Generator(device="cpu").manual_seed(seed)
    order = torch.randperm(len(everything), generator=generator, device="cpu")
    selected = order[: sum(PUBLISHED)].split(list(PUBLISHED))
    turned = [_turn(everything.rows(rows), generator) for rows in selected]
    about = f"62,000 of MNIST's 70,000 digits at random angles, seed {seed}; not the published file"
    return Splits(turned[0], turned[1], turned[2], 10, about, f"rotated mnist, 62000, seed {seed}")


def split_images(images: ImageSet, seed: int = 0) -> Splits:
    """Split labelled images at random: 65 % for training, 15 % for validation, and the rest for
    testing."""
    if images.labels is None:
        raise EngineError(
            "the data for training must have labels: choose images with known classes"
        )
    n = len(images.images)
    cuts = [max(1, int(share * n)) for share in SHARES]
    if sum(cuts) >= n:
        raise EngineError(
            f"the data for training must have at least 3 images; got {n}: load more images"
        )
    order = torch.randperm(n, generator=Generator(device="cpu").manual_seed(seed), device="cpu")
    whole = Part(images.images, images.labels)
    parts = [whole.rows(rows) for rows in order.split([*cuts, n - sum(cuts)])]
    classes = int(images.labels.max()) + 1
    about = f"{images.recipe.source}, split at random"
    made = images.made and f"{images.made}, split by seed {seed}"
    return Splits(parts[0], parts[1], parts[2], classes, about, made)


def load_cifar(limit: int | None = None, seed: int = 0) -> Splits:
    """Return CIFAR-10, with 40,000 images for training, 10,000 for validation, and its test set; or
    only the first `limit` images of each set."""
    known, unseen = (_read(CIFAR, split) for split in ("train", "test"))
    order = torch.randperm(len(known), generator=Generator(device="cpu").manual_seed(seed),
                           device="cpu")  # fmt: skip
    selected, held = order[CIFAR_VALIDATION:][:limit], order[:CIFAR_VALIDATION][:limit]
    first = torch.arange(len(unseen), device="cpu")[:limit]
    parts = known.rows(selected), known.rows(held), unseen.rows(first)
    return Splits(*parts, 10, "CIFAR-10, with its train split divided in two")


def load_folder(folder: Path) -> Splits:
    """Load train.npz, validation.npz and test.npz, which contain `images` and `labels`."""
    parts: list[Part] = []
    for name in ("train", "validation", "test"):
        try:
            images, labels = read_npz((folder / f"{name}.npz",))
        except DAMAGE as error:
            raise EngineError(
                f"{folder.name} must contain {name}.npz with uint8 images and labels: {error}"
            ) from error
        if not len(labels) or labels.min() < 0:
            got = f"labels from {int(labels.min())}" if len(labels) else "no images"
            raise EngineError(
                f"{name}.npz in {folder.name} must contain images with labels from 0; got {got}: "
                "save it again"
            )
        if parts and images.shape[1:] != parts[0].images.shape[1:]:
            raise EngineError(
                f"{name}.npz in {folder.name} must contain images of the same shape as train.npz, "
                f"{tuple(parts[0].images.shape[1:])}; got {tuple(images.shape[1:])}: save it again"
            )
        parts.append(Part(images.float() / 255, labels))
    classes = 1 + max(int(part.labels.max()) for part in parts)
    return Splits(parts[0], parts[1], parts[2], classes, f"{folder.name}, with its own splits")


def load_original(folder: Path, validation: int = VALIDATION) -> Splits:
    """Load the published files of rotated MNIST. Each line has 784 numbers and a label; the last
    `validation` lines for training are used for validation."""
    stem = "mnist_all_rotation_normalized_float_"
    known, unseen = (_read_lines(folder / f"{stem}{name}.amat") for name in ("train_valid", "test"))
    rows = torch.arange(len(known), device="cpu")
    parts = known.rows(rows[:-validation]), known.rows(rows[-validation:]), unseen
    return Splits(*parts, 10, "rotated MNIST, the original files")


def _read_lines(path: Path) -> Part:
    try:
        numbers = torch.from_numpy(np.loadtxt(path, dtype=np.float32))
    except (OSError, ValueError) as error:
        raise EngineError(f"{path.name} must contain lines of numbers: {error}") from error
    if numbers.ndim != 2 or numbers.shape[1] != 785:
        raise EngineError(f"{path.name} must have 785 numbers per line; got {tuple(numbers.shape)}")
    return Part(numbers[:, :-1].view(-1, 1, 28, 28).clamp(0, 1), numbers[:, -1].long())


def _read(named: NamedSet, split: str) -> Part:
    images, labels = read_split(named, split)
    return Part(images, labels)


def _turn(part: Part, generator: Generator) -> Part:
    """Rotate every image by its own angle, and convert bytes to numbers in [0, 1]."""
    images = part.images if part.images.is_floating_point() else part.images.float() / 255
    draw = torch.rand(len(images), 1, generator=generator, device="cpu", dtype=torch.float32)
    angle = (2 * draw - 1).to(images) * math.pi
    turned = [
        GROUPS["rotation"].act(v, a, bilinear)
        for v, a in zip(images.split(1000), angle.split(1000), strict=True)
    ]
    return Part(torch.cat(turned).clamp(0, 1), part.labels)


def fit_images(v: Images, channels: int, side: int) -> Images:
    """Convert images to numbers in [0, 1], with the given number of channels and the given side."""
    v = v.float() / 255 if v.dtype == torch.uint8 else v
    if v.shape[1] != channels:
        v = v.mean(1, keepdim=True).expand(-1, channels, -1, -1)
    return v if v.shape[-2:] == (side, side) else resize(v, side, side)
