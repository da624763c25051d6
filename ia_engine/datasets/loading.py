"""Loads data by name or path: a data set of the catalogue, a recipe, arrays, or pictures."""

import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final, cast

from ia_engine.datasets.array_files import DAMAGE, match_scale, read_arrays
from ia_engine.datasets.data import Data, ImageSet, PointSet, Recipe
from ia_engine.datasets.recipes import RECIPES, load_recipe, make
from ia_engine.datasets.scaling import Scale
from ia_engine.datasets.uploads import UploadConfig, match_settings, read_upload
from ia_engine.datasets.uploads.archive import File, kind_of_archive
from ia_engine.datasets.uploads.limits import HEAD, recognise
from ia_engine.errors import EngineError
from ia_engine.images import Images

MOST_PICTURES: Final = 10_000


@dataclass(frozen=True, eq=False)
class Loaded:
    """The data, and a sentence for each file that could not be read."""

    data: Data
    refused: tuple[str, ...] = ()


def load_data(
    source: str,
    pictures: UploadConfig,
    limit: int | None = None,
    seed: int | None = None,
    option: str = "the data",
    *,
    known: Scale | None = None,
) -> Loaded:
    """Load at most `limit` rows of the data that `source` names.

    `pictures` determines how pictures and arrays are read, `seed` replaces that of a recipe,
    errors call the source `option`, and `known` is the scale of earlier arrays, if there is one.
    """
    if not source:
        raise EngineError(f"{option} must be a name, a file or a folder; got an empty string")
    with reading(source):
        found = _find(source, pictures, limit, seed, option, known=known)
    return replace(found, data=_limit(found.data, limit))


def read_pictures(
    files: Sequence[File], name: str, config: UploadConfig, limit: int | None = None
) -> Loaded:
    """Read pictures of any size, and place them on canvases of one size."""
    limit = config.limit if limit is None else min(limit, MOST_PICTURES)
    result = read_upload(files, replace(config, limit=limit))
    if result.images is None:
        why = result.refused[0].reason if result.refused else "the folder has no files"
        raise EngineError(f"{name} contains no readable image: {why}")
    return Loaded(result.images, tuple(refusal.reason for refusal in result.refused))


def match_reading(images: Images, recipe: str) -> tuple[UploadConfig, Scale | None]:
    """Return how new pictures and new arrays are read like these images, by their recipe [JSON]."""
    scale = match_scale(recipe)
    config = match_settings(images, recipe)
    return replace(config, scale="image" if scale and not scale.ends else config.scale), scale


@contextmanager
def reading(name: str) -> Iterator[None]:
    """Convert system errors in the block to an EngineError with a one-sentence message."""
    try:
        yield
    except OSError as error:
        raise EngineError(f"{name} could not be read: {error.strerror or error}") from error


@dataclass(frozen=True)
class FileOnDisk:
    """A file on disk, which is read only when its content is requested."""

    path: Path
    name: str

    @property
    def size(self) -> int:
        with reading(self.name):
            return self.path.stat().st_size

    @property
    def head(self) -> bytes:
        with reading(self.name), self.path.open("rb") as file:
            return file.read(HEAD)

    @property
    def content(self) -> bytes:
        with reading(self.name):
            return self.path.read_bytes()


def _find(
    name: str,
    pictures: UploadConfig,
    limit: int | None,
    seed: int | None,
    option: str,
    *,
    known: Scale | None,
) -> Loaded:
    path = Path(name)
    if name in RECIPES:
        return Loaded(make(_seed(RECIPES[name], seed)))
    if path.is_dir():
        return read_pictures(_walk(path), name, pictures, limit)
    if not path.is_file():
        raise EngineError(
            f"there is no file or folder {name!r}: {option} must be a file, a folder or one of "
            f"{', '.join(RECIPES)}"
        )
    if path.suffix == ".json":
        return Loaded(make(_seed(load_recipe(path.read_text("utf-8", "replace")), seed)))
    file = FileOnDisk(path, path.name)
    kind = _kind(file)
    if kind in ("npz", "npy", "idx"):
        return Loaded(read_arrays(path, kind, limit, pictures.scale, known))
    return read_pictures([file], name, pictures, limit)


def _seed(recipe: Recipe, seed: int | None) -> Recipe:
    """Set the seed of a recipe, if a seed is given and the recipe has one."""
    has_seed = any(field.name == "seed" for field in fields(cast(Any, recipe.config)))
    if seed is None or not has_seed:
        return recipe
    return replace(recipe, config=replace(cast(Any, recipe.config), seed=seed))


def _kind(file: FileOnDisk) -> str:
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


def _walk(folder: Path) -> list[FileOnDisk]:
    """List the files in a folder in the order of their names, without reading them. Hidden files
    are skipped."""
    named = ((path, path.relative_to(folder)) for path in sorted(folder.rglob("*")))
    return [
        FileOnDisk(path, name.as_posix())
        for path, name in named
        if not any(part.startswith(".") for part in name.parts) and path.is_file()
    ]


def _limit(data: Data, limit: int | None) -> Data:
    if limit is None:
        return data
    if isinstance(data, PointSet):
        return replace(data, points=data.points[:limit], labels=data.labels[:limit])
    assert isinstance(data, ImageSet)
    return data.first(limit)
