"""Small images to cluster, which are always on the CPU."""

import torch
from torch.nn import functional

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.training import begin, restore
from tests.tensors import blobs, rand


def shapes(n=24, size=12, channels=1, dtype=torch.float32):
    """Alternating bars and blocks, slightly translated and noisy, and their labels."""
    v = 0.02 * rand(n, channels, size, size, dtype=dtype)
    shifts = (3 * rand(n, 2, seed=5)).long() - 1
    for i in range(n):
        p, q = (size // 2 + shifts[i]).tolist()
        if i % 2:
            v[i, :, p - 4 : p + 4, q - 1 : q + 1] += 0.9
        else:
            v[i, :, p - 2 : p + 3, q - 3 : q + 3] += 0.6
    return v, torch.arange(n, device="cpu") % 2


def apart(k=3, each=6, size=6):
    """Images in k distant clusters, which any K-means finds, and their labels."""
    centres = rand(k, 1, size, size, seed=3, dtype=torch.float32)
    noise = 0.01 * rand(k * each, 1, size, size, seed=4, dtype=torch.float32)
    return centres.repeat(each, 1, 1, 1) + noise, torch.arange(k * each, device="cpu") % k


def config(**changes):
    usual = {"k": 2, "iterations": 12, "batch": 8, "period": 3, "shares": ()}
    return ClusterConfig(**{**usual, **changes})


def moved(chosen, images, spread=0.05, seed=0):
    """A learner with transformations that are not the identity."""
    learner = restore(begin(chosen, images, seed))
    generator = torch.Generator(device="cpu").manual_seed(seed)
    with torch.no_grad():
        for name, x in learner.model.named_parameters():
            if name.startswith("heads.") and ".2" in name:
                x.normal_(0, spread, generator=generator)
    return learner


def digit(size=20):
    """A smooth stroke on black."""
    v = blobs(1, 1, size=size, sigma=1.5, reach=0.2, dtype=torch.float32)
    return (v / v.max()).clamp(0, 1)


def dilated(v, reach=1):
    return functional.max_pool2d(v, 2 * reach + 1, 1, reach)
