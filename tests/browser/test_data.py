import io
import re
import zipfile
from pathlib import Path
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image, ImageDraw
from playwright.sync_api import expect

from tests.browser.places import at_rest

APP = Path(__file__).parents[2] / "app.py"


@pytest.fixture
def data_page(serve, open_page):
    """Return a function that opens the Data page at an address and waits until it is drawn."""

    def open_(scheme="light", **address):
        url = f"{serve(APP)}/data?{urlencode(address)}"
        page = open_page(url, width=1400, height=900, scheme=scheme)
        expect(page.get_by_role("heading", name="Data", exact=True)).to_be_visible()
        expect(page.get_by_role("radio", name="Upload")).to_be_visible()
        rest(page)
        return page

    return open_


def rest(page):
    """Wait until the page's script has run."""
    at_rest(page)


def go(page, way):
    page.get_by_role("radio", name=way).click()
    rest(page)


def gallery(page):
    return page.get_by_role("img", name=re.compile("^A gallery of"))


def shapes():
    """A zip of three folders: bars, crosses and rings, rotated by several angles."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in ("bar", "cross", "ring"):
            for i in range(4):
                file = io.BytesIO()
                draw(name).rotate(40 * i, fillcolor="white").save(file, "PNG")
                archive.writestr(f"shapes/{name}/{i}.png", file.getvalue())
        archive.writestr("shapes/readme.txt", "not a picture")
    return {"name": "shapes.zip", "mimeType": "application/zip", "buffer": content.getvalue()}


def draw(name):
    picture = Image.new("RGB", (64, 64), "white")
    pen = ImageDraw.Draw(picture)
    if name == "ring":
        pen.ellipse((18, 18, 46, 46), outline="black", width=7)
    else:
        pen.rectangle((28, 14, 36, 50), fill="black")
    if name == "cross":
        pen.rectangle((14, 28, 50, 36), fill="black")
    return picture


def upload(page):
    go(page, "Upload")
    page.locator(".st-key-files input[type=file]").set_input_files(shapes())
    expect(page.get_by_text("12 images read in 3 classes.")).to_be_visible()
    rest(page)


def test_an_upload_is_shown_with_its_classes_and_attention_finds_them(data_page):
    page = data_page()
    upload(page)
    expect(page.get_by_text("readme.txt: expected a PNG")).to_be_visible()
    expect(page.get_by_text("Classes: bar 4 · cross 4 · ring 4")).to_be_visible()
    expect(page.get_by_role("img", name="Originals: 6 images")).to_be_visible()
    page.get_by_role("link", name="Run attention on this data set").click()
    expect(page.get_by_role("heading", name="Iterations")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("upload of 12"))).to_be_visible()
    expect(page.get_by_text(re.compile("^Done: "))).to_be_visible()
    expect(page.locator(".player .groups").first).to_have_text("barcrossring")


def test_other_users_cannot_see_an_upload(data_page, open_page):
    page = data_page()
    upload(page)
    assert "upload" in page.url
    other = open_page(page.url)
    expect(other.get_by_text("an upload that is not available")).to_be_visible()
    expect(gallery(other)).to_have_attribute("aria-label", re.compile("Crab, Seven, Snail"))
    expect(other.get_by_text("bar 4")).to_have_count(0)


def test_the_preview_follows_a_slider(data_page):
    page = data_page()
    go(page, "Generate")
    before = gallery(page).locator("image").get_attribute("href")
    page.get_by_role("slider", name=re.compile("± θ · turn")).press("ArrowLeft")
    picture = gallery(page).locator("image")
    expect(picture).not_to_have_attribute("href", before)
    expect(page).to_have_url(re.compile("generated"))
    page.reload()
    expect(page.get_by_role("slider", name=re.compile("± θ · turn"))).to_have_value("64")


def test_base_images_are_chosen_by_clicks_and_keys(data_page):
    page = data_page()
    go(page, "Generate")
    cat = page.get_by_role("button", name="Cat", exact=True)
    cat.click()
    expect(cat).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("Cat 6")).to_be_visible()
    crab = page.get_by_role("button", name="Crab", exact=True)
    crab.focus()
    crab.press("ArrowRight")
    seven = page.get_by_role("button", name="Seven", exact=True)
    expect(seven).to_be_focused()
    seven.press("Space")
    expect(seven).to_have_attribute("aria-pressed", "false")
    expect(page.get_by_text("Classes: Crab 6 · Snail 6 · Cat 6")).to_be_visible()


def test_the_gallery_stays_visible_while_the_controls_are_scrolled(data_page):
    page = data_page()
    go(page, "Generate")
    for count in (2, 3):
        page.get_by_role("button", name="Add a distortion").click()
        expect(page.get_by_text(f"Distortion {count}")).to_be_visible()
        rest(page)
    page.get_by_role("button", name="Add a distortion").scroll_into_view_if_needed()
    expect(gallery(page)).to_be_in_viewport(ratio=0.9)


def test_points_are_shown_as_a_scatter_plot(data_page):
    page = data_page(data="blobs")
    expect(page.get_by_test_id("stPlotlyChart")).to_be_visible()
    expect(page.get_by_text("blob 1 40")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_control_has_an_accessible_name(data_page, scheme):
    page = data_page(scheme=scheme)
    for way in ("Ready-made", "Generate", "Upload"):
        go(page, way)
        rules = ["image-alt", "button-name", "label", "aria-allowed-attr", "link-name"]
        result = Axe().run(page, options={"runOnly": {"type": "rule", "values": rules}})
        assert not result.response["violations"], result.generate_report()
