"""Layers, features and small splits for tests, which are always on the CPU."""

import torch

from ia_engine.equivariant.architectures import Builder
from ia_engine.equivariant.splits import Part, Splits
from tests.tensors import rand


def generator(seed=0):
    return torch.Generator(device="cpu").manual_seed(seed)


def builder(group, attention="none", *, seed=0, dtype=torch.float64):
    return Builder(group, attention, generator=generator(seed), device="cpu", dtype=dtype)


def features(group, n=2, channels=3, side=9, *, seed=0, dtype=torch.float64):
    """Random features [n c h y x] on the group, or on the plane if `group` is None."""
    poses = 1 if group is None else len(group)
    return rand(n, channels, poses, side, side, seed=seed, low=-1, dtype=dtype)


def bars(n, side=28, *, seed=0):
    """Thin and thick upright strokes at random positions: a task that is learned quickly."""
    images = torch.zeros(n, 1, side, side, device="cpu")
    labels = torch.arange(n, device="cpu") % 2
    at = torch.randint(5, side - 9, (n, 2), generator=generator(seed), device="cpu").tolist()
    for k, (p, q) in enumerate(at):
        images[k, 0, p - 4 : p + 5, q : q + 1 + 3 * (k % 2)] = 1
    return Part(images, labels)


def splits(n=32):
    return Splits(bars(n), bars(16, seed=1), bars(16, seed=2), 2, "strokes")
