"""Makes 60 copies of each of four CC0 photographs, in projective poses and varied light, with
optional clutter.
"""

from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch import Generator

from ia_engine.datasets.cache import data_folder
from ia_engine.errors import EngineError
from ia_engine.images import Images, Labels, resize
from ia_engine.transforms import GROUPS

NAMES = ("airplane-from-above", "allium-oreophilum", "locomotion-house-cat", "nagasaki-boats")
COPIES, SIDE, WIDE = 60, 128, 176
SHARE = 0.22
"""Width of the clutter on each side, as a share of the picture's width."""


def load_photos(clutter: bool, generator: Generator) -> tuple[Images, Labels]:
    """Images [240 3 128 128], and the index of each image's photograph."""
    folder = data_folder()
    paths = [Path(folder or ".") / "photos" / f"stdlib_{name}.jpg" for name in NAMES]
    missing = [path.name for path in paths if not path.is_file()]
    if folder is None or missing:
        raise EngineError(f"photos/{', '.join(missing)} is not in the folder that IA_DATA names")
    copies = [_copy(_read(path), generator) for path in paths]
    images = torch.cat(copies)
    labels = torch.arange(len(NAMES)).repeat_interleave(COPIES)
    return (_clutter(images, generator) if clutter else images), labels


def _read(path: Path) -> Images:
    with Image.open(path) as picture:
        square = np.asarray(picture.convert("RGB"), dtype=np.float32) / 255
    side = min(square.shape[:2])
    top, left = ((size - side) // 2 for size in square.shape[:2])
    v = torch.from_numpy(square[top : top + side, left : left + side]).movedim(-1, 0)[None]
    return resize(v, WIDE, WIDE)


def _copy(v: Images, generator: Generator) -> Images:
    """The centres of all copies, each with a different viewpoint and lighting."""
    reach = torch.tensor([0.1, 0.1, 0.1, 0.1, 10.0, 10.0, 8e-4, 8e-4])
    tau = reach * (2 * torch.rand(COPIES, 8, generator=generator) - 1)
    moved = GROUPS["projective"].act(v.expand(COPIES, -1, -1, -1), tau)
    margin = (WIDE - SIDE) // 2
    seen = moved[..., margin : margin + SIDE, margin : margin + SIDE]
    light = 0.6 + 0.5 * torch.rand(COPIES, 3, 1, 1, generator=generator)
    return (light * seen).clamp(0, 1)


def _clutter(v: Images, generator: Generator) -> Images:
    """Blocks of random colours around the centre."""
    blocks = torch.rand(len(v), 3, 8, 8, generator=generator)
    noise = torch.nn.functional.interpolate(blocks, (SIDE, SIDE), mode="nearest")
    edge = round(SHARE * SIDE)
    inside = torch.zeros(SIDE, SIDE, dtype=torch.bool)
    inside[edge:-edge, edge:-edge] = True
    return torch.where(inside, v, noise)
