"""What generated data start from: a drawing, or the images of one class of a labelled source."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Generator, Tensor
from torch.nn import functional

from ia_engine.datasets.bases import (
    BASES,
    DIGIT_CLASSES,
    FASHION_CLASSES,
    load_base,
    load_digits,
    load_fashion,
)
from ia_engine.datasets.named import ALL, ANY, choose_split, is_here, read_split
from ia_engine.datasets.published import MNIST
from ia_engine.errors import EngineError
from ia_engine.images import resize
from ia_engine.shapes import Images, Labels

SOURCES = ("digits", "mnist", "fashion", "mnist-all")
BEST = "best"
"""MNIST where its files are, otherwise scikit-learn's digits."""


@dataclass(frozen=True)
class Canvas:
    """How many copies of a drawing, on how many pixels, filling which part of them."""

    copies: int
    size: int
    fill: float


@dataclass(frozen=True, eq=False)
class Source:
    """Labelled images of which the circle within the square holds all ink."""

    title: str
    labels: Labels
    classes: tuple[str, ...]
    read: Callable[[Tensor, int], Images]
    """The images of these rows in [0, 1], so many pixels wide and high."""


def resolve(source: str) -> str:
    """The source that is meant: "best" depends on which files are here."""
    if source != BEST:
        return source
    return "mnist" if is_here(MNIST) else "digits"


def load_source(name: str) -> Source:
    """A labelled source; only the images that are read are brought to the size that is wanted."""
    if name == "digits":
        title = "scikit-learn's digits, 8×8 enlarged"
        return Source(title, load_digits(8)[1], DIGIT_CLASSES, lambda r, w: load_digits(w)[0][r])
    if name == "fashion":
        title = "the bundled garments of Fashion-MNIST"
        return Source(
            title, load_fashion(8)[1], FASHION_CLASSES, lambda r, w: load_fashion(w)[0][r]
        )
    if name in ("mnist", "mnist-all"):
        split = choose_split(MNIST, ALL if name == "mnist-all" else ANY)
        images, labels = read_split(MNIST, split)
        return Source(f"MNIST, {split}", labels, DIGIT_CLASSES, lambda r, w: _scale(images[r], w))
    raise EngineError(f"a source is one of {', '.join(SOURCES)}; got {name!r}")


def load_sources(bases: tuple[str, ...]) -> dict[str, Source]:
    """Every source that the bases name, each loaded once."""
    names = dict.fromkeys(base.split(":")[0] for base in bases if base not in BASES)
    return {name: load_source(name) for name in names}


def load_copies(
    base: str, sources: dict[str, Source], canvas: Canvas, generator: Generator
) -> tuple[str, Images]:
    """The title of a base, and the images [copies c size size] that its copies start from."""
    copies, size, fill = canvas.copies, canvas.size, canvas.fill
    if base in BASES:
        return BASES[base].title, load_base(base, size, fill).expand(copies, -1, -1, -1)
    name, label, *index = base.split(":")
    source = sources[name]
    rows = (source.labels == int(label)).nonzero()[:, 0]
    if index:
        chosen = torch.full((copies,), int(index[0]) % len(rows), device="cpu")
    else:
        order = torch.randperm(len(rows), generator=generator, device="cpu")
        chosen = order[torch.arange(copies, device="cpu") % len(rows)]
    margin = min(round((1 - fill) * size / 2), (size - 8) // 2)
    v = source.read(rows[chosen], size - 2 * margin)
    return source.classes[int(label)], functional.pad(v, (margin,) * 4)


def check_base(base: object) -> None:
    """A base is a name of BASES, "digits:3" (another 3 for every copy), or "digits:3:5" (one 3)."""
    if isinstance(base, str) and (base in BASES or _names_class(*base.split(":"))):
        return
    raise EngineError(
        f"a base is one of {', '.join(list(BASES)[:4])} …, or a source and a class such as "
        f"digits:3 (of {', '.join(SOURCES)}); got {base!r}"
    )


def _names_class(source: str, label: str = "", index: str = "0", *rest: str) -> bool:
    one_digit = len(label) == 1 and label in "0123456789"
    return source in SOURCES and one_digit and index.isdecimal() and len(index) < 6 and not rest


def _scale(pixels: Tensor, size: int) -> Images:
    v = pixels.float() / 255
    return v if size == v.shape[-1] else resize(v, size, size)
