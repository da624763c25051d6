"""Edits a run between two steps; every function returns a new state."""

from collections.abc import Callable
from dataclasses import replace

import torch
from torch import Generator, Tensor

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.learner import Learner
from ia_engine.clustering.state import Pace, State, Usage
from ia_engine.clustering.training import restore
from ia_engine.errors import EngineError

FIXED = ("model", "k", "sequence", "encoder", "outside", "focus", "colors", "predictors")
"""Settings that a fork cannot change, because the weights or the losses depend on them."""
UNUSED = 1e-9
"""Small number that is added to the shares of both merged clusters, so that two unused clusters get
equal weight."""


def split(state: State, k: int, seed: int = 0) -> State:
    """Replace the least used of the other clusters with a slightly noisy copy of cluster k."""
    _check(state, k)
    if state.config.k == 1:
        raise EngineError(
            "K must be at least 2 for a split, which replaces another cluster; got K = 1: start a "
            "run with a larger K"
        )
    share = state.tensors["usage.share"].clone()
    share[k] = torch.inf
    return _replace_cluster(state, int(share.argmin()), k, seed)


def merge(state: State, a: int, b: int, seed: int = 0) -> State:
    """Replace prototype a with the mean of a and b, and b with a copy of the largest other
    cluster."""
    _check(state, a, b)
    if a == b:
        raise EngineError(f"the clusters to merge must differ; got {a} twice")
    usage = Usage.from_tensors(state.tensors)
    share = usage.share[[a, b]] + UNUSED
    share = share / share.sum()

    def join(learner: Learner) -> None:
        prototypes = learner.comparison.prototypes
        prototypes[a] = share[0] * prototypes[a] + share[1] * prototypes[b]

    usage.share[a] += usage.share[b]
    joined = _change(state, join, usage)
    others = usage.share.clone()
    others[[a, b]] = -1
    source = int(others.argmax()) if state.config.k > 2 else a
    return _replace_cluster(joined, b, source, seed)


def reseed(state: State, k: int, image: Tensor) -> State:
    """Replace prototype k with an image [c h w], and reset its transformations to the identity."""
    _check(state, k)
    if image.shape != state.prototypes.shape[1:]:
        raise EngineError(
            f"image must have the shape of a prototype, {tuple(state.prototypes.shape[1:])}; got "
            f"{tuple(image.shape)}"
        )

    def put(learner: Learner) -> None:
        learner.comparison.prototypes[k] = image
        learner.clear(k)

    usage = Usage.from_tensors(state.tensors)
    usage.share[k], usage.age[k] = 1 / state.config.k, 0
    return _change(state, put, replace(usage, share=usage.share / usage.share.sum()))


def fork(state: State, config: ClusterConfig) -> State:
    """Return the same run with other settings for its learning rate, batches, curriculum, length or
    reassignment."""
    changed = [name for name in FIXED if getattr(config, name) != getattr(state.config, name)]
    if changed:
        raise EngineError(
            f"a fork must keep {', '.join(FIXED)}; got different values for "
            f"{', '.join(changed)}: start a new run instead"
        )
    off = config.curriculum == "off"
    pace = replace(state.pace, stage=len(config.modules)) if off else state.pace
    return replace(state, config=config, pace=Pace(pace.stage, pace.cooling))


def _replace_cluster(state: State, to: int, source: int, seed: int) -> State:
    usage = Usage.from_tensors(state.tensors).copied(to, source)
    generator = Generator(device=state.prototypes.device).manual_seed(seed)
    return _change(state, lambda learner: learner.copy(to, source, generator), usage)


def _change(state: State, change: Callable[[Learner], None], usage: Usage) -> State:
    learner = restore(state)
    with torch.no_grad():
        change(learner)
    tensors = {name: x.detach().clone() for name, x in learner.tensors().items()}
    return replace(state, tensors={**state.tensors, **tensors, **usage.tensors()})


def _check(state: State, *clusters: int) -> None:
    for k in clusters:
        if not 0 <= k < state.config.k:
            raise EngineError(f"cluster must be between 0 and {state.config.k - 1}; got {k}")
