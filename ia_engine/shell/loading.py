"""Loads the data that --data selects: a data set of the catalogue, a recipe, arrays or pictures."""

import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor

from ia_engine.attention.iteration import normalise
from ia_engine.datasets.data import ImageSet, PointSet, Recipe
from ia_engine.datasets.recipes import RECIPES, load_recipe, make
from ia_engine.datasets.uploads import UploadConfig, read_upload
from ia_engine.datasets.uploads.archive import kind_of_archive
from ia_engine.datasets.uploads.limits import HEAD, recognise
from ia_engine.errors import EngineError
from ia_engine.images import Labels
from ia_engine.shell.arrays import DAMAGE, read_arrays
from ia_engine.shell.lines import say
from ia_engine.shell.options import Common

Data = ImageSet | PointSet

MOST_PICTURES = 10_000


def load(common: Common, pictures: UploadConfig | None = None) -> Data:
    """Load at most `limit` rows of the data. `pictures` determines how pictures are read."""
    with reading(common.data):
        data = _limit(_find(common, pictures or UploadConfig()), common.limit)
    for note in data.notes if isinstance(data, ImageSet) else ():
        say(note)
    return data


def load_vectors(common: Common, least: int = 2) -> tuple[Data, Tensor, Labels | None]:
    """Return the data, their images with unit norm or their points, and their labels if known."""
    data = load(common)
    raw = data.points if isinstance(data, PointSet) else normalise(data.images)
    if len(raw) < least:
        raise EngineError(f"the data must have at least {least} images; got {len(raw)}")
    labels = None if data.labels is None else data.labels.to(common.device)
    return data, raw.to(common.device), labels


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Convert system errors in the block to an EngineError with a one-sentence message."""
    try:
        yield
    except OSError as error:
        raise EngineError(f"{name} could not be read: {error.strerror or error}") from error


def to_path(name: str) -> Path:
    """Convert the value of --data to a path. Raises EngineError if it is empty."""
    if not name:
        raise EngineError("--data must be a name, a file or a folder; got an empty string")
    return Path(name)


@dataclass(frozen=True)
class _File:
    """A file on disk, which is read only when its content is requested."""

    path: Path
    name: str

    @property
    def size(self) -> int:
        return self.path.stat().st_size

    @property
    def head(self) -> bytes:
        with reading(self.name), self.path.open("rb") as file:
            return file.read(HEAD)

    @property
    def content(self) -> bytes:
        with reading(self.name):
            return self.path.read_bytes()


def _find(common: Common, pictures: UploadConfig) -> Data:
    name, path = common.data, to_path(common.data)
    if name in RECIPES:
        return make(_seed(RECIPES[name], common.seed))
    if path.is_dir():
        return _read_pictures(_walk(path), name, _settings(pictures, common))
    if not path.is_file():
        raise EngineError(
            f"--data must be one of {', '.join(RECIPES)}, a file or a folder; got {name!r}"
        )
    if path.suffix == ".json":
        return make(_seed(load_recipe(path.read_text("utf-8", "replace")), common.seed))
    file = _File(path, path.name)
    kind = _kind(file)
    if kind in ("npz", "npy", "idx"):
        return read_arrays(path, kind, common.limit, common.scale)
    return _read_pictures([file], name, _settings(pictures, common))


def _seed(recipe: Recipe, seed: int | None) -> Recipe:
    """Set the seed of a recipe, if a seed is given and the recipe has one."""
    has_seed = any(field.name == "seed" for field in fields(cast(Any, recipe.config)))
    if seed is None or not has_seed:
        return recipe
    return replace(recipe, config=replace(cast(Any, recipe.config), seed=seed))


def _kind(file: _File) -> str:
    """Return the type of a file, recognised from its first bytes. An npz file is a zip, and IDX may
    be gzipped."""
    kind = recognise(file.head)
    if kind == "zip":
        try:
            with zipfile.ZipFile(file.path) as archive:
                return kind_of_archive(archive)
        except DAMAGE as error:
            raise EngineError(f"{file.name} is a damaged zip or npz file: {error}") from error
    return "idx" if kind == "gzip" else kind


def _walk(folder: Path) -> list[_File]:
    """List the files in a folder in the order of their names, without reading them. Hidden files
    are skipped."""
    named = ((path, path.relative_to(folder)) for path in sorted(folder.rglob("*")))
    return [
        _File(path, name.as_posix())
        for path, name in named
        if not any(part.startswith(".") for part in name.parts) and path.is_file()
    ]


def _settings(config: UploadConfig, common: Common) -> UploadConfig:
    """Combine the settings for reading files with the common options."""
    limit = config.limit if common.limit is None else min(common.limit, MOST_PICTURES)
    return replace(config, limit=limit, scale=common.scale)


def _read_pictures(files: Sequence[_File], name: str, config: UploadConfig) -> ImageSet:
    """Read pictures of any size, place them on canvases of one size, and report refused files."""
    result = read_upload(files, config)
    if result.images is None:
        why = result.refused[0].reason if result.refused else "the folder has no files"
        raise EngineError(f"{name} contains no readable image: {why}")
    for refusal in result.refused:
        say(refusal.reason)
    return result.images


def _limit(data: Data, limit: int | None) -> Data:
    if limit is None:
        return data
    if isinstance(data, PointSet):
        return replace(data, points=data.points[:limit], labels=data.labels[:limit])
    return data.first(limit)


def count_classes(labels: Labels | None) -> int | None:
    return None if labels is None else len(torch.unique(labels))
