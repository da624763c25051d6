"""A project that is saved, and opened after everything was deleted, shows the same run."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import ROOT
from tests.browser.places import at_rest, expect_accessible


def open_runs(page):
    page.get_by_role("link", name="Runs", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Runs")).to_be_visible()


def open_file(page, file):
    page.get_by_role("button", name="Open project").click()
    page.locator("input[type=file]").set_input_files(file)


def test_a_project_restores_a_run_after_everything_was_deleted(serve, open_page, tmp_path):
    page = open_page(f"{serve(ROOT / 'app.py')}/mean?data=experiment-2&steps=2")
    page.get_by_role("button", name="Run", exact=True).click()
    done = page.get_by_text(re.compile("^Done: 2 iterations"))
    expect(done).to_be_visible()
    open_runs(page)
    page.get_by_role("button", name="Name").first.click()
    page.get_by_role("textbox", name="Name").fill("To take along")
    page.get_by_role("textbox", name="Note").fill("Sharper after two steps")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Sharper after two steps").first).to_be_visible()
    at_rest(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Save project").click()
    path = tmp_path / "mine.zip"
    download.value.save_as(path)

    page.get_by_role("button", name="Delete all my data").click()
    expect(page.get_by_text(re.compile("This permanently deletes 1 run"))).to_be_visible()
    expect(page.get_by_test_id("stToast")).to_have_count(0)
    expect_accessible(page)
    page.get_by_role("button", name="Delete 1 run permanently").click()
    expect(page.get_by_text("All your runs and your upload have been deleted.")).to_be_visible()
    expect(page.get_by_role("link", name="To take along")).to_have_count(0)

    broken = {"name": "broken.zip", "mimeType": "application/zip", "buffer": path.read_bytes()[:-9]}
    open_file(page, broken)
    expect(page.get_by_text("broken.zip is damaged or incomplete")).to_be_visible()
    open_file(page, path)
    expect(page.get_by_text("Opened mine.zip: 1 run added.")).to_be_visible()
    expect(page.get_by_text("Sharper after two steps").first).to_be_visible()
    page.get_by_role("link", name="To take along").first.click()
    expect(page.get_by_text(re.compile("^Done: 2 iterations, saved run"))).to_be_visible()
