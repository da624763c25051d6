"""Assigns new images to the clusters of a finished result, and aligns them with these clusters.

Attention: a new image u belongs to the cluster of the nearest image of the result, and is aligned
with the central image of this cluster. Its weight is the part of its column of W, κ(v_i, u) /
Σ_k κ(v_k, u), that lies on this cluster.

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
from ia_engine.attention.distances.alignment import EXACT, find_anchors
from ia_engine.attention.iteration import AttentionConfig, normalise, square_norms
from ia_engine.attention.weights import weigh
from ia_engine.clustering.model import responsibilities
from ia_engine.clustering.reading import Reading, put_back, read
from ia_engine.clustering.state import State
from ia_engine.errors import EngineError
from ia_engine.images import Images, Labels, Matrix, Poses, blur, check_axes, resize
from ia_engine.ties import SOLVED, STEP, first_min
from ia_engine.transforms import GROUPS, Group

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
    weight: Tensor | None
    """[m]: the weight of the image's own cluster, from 0 to 1 (for a mixture, its responsibility);
    0 if the kernel is 0 at all distances of the image, and None for models without weights."""
    tau: Poses
    """[m p]: the poses that warp the images onto the central images of their clusters. Prototypes:
    the parameters that transform the prototypes onto the images."""
    aligned: Images
    """The images in these poses. Prototypes: the images, mapped back to their prototypes."""
    far: Tensor
    """[m]: True if `distance` is larger than the limit of the model.

    Attention: d² to the nearest image exceeds that of every image of the result to its nearest
    other image. This happens with a probability of at most 1/(n + 1) if the new image and the n
    images of the result are drawn from one distribution. Prototypes: the error exceeds that of
    every image to which they were fitted, which is more frequent, because fitting reduces it."""

    @property
    def distance(self) -> Tensor:
        """[m]: the distance to the image's own cluster, the smallest of `distances`."""
        return self.distances.amin(1)


class Model(Protocol):
    """Interface of finished results that can assign new images."""

    @property
    def centres(self) -> Images:
        """[k c h w]: the centre of each cluster."""

    @property
    def limit(self) -> float:
        """The distance to the nearest cluster beyond which a new image is far."""

    def predict(self, images: Images) -> Prediction:
        """Assign and align images of the size of the centres; larger images are downscaled."""


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
    def anchors(self) -> Labels:
        """[k]: the central image of each cluster."""
        return find_anchors(self.d2, self.labels)

    @cached_property
    def poses(self) -> Poses:
        """[n p]: the poses that warp the images of the result onto the central images."""
        poses = self._align(self.v, self.labels)
        poses[self.anchors] = 0
        return poses

    @cached_property
    def aligned(self) -> Images:
        """[n c h w]: the images of the result in these poses."""
        return self._move(self.images, self.poses)

    @cached_property
    def centres(self) -> Images:
        """[k c h w]: the mean of the aligned images of each cluster."""
        return torch.stack([self.aligned[self.labels == k].mean(0) for k in range(self._k)])

    @property
    def limit(self) -> float:
        """The largest d² between an image of the result and its nearest other image."""
        others = self.d2.clone().fill_diagonal_(torch.inf)
        return float(others.amin(1).max())

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
            most = config.nearest + 1  # an image of the result is its own nearest image
            return rank_across(v, self.v, self._group, most, config.sigma)
        return align_across(v, self.v, self._group, config.sigma).d2

    def _predict(self, images: Images) -> Prediction:
        v = normalise(images)
        d2 = self._compare(v)
        distances = find_distances(d2, self.labels)
        found = choose(distances)
        tau = self._align(v, found)
        return Prediction(
            assignments=found,
            distances=distances,
            weight=(self._weigh(v, d2) * (self.labels[:, None] == found)).sum(0),
            tau=tau,
            aligned=self._move(images, tau),
            far=distances.amin(1) > self.limit + SOLVED,
        )

    def _weigh(self, v: Images, d2: Matrix) -> Matrix:
        """Return the columns of W [n m] of new images, by the rule for the images of the run.

        The nearest image of the result takes the place of the diagonal: it counts among the
        largest weights that are kept, and not among the neighbours that determine a local β.
        """
        config, weighting = self.config, self.config.build().weighting
        rows, columns = (square_norms(one, config.sigma) for one in (self.v, v))
        x = weighting.kernel.exponent(d2.T, rows, columns)
        beta = weighting.bandwidth.beta_beyond(x - x.amin(0), d2.argmin(1))
        return weigh(
            d2.T,
            self.beta if beta is None else beta,
            weighting.kernel,
            rows,
            config.most,
            columns=columns,
        )

    def _align(self, v: Images, found: Labels) -> Poses:
        """Return the poses [m p] that warp images of unit norm onto the central images of their
        clusters."""
        if self.config.method == "ka":
            return v.new_zeros(len(v), 0)
        tau = self._group.identity(len(v), v)
        for k in found.unique().tolist():
            own, anchor = found == k, self.anchors[k]
            centre = self.v[anchor : anchor + 1]
            tau[own] = align_across(v[own], centre, self._group, self.config.sigma).tau[:, 0]
        return tau

    def _move(self, images: Images, tau: Poses) -> Images:
        """Return the images in these poses, without the overshoot of Keys' interpolation."""
        if self.config.method == "ka":
            return images
        low, high = images.amin((1, 2, 3), True), images.amax((1, 2, 3), True)
        moved = self._group.act(images, tau)
        return torch.minimum(torch.maximum(moved, low.clamp_max(0)), high.clamp_min(0))

    @property
    def _k(self) -> int:
        return int(self.labels.max()) + 1

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
