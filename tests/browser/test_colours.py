"""Colours that the browser makes by formula: groups, and the ramp that the engine has as well."""

import re
from pathlib import Path

import numpy as np
import pytest

from ia_engine.figures.svg import RAMP
from tests.colours import SEEN, apart

SCRIPT = (Path(__file__).parents[2] / "assets" / "player" / "colour.js").read_text("utf-8")
GLANCE = 10


def made(page, expression):
    """What the player's script says, as bytes."""
    return page.evaluate(f"(() => {{ {SCRIPT}; return {expression} }})()")


@pytest.mark.parametrize("dark", ["true", "false"])
def test_ten_groups_are_told_at_a_glance_by_every_eye(open_page, dark):
    page = open_page("about:blank")
    told = made(page, f"Array.from({{ length: 10 }}, (_, at) => groupColour(at, {dark}))")
    groups = np.array([[int(part) for part in re.findall(r"\d+", colour)[:3]] for colour in told])
    for seen in SEEN:
        assert apart(groups, seen)[np.triu_indices(10, 1)].min() > GLANCE, seen


def test_browser_and_engine_have_one_ramp(open_page):
    page = open_page("about:blank")
    told = np.array(
        made(page, "Array.from({ length: 256 }, (_, at) => rampColour(at / 255, true))")
    )
    ours = np.asarray(RAMP).reshape(-1, 3).astype(int)
    ours = ours if abs(ours[0] - told[0]).sum() < abs(ours[-1] - told[0]).sum() else ours[::-1]
    assert len(ours) == 256
    assert np.abs(told - ours).max() <= 1
