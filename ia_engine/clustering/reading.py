"""Reads results from a state, without gradients: assignments, aligned images and errors.

This module also describes the sliders that transform a prototype.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import isqrt
from typing import Final

import torch
from torch import Tensor

from ia_engine.clustering.learner import Learner
from ia_engine.clustering.model import Params
from ia_engine.clustering.modules import Module, Modules
from ia_engine.clustering.state import State
from ia_engine.clustering.training import restore
from ia_engine.errors import EngineError
from ia_engine.images import Images, Labels, Matrix, Poses, check_axes
from ia_engine.transforms.morphology import WINDOW
from ia_engine.transforms.tps import POINTS

Knob = tuple[str, str, float, float, str]
"""Name, symbol, minimum, maximum and unit of a parameter. In a group, the name is "group: name"."""

HALF: Final = "of half the canvas"
STRETCH: Final[tuple[Knob, ...]] = (
    ("rows", "L₁₁", -0.5, 0.5, ""),
    ("rows by columns", "L₁₂", -0.5, 0.5, ""),
    ("columns by rows", "L₂₁", -0.5, 0.5, ""),
    ("columns", "L₂₂", -0.5, 0.5, ""),
)
SHIFT: Final[tuple[Knob, ...]] = (
    ("up", "b₁", -0.5, 0.5, HALF),
    ("left", "b₂", -0.5, 0.5, HALF),
)
TILT: Final[tuple[Knob, ...]] = (
    ("tilt of rows", "h₁", -0.4, 0.4, ""),
    ("tilt of columns", "h₂", -0.4, 0.4, ""),
)
CHANNELS: Final = ("red", "green", "blue")


def knobs(state: State) -> dict[str, list[Knob]]:
    """Return the parameters of every module in the sequence; the second affine module is named
    "affine 2"."""
    parts = _modules(state).parts
    return {key: _knobs_of(part) for key, part in zip(_keys(parts), parts, strict=True)}


def move(state: State, k: int, values: Mapping[str, Sequence[float]]) -> Images:
    """Return prototype k [c h w], transformed by all modules with the given values; missing values
    are 0."""
    if not 0 <= k < state.config.k:
        raise EngineError(f"k must be between 0 and {state.config.k - 1}; got {k}")
    modules, like = _modules(state), state.prototypes
    keys = _keys(modules.parts)
    if not values.keys() <= set(keys):
        raise EngineError(f"modules must be among {', '.join(keys)}; got {', '.join(values)}")
    pairs = zip(keys, modules.parts, strict=True)
    params = [_row(values.get(key, ()), part, like) for key, part in pairs]
    return modules.transform(like[k : k + 1], params)[0]


def _modules(state: State) -> Modules:
    config, like = state.config, state.prototypes
    return Modules.build(config.modules, config.canvas(*like.shape[1:]), like)


def _keys(parts: Sequence[Module]) -> list[str]:
    names = [part.name for part in parts]
    uses = [names[: m + 1].count(name) for m, name in enumerate(names)]
    return [name if use == 1 else f"{name} {use}" for name, use in zip(names, uses, strict=True)]


def _knobs_of(part: Module) -> list[Knob]:
    match part.name:
        case "affine":
            return [*STRETCH, *SHIFT]
        case "projective":
            return [*STRETCH, *SHIFT, *TILT]
        case "tps":
            return list(_bends())
        case "morphology" | "morphology-signed":
            return [("α: sharpness", "α/10", -1.0, 1.0, ""), *_window()]
        case "color-full":
            return list(_mixtures(isqrt(part.count)))
        case _:
            return list(_tints(part.count // 2))


def _bends() -> Iterator[Knob]:
    """Yield the displacements of the control points, first all vertical and then all horizontal
    ones."""
    for way in ("up", "left"):
        for row, column in product(range(POINTS), repeat=2):
            yield f"row {row + 1}: point {column + 1} {way}", "u", -0.3, 0.3, HALF


def _window() -> Iterator[Knob]:
    places = range(-(WINDOW // 2), WINDOW // 2 + 1)
    for row, column in product(places, repeat=2):
        yield f"a, row {row:+d}: column {column:+d}", "a", -0.5, 0.5, ""


def _tints(channels: int) -> Iterator[Knob]:
    for what, symbol in (("weight", "w"), ("bias", "b")):
        for name in _channels(channels):
            yield f"{name} {what}".strip(), symbol, -0.5, 0.5, ""


def _mixtures(channels: int) -> Iterator[Knob]:
    """Yield the parameters of a full colour transformation: the coefficients of each channel in
    each channel, and the offsets."""
    names = _channels(channels)
    for to, source in product(names, repeat=2):
        yield f"{to} from {source}".strip(), "M", -1.0, 1.0, ""
    for name in names:
        yield f"{name} bias".strip(), "b", -0.5, 0.5, ""


def _channels(count: int) -> tuple[str, ...]:
    return CHANNELS if count == len(CHANNELS) else ("grey",) * count


def _row(values: Sequence[float], part: Module, like: Images) -> Poses:
    if len(values) not in (0, part.count):
        raise EngineError(f"{part.name} must have {part.count} values; got {len(values)}")
    return like.new_tensor([list(values) or [0.0] * part.count])


__all__ = ["Reading", "Returned", "knobs", "means", "move", "put_back", "read", "unfold"]

BATCH = 256
"""Number of images per batch."""


@dataclass(frozen=True, eq=False)
class Reading:
    """Results for a set of images; row i of every field belongs to image i."""

    assignments: Labels
    distances: Matrix
    """[n k]: the squared error averaged over pixels, or -log π_k G for a mixture."""
    aligned: Images
    """The winning prototype of each image, transformed onto the image."""
    error: Tensor
    """[n]: the squared error of `aligned`, averaged over pixels."""
    loss: float
    """The mean training loss over the images, by which seeds are ranked."""

    def outliers(self) -> Tensor:
        """Return the indices of the images [n], worst alignment first."""
        return self.error.argsort(descending=True, stable=True)


@torch.no_grad()
def read(state: State, images: Images, rows: Tensor | None = None) -> Reading:
    """Assign images to clusters and align the prototypes with them.

    `rows` are the indices of training images (`state.rows` for all of them), whose poses TI has
    stored. It is None for images outside the training set, whose poses TI has to optimise.
    """
    learner = _restore(state, images, rows)
    parts = [_read(learner, state, x, own) for x, own in _batches(images, rows)]
    loss = sum(part.loss * len(part.error) for part in parts) / len(images)
    return Reading(
        assignments=torch.cat([part.assignments for part in parts]),
        distances=torch.cat([part.distances for part in parts]),
        aligned=torch.cat([part.aligned for part in parts]),
        error=torch.cat([part.error for part in parts]),
        loss=loss,
    )


@torch.no_grad()
def means(state: State, images: Images, rows: Tensor | None = None) -> tuple[Images, Images]:
    """Return two means [k c h w] of the images in every cluster: of the images as they are, and of
    the images mapped back to the prototype.

    Modules are inverted in reverse order; morphology has no inverse and is skipped. The mean of an
    empty cluster is 0. For `rows`, see `read`.
    """
    learner, total = _restore(state, images, rows), torch.zeros_like(state.prototypes)
    before, after, sizes = total, total.clone(), total[:, 0, 0, 0]
    for x, own in _batches(images, rows):
        found = _put_back(learner, state, x, own)
        before = before.index_add(0, found.assignments, x)
        after = after.index_add(0, found.assignments, found.images)
        sizes = sizes + torch.bincount(found.assignments, minlength=len(sizes))
    share = sizes.clamp_min(1)[:, None, None, None]
    return before / share, after / share


@dataclass(frozen=True, eq=False)
class Returned:
    """Images mapped back to their prototypes, and the parameters of the transformations."""

    assignments: Labels
    images: Images
    tau: Poses
    """[n P]: the parameters of all modules in sequence, which transform the prototype onto the
    image; 0 for modules that have not started."""


@torch.no_grad()
def put_back(state: State, images: Images, rows: Tensor | None = None) -> Returned:
    """Map each image back to the prototype that fits best; see `means`, and `read` for `rows`."""
    learner = _restore(state, images, rows)
    parts = [_put_back(learner, state, x, own) for x, own in _batches(images, rows)]
    return Returned(
        torch.cat([part.assignments for part in parts]),
        torch.cat([part.images for part in parts]),
        torch.cat([part.tau for part in parts]),
    )


@torch.no_grad()
def unfold(state: State, images: Images, rows: Tensor | None = None) -> list[tuple[str, Tensor]]:
    """Transform every prototype onto every image, and return the result [n k c h w] after each
    module.

    For `rows`, see `read`.
    """
    learner = _restore(state, images, rows)
    params = learner.predict(images, rows, state.stage)
    n, k = len(images), state.config.k
    start = state.prototypes.repeat_interleave(n, 0)
    flat = [values.flatten(0, 1) for values in params]
    chain = [("prototype", start), *learner.comparison.modules_on.unfold(start, flat)]
    if state.config.colors == "fitted":
        chain.append(("colors", learner.comparison.color(images.repeat(k, 1, 1, 1), chain[-1][1])))
    return [(name, v.unflatten(0, (k, n)).transpose(0, 1)) for name, v in chain]


def _restore(state: State, images: Images, rows: Tensor | None) -> Learner:
    check_axes(images, "n c h w", "images")
    if images.shape[1:] != state.prototypes.shape[1:] or not len(images):
        raise EngineError(
            "images must contain at least one image and have the shape of the prototypes, "
            f"{tuple(state.prototypes.shape[1:])}; got {tuple(images.shape)}"
        )
    if rows is not None and (
        len(rows) != len(images) or not 0 <= rows.min() <= rows.max() < state.n
    ):
        raise EngineError(
            f"rows must be the {len(images)} indices of these images in the training set, from 0 "
            f"to {state.n - 1}; got {len(rows)} indices. For images outside the training set, "
            "pass rows=None"
        )
    return restore(state)


def _batches(images: Images, rows: Tensor | None) -> list[tuple[Images, Tensor | None]]:
    parts = images.split(BATCH)
    return list(zip(parts, [None] * len(parts) if rows is None else rows.split(BATCH), strict=True))


def _read(learner: Learner, state: State, x: Images, rows: Tensor | None) -> Reading:
    comparison, params = learner.comparison, learner.predict(x, rows, state.stage)
    scores = comparison.compare(x, params)
    joint = comparison.joint(scores)
    columns = joint.argmax(1)
    aligned = comparison.align(x, columns, _of_winners(params, columns))
    loss = scores.amin(1).mean()
    if comparison.eta is not None:
        pixels = comparison.prototypes[0].numel()
        loss, scores = -joint.logsumexp(1).mean() / pixels, -joint / pixels
    error = (x - aligned).square().mean((1, 2, 3))
    return Reading(columns, scores, aligned, error, float(loss))


def _put_back(learner: Learner, state: State, x: Images, rows: Tensor | None) -> Returned:
    comparison, table = learner.comparison, learner.predict(x, rows, state.stage)
    columns = comparison.joint(comparison.compare(x, table)).argmax(1)
    params = _of_winners(table, columns)
    undone = comparison.color(comparison.prototypes[columns], comparison.modules_on.undo(x, params))
    counts = [part.count for part in comparison.modules_on.parts]
    rest = x.new_zeros(len(x), sum(counts[len(params) :]))
    return Returned(columns, undone, torch.cat([*params, rest], 1))


def _of_winners(params: Params, columns: Tensor) -> Params:
    rows = torch.arange(len(columns), device=columns.device)
    return [values[columns, rows] for values in params]
