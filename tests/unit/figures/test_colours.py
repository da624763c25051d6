"""Colours of maps and series can be distinguished with every kind of colour vision."""

import re
from pathlib import Path

import numpy as np
import pytest
import torch
from kornia.color import rgb_to_lab

from ia_engine.figures.equivariance.turning import INKS, diverge
from ia_engine.figures.style import COLOURS as METHODS
from ia_engine.figures.style import PAIR
from ia_engine.figures.style import POINT_COLOURS as POINTS
from ia_engine.figures.svg import BLUE, DESCENT, GLOBAL, ORANGE, RAMP
from tests.colours import SEEN, apart, from_hex, lab

FILM = Path(__file__).parents[3] / "assets" / "components" / "mean_film" / "film.css"
GLANCE = 10
"""A difference ΔE*ab that is noticeable at a glance; 2.3 is just noticeable side by side."""
SERIES = {
    "points": POINTS,
    "networks": INKS,
    "methods and classes": (*METHODS.values(), *POINTS),
    "pair": PAIR,
    "solvers": (DESCENT, GLOBAL),
    "curves of the mean": tuple(re.findall(r"\.of-\w+ \{ stroke: (#\w{6})", FILM.read_text())),
}


APART = 8
"""The least difference of two colours with different meanings on different pages."""


def least(colours, seen):
    return apart(colours, seen)[np.triu_indices(len(colours), 1)].min()


def test_cielab_values_agree_with_kornia():
    colours = np.random.default_rng(0).integers(0, 256, (500, 3))
    with torch.device("cpu"):
        expected = rgb_to_lab(torch.from_numpy(colours / 255)[:, :, None, None])[..., 0, 0]
    assert np.abs(lab(colours) - expected.numpy()).max() < 0.05


@pytest.mark.parametrize("seen", SEEN)
@pytest.mark.parametrize("name", SERIES)
def test_any_two_colours_of_a_series_differ_at_a_glance(name, seen):
    colours = SERIES[name]
    assert len(colours) > 1
    assert least(from_hex(colours), seen) > GLANCE


@pytest.mark.parametrize("seen", SEEN)
def test_no_network_method_or_class_has_the_colour_of_another(seen):
    assert least(from_hex((*INKS, *METHODS.values(), *POINTS)), seen) > APART


@pytest.mark.parametrize("seen", SEEN)
def test_the_lightness_of_the_colour_map_changes_evenly(seen):
    light = lab(np.asarray(RAMP).reshape(-1, 3)[:: len(RAMP) // 16], seen)[:, 0]
    steps = np.diff(light) * np.sign(light[-1] - light[0])
    assert len(steps) >= 15
    assert steps.min() > 3
    assert steps.max() < 2 * steps.min()


@pytest.mark.parametrize("seen", SEEN)
def test_the_colour_map_of_differences_is_white_at_0_and_distinguishes_the_signs(seen):
    levels = torch.linspace(-1, 1, 17, device="cpu")[None]
    colours = diverge(levels, 1.0)[0]
    light = lab(colours, seen)[:, 0]
    assert (np.diff(light[:9]) > 2).all()
    assert (np.diff(light[8:]) < -2).all()
    signs = np.stack([colours[:8], colours[:8:-1]], axis=1)
    assert min(apart(pair, seen)[0, 1] for pair in signs[:7]) > GLANCE


@pytest.mark.parametrize("seen", SEEN)
def test_the_two_colours_of_a_pair_add_up_to_white_and_differ_at_a_glance(seen):
    assert np.array_equal(np.add(ORANGE, BLUE), [255, 255, 255])
    assert least(np.array([ORANGE, BLUE]), seen) > 50


def test_the_simulation_makes_red_and_green_hard_to_distinguish_and_keeps_greys():
    red_and_green = np.array([[150, 90, 0], [95, 115, 0]])
    assert least(red_and_green, "all cones") > 4 * least(red_and_green, "deuteranopia")
    for seen in SEEN:  # greys must stay grey
        assert np.abs(lab(np.array([[128, 128, 128]]), seen)[0, 1:]).max() < 1
