"""A lesson by the presenter's key alone, and what a page shows before anything was run."""

from pathlib import Path

import pytest

from tests.browser.test_lessons import FIRST, check

APP = Path(__file__).parents[2] / "app.py"
OPENS_WITH = {
    "": ".player canvas.matrix",
    "iterations": ".player canvas.matrix",
    "mean": ".film canvas",
    "manifolds": "svg[aria-label*='Least squared distance']",
    "clustering": ".clusters .tile",
    "equivariance": ".turning canvas",
    "compare": "svg",
    "papers": "svg, img",
}
SHOWN = """(selector) => [document, ...[...document.querySelectorAll(
    "[data-testid=stMain] [data-testid=stBidiComponentIsolated]")].map((host) => host.shadowRoot)]
  .some((root) => [...(root?.querySelectorAll(selector) ?? [])]
    .some((found) => found.checkVisibility() && found.getBoundingClientRect().width > 30))"""
"""True if such an element is visible on the page, also within a component."""


def take_step(page, name, at):
    """The presenter's key, pressed as soon as the caption before is there."""
    page.keyboard.press("PageDown")
    page.get_by_text(f"caption {at} of {FIRST[name][1]}").wait_for()
    check(page, f"{name}.{at}")


@pytest.mark.parametrize("name", FIRST)
def test_no_press_of_the_presenters_key_is_lost(serve, open_page, name):
    page = open_page(f"{serve(APP)}/{FIRST[name][0]}?lesson={name}.1", reduced_motion="reduce")
    for at in range(2, FIRST[name][1] + 1):
        check(page, f"{name}.{at - 1}")
        take_step(page, name, at)


@pytest.mark.parametrize("path", OPENS_WITH)
def test_a_page_shows_what_was_computed_beforehand(serve, open_page, path):
    page = open_page(f"{serve(APP)}/{path}", reduced_motion="reduce")
    page.wait_for_function(SHOWN, arg=OPENS_WITH[path])
