"""The browser's Back button opens the previous page, entry or caption."""

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.places import at_rest
from tests.browser.player_page import press, wait_for_player

APP = Path(__file__).parents[2] / "app.py"


def expect_page(page, title):
    main = page.get_by_test_id("stMain")
    expect(main.get_by_role("heading", name=title, exact=True, level=1)).to_be_visible()
    at_rest(page)


def go(page, title):
    page.get_by_role("link", name=title, exact=True).click()
    expect_page(page, title)


def test_a_single_press_of_back_leaves_a_page_even_after_several_changes_on_it(serve, open_page):
    page = open_page(f"{serve(APP)}/", reduced_motion="reduce")
    expect_page(page, "See invariance")
    go(page, "Iterations")
    wait_for_player(page)
    page.locator(".player").first.focus()
    press(page, "ArrowRight")
    expect(page).to_have_url(re.compile("step=1"))
    press(page, "ArrowRight")
    expect(page).to_have_url(re.compile("step=2"))
    go(page, "Mean")
    page.go_back()
    expect_page(page, "Iterations")
    page.go_back()
    expect_page(page, "See invariance")


def test_back_returns_to_the_previous_entry_and_to_the_previous_caption(serve, open_page):
    page = open_page(f"{serve(APP)}/papers?entry=ia-figure-4", reduced_motion="reduce")
    expect_page(page, "Papers")
    page.locator("label").filter(has_text="Figure 2").first.click()
    expect(page).to_have_url(re.compile("entry=ia-figure-2"))
    at_rest(page)
    go(page, "Mean")
    page.go_back()
    expect(page).to_have_url(re.compile("entry=ia-figure-2"))
    expect_page(page, "Papers")
    page.go_back()
    expect(page).to_have_url(re.compile("entry=ia-figure-4"))
    page.goto(f"{serve(APP)}/iterations?lesson=mush.1")
    expect(page.get_by_text("caption 1 of 4")).to_be_visible()
    at_rest(page)
    page.keyboard.press("PageDown")
    expect(page.get_by_text("caption 2 of 4")).to_be_visible()
    at_rest(page)
    page.go_back()
    expect(page.get_by_text("caption 1 of 4")).to_be_visible()
