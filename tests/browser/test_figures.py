"""Every figure has a title, keeps its zoom when it is drawn again, and can be downloaded with its
data.
"""

import csv
import io
import re
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.conftest import ROOT
from tests.browser.places import at_rest
from tests.browser.player_page import press

PAGES = {
    "manifolds": 3,
    "mean": 0,
    "equivariance?view=Inside%20a%20convolution": 1,
    "equivariance?view=Stride%20and%20parity": 1,
    "papers?entry=gcnn-figure-6": 1,
}
"""Pages and the minimum number of drawings on each of them."""
MENUS = "[data-testid=stBidiComponentIsolated] .drawing > .figure-menu:not([hidden])"
PLOTS = ".js-plotly-plot"
SPACE = "{http://www.w3.org/2000/svg}"


def download(page, button):
    """The bytes of the file that a button downloads."""
    with page.expect_download() as waiting:
        button.click()  # browsers block many downloads that no click has started
    return waiting.value.path().read_bytes()


def check_svg(content):
    root = ElementTree.fromstring(content)
    assert root.tag == f"{SPACE}svg"
    title = root.find(f"{SPACE}title").text
    assert len(title) > 5
    return "".join(root.itertext())


def check_menu(page, menu):
    """Zoom into a figure with its menu, and open its downloads."""

    def press_item(name):
        return menu.locator("button", has_text=re.compile(f"^{name}$"))

    picture = menu.locator("xpath=..").locator("svg[viewBox]").first
    whole = picture.get_attribute("viewBox")
    press_item("Zoom in").evaluate("button => button.click()")
    assert picture.get_attribute("viewBox") != whole
    press_item("Reset zoom").evaluate("button => button.click()")
    assert picture.get_attribute("viewBox") == whole
    check_svg(download(page, press_item("SVG")))
    assert Image.open(io.BytesIO(download(page, press_item("PNG")))).width > 100
    data = press_item("CSV")
    if not data.evaluate("button => button.hidden"):
        rows = list(csv.reader(io.StringIO(download(page, data).decode())))
        assert len({len(row) for row in rows}) == 1
        assert len(rows) > 1


def show_bar(plot, label):
    """A button in the bar of a plot, which is visible while the pointer is over the plot."""
    plot.scroll_into_view_if_needed()
    plot.hover()
    return plot.get_by_label(label)


@pytest.mark.parametrize("path", PAGES)
def test_every_drawing_can_be_zoomed_and_downloaded(serve, open_page, path):
    page = open_page(f"{serve(ROOT / 'app.py')}/{path}", reduced_motion="reduce")
    page.get_by_role("heading", level=1).wait_for()
    if PAGES[path]:
        page.locator(MENUS).nth(PAGES[path] - 1).wait_for(state="attached")
    at_rest(page)
    for menu in page.locator(MENUS).all():
        if menu.locator("xpath=..").is_visible():  # not in a closed expander
            menu.evaluate("menu => { menu.open = true; }")
            check_menu(page, menu)
            menu.evaluate("menu => { menu.open = false; }")


@pytest.mark.parametrize("path", ["mean", "clustering", "equivariance"])
def test_the_pictures_of_an_animation_open_as_a_figure(serve, open_page, path):
    page = open_page(f"{serve(ROOT / 'app.py')}/{path}", reduced_motion="reduce")
    button = page.locator(".figure-open").first
    button.wait_for(state="attached")
    at_rest(page)
    button.scroll_into_view_if_needed()
    button.click()
    menu = page.locator("dialog[open] .figure-menu")
    check_menu(page, menu)
    content = download(page, menu.locator("button", has_text=re.compile("^SVG$")))
    assert b"data:image/png" in content
    page.locator("dialog[open] .close").click()
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_every_plot_of_a_run_downloads_as_svg_and_csv(ran):
    for view in ("Distances", "Contraction", "Merge tree", "Plane"):
        ran.get_by_role("radio", name=view, exact=True).click()
        at_rest(ran)
        plot = ran.locator(PLOTS).first
        text = check_svg(download(ran, show_bar(plot, "Download plot as SVG")))
        assert "invariant" in text
        content = download(ran, show_bar(plot, "Download data as CSV")).decode()
        assert len(list(csv.reader(io.StringIO(content)))) > 5


def test_w_opens_as_a_figure_whose_zoom_stays_when_the_player_steps(ran):
    run = ran.locator(".run").first
    run.locator(".enlarge").click()
    figure = run.locator("dialog svg[viewBox]")
    expect(figure).to_be_visible()
    run.locator("dialog button", has_text="Zoom in").click()
    zoomed = figure.get_attribute("viewBox")
    content = download(ran, run.locator("dialog button", has_text=re.compile("^SVG$")))
    text = check_svg(content)
    for part in ("Weights W", "image i", "mean j", "no unit", "px", "Crab"):
        assert part in text
    before = figure.get_attribute("aria-label")
    ran.locator(".player").evaluate("player => player.querySelector('[data-do=forward]').click()")
    expect(figure).not_to_have_attribute("aria-label", before)
    assert figure.get_attribute("viewBox") == zoomed
    rows = download(ran, run.locator("dialog button", has_text=re.compile("^CSV$"))).decode()
    assert len(rows.splitlines()) == 1 + 18 * 18
    run.locator("dialog .close").click()
    expect(figure).to_have_count(0)
    ran.locator(".player").focus()
    press(ran, "End")
