"""Defines what a kind of run is, and reads and writes the data of runs of any kind."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from ia_engine.datasets.data import Data, ImageSet, PointSet, Recipe
from ia_engine.datasets.recipes import is_of, is_whole, load_recipe, make
from ia_engine.errors import EngineError
from ia_engine.params import Config
from ia_engine.poses.placement import Placement
from ia_engine.predict import Model
from ia_engine.runs.folder import Arrays, Record, SavedRun, reports_damage
from ia_engine.runs.paragraphs import Statement


def to_text(values: Mapping[str, Any]) -> NDArray[np.uint8]:
    """Convert text and numbers to an array of bytes."""
    return to_bytes(json.dumps(values, ensure_ascii=False).encode())


def from_text(array: NDArray[Any]) -> dict[str, Any]:
    """Read an array that `to_text` returned."""
    found: dict[str, Any] = json.loads(array.tobytes())
    return found


def to_bytes(content: bytes) -> NDArray[np.uint8]:
    """Convert bytes to an array."""
    return np.frombuffer(content, np.uint8)


VECTORS: Final = "v"
"""Name of the initial array of a run of the shell: images of unit norm, or points."""
UPLOAD: Final = "upload"
"""The source in the recipe of uploaded images."""
OWN: Final = "{}"
"""The recipe of a run that generates its own data, as described by its config."""


@dataclass(frozen=True)
class _Uploaded(Config):
    """The config of uploaded images, stored as text because a recipe cannot generate them."""

    text: str

    def to_json(self) -> str:
        return self.text


def to_given(data: Data) -> Arrays:
    """Convert uploaded images to arrays. For data that a recipe can generate, there are none."""
    if not isinstance(data, ImageSet) or data.recipe.source != UPLOAD:
        return {}
    about = {"names": data.names, "classes": data.classes, "notes": data.notes}
    placements = [place.to_values() for place in data.placements]
    arrays: dict[str, NDArray[Any]] = {
        "images": data.images.detach().cpu().numpy(),
        "about": to_text(about | {"placements": placements}),
    }
    if data.labels is not None:
        arrays["labels"] = data.labels.cpu().numpy()
    return arrays


def as_upload(data: ImageSet) -> ImageSet:
    """Convert images that no recipe can generate to an upload, so that they are saved with the
    run."""
    if data.recipe.source == UPLOAD or is_whole(data):
        return data
    return replace(data, recipe=Recipe(UPLOAD, _Uploaded(data.recipe.config.to_json())), made="")


def makes_own(kept: SavedRun) -> bool:
    """Return True if the run generates its own data."""
    return kept.record.recipe == OWN


@reports_damage
def is_upload(kept: SavedRun) -> bool:
    """Return True if the images were uploaded."""
    return bool(json.loads(kept.record.recipe).get("source") == UPLOAD)


@reports_damage
def find_data(kept: SavedRun) -> tuple[str, Data | None]:
    """Return the recipe of the data of a run, and the data themselves if the recipe cannot generate
    them."""
    if is_upload(kept):
        return kept.record.recipe, read_data(kept)
    if VECTORS in kept.given():
        data = read_data(kept)
        recipe = data.recipe.to_json()
        return recipe, (data if recipe != kept.record.recipe else None)
    return kept.record.recipe, None


@reports_damage
def read_data(kept: SavedRun) -> Data:
    """Return the data of a run. Raises EngineError if they are not available here."""
    given = kept.given()
    if VECTORS in given:
        return _read_vectors(kept, given)
    recipe = kept.record.recipe
    data = read_upload(recipe, given) if "images" in given else make(load_recipe(recipe))
    if not is_of(data, kept.record.digest, recipe):
        raise EngineError(
            f"the recipe of run {kept.id} produces different data on this machine: its saved "
            "steps can be shown, but the run cannot be resumed or assign new images"
        )
    return data


def read_upload(recipe: str, given: Arrays) -> ImageSet:
    """Read uploaded images that `to_given` converted, with their recipe as JSON."""
    about, config = from_text(given["about"]), json.loads(recipe)["config"]
    return ImageSet(
        images=torch.from_numpy(np.array(given["images"])),
        names=tuple(about["names"]),
        recipe=Recipe(UPLOAD, _Uploaded(json.dumps(config))),
        labels=torch.from_numpy(np.array(given["labels"])) if "labels" in given else None,
        classes=tuple(about["classes"]),
        notes=tuple(about["notes"]),
        placements=tuple(Placement.from_values(x) for x in about.get("placements", ())),
    )


def _read_vectors(kept: SavedRun, given: Arrays) -> Data:
    """Generate the data of a run of the shell from its recipe or, if this fails, use the saved
    images.

    A recipe cannot describe files, or a part of a set. Attention divides each image by its norm, so
    the saved images, which differ only in scale, give the same result.
    """
    with suppress(EngineError):
        made = make(load_recipe(kept.record.recipe))
        if is_of(made, kept.record.digest, kept.record.recipe):
            return made
    v = torch.from_numpy(np.array(given[VECTORS]))
    labels = torch.from_numpy(np.array(given["labels"])) if "labels" in given else None
    recipe = Recipe(UPLOAD, _Uploaded(json.dumps({"run": kept.id})))
    if v.ndim == 2:
        unknown = torch.zeros(len(v), dtype=torch.int64, device=v.device)
        return PointSet(v, unknown if labels is None else labels, recipe)
    highest = max(float(v.amax()) if len(v) else 0.0, 1e-12)
    count = 0 if labels is None or not len(labels) else int(labels.max()) + 1
    return ImageSet(
        images=(v / highest).clamp(0, 1),
        names=tuple(f"image {row + 1}" for row in range(len(v))),
        recipe=recipe,
        labels=labels,
        classes=tuple(f"class {label + 1}" for label in range(count)),
    )


T = TypeVar("T")
Row = Mapping[str, str | int | float | None]
ABSENT: Final = "–"


@dataclass(frozen=True, eq=False)
class Resumption:
    """The plan of a run that continues an earlier run, and its start."""

    plan: Any
    start: Any
    repeated: int = 0
    """Number of items that the new run copies from the earlier run."""


def _never(_: Sequence[Any]) -> None:
    return None


def _no_arrays(kept: SavedRun, _: str) -> Arrays:
    raise EngineError(f"run {kept.id} is of kind {kept.kind}, which cannot be exported")


def _no_clusters(kept: SavedRun, _: str) -> Model:
    raise EngineError(f"run {kept.id} is of kind {kept.kind}, which cannot assign new images")


@dataclass(frozen=True, eq=False)
class RunKind(Generic[T]):
    """One kind of run, which computes a plan and yields items of type T.

    >>> from ia_engine.runs.catalogue import RUN_KINDS
    >>> RUN_KINDS["mean"].title, RUN_KINDS["mean"].unit
    ('Mean', 'iteration')
    """

    id: str
    """The identifier. It never changes, because every saved run contains it."""
    title: str
    unit: str
    """The unit in which `count` counts."""
    work: Callable[[Any, Any, Any], Iterator[T]]
    """Computes the items. The arguments are the plan, the data, and the start or None."""
    expected: Callable[[Any, Any], int]
    """Returns the approximate number of items, given a plan and a start."""
    describe: Callable[[Any], str] = str
    """Converts the config of a plan to JSON for the record."""
    seed: Callable[[Any], int] = lambda _: 0
    device: Callable[[Any], str] = lambda _: "cpu"
    statement: Callable[[Record], Statement] | None = None
    """Returns what a record states about the method; None if runs of this kind are not saved."""
    pack: Callable[[T], Arrays | None] | None = None
    """Converts an item to arrays, or to None if it is not saved; None if no run is saved."""
    unpack: Callable[[SavedRun], Sequence[T]] = lambda _: ()
    """Reads the items of a saved run."""
    show: Callable[[SavedRun], Sequence[Any]] | None = None
    """Reads the items as the page shows them, if these differ from the saved ones."""
    rows: Callable[[T], Sequence[Row]] = lambda _: ()
    """Converts an item to rows of a table, with the same keys as the shell commands."""
    export: Callable[[SavedRun, str], Arrays] = _no_arrays
    """Returns the arrays of a saved run for a file; the second argument is a method, or ""."""
    model: Callable[[SavedRun, str], Model] = _no_clusters
    """Returns the clusters of a saved run with at least one step; for the method, see `export`."""
    state: Callable[[T], bytes | None] = lambda _: None
    """Returns data that the next step needs besides the items; None if they have not changed."""
    count: Callable[[SavedRun], int] = lambda kept: kept.steps
    """Counts the finished units of a saved run. It is called only if the run has a step."""
    numbers: Callable[[SavedRun], Mapping[str, str]] = lambda _: {}
    """Returns the results of the last step by name. It is called only if the run has a step."""
    resume: Callable[[Sequence[Any]], Resumption | None] = _never
    """Plans how to continue a run with the items that its page shows; None if it is complete."""

    @property
    def saved(self) -> bool:
        """True if runs of this kind are saved."""
        return self.pack is not None

    @property
    def resumable(self) -> bool:
        return self.resume is not _never

    def open(self, kept: SavedRun) -> Sequence[Any]:
        """Read the items of a saved run as its page shows them."""
        return (self.show or self.unpack)(kept)

    def begin_record(self, title: str, plan: object, data: Data | None) -> tuple[Record, Arrays]:
        """Return the record of a new run, and its first arrays, of which there are none if a recipe
        generates the data."""
        config, seed, device = self.describe(plan), self.seed(plan), self.device(plan)
        if data is None:
            return Record(OWN, config, seed, "", device, title), {}
        record = Record(data.recipe.to_json(), config, seed, data.digest, device, title)
        return record, to_given(data)


def format_number(value: object) -> str:
    """Format a number or a setting for a table."""
    if value is None:
        return ABSENT
    return f"{value:.4g}" if isinstance(value, float) else str(value)
