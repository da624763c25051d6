"""Key presses before the buttons are drawn, and what pages show before their first run."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.places import at_rest
from tests.browser.test_lessons import FIRST

APP = Path(__file__).parents[2] / "app.py"
OPENS_WITH = {
    "": ".player canvas.matrix",
    "iterations": ".player canvas.matrix",
    "mean": ".film canvas",
    "manifolds": "svg[aria-label*='Squared distance against']",
    "clustering": ".clusters .tile",
    "equivariance": ".turning canvas",
    "compare": "svg",
    "papers": "svg, img",
}
SHOWN = """(selector) => [document, ...[...document.querySelectorAll(
    "[data-testid=stMain] [data-testid=stBidiComponentIsolated]")].map((host) => host.shadowRoot)]
  .some((root) => [...(root?.querySelectorAll(selector) ?? [])]
    .some((found) => found.checkVisibility() && found.getBoundingClientRect().width > 30))"""
"""True if an element that matches is visible on the page or within a component."""


def test_a_key_pressed_before_the_buttons_are_drawn_shows_the_next_caption(serve, open_page):
    first, count = FIRST["basin"]  # its second caption is on another page, so Next is a link
    page = open_page(f"{serve(APP)}/{first}?lesson=basin.1", reduced_motion="reduce")
    expect(page.locator(".st-key-lesson_steps").get_by_role("link", name="Next")).to_be_visible()
    at_rest(page)
    page.evaluate("window.__steps = document.querySelector('.st-key-lesson_steps')")
    page.evaluate("window.__place = window.__steps.parentElement; window.__steps.remove()")
    page.keyboard.press("PageDown")
    page.evaluate("window.__place.append(window.__steps)")
    expect(page.get_by_text(f"caption 2 of {count}")).to_be_visible()


@pytest.mark.parametrize("path", OPENS_WITH)
def test_a_page_shows_a_precomputed_result(serve, open_page, path):
    page = open_page(f"{serve(APP)}/{path}", reduced_motion="reduce")
    page.wait_for_function(SHOWN, arg=OPENS_WITH[path])
