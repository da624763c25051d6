"""The data of a kept run: made again from their recipe, or kept with it where they were brought."""

import json
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from ia_engine.datasets.imageset import ImageSet, Recipe
from ia_engine.datasets.recipes import is_of, load_recipe, make
from ia_engine.datasets.thinning import Data
from ia_engine.errors import EngineError
from ia_engine.params import Config
from ia_engine.runs.kept.keeping import from_text, tell_damage, to_text
from ia_engine.runs.library import Kept
from ia_engine.runs.record import Arrays

UPLOAD: Final = "upload"
"""The source of what somebody brought."""
OWN: Final = "{}"
"""The recipe of a run that makes its data itself: its config says them."""


@dataclass(frozen=True)
class _Told(Config):
    """The config of what was brought: nothing makes it again, so its words are enough."""

    text: str

    def to_json(self) -> str:
        return self.text


def to_given(data: Data) -> Arrays:
    """What cannot be made again: the images that somebody brought. Else nothing."""
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
    """Whether it is of no data that somebody chose."""
    return kept.record.recipe == OWN


@tell_damage
def is_brought(kept: Kept) -> bool:
    """Whether the images were brought by somebody."""
    return bool(json.loads(kept.record.recipe).get("source") == UPLOAD)


@tell_damage
def read_data(kept: Kept) -> Data:
    """The very data of the run, or why they cannot be had."""
    given = kept.given()
    data = (
        _read_brought(kept, given) if "images" in given else make(load_recipe(kept.record.recipe))
    )
    if not is_of(data, kept.record.digest, kept.record.recipe):
        raise EngineError(
            f"run {kept.id} is of other data than its recipe makes here: "
            "what was kept can be seen, but it cannot go on"
        )
    return data


def _read_brought(kept: Kept, given: Arrays) -> ImageSet:
    about, config = from_text(given["about"]), json.loads(kept.record.recipe)["config"]
    return ImageSet(
        images=torch.from_numpy(np.array(given["images"])),
        names=tuple(about["names"]),
        recipe=Recipe(UPLOAD, _Told(json.dumps(config))),
        labels=torch.from_numpy(np.array(given["labels"])) if "labels" in given else None,
        classes=tuple(about["classes"]),
        notes=tuple(about["notes"]),
    )
