"""The Papers page in a browser: an address opens an entry, and a button computes it."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.places import expect_accessible

APP = Path(__file__).parents[2] / "app.py"


def heading(page):
    return page.get_by_test_id("stMain").locator("h3").first


@pytest.fixture
def papers(serve, open_page):
    """Return a function that opens the page at an entry and waits for its heading."""

    def open_(entry, **options):
        page = open_page(f"{serve(APP)}/papers?entry={entry}", height=1000, **options)
        heading(page).wait_for()
        return page

    return open_


def test_an_entry_can_be_opened_by_its_address_and_computed_and_another_one_can_be_chosen(papers):
    page = papers("gcnn-figure-4")
    expect(heading(page)).to_contain_text("The circulant structure")
    page.get_by_role("button", name="Compute").click()
    expect(page.get_by_text("Done: ").first).to_be_visible()
    # The table is drawn on a canvas, so its text is only in the accessibility tree.
    expect(page.get_by_text("computed now").first).to_be_attached()
    page.locator("label").filter(has_text="Figure 9").click()
    expect(page).to_have_url(re.compile("entry=gcnn-figure-9"))
    expect(heading(page)).to_contain_text("Stride and parity")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_has_no_serious_accessibility_violations(papers, scheme):
    page = papers("gcnn-figure-6", scheme=scheme)
    page.get_by_text("gives the layer's result").wait_for()
    expect_accessible(page)


def test_the_page_fits_the_width_of_a_phone(papers):
    page = papers("ia-figure-4", width=400)
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth <= main.clientWidth + 1")
