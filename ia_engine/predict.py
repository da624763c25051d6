"""Assigns new images to the clusters of a finished result, and aligns them with these clusters.

Attention: a new image u belongs to the cluster of the nearest image of the result, and is aligned
with the mean of this cluster. Its weight is the part of its column of W, κ(u, v_i) / Σ_k κ(u, v_k),
that lies on this cluster.

Prototypes: a new image belongs to the prototype that fits best, transformed by the parameters that
the trained predictors return (TI optimises them), and is mapped back to this prototype.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Protocol, Self, final

import torch
from torch import Tensor

from ia_engine.attention.distances.across import align_across, rank_across
from ia_engine.attention.distances.alignment import EXACT
from ia_engine.attention.iteration import AttentionConfig, normalise
from ia_engine.attention.means.solvers import MeanAscent, Problem
from ia_engine.attention.weights import KERNELS
from ia_engine.clustering.model import responsibilities
from ia_engine.clustering.reading import Reading, put_back, read
from ia_engine.clustering.state import State
from ia_engine.errors import EngineError
from ia_engine.images import Images, Labels, Matrix, Poses, blur, check_axes, resize
from ia_engine.ties import SOLVED, STEP, first_min
from ia_engine.transforms import GROUPS, Group

UPDATES = 5
"""Number of updates of the mean of a cluster."""
AT_ONCE = 256
"""Number of new images that are compared at once."""


@dataclass(frozen=True, eq=False)
class Prediction:
    """The clusters and poses of m new images; row i of every field belongs to image i."""

    assignments: Labels
    distances: Matrix
    """[m k]: the distance to each cluster, of which the smallest determines the assignment.

    Attention: d² to the nearest image of the cluster. Prototypes: the squared error per pixel, or
    -log π_k G per pixel for a mixture."""
    distance: Tensor
    """[m]: the distance to the centre of the image's own cluster.

    Attention: d² to the mean of the cluster. Prototypes: the smallest of `distances`."""
    weight: Tensor | None
    """[m]: the weight of the image's own cluster, from 0 to 1 (for a mixture, its responsibility);
    None for models without weights."""
    tau: Poses
    """[m p]: the poses that warp the images onto the centres. Prototypes: the parameters that
    transform the prototypes onto the images."""
    aligned: Images
    """The images, aligned with the centres of their clusters."""
    far: Tensor
    """[m]: True if `distance` is larger than that of every image of the result."""


class Model(Protocol):
    """Interface of finished results that can assign new images."""

    @property
    def centres(self) -> Images:
        """[k c h w]: the centre of each cluster."""

    @property
    def limit(self) -> float:
        """The largest distance of an image of the result to the centre of its own cluster."""

    def predict(self, images: Images) -> Prediction:
        """Assign and align images of the size of the centres; larger ones are reduced."""


def fit_size(images: Images, wanted: Sequence[int]) -> Images:
    """Return images with the size of the result, whose axes are `wanted` [n c h w].

    Larger images with the same proportions are reduced.
    """
    check_axes(images, "n c h w", "images")
    (c, h, w), (channels, height, width) = images.shape[1:], wanted[1:]
    if (c, h, w) == (channels, height, width) and len(images):
        return images
    same_proportions = abs(h * width - w * height) < max(h, w)
    if not len(images) or c != channels or not same_proportions or h < height:
        raise EngineError(
            "new images must have the channels and proportions of the result, and must not be "
            f"smaller, [n {channels} {height} {width}]; got {list(images.shape)}: convert or "
            "enlarge them"
        )
    return resize(images, height, width)


@final
@dataclass(frozen=True, eq=False)
class AttentionModel:
    """The clusters of a run of attention: its images, and the cluster of each of them."""

    config: AttentionConfig
    images: Images
    """[n c h w]: the images of the result, before they are divided by their norms."""
    labels: Labels
    """[n]: consecutive cluster numbers from 0."""
    d2: Matrix
    """[n n]: the squared distances of the images in the first step."""
    beta: float
    """β of the first step; the median, if the columns of W have different values."""

    @cached_property
    def v(self) -> Images:
        """The images with unit norm."""
        return normalise(self.images)

    @cached_property
    def centres(self) -> Images:
        """[k c h w]: the mean of the images of each cluster, which have unit norm; invariant
        attention aligns them with the image whose distances to the others are smallest."""
        return torch.stack(
            [
                self._average((self.labels == k).nonzero()[:, 0])
                for k in range(int(self.labels.max()) + 1)
            ]
        )

    @cached_property
    def fitted(self) -> tuple[Tensor, Poses]:
        """The distance [n] of each image of the result to its own centre, and its pose [n p]."""
        return self._align(self.v, self.labels)

    @property
    def limit(self) -> float:
        return float(self.fitted[0].max())

    def predict(self, images: Images) -> Prediction:
        images = fit_size(images, self.images.shape).to(self.images)
        return _join([self._predict(part) for part in images.split(AT_ONCE)])

    def measure(self, images: Images) -> Matrix:
        """Return d² [m k] between new images and the nearest image of each cluster."""
        v = normalise(fit_size(images, self.images.shape).to(self.images))
        parts = [find_distances(self._compare(part), self.labels) for part in v.split(AT_ONCE)]
        return torch.cat(parts)

    def _compare(self, v: Images) -> Matrix:
        """Return d² [m n] between new images of unit norm and the images of the result."""
        config = self.config
        if config.method == "ka":
            x, y = (blur(one, config.sigma).flatten(1) for one in (v, self.v))
            return torch.cdist(x, y, compute_mode=EXACT).square()
        if config.pairs == "nearest" and config.nearest < len(self.v):
            return rank_across(v, self.v, self._group, config.nearest, config.sigma)
        return align_across(v, self.v, self._group, config.sigma).d2

    def _predict(self, images: Images) -> Prediction:
        v = normalise(images)
        d2 = self._compare(v)
        distances = find_distances(d2, self.labels)
        found = choose(distances)
        distance, tau = self._align(v, found)
        return Prediction(
            assignments=found,
            distances=distances,
            distance=distance,
            weight=weigh_cluster(d2, self.labels, found, self.config.kernel, self.beta),
            tau=tau,
            aligned=images if self.config.method == "ka" else self._group.act(images, tau),
            far=distance > self.limit + SOLVED,
        )

    def _average(self, rows: Tensor) -> Tensor:
        v, sigma = self.v[rows], self.config.sigma
        if self.config.method == "ka" or len(v) == 1:
            return v.mean(0)
        anchor = int(first_min(self.d2[rows][:, rows].sum(0), within=SOLVED * len(rows)))
        tau = align_across(v, v[anchor : anchor + 1], self._group, sigma).tau[:, 0]
        problem = Problem(self._group, v, torch.full_like(v[:, 0, 0, 0], 1 / len(v)))
        *_, last = MeanAscent(problem, sigma, anchor).run(tau, UPDATES)
        return last.mu

    def _align(self, v: Images, found: Labels) -> tuple[Tensor, Poses]:
        """Return d² [m] between images of unit norm and the centres of their clusters, and the
        poses [m p] that warp the images onto them."""
        if self.config.method == "ka":
            rest = blur(v - self.centres[found], self.config.sigma)
            return rest.flatten(1).square().sum(1), v.new_zeros(len(v), 0)
        d2, tau = torch.zeros_like(v[:, 0, 0, 0]), self._group.identity(len(v), v)
        for k in found.unique().tolist():
            own, centre = found == k, self.centres[k : k + 1]
            pairs = align_across(v[own], centre, self._group, self.config.sigma)
            d2[own], tau[own] = pairs.d2[:, 0], pairs.tau[:, 0]
        return d2, tau

    @property
    def _group(self) -> Group:
        return GROUPS[self.config.group]


def find_distances(d2: Matrix, labels: Labels) -> Matrix:
    """Return the smallest d² [m k] between each new image and the images of each cluster.

    `d2` [m n] holds the squared distances between m new images and n images with the given labels.
    """
    k = int(labels.max()) + 1
    nearest = d2.new_full((len(d2), k), torch.inf)
    return nearest.scatter_reduce(1, labels.expand_as(d2), d2, "amin")


def choose(distances: Matrix) -> Labels:
    """Return the nearest cluster [m]. If several are equally near, the first is chosen."""
    return first_min(distances, 1, within=SOLVED)


def weigh_cluster(d2: Matrix, labels: Labels, found: Labels, kernel: str, beta: float) -> Tensor:
    """Return the fraction [m] of the weight of each new image that lies on its cluster `found`."""
    x = KERNELS[kernel](d2.T, torch.ones_like(d2[0, :1]))
    W = (-beta * x).softmax(0)
    return (W * (labels[:, None] == found)).sum(0)


@final
@dataclass(frozen=True, eq=False)
class PrototypeModel:
    """The prototypes of a run of clustering, and the largest distance of a training image."""

    state: State
    limit: float

    @classmethod
    def of(cls, state: State, fitted: Reading) -> Self:
        """Return the model of a state. `fitted` holds its results for the training images."""
        return cls(state, float(fitted.distances.amin(1).max()))

    @property
    def centres(self) -> Images:
        return self.state.prototypes

    def predict(self, images: Images) -> Prediction:
        images = fit_size(images, self.centres.shape).to(self.centres)
        found, back = read(self.state, images), put_back(self.state, images)
        distance, weight = found.distances.amin(1), None
        if self.state.config.mixture:
            weight = responsibilities(-self.centres[0].numel() * found.distances).amax(1)
        return Prediction(
            assignments=found.assignments,
            distances=found.distances,
            distance=distance,
            weight=weight,
            tau=back.tau,
            aligned=back.images,
            far=distance > self.limit + STEP * abs(self.limit),
        )


def _join(parts: Sequence[Prediction]) -> Prediction:
    columns = {
        field.name: torch.cat([getattr(part, field.name) for part in parts])
        for field in fields(Prediction)
    }
    return Prediction(**columns)
