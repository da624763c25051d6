"""The Compare page in a browser: a comparison, its table and its files."""

import csv
import io
import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.places import expect_accessible

APP = Path(__file__).parents[2] / "app.py"
SHORT = "methods=kmeans&methods=ia-se2&budget=20&order=ARI"


@pytest.fixture
def compare(serve, open_page):
    """Return a function that opens the page and waits for its last button."""

    def open_(query="", **options):
        page = open_page(f"{serve(APP)}/compare?{query}", **options)
        expect(page.get_by_role("button", name="Sweep", exact=True)).to_be_visible()
        return page

    return open_


def save(page, name):
    with page.expect_download() as event:
        page.get_by_role("button", name=name).click()
    return Path(event.value.path()).read_bytes().decode("utf-8-sig")


def test_a_comparison_can_be_run_viewed_and_downloaded(compare):
    page = compare(SHORT)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("Done: ").first).to_be_visible()
    expect(page.get_by_role("img", name="K-means: the centres of 3 clusters")).to_be_visible()
    cells = page.get_by_test_id("stDataFrame").locator("canvas td")
    expect(cells.first).to_have_text("Invariant attention, SE(2)")
    rows = list(csv.DictReader(io.StringIO(save(page, "Table, CSV"))))
    assert [row["method"] for row in rows] == ["kmeans", "ia-se2"]
    assert float(rows[1]["ari"]) == 1
    saved = json.loads(save(page, "Table, JSON"))
    assert saved["config"]["methods"] == ["kmeans", "ia-se2"]
    assert saved["recipe"]["source"] == "experiment-1"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_has_no_serious_accessibility_violations(compare, scheme):
    page = compare(scheme=scheme)
    expect_accessible(page)
