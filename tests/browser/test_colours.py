"""The colours of groups and the colour map are the same in the browser and in the engine."""

import re
from pathlib import Path

import numpy as np

from ia_engine.figures.style import point_colour
from ia_engine.figures.svg import RAMP
from tests.colours import SEEN, apart, from_hex

MODULE = (Path(__file__).parents[2] / "assets/components/shared/colours.js").read_text("utf-8")
GLANCE = 10


def evaluate(page, expression):
    """The value of an expression that uses the names of the module."""
    script = MODULE.replace("export ", "")
    return page.evaluate(f"(() => {{ {script}; return {expression} }})()")


def groups(page, count):
    """The player's colours for this number of groups, as bytes."""
    found = evaluate(page, f"Array.from({{ length: {count} }}, (_, at) => groupColour(at))")
    return np.array([[int(part) for part in re.findall(r"\d+", colour)[:3]] for colour in found])


def test_the_colours_of_ten_groups_differ_at_a_glance_for_every_kind_of_colour_vision(open_page):
    found = groups(open_page("about:blank"), 10)
    for seen in SEEN:
        assert apart(found, seen)[np.triu_indices(10, 1)].min() > GLANCE, seen


def test_a_group_has_the_same_colour_in_the_player_and_in_the_plots(open_page):
    found = groups(open_page("about:blank"), 15)
    assert np.array_equal(found, from_hex([point_colour(group) for group in range(15)]))


def test_the_browser_and_the_engine_have_the_same_colour_map(open_page):
    page = open_page("about:blank")
    found = np.array(
        evaluate(page, "Array.from({ length: 256 }, (_, at) => mapColour(at / 255, true))")
    )
    ours = np.asarray(RAMP).reshape(-1, 3).astype(int)
    ours = ours if abs(ours[0] - found[0]).sum() < abs(ours[-1] - found[0]).sum() else ours[::-1]
    assert len(ours) == 256
    assert np.abs(found - ours).max() <= 1
