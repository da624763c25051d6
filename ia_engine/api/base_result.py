"""The base class of all results: files, an HTML page and a picture in notebooks."""

import io
import json
from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ia_engine.api.originals import align_originals, check_placements, find_centres
from ia_engine.api.saving import ARRAYS, PAGE, check_folder, find_kind, save_folder
from ia_engine.api.statements import add_facts, format_value, make_record
from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.uploads.limits import count
from ia_engine.describe import Description, describe_statement
from ia_engine.errors import EngineError
from ia_engine.figures.formats import write_npz
from ia_engine.figures.mosaic import draw_gallery, draw_mosaic, draw_row
from ia_engine.figures.page import write_report
from ia_engine.files import write_whole, writing
from ia_engine.images import Images, Labels
from ia_engine.poses import Placement, to_pixel_matrix
from ia_engine.runs.folder import Record
from ia_engine.runs.paragraphs import Statement
from ia_engine.transforms import GROUPS

Floats = NDArray[np.float32]
Matrices = NDArray[np.float64]
Whole = NDArray[np.int64]
Flags = NDArray[np.bool_]
Section = tuple[str, bytes]
"""A title and a PNG picture."""

COLUMNS: Final = 6
"""Minimum number of means in a row, so that few means are not enlarged much."""
MAIN: Final = ("method", "model", "group", "to", "beta", "steps", "k", "seed")
"""The settings that the text of a result states."""
SHOWN: Final = 100
"""Maximum number of images in the picture of a result."""
MOST_SIZES: Final = 10
"""Maximum number of clusters whose sizes the text of a result states."""
COLUMNS_OF_POSES: Final = {"turn": ("rotation",), "shift": ("row offset", "column offset")}
"""Names of coordinates that differ from those of the engine. Rotations are anticlockwise; offsets
state how far from a pixel the image is read."""


@dataclass(frozen=True, eq=False, repr=False)
class Result(ABC):
    """What all results have: the data, the settings, files, and a picture in notebooks."""

    data: ImageSet
    """The images as they were read; `data.notes` states how."""
    settings: Mapping[str, object]
    """All arguments of the function, and its name."""
    statement: Statement
    """What was done, from which `describe` makes the methods paragraph."""
    record: Record = field(init=False)
    """The data, device, versions and time of the computation."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "statement", add_facts(self.statement, self.settings))
        object.__setattr__(self, "record", make_record(self.data, self.settings))

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
        """The images [n c h w] that `save` writes, with values in [0, 1]: aligned if possible."""
        aligned = getattr(self, "aligned", None)
        return torch.from_numpy(aligned) if isinstance(aligned, np.ndarray) else self.data.images

    def save(self, path: str | PathLike[str], originals: str | PathLike[str] | None = None) -> None:
        """Write the result, and replace an earlier one.

        A path that ends in .npz gets all arrays, one that ends in .html gets `to_html`. Any other
        path is a folder, which gets one PNG per (aligned) image, a table images.csv, and
        arrays.npz. If the images were read from a folder, `originals` can name it: its pictures
        are then aligned at their own resolution. Save the result in another folder.
        """
        target = Path(path)
        kind = find_kind(target, originals is not None)
        with writing(target):
            if kind == ARRAYS:
                write_whole(target, self._pack())
            elif kind == PAGE:
                write_whole(target, self.to_html().encode())
            else:
                check_folder(target, self.data, originals)
                pictures = self._draw(originals)
                save_folder(target, self.data.names, pictures, self.columns(), self._pack())

    def to_html(self, title: str = "") -> str:
        """Return one HTML page, which loads no other files."""
        table = {"image": self.data.names, **self.columns()}
        named = title or self.title
        return write_report(named, self._captions(), self.sections(), table).decode()

    def describe(self) -> Description:
        """Return the methods paragraph: two sentences, a table of settings, and what to cite.

        >>> from ia_engine import cluster
        >>> cluster("experiment-1", k=3).describe().sentences[0][:43]
        'The images were divided into K = 3 clusters'
        """
        return describe_statement(self.statement, self.record)

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
        given = ", ".join(
            f"{name} {self.settings[name]}" for name in MAIN if self.settings.get(name) is not None
        )
        found = f"{count(len(self.data.images), 'image')}{self._describe_clusters()}"
        return f"{type(self).__name__} of {found}{f' ({given})' if given else ''}"

    def _describe_clusters(self) -> str:
        """Return the number and the sizes of the clusters, if there are any."""
        labels = getattr(self, "labels", None)
        if labels is None:
            return ""
        sizes = np.unique(labels, return_counts=True)[1].tolist()
        shown = ", ".join(f"{size:,}" for size in sizes[:MOST_SIZES])
        more = ", …" if len(sizes) > MOST_SIZES else ""
        return f" in {count(len(sizes), 'cluster')} of {shown}{more}"

    @property
    def title(self) -> str:
        """The title of the HTML page, unless another one is given."""
        return f"{self.settings['function']}: {len(self.data.images):,} images"

    def _captions(self) -> list[str]:
        given = (f"{name}: {format_value(value)}" for name, value in self.settings.items())
        return [*self.describe().sentences, "; ".join(given), *self.data.notes]

    def _pack(self) -> bytes:
        known = {
            "names": np.array(self.data.names, dtype=np.str_),
            "settings": np.array(json.dumps(dict(self.settings))),
        }
        return write_npz(self.to_arrays() | known)

    def _draw(self, originals: str | PathLike[str] | None) -> Iterator[bytes]:
        """Yield the aligned images or, if their folder is given, the aligned originals as PNG."""
        if originals is None:
            for image in self.pictures:
                yield draw_mosaic(image[None], [(0, 0)], gap=0, width=image.shape[-1])
            return
        group, poses, _ = self.find_poses()
        for picture in align_originals(self.data, originals, poses, group, self.find_places()):
            content = io.BytesIO()
            picture.save(content, "PNG")
            yield content.getvalue()

    def find_poses(self) -> tuple[str, Floats, Whole]:
        """Return the group, the pose [n p] of each image, and its cluster [n]."""
        raise EngineError(
            f"a {type(self).__name__} has no single pose for each image: use align with to=..., "
            "attend, invariant_mean, or cluster with the method ia"
        )

    def find_places(self) -> list[Placement]:
        """Return, for each image, the place on the canvas of the picture onto which it is warped.

        It is the first picture of its cluster whose pose is the identity.
        """
        check_placements(self.data)
        _, poses, labels = self.find_poses()
        return [self.data.placements[at] for at in find_centres(poses, labels)]

    @property
    def matrices(self) -> Matrices:
        """[n 3 3]: the poses in pixels, for the functions in `ia_engine.poses`. Each matrix maps a
        pixel (x, y, 1) of the aligned image to the position at which the image is read.

        >>> from ia_engine import align
        >>> align("experiment-2", to="previous").matrices.shape
        (10, 3, 3)
        """
        group, poses, _ = self.find_poses()
        height, width = self.pictures.shape[-2:]
        return to_pixel_matrix(GROUPS[group], torch.from_numpy(poses), height, width).numpy()


def to_floats(x: Tensor) -> Floats:
    """Return a copy of a tensor in single precision."""
    return np.array(x.detach().cpu().numpy(), dtype=np.float32)


def to_whole(labels: Labels) -> Whole:
    """Return a copy of labels as an array."""
    return np.array(labels.detach().cpu().numpy(), dtype=np.int64)


def warp(images: Images, poses: Floats, group: str) -> Images:
    """Return the images, warped by their poses; Keys' interpolation overshoots at edges."""
    tau = torch.from_numpy(poses).to(images)
    return GROUPS[group].act(images, tau).clamp(0, 1).cpu()


def draw_means(means: Floats) -> Section:
    plural = "Mean" if len(means) == 1 else f"{len(means)} means"
    return plural, draw_row(torch.from_numpy(means[:SHOWN]), max(COLUMNS, min(len(means), SHOWN)))


def draw_clusters(data: ImageSet, aligned: Floats, labels: Whole) -> Section:
    """Draw the aligned images, cluster by cluster."""
    order = np.argsort(labels, kind="stable")
    pictures, found = torch.from_numpy(aligned[order]), torch.from_numpy(labels[order])
    names = tuple(data.names[row] for row in order)
    drawn = draw_gallery(ImageSet(pictures, names, data.recipe, found), SHOWN)
    of = "" if drawn.shown == drawn.total else f", {drawn.shown} of {drawn.total:,} images"
    title = f"{count(len(np.unique(labels)), 'cluster')}, aligned, cluster by cluster{of}"
    return title, drawn.png


def name_poses(poses: Floats, group: str) -> dict[str, Sequence[Any]]:
    """Return the columns of poses [n p]; they are named by their coordinates, with units.

    >>> [*name_poses(np.zeros((1, 3), np.float32), "se2")]
    ['rotation [rad]', 'row offset [px]', 'column offset [px]']
    """
    numbered = [f"parameter {p + 1}" for p in range(poses.shape[1])]
    names = [*_name_coordinates(group)] if group else numbered
    return {name: poses[:, p].tolist() for p, name in enumerate(names)}


def _name_coordinates(group: str) -> Iterator[str]:
    for part in GROUPS[group].coordinates():
        unit = f" [{part.range.unit}]" if part.range.unit else ""
        numbered = [f"{part.name} {at}" for at in range(1, part.count + 1)]
        names = COLUMNS_OF_POSES.get(part.name, numbered if part.count > 1 else (part.name,))
        yield from (f"{name}{unit}" for name in names)
