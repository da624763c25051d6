"""Helpers that wait until a page is at rest, locate its elements, and check its accessibility."""

import re

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

PAUSE = 150
"""Time between two checks [ms]."""
TRIES = 1_200
LOOKS = 3
"""Number of consecutive checks that must find the page at rest, since one script run may start
another.
"""
IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"
GRAVE = ("serious", "critical")


def at_rest(page):
    """Wait until the script is idle and its last output is on the screen."""
    page.locator(IDLE).wait_for(state="attached")
    calm = 0
    for _ in range(TRIES):
        page.wait_for_timeout(PAUSE)
        calm = calm + 1 if page.locator(IDLE).count() else 0
        if calm == LOOKS:
            return
    raise AssertionError("the page did not come to rest")


def until(page, holds):
    """Wait until `holds`, a condition that can be evaluated only in Python, is true."""
    for _ in range(TRIES):
        if holds():
            return
        page.wait_for_timeout(PAUSE)
    raise AssertionError("the condition was never met")


def painted(page):
    """Wait until all previous changes are on the screen."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def place_of(locator):
    """Return the bounding box of an element, once two checks find it in the same place."""
    boxes = [None]

    def rests():
        boxes.append(locator.bounding_box())
        return boxes[-1] is not None and boxes[-1] == boxes[-2]

    until(locator.page, rests)
    return boxes[-1]


def expect_accessible(page):
    """Check that axe finds no serious accessibility violation on the page at rest."""
    at_rest(page)
    found = Axe().run(page).response["violations"]
    grave = [violation for violation in found if violation["impact"] in GRAVE]
    assert not grave, [(v["id"], [node["html"][:200] for node in v["nodes"]]) for v in grave]


def expect_embedded(page):
    """Check that the page shows its player or figure and nothing else."""
    view = page.locator("[data-embedded]")
    expect(view).to_be_visible()
    expect(view).to_be_in_viewport()
    for hidden in ("h1", "[data-testid=stSidebar]", "[data-testid=stHeader]", ".projector"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page).to_have_url(re.compile("[?&]embed=1"))
