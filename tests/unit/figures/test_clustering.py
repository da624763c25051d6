"""Clustering results as messages, figures and files."""

import csv
import io

import numpy as np
import pytest
import torch
from PIL import Image

from ia_engine.figures.clustering.export import draw_prototypes, pack_arrays, write_assignments
from ia_engine.figures.clustering.plots import plot_confusion, plot_errors
from ia_engine.figures.frames import (
    CACHED_FROM,
    CHUNK,
    LONGEST,
    encode_film,
    pack_newest,
    pack_pixels,
)
from tests.frames import decode

PICTURE = np.arange(3 * 4 * 5 * 1, dtype=np.uint8).reshape(3, 4, 5, 1)


def pictures(count):
    return [PICTURE + np.uint8(at) for at in range(count)]


def test_pixels_and_their_header_are_encoded():
    header, arrays = decode(pack_pixels({"run": "r"}, PICTURE))
    assert header == {"run": "r"}
    assert np.array_equal(arrays["pixels"], PICTURE)


@pytest.mark.parametrize("count", [1, LONGEST, LONGEST + 1, 3 * LONGEST])
def test_the_chunks_of_an_animation_contain_every_frame_once(count):
    pieces = [decode(piece) for piece in encode_film("r", pictures(count))]
    assert [header["first"] for header, _ in pieces] == list(range(0, count, LONGEST))
    assert np.array_equal(
        np.concatenate([arrays["pixels"] for _, arrays in pieces]), pictures(count)
    )


def test_full_chunks_do_not_change_while_the_animation_grows():
    before, after = encode_film("r", pictures(LONGEST + 2)), encode_film("r", pictures(LONGEST + 5))
    assert before[0] == after[0]
    assert before[1] != after[1]


def test_if_frames_are_large_a_chunk_contains_only_a_few_of_them():
    large = [np.zeros((20, 64, 64, 3), np.uint8)] * 5
    assert all(len(piece) < 1.5 * CHUNK for piece in encode_film("r", large))


def test_every_message_is_long_enough_for_the_cache():
    assert all(len(piece) >= CACHED_FROM for piece in encode_film("r", pictures(2)))
    assert len(pack_newest("r", PICTURE)) >= CACHED_FROM


def test_the_newest_frame_is_sent_with_the_number_minus_1():
    header, arrays = decode(pack_newest("r", PICTURE))
    assert header["first"] == -1
    assert np.array_equal(arrays["pixels"][0], PICTURE)


def test_the_confusion_matrix_has_classes_as_rows_and_clusters_numbered_from_1():
    figure = plot_confusion([[5, 0, 1], [0, 7, 0]], ["cat", "dog"])
    cells, strong, weak = figure.data
    assert list(cells.x) == ["1", "2", "3"]
    assert list(cells.y) == ["cat", "dog"]
    assert (list(strong.text), strong.textfont.color) == (["5", "7"], "white")
    assert (list(weak.text), weak.textfont.color) == (["1"], None), (
        "the theme must set the colour of these numbers"
    )
    assert (weak.x[0], weak.y[0]) == ("3", "cat")


def test_the_confusion_matrix_of_many_clusters_has_no_numbers_in_its_cells():
    assert len(plot_confusion([[1] * 40], ["a"]).data) == 1


def test_the_histogram_of_errors_contains_the_given_values():
    assert list(plot_errors([0.25, 0.5]).data[0].x) == [0.25, 0.5]


@pytest.mark.parametrize("channels", [1, 3])
def test_the_png_of_prototypes_contains_all_of_them(channels):
    v = torch.rand(5, channels, 8, 8, device="cpu", generator=torch.Generator("cpu"))
    picture = Image.open(io.BytesIO(draw_prototypes(1.5 * v - 0.25)))
    assert picture.width > picture.height


def test_the_npz_file_contains_the_exact_prototypes_and_the_assignments_if_there_are_any():
    v = torch.rand(2, 1, 3, 3, device="cpu", generator=torch.Generator("cpu"))
    of = torch.tensor([1, 0, 1], device="cpu")
    kept = np.load(io.BytesIO(pack_arrays(v, of)))
    assert np.array_equal(kept["prototypes"], v.numpy())
    assert kept["assignments"].tolist() == [1, 0, 1]
    assert "assignments" not in np.load(io.BytesIO(pack_arrays(v, None)))


def test_the_csv_file_numbers_clusters_as_on_the_screen_and_escapes_formulas():
    rows, of = torch.tensor([0, 2], device="cpu"), torch.tensor([1, 0], device="cpu")
    error = torch.tensor([0.25, 0.5], device="cpu")
    text = write_assignments(rows, ["=1+1", "b", "ä,c"], of, error, ["x", "y", "z"])
    head, *lines = csv.reader(io.StringIO(text.decode("utf-8-sig")))
    assert head[:3] == ["image", "name", "cluster"]
    assert lines == [["1", "'=1+1", "2", "0.25", "x"], ["3", "ä,c", "1", "0.5", "z"]]
