"""Results of the library. All arrays are NumPy arrays; `steps` are the frozen steps of the engine,
whose fields are tensors.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np
import torch
from numpy.typing import NDArray

from ia_engine.api.base_result import (
    SHOWN,
    Flags,
    Floats,
    Result,
    Section,
    Whole,
    draw_clusters,
    draw_means,
    name_poses,
    to_floats,
    to_whole,
    warp,
)
from ia_engine.api.inputs import Source, read_like
from ia_engine.api.originals import check_placements
from ia_engine.api.statements import state_prediction
from ia_engine.attention.clusters.measures import Measured
from ia_engine.attention.iteration import AttentionConfig, Step
from ia_engine.attention.means.algorithm1 import MeanStep
from ia_engine.clustering.training import Progress as TrainingProgress
from ia_engine.errors import EngineError
from ia_engine.figures.mosaic import draw_all
from ia_engine.figures.player import PlayerHeader, describe_run, write_player
from ia_engine.poses import Placement
from ia_engine.predict import Model
from ia_engine.runs.attend import find_white, make_next_frame, make_shown


@final
@dataclass(frozen=True, eq=False, repr=False)
class PairsResult(Result):
    """The distances and poses of all pairs of images.

    - `distances` [n n]: d², the squared distance of two images of unit norm, up to the group.
    - `poses` [n n p]: poses[i, j] warps image i onto image j; `GROUPS[group].matrix` returns
      matrices.

    >>> from ia_engine import align
    >>> align("experiment-1").aligned(to=0).shape
    (18, 1, 64, 64)
    """

    group: str
    distances: Floats
    poses: Floats

    def aligned(self, to: int) -> Floats:
        """Return all images [n c h w], warped onto image `to`."""
        n = len(self.distances)
        if not 0 <= to < n:
            raise EngineError(f"to must be the index of an image from 0 to {n - 1}; got {to}")
        return warp(self.data.images, self.poses[:, to], self.group).numpy()

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {"distances": self.distances, "poses": self.poses}

    def sections(self) -> list[Section]:
        central = int(self.distances.sum(0).argmin())
        onto = f"Images aligned to {self.data.names[central]}, which has the smallest distances"
        return [(onto, draw_all(torch.from_numpy(self.aligned(central)[:SHOWN])))]

    def columns(self) -> dict[str, Sequence[Any]]:
        return {"mean distance": self.distances.mean(0).tolist()}


@final
@dataclass(frozen=True, eq=False, repr=False)
class StackResult(Result):
    """The images of a stack in a common pose.

    - `aligned` [n c h w]: the images in a common pose.
    - `poses` [n p]: the pose by which each image was warped.
    - `means` [1 c h w]: the mean of the aligned images.

    >>> from ia_engine import align
    >>> align("experiment-2", to="mean").poses.shape
    (10, 3)
    """

    group: str
    aligned: Floats
    poses: Floats
    means: Floats

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {"aligned": self.aligned, "poses": self.poses, "means": self.means}

    def find_poses(self) -> tuple[str, Floats, Whole]:
        return self.group, self.poses, np.zeros(len(self.poses), np.int64)

    def sections(self) -> list[Section]:
        shown = torch.from_numpy(self.aligned[:SHOWN])
        before = self.data.images[:SHOWN]
        return [("Before", draw_all(before)), ("Aligned", draw_all(shown)), draw_means(self.means)]

    def columns(self) -> dict[str, Sequence[Any]]:
        return name_poses(self.poses, self.group)


@final
@dataclass(frozen=True, eq=False, repr=False)
class MeanResult(Result):
    """The invariant mean of all images.

    - `means` [1 c h w]: the invariant mean, with values in [0, 1].
    - `aligned` [n c h w]: the images, warped onto the mean.
    - `poses` [n p]: the poses that warp the images onto the mean.
    - `weights` [n]: the weight of each image, with a sum of 1.
    - `distances` [n]: d² between each image and the mean, for images of unit norm.
    - `steps`: the mean at the initial poses, and after every update.

    >>> from ia_engine import invariant_mean
    >>> invariant_mean("experiment-2").means.shape
    (1, 1, 64, 64)
    """

    group: str
    means: Floats
    aligned: Floats
    poses: Floats
    weights: Floats
    distances: Floats
    steps: tuple[MeanStep, ...]

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        names = ("means", "aligned", "poses", "weights", "distances")
        return {name: getattr(self, name) for name in names}

    def find_poses(self) -> tuple[str, Floats, Whole]:
        return self.group, self.poses, np.zeros(len(self.poses), np.int64)

    def sections(self) -> list[Section]:
        shown = torch.from_numpy(self.aligned[:SHOWN])
        return [draw_means(self.means), ("Aligned images", draw_all(shown))]

    def columns(self) -> dict[str, Sequence[Any]]:
        known = {"weight": self.weights.tolist(), "distance": self.distances.tolist()}
        return known | name_poses(self.poses, self.group)


@final
@dataclass(frozen=True, eq=False, repr=False)
class PredictionResult(Result):
    """New images, assigned to the clusters of a result and aligned with them.

    - `labels` [m]: the cluster of each new image.
    - `distances` [m k]: the distance to each cluster, of which the smallest determines the
      label.
    - `far` [m]: True if an image is farther from its cluster than the limit of the model; see
      `ia_engine.predict.Prediction`.
    - `weights` [m]: the weight of the image's own cluster, from 0 to 1; None for models without
      weights.
    - `poses` [m p]: the poses that warp the images onto the central images of their clusters;
      for prototypes, the parameters that transform the prototypes onto the images.
    - `aligned` [m c h w]: the images, aligned with their clusters.
    - `group`: the name of the group of the poses; "" if they are parameters of prototypes.
    - `places`: where the central picture of each cluster lies on its canvas, if there is one.

    >>> from ia_engine import cluster
    >>> cluster("experiment-1", k=3).predict("experiment-1").poses.shape
    (18, 3)
    """

    labels: Whole
    distances: Floats
    far: Flags
    weights: Floats | None
    poses: Floats
    aligned: Floats
    group: str
    places: Mapping[int, Placement]

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        names = ("labels", "distances", "far", "weights", "poses", "aligned")
        arrays = {name: getattr(self, name) for name in names}
        return {name: array for name, array in arrays.items() if array is not None}

    def sections(self) -> list[Section]:
        return [draw_clusters(self.data, self.aligned, self.labels)]

    def columns(self) -> dict[str, Sequence[Any]]:
        known = {"label": self.labels.tolist(), "far": self.far.tolist()}
        known |= {"distance": self.distances.min(1).tolist()}
        return known | name_poses(self.poses, self.group)

    def find_poses(self) -> tuple[str, Floats, Whole]:
        if not self.group:
            return super().find_poses()
        return self.group, self.poses, self.labels

    def find_places(self) -> list[Placement]:
        check_placements(self.data)
        if not self.places:
            raise EngineError(
                "originals can be aligned only with clusters of pictures; the clusters of this "
                "result have arrays or generated images"
            )
        return [self.places[label] for label in self.labels.tolist()]


def predict(result: Result, model: Model, images: Source) -> PredictionResult:
    """Assign new images with the model of a result, and align them."""
    data = read_like(result.data, images)
    found = model.predict(data.images)
    return PredictionResult(
        data,
        {"function": "predict", "of": repr(result)}
        | {name: result.settings[name] for name in ("seed", "device") if name in result.settings},
        state_prediction(result.statement, len(data.images)),
        to_whole(found.assignments),
        to_floats(found.distances),
        found.far.cpu().numpy(),
        None if found.weight is None else to_floats(found.weight),
        to_floats(found.tau),
        to_floats(found.aligned.clamp(0, 1)),
        *_find_centres(result),
    )


def _find_centres(result: Result) -> tuple[str, Mapping[int, Placement]]:
    """Return the group of the poses ("" if there are none), and the place of the central picture
    of each cluster."""
    if getattr(result, "poses", None) is None:
        return "", {}
    group, _, labels = result.find_poses()
    if not result.data.placements:
        return group, {}
    return group, dict(zip(labels.tolist(), result.find_places(), strict=True))


@final
@dataclass(frozen=True, eq=False, repr=False)
class AttentionResult(Result):
    """Iterated attention: the images, repeatedly replaced by their weighted means.

    - `labels` [n]: the cluster of each image at the last step, numbered from 0.
    - `weights` [n n]: W of the last step; columns sum to 1.
    - `distances` [n n]: d² of the last step.
    - `poses` [n p]: the pose that warps each original image onto the central image of its
      cluster; None for kernel attention.
    - `aligned` [n c h w]: the original images in these poses.
    - `means` [n c h w]: the means of the last step, which are combinations of images of unit
      norm.
    - `steps`: each finished step with its scores; `steps[k].step` has v, d2, tau, W and mu.
    - `model`: assigns new images; see `ia_engine.predict`.

    >>> from ia_engine import attend
    >>> result = attend("experiment-1", steps=2)
    >>> result.labels.tolist()
    [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]
    >>> "<script" in result.to_html()  # the player of the app
    True
    """

    config: AttentionConfig
    labels: Whole
    weights: Floats
    distances: Floats
    poses: Floats | None
    aligned: Floats
    means: Floats
    steps: tuple[Measured, ...] = field(repr=False)
    model: Model

    def predict(self, images: Source) -> PredictionResult:
        """Assign new images, which are read like those of the result, and align them.

        >>> from ia_engine import attend
        >>> result = attend("experiment-1", steps=2)
        >>> result.predict(result.data.images[:8]).labels.tolist()
        [0, 0, 0, 0, 0, 0, 1, 1]
        """
        return predict(self, self.model, images)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        names = ("labels", "weights", "distances", "poses", "aligned", "means")
        arrays = {name: getattr(self, name) for name in names}
        return {name: array for name, array in arrays.items() if array is not None}

    def find_poses(self) -> tuple[str, Floats, Whole]:
        if self.poses is None:
            return super().find_poses()
        return self.config.group, self.poses, self.labels

    def sections(self) -> list[Section]:
        return [draw_clusters(self.data, self.aligned, self.labels)]

    def columns(self) -> dict[str, Sequence[Any]]:
        known = {"label": self.labels.tolist()}
        return known if self.poses is None else known | name_poses(self.poses, self.config.group)

    def to_html(self, title: str = "") -> str:
        """Return the player of the app as one HTML page."""
        beta = float(self.steps[0].step.beta.median())
        white = find_white(self.steps[0].step.v)
        shown = [make_shown(measured, self.config, beta, white) for measured in self.steps]
        frames = [*(step.frame for step in shown), make_next_frame(shown[-1])]
        data = self.data
        header = PlayerHeader(
            beta=beta,
            sigma=self.config.sigma,
            names=data.names,
            labels=[] if data.labels is None else data.labels.tolist(),
            classes=data.classes,
        )
        run = describe_run("run", self.config, frames, len(frames), beta=beta)
        return write_player(title or self.title, [run], header).decode()


@final
@dataclass(frozen=True, eq=False, repr=False)
class ClusterResult(Result):
    """Clusters of images, with one mean or prototype for each.

    - `labels` [n]: the cluster of each image, numbered from 0.
    - `means` [k c h w]: the mean of the aligned images of each cluster, or its prototype.
    - `aligned` [n c h w]: the images in the pose of their cluster.
    - `distances` [n n]: d² of all pairs of images of unit norm, smoothed with σ = 1 px
      (attention), or [n k]: the error of each image and prototype. `align` smooths with σ = 0
      by default, so its distances differ.
    - `poses` [n p]: the pose that warps each image onto the central image of its cluster; None
      if the method has no poses or has several transformations in sequence.
    - `weights` [n n]: W of attention, whose columns sum to 1: weights[i, j] is the part of
      image i in the mean of image j. None for the other methods.
    - `steps`: the step of attention, or the progress of training.
    - `model`: assigns new images; see `ia_engine.predict`.

    >>> from ia_engine import cluster
    >>> result = cluster("experiment-1", k=3)
    >>> result.labels.tolist()
    [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]
    >>> result.means.shape
    (3, 1, 64, 64)
    """

    labels: Whole
    means: Floats
    aligned: Floats
    distances: Floats
    poses: Floats | None
    weights: Floats | None
    steps: tuple[Step, ...] | tuple[TrainingProgress, ...]
    model: Model

    def predict(self, images: Source) -> PredictionResult:
        """Assign new images, which are read like those of the result, and align them.

        >>> from ia_engine import cluster
        >>> result = cluster("experiment-1", k=3)
        >>> result.predict(result.data.images[:8]).labels.tolist()
        [0, 0, 0, 0, 0, 0, 1, 1]
        """
        return predict(self, self.model, images)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        names = ("labels", "means", "aligned", "distances", "poses", "weights")
        arrays = {name: getattr(self, name) for name in names}
        return {name: array for name, array in arrays.items() if array is not None}

    def find_poses(self) -> tuple[str, Floats, Whole]:
        if self.poses is None:
            return super().find_poses()
        return str(self.settings["group"]), self.poses, self.labels

    def sections(self) -> list[Section]:
        return [draw_means(self.means), draw_clusters(self.data, self.aligned, self.labels)]

    def columns(self) -> dict[str, Sequence[Any]]:
        known = {"label": self.labels.tolist()}
        if self.poses is None:
            return known
        return known | name_poses(self.poses, str(self.settings["group"]))
