"""Data of the attention tests: drawings, known poses, and the distance between two poses."""

import math
from dataclasses import replace

import torch

from ia_engine.attention.iteration import normalise
from ia_engine.datasets.bases import load_base
from ia_engine.datasets.experiments import EXPERIMENT_1, make_experiment_1
from ia_engine.images import blur, pixel_grid
from ia_engine.transforms import GROUPS
from ia_engine.transforms.base import move
from tests.tensors import rand, tensor

LARGEST = {"shift": 4.0, "turn": 0.2, "scale": 0.15, "stretch": 0.1, "perspective": 0.001}
"""Largest coordinates of poses near the identity, which keep images on the canvas and within the
allowed scales. Coordinates of other names have half the size at which images remain recognisable.
"""


def near(group, seed, n=1, part=1.0):
    """n small random poses of a group."""
    largest = [
        LARGEST.get(c.name, 0.5 * c.typical * c.range.high)
        for c in group.coordinates()
        for _ in range(c.count)
    ]
    return rand(n, group.dimension(), low=-part, high=part, seed=seed) * tensor(largest)


def drawing(name="crab", size=48, fill=0.6, dtype=torch.float64):
    """One drawing of unit norm, slightly smoothed so that interpolation loses little."""
    return normalise(blur(load_base(name, size, fill)[None].to(dtype), 0.7))


def turned(v, *poses):
    """The image v in several poses (degrees, px, px), one row each."""
    tau = tensor([(math.radians(a), p, q) for a, p, q in poses], v.dtype)
    return GROUPS["se2"].act(v.expand(len(tau), -1, -1, -1), tau)


def experiment_1(seed):
    """The images of Experiment 1 with unit norm, and their labels."""
    made = make_experiment_1(replace(EXPERIMENT_1, seed=seed))
    return normalise(made.images), made.labels


def corner_error(group, tau, truth, size):
    """Maximum distance between the positions of a corner of the canvas under two poses [px]."""
    corners = pixel_grid(2, 2, tau) * (size - 1)
    moved = [move(group.matrix(t[None]), corners) for t in (tau, truth)]
    return float((moved[0] - moved[1]).norm(dim=-1).max())
