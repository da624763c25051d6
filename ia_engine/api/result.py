"""What all results of the library have: files, an HTML page and a picture in notebooks."""

import io
import json
import re
from abc import ABC, abstractmethod
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ia_engine.api.originals import align_originals
from ia_engine.api.statements import make_record
from ia_engine.datasets.data import ImageSet
from ia_engine.describe import Description, describe_statement
from ia_engine.errors import EngineError
from ia_engine.figures.formats import write_csv, write_npz
from ia_engine.figures.mosaic import draw_gallery, draw_mosaic, draw_row
from ia_engine.figures.page import write_report
from ia_engine.files import write_whole, writing
from ia_engine.images import Images, Labels
from ia_engine.runs.paragraphs import Statement
from ia_engine.transforms import GROUPS

Floats = NDArray[np.float32]
Whole = NDArray[np.int64]
Flags = NDArray[np.bool_]
Section = tuple[str, bytes]
"""A title and a PNG picture."""

LONGEST_STEM: Final = 60
COLUMNS: Final = 6
"""Minimum number of means in a row, so that few means are not enlarged much."""
MAIN: Final = ("method", "model", "group", "to", "beta", "steps", "k", "seed")
"""The settings that the text of a result states."""
SHOWN: Final = 100
"""Maximum number of images in the picture of a result."""


@dataclass(frozen=True, eq=False, repr=False)
class Result(ABC):
    """What all results have: the data, the settings, files, and a picture in notebooks."""

    data: ImageSet
    """The images as they were read; `data.notes` states how."""
    settings: Mapping[str, object]
    """The settings by which the result can be repeated."""
    statement: Statement
    """What was done, from which `describe` makes the methods paragraph."""

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

    def save(self, path: str | PathLike[str], originals: str | PathLike[str] | None = None) -> None:
        """Write the result, and replace an earlier one.

        A path that ends in .npz gets all arrays, one that ends in .html gets `to_html`. Any other
        path is a folder, which gets one PNG per (aligned) image, a table images.csv, and
        arrays.npz. If the images were read from a folder, `originals` can name it: its pictures
        are then aligned at their own resolution.
        """
        target = Path(path)
        with writing(target):
            if target.suffix == ".npz":
                write_whole(target, self._pack())
            elif target.suffix == ".html":
                write_whole(target, self.to_html().encode())
            else:
                self._save_folder(target, self._draw(originals))

    def to_html(self, title: str = "") -> str:
        """Return one HTML page, which loads no other files."""
        return write_report(title or self.title, self._captions(), self.sections()).decode()

    def describe(self) -> Description:
        """Return the methods paragraph: two sentences, a table of settings, and what to cite.

        >>> from ia_engine import cluster
        >>> cluster("experiment-1", k=3).describe().sentences[0][:43]
        'The images were divided into K = 3 clusters'
        """
        return describe_statement(self.statement, make_record(self.data, self.settings))

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
        return f"{type(self).__name__} of {len(self.data.images):,} images ({given})"

    @property
    def title(self) -> str:
        """The title of the HTML page, unless another one is given."""
        return f"{self.settings['function']}: {len(self.data.images):,} images"

    def _captions(self) -> list[str]:
        given = (f"{name}: {value}" for name, value in self.settings.items())
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
        group, poses, labels = self.find_poses()
        for picture in align_originals(self.data, originals, poses, labels, group):
            content = io.BytesIO()
            picture.save(content, "PNG")
            yield content.getvalue()

    def find_poses(self) -> tuple[str, Floats, Whole]:
        """Return the group, the pose [n p] of each image, and its cluster [n]."""
        raise EngineError(
            f"a {type(self).__name__} has no single pose for each image: use align with to=..., "
            "attend, invariant_mean, or cluster with the method ia"
        )

    def _save_folder(self, folder: Path, pictures: Iterator[bytes]) -> None:
        folder.mkdir(exist_ok=True)
        stems = (re.sub(r"[^\w-]+", "_", Path(name).stem) for name in self.data.names)
        names = [f"{at:04d}-{stem[:LONGEST_STEM]}.png" for at, stem in enumerate(stems, 1)]
        for name, png in zip(names, pictures, strict=True):
            write_whole(folder / name, png)
        table = {"image": self.data.names, "file": names, **self.columns()}
        rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
        write_whole(folder / "images.csv", write_csv(rows))
        write_whole(folder / "arrays.npz", self._pack())


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
    pictures, found = torch.from_numpy(aligned), torch.from_numpy(labels)
    drawn = draw_gallery(replace(data, images=pictures, labels=found, made=""), SHOWN)
    k = len(np.unique(labels))
    of = "" if drawn.shown == drawn.total else f", {drawn.shown} of {drawn.total:,} images"
    return f"{k} cluster{'' if k == 1 else 's'}, aligned{of}", drawn.png


def name_poses(poses: Floats) -> dict[str, Sequence[Any]]:
    return {f"pose {p + 1}": poses[:, p].tolist() for p in range(poses.shape[1])}
