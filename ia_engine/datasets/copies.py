"""Transformed copies of any images, each under its own pose, which is kept."""

from dataclasses import replace

import torch
from torch import Generator

from ia_engine.datasets.distortion import Distortion
from ia_engine.datasets.imageset import ImageSet
from ia_engine.datasets.posing import check_pixels, pose_copies
from ia_engine.errors import EngineError
from ia_engine.shapes import Poses
from ia_engine.transforms import TRANSFORMS


def copy_images(
    data: ImageSet, copies: int, distortions: tuple[Distortion, ...], seed: int
) -> ImageSet:
    """So many copies of every image; without labels every image becomes a class of its own."""
    n = len(data.images)
    if copies < 1:
        raise EngineError(f"at least one copy of each image is made; got {copies}")
    check_pixels(copies * n, *data.images.shape[2:])
    generator = Generator(device="cpu").manual_seed(seed)
    v = data.images.repeat_interleave(copies, 0)

    def draw(n: int) -> Poses:
        parts = [part.sample(n, v.shape[1], generator) for part in distortions]
        return torch.cat([v.new_zeros(n, 0), *parts], 1)

    posed = pose_copies(v, tuple(TRANSFORMS[part.transform] for part in distortions), draw)
    labels = torch.arange(n, device="cpu") if data.labels is None else data.labels
    return replace(
        data,
        images=posed.images,
        names=tuple(f"{name} {i + 1}" for name in data.names for i in range(copies)),
        labels=labels.repeat_interleave(copies),
        classes=data.classes or data.names,
        poses=posed.poses,
        notes=(*data.notes, f"{copies} transformed copies of each image", *posed.notes),
        made="",
    )
