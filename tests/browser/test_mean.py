"""The Mean page in a browser: the animation can be played and stepped through, and runs can be
started.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.places import expect_accessible, place_of
from tests.browser.player_page import HOSTS, press

APP = Path(__file__).parents[2] / "app.py"
FILM = f"{HOSTS}.map(host => host.shadowRoot?.querySelector('.film')).find(Boolean)"
STATE = f"{FILM}?.__film.state()"


@pytest.fixture
def mean(serve, open_page):
    """Return a function that opens the page and waits for the animation's frames."""

    def open_(query="", **options):
        page = open_page(f"{serve(APP)}/mean?{query}", **options)
        page.wait_for_function(f"{STATE}?.last > 0")
        return page

    return open_


def test_the_example_plays_and_has_curves_and_paths(mean):
    page = mean()
    page.wait_for_function(f"{STATE}.at > 3")
    page.wait_for_function(f"{STATE}.last === 50")
    page.locator(".film").focus()
    press(page, "End", "ArrowLeft")
    page.wait_for_function(f"{STATE}.at === 49")
    for words in ("at iteration 49: f 0.0931", "from iteration 0 to 49"):
        expect(page.get_by_role("img", name=re.compile(words))).to_be_visible()
    assert page.locator(".way").count() == 20


def test_a_drag_along_the_curves_moves_through_the_iterations(mean):
    page = mean(reduced_motion="reduce")
    page.wait_for_function(f"{STATE}.last === 50")
    curves = page.get_by_role("img", name=re.compile("Curves over the iterations"))
    box = place_of(curves)
    curves.click(position={"x": box["width"] * (46 + 366 / 2) / 420, "y": box["height"] / 2})
    page.wait_for_function(f"{STATE}.at === 25")


def test_all_buttons_of_the_animation_fit_on_the_screen_of_a_phone(mean):
    page = mean(width=400, height=850, reduced_motion="reduce")
    assert page.locator(".film").evaluate("film => film.scrollWidth <= film.clientWidth")
    expect(page.get_by_label("speed")).to_be_visible()


def test_a_run_with_the_settings_in_the_address_replaces_the_example(mean):
    page = mean("steps=2", reduced_motion="reduce")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("Done: 2 iterations")).to_be_visible()
    page.wait_for_function(f"{STATE}?.last === 2")


def test_a_preset_starts_a_run_that_can_be_cancelled_and_writes_its_settings_to_the_address(mean):
    page = mean(reduced_motion="reduce")
    page.get_by_role("button", name="As in the paper").click()
    page.get_by_role("button", name="Cancel").first.click()
    expect(page.get_by_text("Cancelled; ")).to_be_visible()
    expect(page).to_have_url(re.compile("start=identity"))
    expect(page).to_have_url(re.compile("steps=50"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_has_no_serious_accessibility_violations(mean, scheme):
    page = mean(scheme=scheme, reduced_motion="reduce")
    page.wait_for_function(f"{STATE}.last === 50")
    expect_accessible(page)
