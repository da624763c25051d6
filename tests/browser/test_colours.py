"""Colours that browser and engine have both: those of groups, and the ramp."""

import re
from pathlib import Path

import numpy as np

from ia_engine.figures.style import point_colour
from ia_engine.figures.svg import RAMP
from tests.colours import SEEN, apart, from_hex

MODULE = (Path(__file__).parents[2] / "assets/components/shared/colours.js").read_text("utf-8")
GLANCE = 10


def made(page, expression):
    """The value of an expression with the names of the module."""
    script = MODULE.replace("export ", "")
    return page.evaluate(f"(() => {{ {script}; return {expression} }})()")


def groups(page, count):
    """The player's colours of so many groups, as bytes."""
    told = made(page, f"Array.from({{ length: {count} }}, (_, at) => groupColour(at))")
    return np.array([[int(part) for part in re.findall(r"\d+", colour)[:3]] for colour in told])


def test_ten_groups_are_told_at_a_glance_by_every_eye(open_page):
    told = groups(open_page("about:blank"), 10)
    for seen in SEEN:
        assert apart(told, seen)[np.triu_indices(10, 1)].min() > GLANCE, seen


def test_a_group_has_one_colour_in_the_film_and_in_the_plots(open_page):
    told = groups(open_page("about:blank"), 15)
    assert np.array_equal(told, from_hex([point_colour(group) for group in range(15)]))


def test_browser_and_engine_have_one_ramp(open_page):
    page = open_page("about:blank")
    told = np.array(made(page, "Array.from({ length: 256 }, (_, at) => mapColour(at / 255, true))"))
    ours = np.asarray(RAMP).reshape(-1, 3).astype(int)
    ours = ours if abs(ours[0] - told[0]).sum() < abs(ours[-1] - told[0]).sum() else ours[::-1]
    assert len(ours) == 256
    assert np.abs(told - ours).max() <= 1
