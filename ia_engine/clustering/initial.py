"""Where prototypes start (section 3.2): random samples, centres of K-means, or noise."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from torch import Generator

from ia_engine.clustering.config import ClusterConfig
from ia_engine.errors import EngineError
from ia_engine.shapes import Images, check_axes

ENOUGH = 5000
"""So many images are enough to start from centres of K-means."""


def draw_prototypes(config: ClusterConfig, images: Images, generator: Generator) -> Images:
    """K prototypes [k c h w]."""
    check_images(config, images)
    order = torch.randperm(len(images), generator=generator, device=images.device)
    if config.start == "sample":
        return images[order[: config.k]].clone()
    if config.start == "kmeans":
        return _centres(images[order[:ENOUGH]], config.k, generator)
    mean, spread = images.mean(0), images.std(0, correction=min(1, len(images) - 1))
    noise = torch.randn(
        config.k, *images.shape[1:], generator=generator, device=images.device, dtype=images.dtype
    )
    return mean + spread * noise


def check_images(config: ClusterConfig, images: Images) -> None:
    """At least as many finite images as clusters."""
    n = check_axes(images, "n c h w", "images")["n"]
    if n < config.k:
        raise EngineError(f"k must not exceed the number of images; got {config.k} of {n}")
    if not images.isfinite().all():
        raise EngineError("images must be finite, some hold infinities or are not numbers")


@contextmanager
def unwarned() -> Iterator[None]:
    """Equal images leave clusters empty: their sizes say so, and scikit-learn need not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield


def _centres(images: Images, k: int, generator: Generator) -> Images:
    seed = torch.randint(2**31 - 1, (), generator=generator, device=images.device).item()
    points = images.flatten(1).detach().cpu().double().numpy()
    model = KMeans(k, init="k-means++", n_init=1, random_state=int(seed))
    with unwarned():
        found = model.fit(points)
    centres = torch.from_numpy(found.cluster_centers_).to(images)
    return centres.view(k, *images.shape[1:])
