"""Selected images are marked in figures, and misleading figures are drawn as described."""

import re
from pathlib import Path

import pytest
import torch

from ia_engine.attention.clusters.embedding import embed, find_illusion
from ia_engine.attention.manifolds.sample import gather, list_rows
from ia_engine.datasets.data import keep_rows, thin
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.figures.mean import unpack_film
from ia_engine.figures.mean_figures import draw_noise
from ia_engine.figures.mosaic import draw_clickable, draw_gallery, fade, shape_of
from ia_engine.figures.style import PAIR, frame_pair
from ia_engine.runs.example import load_run

FILM = Path(__file__).parents[3] / "assets" / "runs" / "experiment-2-mean.safetensors"


@pytest.fixture(scope="module")
def data():
    return make(RECIPES["experiment-1"])


@pytest.mark.parametrize("limit", [5, 7, 18, 40])
def test_the_selected_rows_are_rows_of_the_reduced_set(data, limit):
    rows = keep_rows(data, limit)
    assert torch.equal(data.images[rows], thin(data, limit).images)
    few = gather(data, limit)
    assert few.rows == list_rows(data, limit)
    assert [data.names[row] for row in few.rows] == list(few.names)


def test_a_pair_is_framed_in_two_colours_and_a_single_image_in_the_colour_of_image_i():
    looks = frame_pair([3, 1, 2], (1, 2))
    assert looks["width"] == [0, 4, 4]
    assert looks["color"][1:] == [*PAIR]
    assert frame_pair([3, 1, 2], (1, 1))["color"][1] == PAIR[0]
    assert frame_pair([3, 1, 2], None)["width"] == [0, 0, 0]


def test_a_gallery_shows_the_number_of_every_image_and_frames_the_pair(data):
    gallery = draw_gallery(data)
    drawn = draw_clickable(gallery, (8, 2), 'A "gallery" <of> anything')
    rows, columns = shape_of(gallery)
    numbers = re.search(r'data-values="([^"]*)"', drawn)[1].split(" ")
    assert len(numbers) == rows * columns
    assert {str(k + 1) for k in range(18)} <= set(numbers)
    frames = re.findall(r'fill="none" stroke="(#\w+)"', drawn)
    assert frames == [PAIR[1], PAIR[0]]
    assert "<of>" not in drawn


def test_every_second_image_is_faded(data):
    pale = fade(data, 0.5)
    assert torch.equal(pale.images[::2], data.images[::2])
    assert torch.equal(pale.images[1::2], data.images[1::2] * 0.5)
    assert pale.names == data.names


def test_an_illusion_is_a_pair_that_is_too_close_in_the_plane():
    corners = torch.eye(
        4, device="cpu"
    )  # the corners of a tetrahedron, which do not fit into a plane
    corners[3] *= 3
    d2 = torch.cdist(corners, corners).square()
    points = embed(d2).points
    i, j = find_illusion(points, d2)
    hidden = d2.sqrt() - torch.cdist(points, points)
    assert i != j
    assert torch.isclose(hidden[i, j], hidden.fill_diagonal_(0).max(), atol=1e-5)


def test_noise_has_a_higher_sharpness_than_the_mean():
    drawn = draw_noise(unpack_film(load_run(FILM)[1]))
    mean, noise = map(float, re.findall(r'aria-label="[^"]*sharpness ([\d.]+)"', drawn))
    assert noise > 2 * mean
