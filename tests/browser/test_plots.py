"""Plots in the browser: their legends, and their view, which reruns keep."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from ia_engine.attention.clusters.embedding import embed_steps
from ia_engine.attention.clusters.measures import measure, to_numbers
from ia_engine.attention.iteration import AttentionConfig, iterate
from ia_engine.datasets.experiments import BlobsConfig, make_blobs
from ia_engine.figures.plots import plot_embedding, plot_tree
from tests.browser.places import at_rest, place_of
from tests.browser.player_page import click_cell

APP = Path(__file__).parents[2] / "app.py"
CLASSES = ("T-shirt", "Trousers", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Trainer", "Bag")
CLASSES += ("Ankle boot",)
BOXES = """selector => [...document.querySelectorAll(selector)]
  .map(element => element.getBoundingClientRect()).map(box => [box.top, box.bottom])"""


@pytest.fixture(params=["tree", "plane"])
def figure(request):
    """Plots of both methods with ten classes."""
    data = make_blobs(BlobsConfig(blobs=10, points=2))
    config = AttentionConfig(method="ka", beta=2.0, steps=2)
    labels, names = data.labels.tolist(), [str(point) for point in range(20)]
    steps = list(measure(iterate(config, data.points), data.labels))
    if request.param == "tree":
        numbers = [to_numbers(measured) for measured in steps]
        return plot_tree({"ia": numbers, "ka": numbers}, labels, names, CLASSES)
    planes = list(embed_steps(measured.step.d2 for measured in steps))
    return plot_embedding(
        {"ia": planes, "ka": planes}, {"ia": labels, "ka": labels}, names, CLASSES
    )


@pytest.mark.parametrize("width", [340, 700])
def test_the_legend_of_many_classes_and_the_title_overlap_nothing(open_page, figure, width):
    page = open_page("about:blank", width=width)
    page.set_content(figure.to_html(include_plotlyjs=True, config={"responsive": True}))
    page.locator(".legend .traces").nth(9).wait_for(state="attached")
    parts = page.evaluate(BOXES, ".annotation-text")
    assert len(parts) == 2
    (title,) = page.evaluate(BOXES, ".gtitle")
    assert title[0] >= 0
    assert title[1] <= min(part[0] for part in parts)
    rows = page.evaluate(BOXES, ".legend .legendtext")
    above = page.evaluate(BOXES, ".xtitle, .slider-label, .updatemenu-button")
    assert max(part[1] for part in above) <= min(row[0] for row in rows)


LAYOUT = "document.querySelector('.js-plotly-plot')?._fullLayout"
LAST = "[...document.querySelectorAll('.js-plotly-plot')].at(-1)?._fullLayout"


def ranges_of(layout):
    return f"JSON.stringify([{layout}?.xaxis?.range, {layout}?.yaxis?.range])"


RANGES = ranges_of(LAYOUT)
PAIRS = "path.point[style*='stroke: rgb(255, 148, 38)']"


def pan(page, layout=LAYOUT):
    """Move the axes of a plot, the first or the last, with the mouse; return their ranges before
    and after."""
    ranges = ranges_of(layout)
    before = page.evaluate(ranges)
    areas = page.locator(".js-plotly-plot .nsewdrag")
    area = areas.first if layout == LAYOUT else areas.last
    area.scroll_into_view_if_needed()
    box = place_of(area)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 30, y + 20, steps=3)
    page.mouse.up()
    page.wait_for_function(f"{ranges} !== '{before}'")
    return before, page.evaluate(ranges)


def wait_for_plot(page, name, layout=LAYOUT):
    page.wait_for_function(f"{layout}?.uirevision?.startsWith('{name} ')")
    at_rest(page)


def test_a_plot_keeps_its_view_until_a_different_result_is_shown(serve, open_page):
    page = open_page(f"{serve(APP)}/compare", reduced_motion="reduce", height=1200)
    expect(page.locator(".js-plotly-plot")).to_have_count(2)
    sweep, ranges = page.locator(".js-plotly-plot").last, ranges_of(LAST)
    expect(sweep.locator(".trace.scatter")).to_have_count(14)
    wait_for_plot(page, "sweep", LAST)
    first, moved = pan(page, LAST)
    sweep.locator(".legendtoggle").first.click()
    expect(sweep.locator(".trace.scatter")).to_have_count(13)
    page.get_by_role("button", name="Invariant attention, SE(2), ARI 1.00").click()
    faint = sweep.locator(".trace.scatter[style*='opacity: 0.3']")
    expect(faint).to_have_count(12)  # one method is marked and one is hidden
    page.wait_for_function(f"{ranges} === '{moved}'")
    page.get_by_role("radio", name="NMI", exact=True).click()
    expect(sweep.locator(".ytitle")).to_have_text(["NMI [no unit]"])
    page.wait_for_function(f"{ranges} === '{first}'")


def test_the_view_of_a_plot_does_not_change_when_a_pair_is_marked(ran):
    lines = ".js-plotly-plot .trace.scatter"
    for view, name, marks in (("Distances", "distances", lines), ("Merge tree", "tree", PAIRS)):
        ran.get_by_role("radio", name=view, exact=True).click()
        wait_for_plot(ran, name)
        count = ran.locator(marks).count()
        _, moved = pan(ran)
        click_cell(ran, 7, 2)
        expect(ran.locator(marks)).to_have_count(count + 2)
        ran.wait_for_function(f"{RANGES} === '{moved}'")
        click_cell(ran, 7, 2)
        expect(ran.locator(marks)).to_have_count(count)
        ran.wait_for_function(f"{RANGES} === '{moved}'")


def test_an_animated_plot_stays_at_its_step_when_an_image_is_selected(ran):
    ran.get_by_role("radio", name="Plane", exact=True).click()
    stops = ran.locator(".js-plotly-plot .slider-rail-touch-rect")
    wait_for_plot(ran, "plane")
    stops.scroll_into_view_if_needed()
    box = place_of(stops)
    ran.mouse.click(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    now = f"{LAYOUT}?.sliders?.[0].active"
    ran.wait_for_function(f"{now} === 2")
    click_cell(ran, 7, 2)
    expect(ran.locator(PAIRS)).to_have_count(2)  # image i is marked in both planes
    ran.wait_for_function(f"{now} === 2")
