"""The presenter's keys work regardless of which element has the focus."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.places import at_rest

APP = Path(__file__).parents[2] / "app.py"
SOON = 60_000


@pytest.fixture
def lesson(serve, open_page):
    """Return a function that opens a caption."""

    def open_(address):
        page = open_page(f"{serve(APP)}/{address}", reduced_motion="reduce")
        expect(page.get_by_test_id("stMain").get_by_text("caption").first).to_be_visible(
            timeout=SOON
        )
        page.locator(".projector button").first.wait_for(state="attached")  # it handles the keys
        at_rest(page)
        return page

    return open_


def expect_caption(page, number, title):
    expect(page.get_by_text(f"caption {number} of")).to_be_visible(timeout=SOON)
    expect(page.get_by_role("heading", name=title)).to_be_visible(timeout=SOON)
    at_rest(page)


def test_keys_change_the_caption_even_if_a_slider_or_a_list_has_the_focus(lesson):
    page = lesson("iterations?lesson=beta.1")
    main = page.get_by_test_id("stMain")
    beta = main.get_by_role("slider").first
    beta.focus()
    held = beta.get_attribute("aria-valuenow")
    page.keyboard.press("PageDown")
    expect_caption(page, 2, "Predict first")
    main.get_by_role("slider").nth(1).focus()
    page.keyboard.press("PageUp")
    expect_caption(page, 1, "β sets how fast weights decrease")
    assert main.get_by_role("slider").first.get_attribute("aria-valuenow") == held
    main.get_by_role("combobox").first.click()
    page.keyboard.press("Escape")
    page.keyboard.press("PageDown")
    expect_caption(page, 2, "Predict first")


def test_page_up_opens_the_last_caption_of_the_previous_lesson_and_page_down_returns(lesson):
    page = lesson("iterations?lesson=beta.1")
    page.keyboard.press("PageUp")
    expect_caption(page, 4, "Predict first")
    page.keyboard.press("PageDown")
    expect_caption(page, 1, "β sets how fast weights decrease")


def test_space_plays_in_projector_mode_and_does_not_press_the_last_button_again(lesson):
    page = lesson("iterations?lesson=mush.1&projector=1")
    page.get_by_role("button", name="Settings").click()
    shown = "document.documentElement.hasAttribute('data-settings')"
    assert page.evaluate(shown)
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause").first).to_be_attached(timeout=SOON)
    assert page.evaluate(shown), "Settings must not be pressed a second time"
