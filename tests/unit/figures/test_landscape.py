import base64
import io
import re
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from PIL import Image

from ia_engine.attention.manifolds.landscape import TURNS, survey
from ia_engine.attention.manifolds.pair import PairConfig, align, solve
from ia_engine.attention.manifolds.rotation import measure_all
from ia_engine.figures.landscape import draw_curve, draw_maps, draw_one, draw_pair, overlay
from ia_engine.figures.matrices import draw_matrices, draw_row, draw_table
from ia_engine.figures.svg import RAMP, signed, ticks
from tests.tensors import blobs, tensor

pytestmark = pytest.mark.cpu_only("draws with Pillow")


def images(n=2):
    v = blobs(n, size=21, dtype=torch.float32)
    return v / v.flatten(1).norm(dim=1)[:, None, None, None]


def drawings():
    v, config = images(3), PairConfig(sigma=1.0, updates=5)
    surveyed, solved = survey(v[:1], v[1:2]), solve(v[:1], v[1:2], config)
    landscape, known = surveyed.smooth(1.0), measure_all(v)
    moved = align(v[:1], solved.best)
    row = tensor([0.7, 0.2, 0.1])
    return {
        "curve": draw_curve(landscape, landscape.basin(), surveyed.smooth(0.0), solved),
        "maps": draw_maps(landscape, solved),
        "pair": draw_pair(v[:1], v[1:2], moved, moved),
        "one": draw_one(moved),
        "matrices": draw_matrices(known, [0, 0, 1], 0, 1),
        "without labels": draw_matrices(known, [], 0, 1),
        "table": draw_table(v, known.ia.sqrt()),
        "row": draw_row(row, row.flip(0), [0, 0, 1], 0, 1),
    }


def test_every_drawing_is_valid_and_has_a_description_and_the_text_colour_of_its_page():
    for name, drawn in drawings().items():
        pictures = [e for e in ElementTree.fromstring(drawn).iter("svg") if "role" in e.attrib]
        assert pictures, name
        for picture in pictures:
            assert picture.attrib["fill"] == "currentColor", name
            assert len(picture.attrib["aria-label"]) > 8, name
        assert not re.search(r"nan|inf\b", re.sub('base64,[^"]*', "", drawn)), name


def test_blank_images_can_be_drawn():
    v = torch.zeros_like(images())
    solved = solve(v[:1], v[1:], PairConfig(updates=2))
    landscape = survey(v[:1], v[1:]).smooth(0.0)
    for drawn in (
        draw_curve(landscape, landscape.basin(), landscape, solved),
        draw_maps(landscape, solved),
        draw_pair(v[:1], v[1:], v[:1], v[1:]),
        draw_matrices(measure_all(v), [], 0, 1),
    ):
        assert "nan" not in re.sub('base64,[^"]*', "", drawn)


def test_the_two_colours_of_an_overlay_add_up_to_white():
    full = tensor([[1.0, 0.0]])
    assert overlay(full, full).tolist() == [[[255, 255, 255], [0, 0, 0]]]


def test_the_lightness_of_the_colour_ramp_increases_steadily():
    luminance = RAMP.astype(float) @ [0.2126, 0.7152, 0.0722]
    assert (luminance[8:] > luminance[:-8]).all()


def test_pointer_areas_contain_all_values():
    drawn = drawings()
    areas = {
        name: [e.attrib for e in ElementTree.fromstring(drawn[name]).iter("rect")]
        for name in ("curve", "matrices")
    }
    (curve,) = [area for area in areas["curve"] if "data-values" in area]
    assert len(curve["data-values"].split()) == int(curve["data-across"]) == TURNS
    ours, theirs = [area for area in areas["matrices"] if "data-values" in area]
    assert len(ours["data-values"].split()) == 9
    assert ours["data-pick"] == theirs["data-pick"] == "yes"


def test_pointer_areas_of_a_matrix_contain_the_numbers_of_the_images():
    drawn = draw_matrices(measure_all(images(2)), [], 0, 1, numbers=(3, 180))
    assert drawn.count('data-numbers="3 180"') == 2


def test_numbers_have_a_true_minus_sign_and_zero_has_none():
    assert signed(-12.34, 1) == "−12.3"
    assert signed(-0.02, 1) == "0.0", "zero must have no sign"


def test_a_single_image_keeps_its_colours():
    v = torch.zeros(1, 3, 2, 2)
    v[0, 0, 0, 0], v[0, 1, 1, 1] = 0.5, 0.25
    data = re.search('base64,([^"]*)', draw_one(v))[1]
    tile = np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"))
    assert tile[0, 0].tolist() == [255, 0, 0]
    assert tile[-1, -1].tolist() == [0, 128, 0]


def test_ticks_are_round_numbers_within_the_range():
    assert ticks(2.0) == [0, 0.5, 1, 1.5, 2]
    assert ticks(0.37)[-1] <= 0.37
