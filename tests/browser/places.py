"""When a page has come to rest, and where things lie then."""

PAUSE = 150
"""Between two looks [ms]."""
TRIES = 100
LOOKS = 3
"""So many find a page at rest: buttons hear their keys only when they have been drawn."""
IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"


def at_rest(page):
    """Streamlit has nothing more to bring, and what came last has had the time to be drawn."""
    page.locator(IDLE).wait_for(state="attached", timeout=60_000)
    calm = 0
    for _ in range(TRIES):
        page.wait_for_timeout(PAUSE)
        calm = calm + 1 if page.locator(IDLE).count() else 0
        if calm == LOOKS:
            return
    raise AssertionError("the page does not come to rest")


def place_of(locator):
    """Its box, when two looks have found it in the same place: what comes late pushes others."""
    before = None
    for _ in range(TRIES):
        box = locator.bounding_box()
        if box and box == before:
            return box
        before = box
        locator.page.wait_for_timeout(PAUSE)
    raise AssertionError(f"it does not come to rest: {before}")
