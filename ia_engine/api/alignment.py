"""`align` and `invariant_mean`: distances, poses and means of images."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal, SupportsIndex, overload

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Generator, Tensor

from ia_engine.api.arguments import (
    SEEDED,
    Device,
    read_device,
    read_integer,
    read_number,
    refuse_given,
)
from ia_engine.api.base_result import to_floats, warp
from ia_engine.api.inputs import Source, read_images
from ia_engine.api.progress import Progress, follow
from ia_engine.api.result_classes import MeanResult, PairsResult, StackResult
from ia_engine.api.statements import state_alignment, state_mean
from ia_engine.attention.distances.alignment import Alignment, GlobalSearch
from ia_engine.attention.iteration import AttentionConfig, normalise
from ia_engine.attention.means.algorithm1 import MeanConfig, MeanStep, find_mean
from ia_engine.attention.stack import align_stack
from ia_engine.errors import EngineError
from ia_engine.images import Images
from ia_engine.transforms import GROUPS

To = SupportsIndex | Literal["mean", "previous"]


@overload
def align(
    images: Source,
    group: str = "se2",
    to: None = None,
    *,
    sigma: float = 0.0,
    device: Device = "cpu",
    progress: Progress | None = None,
) -> PairsResult: ...
@overload
def align(
    images: Source,
    group: str = "se2",
    *,
    to: To,
    sigma: float = 0.0,
    device: Device = "cpu",
    progress: Progress | None = None,
) -> StackResult: ...
def align(
    images: Source,
    group: str = "se2",
    to: To | None = None,
    *,
    sigma: float = 0.0,
    device: Device = "cpu",
    progress: Progress | None = None,
) -> PairsResult | StackResult:
    """Align images up to the transformations of a group.

    Without `to`, the distances and poses of all pairs are computed. With an index, "mean" or
    "previous", the whole stack is aligned with this image, with its invariant mean, or each image
    with the one before (choose this for series that change gradually). `group` is a name in
    `GROUPS`, and `sigma` the smoothing before images of all pairs are compared [px].
    `progress(done, total, message)` is called after every part, and returns False to stop.

    >>> from ia_engine import align
    >>> pairs = align("experiment-1", group="se2")
    >>> pairs.distances.shape, pairs.poses.shape
    ((18, 18), (18, 18, 3))
    >>> bool(pairs.distances[0, 1] < pairs.distances[0, 6])  # the same drawing, another one
    True
    >>> align("experiment-1", to=0).aligned.shape
    (18, 1, 64, 64)
    """
    device = read_device(device)
    if isinstance(to, SupportsIndex):
        to = read_integer("to", to)
    config = AttentionConfig(group=group, sigma=read_number("sigma", sigma))
    if to is not None and config.sigma:
        raise EngineError(
            "sigma smooths images only before all pairs are compared, so it has no effect with "
            f"to={to!r}: leave out sigma or to"
        )
    data = read_images(images)
    settings = {
        "function": "align", "group": group, "to": to, "sigma": config.sigma,
        "device": str(device),
    }  # fmt: skip
    statement = state_alignment(group, to, config.sigma, len(data.images))
    if to is None:
        v = normalise(data.images).to(device)
        found = align_pairs(GlobalSearch(GROUPS[group], config.sigma), v, progress, "align")
        assert found.tau is not None
        return PairsResult(
            data, settings, statement, group, to_floats(found.d2), to_floats(found.tau)
        )
    (stack,) = follow(
        (align_stack(data.images.to(device), group, to) for _ in range(1)),
        1,
        lambda _: f"images aligned to {to}",
        progress,
    )
    aligned = stack.images.clamp(0, 1)  # Keys' interpolation overshoots at edges
    mean = to_floats(aligned.mean(0, keepdim=True))
    return StackResult(
        data, settings, statement, group, to_floats(aligned), to_floats(stack.tau), mean
    )


def invariant_mean(
    images: Source,
    group: str = "se2",
    *,
    weights: ArrayLike | None = None,
    steps: int = 5,
    sigma: float = 0.0,
    start: str = "pairwise",
    device: Device = "cpu",
    seed: int | None = None,
    progress: Progress | None = None,
) -> MeanResult:
    """Compute the weighted mean of images after bringing each as close as possible to it.

    `weights` [n] default to equal weights, and `steps` is the number of updates of poses and mean.
    `start` is "pairwise" (the poses of all pairs), "identity" (the descent of the paper) or
    "random" (drawn with `seed`, by default 0). `sigma` is the smoothing before images are compared
    [px]. If `progress` requests a stop, the result is that of the finished steps.

    >>> from ia_engine import invariant_mean
    >>> result = invariant_mean("experiment-2", steps=3)
    >>> len(result.steps), result.aligned.shape
    (4, (10, 1, 64, 64))
    >>> bool(result.steps[-1].objective <= result.steps[0].objective)
    True
    """
    device = read_device(device)
    steps = read_integer("steps", steps)
    config = MeanConfig(group=group, start=start, sigma=read_number("sigma", sigma), steps=steps)
    if start == "random":
        seed = 0 if seed is None else read_integer("seed", seed, least=0)
    else:
        refuse_given({"seed": seed}, SEEDED.format(f"start={start!r}"))
    data = read_images(images)
    v = normalise(data.images).to(device)
    w = _read_weights(weights, v)
    generator = None if seed is None else Generator("cpu").manual_seed(seed)
    found = find_mean(config, v, w, generator)
    finished = tuple(follow(found, steps + 1, _describe, progress))
    last = finished[-1]
    poses = to_floats(last.tau)
    aligned = warp(data.images, poses, group)
    share = w / w.sum()
    d2 = (last.aligned - last.mu).square().flatten(1).sum(1)
    return MeanResult(
        data,
        {
            "function": "invariant_mean",
            "group": group,
            "steps": len(finished) - 1,
            "sigma": config.sigma,
            "start": start,
            "weights": "equal" if weights is None else w.tolist(),
            "seed": seed,
            "device": str(device),
        },
        state_mean(replace(config, steps=max(1, len(finished) - 1)), weights is not None, len(v)),
        group,
        to_floats(torch.einsum("n,nchw->chw", share.cpu(), aligned)[None]),
        to_floats(aligned),
        poses,
        to_floats(share),
        to_floats(d2),
        finished,
    )


def align_pairs(
    solver: GlobalSearch, v: Images, progress: Progress | None, function: str
) -> Alignment:
    """Align all pairs, with progress in each direction. Raises EngineError if it is stopped."""

    def track(blocks: Sequence[slice]) -> Iterator[slice]:
        done = 0
        for block in follow(blocks, len(blocks), lambda _: "pairs aligned", progress):
            done += 1
            yield block
        if done < len(blocks):
            raise EngineError(
                f"{function} was stopped after {done} of {len(blocks)} parts, so the distances are "
                "incomplete: no result is returned"
            )

    return solver.align(v, track)


def _read_weights(weights: ArrayLike | None, v: Images) -> Tensor:
    if weights is None:
        return v.new_ones(len(v))
    if isinstance(weights, Tensor):
        return weights.detach().to(v)
    try:
        return torch.as_tensor(np.asarray(weights, np.float64), dtype=v.dtype, device=v.device)
    except (TypeError, ValueError) as error:
        raise EngineError(f"weights must be one number for each image; got {weights!r}") from error


def _describe(step: MeanStep) -> str:
    return f"mean, objective {step.objective:.4f}"
