"""Results of the library: arrays, files, HTML pages and a picture in notebooks.

All arrays are NumPy arrays. `steps` are the frozen steps of the engine, whose fields are tensors.
"""

import json
import re
from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any, Final, final

import numpy as np
import torch
from numpy.typing import NDArray

from ia_engine.attention.clusters.measures import Measured
from ia_engine.attention.iteration import AttentionConfig, Step
from ia_engine.attention.means.algorithm1 import MeanStep
from ia_engine.clustering.state import State
from ia_engine.clustering.training import Progress as TrainingProgress
from ia_engine.datasets.data import ImageSet
from ia_engine.errors import EngineError
from ia_engine.figures.formats import write_csv, write_npz
from ia_engine.figures.mosaic import draw_all, draw_gallery, draw_mosaic
from ia_engine.figures.page import write_report
from ia_engine.figures.player import PlayerHeader, describe_run, write_player
from ia_engine.files import write_whole, writing
from ia_engine.images import Images
from ia_engine.runs.attend import find_white, make_next_frame, make_shown
from ia_engine.transforms import GROUPS

Floats = NDArray[np.float32]
Whole = NDArray[np.int64]
Section = tuple[str, bytes]
"""A title and a PNG picture."""

LONGEST_STEM: Final = 60
SHOWN: Final = 100
"""Maximum number of images in the picture of a result."""


@dataclass(frozen=True, eq=False, repr=False)
class Result(ABC):
    """What all results have: the data, the settings, files, and a picture in notebooks."""

    data: ImageSet
    """The images as they were read; `data.notes` states how."""
    settings: Mapping[str, object]
    """The settings by which the result can be repeated."""

    @abstractmethod
    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """Return all arrays of the result by name, as `save` writes them."""

    @abstractmethod
    def sections(self) -> list[Section]:
        """Return the pictures of the result, each with its title."""

    @abstractmethod
    def columns(self) -> dict[str, Sequence[Any]]:
        """Return the columns of the table that `save` writes, one row per image."""

    @property
    def pictures(self) -> Images:
        """The images [n c h w] that `save` writes, with values in [0, 1]."""
        return self.data.images

    def save(self, path: str | PathLike[str]) -> None:
        """Write the result, and replace an earlier one.

        A path that ends in .npz gets all arrays, one that ends in .html gets `to_html`. Any other
        path is a folder, which gets one PNG per (aligned) image, a table images.csv, and
        arrays.npz.
        """
        target = Path(path)
        with writing(target):
            if target.suffix == ".npz":
                write_whole(target, self._pack())
            elif target.suffix == ".html":
                write_whole(target, self.to_html().encode())
            else:
                self._save_folder(target)

    def to_html(self, title: str = "") -> str:
        """Return one HTML page, which loads no other files."""
        return write_report(title or self._title, self._captions(), self.sections()).decode()

    def _repr_html_(self) -> str:
        """Return the picture that a notebook shows."""
        caption = escape(repr(self))
        shown = [
            f'<figure style="margin:0"><figcaption>{escape(title)}</figcaption>'
            f'<img style="max-width:100%" alt="{escape(title)}" '
            f'src="data:image/png;base64,{b64encode(png).decode()}"></figure>'
            for title, png in self.sections()
        ]
        return f"<div><p>{caption}</p>{''.join(shown)}</div>"

    def __repr__(self) -> str:
        given = ", ".join(f"{name} {value}" for name, value in self.settings.items())
        return f"{self._title} ({given})"

    @property
    def _title(self) -> str:
        return f"{type(self).__name__} of {len(self.data.images):,} images"

    def _captions(self) -> list[str]:
        return [repr(self), *self.data.notes]

    def _pack(self) -> bytes:
        known = {
            "names": np.array(self.data.names, dtype=np.str_),
            "settings": np.array(json.dumps(dict(self.settings))),
        }
        return write_npz(self.to_arrays() | known)

    def _save_folder(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        stems = (re.sub(r"[^\w-]+", "_", Path(name).stem) for name in self.data.names)
        names = [f"{at:04d}-{stem[:LONGEST_STEM]}.png" for at, stem in enumerate(stems, 1)]
        for name, image in zip(names, self.pictures, strict=True):
            png = draw_mosaic(image[None], [(0, 0)], gap=0, width=image.shape[-1])
            write_whole(folder / name, png)
        table = {"image": self.data.names, "file": names, **self.columns()}
        rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
        write_whole(folder / "images.csv", write_csv(rows))
        write_whole(folder / "arrays.npz", self._pack())


@final
@dataclass(frozen=True, eq=False, repr=False)
class PairsResult(Result):
    """The distances and poses of all pairs of images.

    >>> from ia_engine import align
    >>> align("experiment-1").aligned(to=0).shape
    (18, 1, 64, 64)
    """

    group: str
    distances: Floats
    """[n n]: d², the squared distance of two images of unit norm, up to the group."""
    poses: Floats
    """[n n p]: poses[i, j] warps image i onto image j; `GROUPS[group].matrix` returns matrices."""

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

    >>> from ia_engine import align
    >>> align("experiment-2", to="mean").poses.shape
    (10, 3)
    """

    group: str
    aligned: Floats
    """[n c h w]: the images in a common pose."""
    poses: Floats
    """[n p]: the pose by which each image was warped."""
    means: Floats
    """[1 c h w]: the mean of the aligned images."""

    @property
    def pictures(self) -> Images:
        return torch.from_numpy(self.aligned)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        return {"aligned": self.aligned, "poses": self.poses, "means": self.means}

    def sections(self) -> list[Section]:
        shown = torch.from_numpy(self.aligned[:SHOWN])
        before = self.data.images[:SHOWN]
        return [("Before", draw_all(before)), ("Aligned", draw_all(shown)), _draw_means(self.means)]

    def columns(self) -> dict[str, Sequence[Any]]:
        return _name_poses(self.poses)


@final
@dataclass(frozen=True, eq=False, repr=False)
class MeanResult(Result):
    """The invariant mean of all images.

    >>> from ia_engine import invariant_mean
    >>> invariant_mean("experiment-2").means.shape
    (1, 1, 64, 64)
    """

    group: str
    means: Floats
    """[1 c h w]: the invariant mean, with values in [0, 1]."""
    aligned: Floats
    """[n c h w]: the images, warped onto the mean."""
    poses: Floats
    """[n p]: the poses that warp the images onto the mean."""
    weights: Floats
    """[n]: the weight of each image, with a sum of 1."""
    distances: Floats
    """[n]: d² between each image and the mean, for images of unit norm."""
    steps: tuple[MeanStep, ...]
    """The mean at the initial poses, and after every update."""

    @property
    def pictures(self) -> Images:
        return torch.from_numpy(self.aligned)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        names = ("means", "aligned", "poses", "weights", "distances")
        return {name: getattr(self, name) for name in names}

    def sections(self) -> list[Section]:
        shown = torch.from_numpy(self.aligned[:SHOWN])
        return [_draw_means(self.means), ("Aligned images", draw_all(shown))]

    def columns(self) -> dict[str, Sequence[Any]]:
        known = {"weight": self.weights.tolist(), "distance": self.distances.tolist()}
        return known | _name_poses(self.poses)


@final
@dataclass(frozen=True, eq=False, repr=False)
class AttentionResult(Result):
    """Iterated attention: the images, replaced by their weighted means again and again.

    >>> from ia_engine import attend
    >>> result = attend("experiment-1", steps=2)
    >>> result.labels.tolist()
    [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]
    >>> "<script" in result.to_html()  # the player of the app
    True
    """

    config: AttentionConfig
    labels: Whole
    """[n]: the cluster of each image at the last step, numbered from 0."""
    weights: Floats
    """[n n]: W of the last step; columns sum to 1."""
    distances: Floats
    """[n n]: d² of the last step."""
    poses: Floats | None
    """[n p]: the pose that warps each original image onto the central image of its cluster; None
    for kernel attention."""
    aligned: Floats
    """[n c h w]: the original images in these poses."""
    means: Floats
    """[n c h w]: the means of the last step, which are combinations of images of unit norm."""
    steps: tuple[Measured, ...] = field(repr=False)
    """Each finished step with its scores; `steps[k].step` has v, d2, tau, W and mu."""

    @property
    def pictures(self) -> Images:
        return torch.from_numpy(self.aligned)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        names = ("labels", "weights", "distances", "poses", "aligned", "means")
        arrays = {name: getattr(self, name) for name in names}
        return {name: array for name, array in arrays.items() if array is not None}

    def sections(self) -> list[Section]:
        return [_draw_clusters(self.data, self.aligned, self.labels)]

    def columns(self) -> dict[str, Sequence[Any]]:
        known = {"label": self.labels.tolist()}
        return known if self.poses is None else known | _name_poses(self.poses)

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
        return write_player(title or self._title, [run], header).decode()


@final
@dataclass(frozen=True, eq=False, repr=False)
class ClusterResult(Result):
    """Clusters of images, with one mean or prototype for each.

    >>> from ia_engine import cluster
    >>> result = cluster("experiment-1", k=3)
    >>> result.labels.tolist()
    [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]
    >>> result.means.shape
    (3, 1, 64, 64)
    """

    labels: Whole
    """[n]: the cluster of each image, numbered from 0."""
    means: Floats
    """[k c h w]: the mean of the aligned images of each cluster, or its prototype."""
    aligned: Floats
    """[n c h w]: the images in the pose of their cluster."""
    distances: Floats
    """[n n]: d² of all pairs (attention), or [n k]: the error of each image and prototype."""
    poses: Floats | None
    """[n p]: the pose that warps each image onto the central image of its cluster; None if the
    method has no poses or has several transformations in sequence."""
    weights: Floats | None
    """[n n]: W of attention; None for the other methods."""
    steps: tuple[Step, ...] | tuple[TrainingProgress, ...]
    """The step of attention, or the progress of training."""
    state: State | None = None
    """The trained model; None for attention."""

    @property
    def pictures(self) -> Images:
        return torch.from_numpy(self.aligned)

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        names = ("labels", "means", "aligned", "distances", "poses", "weights")
        arrays = {name: getattr(self, name) for name in names}
        return {name: array for name, array in arrays.items() if array is not None}

    def sections(self) -> list[Section]:
        return [_draw_means(self.means), _draw_clusters(self.data, self.aligned, self.labels)]

    def columns(self) -> dict[str, Sequence[Any]]:
        known = {"label": self.labels.tolist()}
        return known if self.poses is None else known | _name_poses(self.poses)


def warp(images: Images, poses: Floats, group: str) -> Images:
    """Return the images, warped by their poses; Keys' interpolation overshoots at edges."""
    tau = torch.from_numpy(poses).to(images)
    return GROUPS[group].act(images, tau).clamp(0, 1).cpu()


def _draw_means(means: Floats) -> Section:
    plural = "Mean" if len(means) == 1 else f"{len(means)} means"
    return plural, draw_all(torch.from_numpy(means[:SHOWN]))


def _draw_clusters(data: ImageSet, aligned: Floats, labels: Whole) -> Section:
    """Draw the aligned images, cluster by cluster."""
    pictures, found = torch.from_numpy(aligned), torch.from_numpy(labels)
    drawn = draw_gallery(replace(data, images=pictures, labels=found, made=""), SHOWN)
    k = len(np.unique(labels))
    of = "" if drawn.shown == drawn.total else f", {drawn.shown} of {drawn.total:,} images"
    return f"{k} cluster{'' if k == 1 else 's'}, aligned{of}", drawn.png


def _name_poses(poses: Floats) -> dict[str, Sequence[Any]]:
    return {f"pose {p + 1}": poses[:, p].tolist() for p in range(poses.shape[1])}
