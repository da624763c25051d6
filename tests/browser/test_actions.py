"""Frequent tasks take few actions, counted from the Overview.

An action is a click, the release of a slider, a typed value or a change of page.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.places import at_rest, place_of
from tests.browser.player_page import HOSTS, STATE, wait_for_player

APP = Path(__file__).parents[2] / "app.py"
HANDLE = "xpath=ancestor::*[contains(@class, 'react-aria-SliderThumb') or @data-rac][1]"
"""The visible handle, which contains the slider's input."""
THUMB = 20
"""Width of the handle of the player's sliders [px]."""
GHOST = ".before-text"
"""The description of the previous result, below the pictures of the run that replaced it."""
FILM = f"{HOSTS}.map(host => host.shadowRoot?.querySelector('.film')).find(Boolean)"


@dataclass
class User:
    """Someone who uses a page, and the number of their actions."""

    page: Page
    actions: int = 0

    def click(self, target: Locator) -> None:
        target.click()
        self._acted()

    def change_page(self, title: str) -> None:
        """Open a page in the list of pages."""
        pages = self.page.get_by_test_id("stSidebarNav")
        self.click(pages.get_by_role("link", name=title, exact=True))
        expect(self.page.get_by_role("heading", name=title, exact=True)).to_be_visible()

    def release(self, slider: Locator, value: float) -> None:
        """Drag the handle of a slider to a value, and release it there."""
        slider.scroll_into_view_if_needed()
        handle = place_of(slider.locator(HANDLE))
        x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
        self._drag(x, y, value, lambda: float(slider.input_value()))

    def release_beta(self, slider: Locator, beta: float) -> None:
        """Drag the handle of the player's slider for β to a value, and release it there."""
        slider.scroll_into_view_if_needed()
        box, share = (
            place_of(slider),
            float(slider.input_value()) / float(slider.get_attribute("max") or "nan"),
        )
        x = box["x"] + THUMB / 2 + share * (box["width"] - THUMB)

        def find() -> float:
            return float((slider.get_attribute("aria-valuetext") or "").removeprefix("β = "))

        self._drag(x, box["y"] + box["height"] / 2, beta, find)

    def _drag(self, x: float, row: float, value: float, find: Callable[[], float]) -> None:
        mouse = self.page.mouse
        mouse.move(x, row)
        mouse.down()
        for _ in range(2000):
            now = find()
            if now == value:
                break
            x += 1 if now < value else -1
            mouse.move(x, row)
        mouse.up()
        assert find() == value
        self._acted()

    def type_value(self, field: Locator, text: str) -> None:
        field.fill(text)
        field.press("Enter")
        self._acted()

    def _acted(self) -> None:
        self.actions += 1
        at_rest(self.page)


@pytest.fixture
def user(serve, open_page):
    """A user who has just opened the Overview."""
    page = open_page(f"{serve(APP)}/", height=1400, reduced_motion="reduce")
    wait_for_player(page)
    at_rest(page)
    return User(page)


def test_the_effect_of_sigma_on_the_weights_takes_two_actions(user):
    page = user.page
    user.change_page("Iterations")
    user.release(page.get_by_role("slider", name=re.compile("Smoothing σ")), 2)
    expect(page.locator(GHOST).first).to_have_text(re.compile(r"^Previous result .*: σ = 0 px$"))
    expect(page.locator("canvas.before-matrix").first).to_be_visible()
    expect(page.locator("canvas.matrix").first).to_be_visible()
    assert "example" not in page.evaluate(STATE)["given"]["runs"][0]
    assert user.actions <= 2


def test_beta_5_beside_50_takes_three_actions(user):
    page = user.page
    user.change_page("Iterations")
    slider = page.locator("input.beta").first
    for beta in (5, 50):
        user.release_beta(slider, beta)
        page.wait_for_function(f"{STATE}?.given.betas[0] === {beta}")
        expect(page.get_by_text("Done: 4 iterations")).to_be_visible()
    expect(page.locator(GHOST).first).to_have_text(re.compile(r"^Previous result .*: β = 5$"))
    expect(page.locator("canvas.before-matrix").first).to_be_visible()
    assert page.evaluate(STATE)["betas"][0] == 50
    assert user.actions <= 3
    user.click(page.get_by_role("button", name="Side by side"))
    expect(page.get_by_role("heading", name="Invariant attention: the other run")).to_be_visible()
    page.wait_for_function(f"JSON.stringify({STATE}?.betas) === '[50,5]'")


def test_the_distances_over_the_iterations_take_one_action(user):
    user.change_page("Iterations")
    expect(user.page.get_by_text("mean d² between two images [no unit]")).to_be_visible()
    expect(user.page.get_by_text("invariant, within classes")).to_be_visible()
    assert user.actions <= 1


def test_prototypes_with_aligned_samples_take_one_action(user):
    user.change_page("Clustering")
    expect(user.page.get_by_text("transformed to fit images of its cluster")).to_be_visible()
    expect(
        user.page.get_by_text(re.compile("^8 of .* images of prototype 1 shown"))
    ).to_be_visible()
    assert user.page.locator(".table canvas").count() >= 16
    assert user.actions <= 1


def test_a_set_rotated_by_10_degrees_and_its_weights_take_four_actions(user):
    page = user.page
    user.change_page("Data")
    user.click(page.get_by_test_id("stButtonGroup").get_by_text("Generate", exact=True))
    user.release(page.get_by_role("slider", name=re.compile("± θ · turn")), 10)
    user.click(page.get_by_role("link", name="Run attention on this data set"))
    wait_for_player(page, last=1)
    recipe = json.loads(parse_qs(urlsplit(page.url).query)["data"][0])
    (distortion,) = recipe["config"]["distortions"]
    assert distortion["high"][0] == pytest.approx(0.1745, abs=1e-4)
    assert distortion["low"][0] == -distortion["high"][0]
    expect(page.locator("canvas.matrix").first).to_be_visible()
    assert "example" not in page.evaluate(STATE)["given"]["runs"][0]
    assert user.actions <= 4


def test_the_mean_of_a_found_cluster_takes_two_actions(user):
    page = user.page
    user.change_page("Iterations")
    user.click(page.get_by_role("link", name="Mean of cluster 2: 6 images"))
    expect(page.get_by_role("heading", name="Mean", exact=True)).to_be_visible()
    expect(page.get_by_text("a cluster found on Iterations")).to_be_visible()
    page.wait_for_function(f"{FILM}?.__film.state().last > 0")
    assert user.actions <= 2


def test_the_radius_and_the_factor_of_the_contraction_take_one_action(user):
    user.change_page("Iterations")
    sentence = r"Invariant attention\. R = [\d.]+ for the data .* by at most [\d.]+, within classes"
    quantities = user.page.get_by_text(re.compile(sentence))
    quantities.scroll_into_view_if_needed()
    expect(quantities).to_be_in_viewport()
    assert user.actions <= 1
