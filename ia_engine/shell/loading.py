"""Loads the data that --data selects, and reports how they were read."""

from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from ia_engine.attention.iteration import normalise
from ia_engine.datasets.data import Data, ImageSet, PointSet
from ia_engine.datasets.loading import load_data, match_reading
from ia_engine.datasets.scaling import Scale
from ia_engine.datasets.uploads import UploadConfig
from ia_engine.errors import EngineError
from ia_engine.images import Images, Labels
from ia_engine.shell.lines import say
from ia_engine.shell.options import Common


def load(common: Common, pictures: UploadConfig | None = None) -> Data:
    """Load at most `limit` rows of the data. `pictures` determines how pictures are read."""
    return _load(common, replace(pictures or UploadConfig(), scale=common.scale), None)


def load_like(common: Common, images: Images, recipe: str) -> Data:
    """Load new images, which are read like those of a run with this recipe [JSON]."""
    return _load(common, *match_reading(images, recipe))


def _load(common: Common, config: UploadConfig, known: Scale | None) -> Data:
    loaded = load_data(common.data, config, common.limit, common.seed, "--data", known=known)
    notes = loaded.data.notes if isinstance(loaded.data, ImageSet) else ()
    for sentence in (*loaded.refused, *notes):
        say(sentence)
    return loaded.data


def load_vectors(common: Common, least: int = 2) -> tuple[Data, Tensor, Labels | None]:
    """Return the data, their images with unit norm or their points, and their labels if known."""
    data = load(common)
    raw = data.points if isinstance(data, PointSet) else normalise(data.images)
    if len(raw) < least:
        raise EngineError(f"the data must have at least {least} images; got {len(raw)}")
    labels = None if data.labels is None else data.labels.to(common.device)
    return data, raw.to(common.device), labels


def to_path(name: str) -> Path:
    """Convert the value of --data to a path. Raises EngineError if it is empty."""
    if not name:
        raise EngineError("--data must be a name, a file or a folder; got an empty string")
    return Path(name)


def count_classes(labels: Labels | None) -> int | None:
    return None if labels is None else len(torch.unique(labels))
