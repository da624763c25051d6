"""New images beside the centres of their clusters, as pictures and as rows of a table."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from ia_engine.images import Images, resize
from ia_engine.predict import Prediction, fit_size

MOST_SIDE: Final = 96
"""Maximum side of a picture [px]."""


def draw_predictions(
    images: Images, found: Prediction, centres: Images, most: int
) -> NDArray[np.uint8]:
    """Draw the first `most` images, then these images aligned, then the centres of their clusters.

    Each picture [3 n h w c] is scaled to its own maximum, because means have unit norm.
    """
    own = centres[found.assignments[:most]].to(found.aligned)
    new = fit_size(images[:most], centres.shape).to(found.aligned)
    v = torch.cat([new, found.aligned[:most], own])
    height, width = v.shape[-2:]
    if max(height, width) > MOST_SIDE:
        factor = MOST_SIDE / max(height, width)
        v = resize(v, max(1, round(height * factor)), max(1, round(width * factor)))
    v = v / v.flatten(1).amax(1).clamp_min(1e-12)[:, None, None, None]
    levels = (255 * v).round().clamp(0, 255).byte()
    return levels.permute(0, 2, 3, 1).contiguous().cpu().numpy()


def tabulate_predictions(names: Sequence[str], found: Prediction) -> list[dict[str, Any]]:
    """Return a row for each image; clusters are counted from 1, as on the pages."""
    columns: dict[str, Sequence[Any]] = {
        "image": names,
        "cluster": (found.assignments + 1).tolist(),
        "distance": found.distance.tolist(),
    }
    if found.weight is not None:
        columns["weight"] = found.weight.tolist()
    columns["far"] = found.far.tolist()
    return [
        dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)
    ]
