"""Rotated handwritten digits for the tests of the estimators."""

import math

import torch

from ia_engine.datasets.handwriting import WrittenConfig, make_turned
from ia_engine.transforms import GROUPS
from tests.tensors import rand

CLASSES = (1, 2, 3, 4)


def rotated_digits(n, seed=0):
    """n rotated digits [n 28 28] of four classes, and their labels."""
    data = make_turned(WrittenConfig("digits", 12 * n, seed))
    rows = torch.isin(data.labels, torch.tensor(CLASSES, device="cpu")).nonzero()[:n, 0]
    return data.images[rows, 0].numpy(), data.labels[rows].numpy()


def turn(images, seed):
    """Copies [n h w] of the images, rotated by any angle and shifted by up to 2 px."""
    tau = rand(len(images), 3, seed=seed, low=-1, dtype=torch.float32)
    poses = tau * torch.tensor([math.pi, 2, 2], device="cpu")
    return GROUPS["se2"].act(torch.from_numpy(images)[:, None], poses)[:, 0].numpy()
