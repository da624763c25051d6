"""A cluster of a run is followed by the state of its most central image at every iteration."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.figures.frames import make_frame
from ia_engine.runs.attend import measure_frames
from ia_engine.runs.attend_measures import find_centre, follow_mean, list_members

PLACES = (0.0, 1.0, 5.0, 0.4, 5.2)
"""Images on a line: the clusters are {0, 1, 3} and {2, 4}."""


@pytest.fixture
def steps():
    places = torch.tensor(PLACES, device="cpu")
    d2 = (places[:, None] - places).square()
    frames = [
        make_frame(p, d2 / (1 + p), torch.full((5, 1, 2, 2), p / 10, device="cpu"))
        for p in range(8)
    ]
    found = measure_frames(AttentionConfig(), frames, 15.0, 1.0, None)
    numbers = replace(found[-1].numbers, assignments=(1, 1, 0, 1, 0))
    return [*found[:-1], replace(found[-1], numbers=numbers)]


def test_the_members_of_each_cluster_are_listed_in_the_order_of_the_cluster_numbers(steps):
    assert list_members(steps[-1]) == [[2, 4], [0, 1, 3]]


def test_the_centre_is_the_image_with_the_smallest_sum_of_distances_to_its_cluster(steps):
    sums = {i: sum((PLACES[i] - PLACES[j]) ** 2 for j in (0, 1, 3)) for i in (0, 1, 3)}
    assert find_centre(steps, [0, 1, 3]) == min(sums, key=sums.get) == 3


def test_the_mean_is_followed_from_the_data_to_the_last_iteration(steps):
    iterations, means = follow_mean(steps, [0, 1, 3], most=3)
    assert iterations == [0, 3, 7]
    wanted = np.rint(255 * np.array(iterations) / 10) / 255
    assert np.allclose(means[:, 0, 0, 0].numpy(), wanted)


def test_every_iteration_of_a_short_run_is_shown(steps):
    assert follow_mean(steps[:2], [2, 4])[0] == [0, 1]
