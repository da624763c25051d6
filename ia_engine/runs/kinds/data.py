"""The data of a saved run: made again from their recipe, or saved with it if they were uploaded."""

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from ia_engine.datasets.blobs import PointSet
from ia_engine.datasets.data import Data
from ia_engine.datasets.imageset import ImageSet, Recipe
from ia_engine.datasets.recipes import is_of, load_recipe, make
from ia_engine.errors import EngineError
from ia_engine.params import Config
from ia_engine.runs.kinds.reading import from_text, reports_damage, to_text
from ia_engine.runs.library import Kept
from ia_engine.runs.record import Arrays

VECTORS: Final = "v"
"""The name of the images of unit norm, or points, that a run of the shell starts with."""
UPLOAD: Final = "upload"
"""The source of uploaded images."""
OWN: Final = "{}"
"""The recipe of a run that makes its data itself: its config describes them."""


@dataclass(frozen=True)
class _Uploaded(Config):
    """The config of uploaded images, as text: nothing makes them again."""

    text: str

    def to_json(self) -> str:
        return self.text


def to_given(data: Data) -> Arrays:
    """Uploaded images, which cannot be made again; nothing for other data."""
    if not isinstance(data, ImageSet) or data.recipe.source != UPLOAD:
        return {}
    about = {"names": data.names, "classes": data.classes, "notes": data.notes}
    arrays: dict[str, NDArray[Any]] = {
        "images": data.images.detach().cpu().numpy(),
        "about": to_text(about),
    }
    if data.labels is not None:
        arrays["labels"] = data.labels.cpu().numpy()
    return arrays


def makes_own(kept: Kept) -> bool:
    """True if the run makes its own data."""
    return kept.record.recipe == OWN


@reports_damage
def is_upload(kept: Kept) -> bool:
    """True if the images were uploaded."""
    return bool(json.loads(kept.record.recipe).get("source") == UPLOAD)


@reports_damage
def find_data(kept: Kept) -> tuple[str, Data | None]:
    """The recipe of the run's data, with the data themselves if the recipe cannot make them."""
    if is_upload(kept):
        return kept.record.recipe, read_data(kept)
    if VECTORS in kept.given():
        data = read_data(kept)
        recipe = data.recipe.to_json()
        return recipe, (data if recipe != kept.record.recipe else None)
    return kept.record.recipe, None


@reports_damage
def read_data(kept: Kept) -> Data:
    """The data of the run; an EngineError if they are not available here."""
    given = kept.given()
    if VECTORS in given:
        return _read_vectors(kept, given)
    data = _read_upload(kept, given) if "images" in given else make(load_recipe(kept.record.recipe))
    if not is_of(data, kept.record.digest, kept.record.recipe):
        raise EngineError(
            f"run {kept.id} used other data than its recipe makes here: "
            "its saved steps can be shown, but it cannot be resumed"
        )
    return data


def _read_upload(kept: Kept, given: Arrays) -> ImageSet:
    about, config = from_text(given["about"]), json.loads(kept.record.recipe)["config"]
    return ImageSet(
        images=torch.from_numpy(np.array(given["images"])),
        names=tuple(about["names"]),
        recipe=Recipe(UPLOAD, _Uploaded(json.dumps(config))),
        labels=torch.from_numpy(np.array(given["labels"])) if "labels" in given else None,
        classes=tuple(about["classes"]),
        notes=tuple(about["notes"]),
    )


def _read_vectors(kept: Kept, given: Arrays) -> Data:
    """The data of a run of the shell: by its recipe, or else the images that were saved.

    A recipe is not enough for files and for a part of a set. Attention divides every image by its
    norm, so it is the same for the saved images, which are only scaled to [0, 1].
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
