"""The curve below a slider for β."""

import re
from xml.etree import ElementTree

import pytest

from ia_engine.figures.advice import BOTTOM, LEFT, RIGHT, TOP, draw_averaged

BETAS, AVERAGED = (0.1, 1.0, 10.0, 100.0), (16.0, 4.0, 2.0, 1.0)


def place_of_mark(svg):
    (mark,) = re.findall(r'class="mark" cx="([\d.]+)" cy="([\d.]+)"', svg)
    return tuple(map(float, mark))


@pytest.mark.parametrize(("at", "across", "up"), [(0, 0, 1), (1, 1 / 3, 0.5), (3, 1, 0)])
def test_the_current_beta_is_marked_at_its_stop_on_a_logarithmic_axis(at, across, up):
    x, y = place_of_mark(draw_averaged(BETAS, AVERAGED, at, 16))
    assert x == pytest.approx(LEFT + across * (RIGHT - LEFT), abs=0.01)
    assert y == pytest.approx(BOTTOM - up * (BOTTOM - TOP), abs=0.01)


@pytest.mark.parametrize(("count", "words"), [(98.7, "99"), (99.2, "99"), (580.4, "580")])
def test_a_large_number_of_images_is_written_without_a_power_of_ten(count, words):
    drawing = draw_averaged((1.0, 2.0), (count, 1.0), 0, 600)
    assert f">averages {words} of 600 images<" in drawing


def test_the_drawing_has_a_title_and_two_axes_with_limits_and_units():
    root = ElementTree.fromstring(draw_averaged(BETAS, AVERAGED, 1, 16))
    words = [one.text for one in root.iter("text")]
    assert words == ["averages 4 of 16 images", "16", "1", "0.1", "β [no unit]", "100"]
    about = root.get("aria-label")
    assert about == "At β = 1, a mean averages 4 of 16 images; fewer at a larger β"
