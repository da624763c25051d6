"""Every figure on every page has a title, units and a legend, keeps its zoom over a step, and has
downloads that open.

The figures are found on the pages: plots, drawings, and the dialogs of components. tests/figures.py
states what a figure is. tests/app checks the figures of all other views in the same way.
"""

import csv
import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import plotly.graph_objects as go
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.conftest import ROOT
from tests.browser.places import at_rest, expect_embedded, until
from tests.browser.player_page import press
from tests.figures import list_flaws_of_drawing, list_flaws_of_plot

PAPERS = Path(__file__).with_name("papers_app.py")
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py") if path.stem != "__init__")
SETTINGS = {"data": "?data=blobs"}
"""The address at which a page shows a figure; most pages show one at once."""
WITHOUT = ("runs", "quiz")
"""Pages without figures; Runs shows none until there is a run."""
PLOTS = ".js-plotly-plot"
DRAWINGS = ".drawing"
DIALOGS = ".figure-open"
SPACE = "{http://www.w3.org/2000/svg}"
PLACE_OF = """const placeOf = (element) => element.layout
  ? JSON.stringify(Object.entries(element.layout).flatMap(([name, axis]) =>
      /^[xy]axis/.test(name) ? [axis.range] : []))
  : element.querySelector("svg[role=img]").getAttribute("viewBox");
const find = (elements) => elements.filter((element) => element.checkVisibility());"""
"""The part of a figure that is visible: the ranges of its axes, or its view box."""
PLACES = f"(elements) => {{ {PLACE_OF} return find(elements).map(placeOf); }}"
FILES = (
    f"async (elements, named) => {{ {PLACE_OF}"
    + """
  const original = URL.createObjectURL, click = HTMLAnchorElement.prototype.click;
  const files = [];
  URL.createObjectURL = (blob) => (files.push(blob), original.call(URL, blob));
  HTMLAnchorElement.prototype.click = () => {};
  const fileOf = async (button) => {
    const before = files.length;
    button.click();
    for (let tries = 0; files.length === before && tries < 1000; tries++)
      await new Promise((done) => setTimeout(done, 5));
    return files.at(-1);
  };
  const plain = (_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);
  const found = [];
  for (const element of find(elements)) {
    const button = (names) =>
      [...element.querySelectorAll("button, .modebar-btn")]
        .find((one) => names.includes(one.getAttribute("aria-label") ?? one.textContent));
    for (let tries = 0; !button(["Zoom in"]) && tries < 1000; tries++)
      await new Promise((done) => setTimeout(done, 5));  // until the plot has its buttons
    const { data, layout } = element;
    const [svg, csv, png] = ["SVG", "CSV", "PNG"].map((kind) => button(named[kind]));
    button(["Reset zoom"])?.click();
    const whole = placeOf(element);
    button(["Zoom in"]).click();
    found.push({
      zoomed: whole !== placeOf(element),
      places: placeOf(element),
      figure: layout && JSON.stringify({ data, layout: { ...layout, template: null } }, plain),
      svg: await (await fileOf(svg)).text(),
      csv: csv.hidden ? "" : await (await fileOf(csv)).text(),
      png: layout ? 0 : (await createImageBitmap(await fileOf(png))).width,
    });
  }
  URL.createObjectURL = original;
  HTMLAnchorElement.prototype.click = click;
  return found;
}"""
)
"""Zooms into all visible figures, and returns their files without saving them."""
NAMED = {
    "SVG": ["SVG", "Download plot as SVG"],
    "CSV": ["CSV", "Download data as CSV"],
    "PNG": ["PNG", "Download plot as a PNG"],
}
EMBED = """() => {
  const url = new URL(location.href);
  url.searchParams.set("embed", "1");
  history.replaceState(history.state, "", url);
}"""
"""Starts the embed mode."""
STEP = """button => {
  const root = button.parentElement;
  const forward = root.querySelector("[data-do=forward]");
  const slider = root.querySelector("input[type=range]");
  if (forward) forward.click();
  else {
    slider.value = String(Number(slider.value) + 1);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }
}"""
"""Changes the step or the angle that a component shows."""


def download(page, button):
    """The bytes of the file that a button downloads."""
    with page.expect_download() as waiting:
        button.click()  # browsers block many downloads that no click has started
    return waiting.value.path().read_bytes()


def check_svg(content):
    root = ElementTree.fromstring(content)
    assert root.tag == f"{SPACE}svg"
    assert root.find(f"{SPACE}title").text
    return "".join(root.itertext())


def check_data(content):
    rows = list(csv.reader(io.StringIO(content)))
    assert len(rows) > 1
    assert len({len(row) for row in rows}) == 1


def check_files(found):
    """Check the files of the plots and drawings of a page; return the number of figures."""
    figures = 0
    for one in found:
        assert one["zoomed"]
        check_svg(one["svg"])
        if one["figure"]:
            flaws = list_flaws_of_plot(go.Figure(json.loads(one["figure"]), skip_invalid=True))
        else:
            flaws = list_flaws_of_drawing(one["svg"])
            assert one["png"] > 100
        if flaws is not None:
            assert not flaws, (flaws, one["svg"][:300])
            check_data(one["csv"])
            figures += 1
    return figures


def check_shown(page):
    """Check all plots and drawings that the page shows, and that a rerun keeps their zoom."""
    at_rest(page)
    found = {kind: page.locator(kind).evaluate_all(FILES, NAMED) for kind in (PLOTS, DRAWINGS)}
    if any(found.values()):
        page.locator("body").press("r")  # runs the page's script again
        at_rest(page)
    expect_kept(page, found)
    return sum(map(check_files, found.values()))


def expect_kept(page, found):
    """Wait until all figures show the same part as when they were zoomed."""
    places = {kind: [one["places"] for one in own] for kind, own in found.items()}
    until(page, lambda: places == {k: page.locator(k).evaluate_all(PLACES) for k in places})


def check_dialog(page, button):
    """Check the figure that a component shows in a dialog, and that a step keeps its zoom."""
    menu = page.locator("dialog[open]")
    picture = menu.locator("svg[role=img]")
    button.evaluate("button => button.click()")
    (found,) = menu.evaluate_all(FILES, NAMED)
    assert found["zoomed"]
    assert re.search(r"\[[^\]]+\]", check_svg(found["svg"]))
    assert 'class="title"' in found["svg"]
    assert found["png"] > 100
    check_data(found["csv"])
    before = picture.evaluate("svg => svg.innerHTML")
    menu.locator(".close").click()
    button.evaluate(STEP)
    button.evaluate("button => button.click()")
    assert picture.get_attribute("viewBox") == found["places"]
    assert picture.evaluate("svg => svg.innerHTML") != before
    menu.locator(".close").click()


@pytest.mark.parametrize("name", PAGES)
def test_every_figure_has_a_title_units_a_legend_a_zoom_that_stays_and_files(
    serve, open_page, name
):
    """Runs shows tables only; the figures of a run on Iterations are tested below. In the end, the
    page shows only its first figure.
    """
    address = f"{serve(ROOT / 'app.py')}/{name}{SETTINGS.get(name, '')}"
    page = open_page(address, reduced_motion="reduce", height=1000)
    page.get_by_role("heading", level=1).wait_for()
    if name not in WITHOUT:
        page.locator(f"{PLOTS}, {DRAWINGS}, {DIALOGS}").first.wait_for()
    figures = check_shown(page)
    for button in page.locator(DIALOGS).all():
        check_dialog(page, button)
        figures += 1
    views = page.get_by_role("radiogroup", name="View", exact=True).get_by_role("radio")
    for view in views.all()[1:]:
        view.click()
        figures += check_shown(page)
    assert figures or name in WITHOUT
    if name not in ("runs", "quiz"):
        page.evaluate(EMBED)
        expect_embedded(page)


def test_every_figure_of_the_papers_has_a_title_units_a_legend_a_zoom_that_stays_and_files(
    serve, open_page
):
    page = open_page(serve(PAPERS), reduced_motion="reduce", height=1000)
    page.get_by_text("Combining these arrays").wait_for()
    assert check_shown(page) > 50


def test_every_plot_of_a_run_keeps_its_zoom_when_the_player_steps(ran):
    views = ran.get_by_role("radiogroup", name="View", exact=True).get_by_role("radio").all()
    figures = 0
    for at, view in enumerate(views):
        view.click()
        at_rest(ran)
        found = {kind: ran.locator(kind).evaluate_all(FILES, NAMED) for kind in (PLOTS, DRAWINGS)}
        ran.locator(".player").focus()
        press(ran, ("Home", "End")[at % 2])
        at_rest(ran)
        expect_kept(ran, found)
        figures += sum(map(check_files, found.values()))
    assert figures > 5


def test_a_click_on_the_buttons_of_a_plot_downloads_its_files(ran):
    plot = ran.locator(PLOTS).first
    plot.scroll_into_view_if_needed()
    plot.hover()
    picture = download(ran, plot.get_by_label("Download plot as a PNG"))
    assert Image.open(io.BytesIO(picture)).width > 100
    check_svg(download(ran, plot.get_by_label("Download plot as SVG")))
    check_data(download(ran, plot.get_by_label("Download data as CSV")).decode())


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
