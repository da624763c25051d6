"""All views share one selection, which can be made in any view and is kept in the address."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.places import at_rest, place_of
from tests.browser.player_page import STATE, click_cell, press, state, wait_for_player

APP = Path(__file__).parents[2] / "app.py"
FILMS = "[...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]"
FILM = f"{FILMS}.map(host => host.shadowRoot?.querySelector('.film')).find(Boolean)?.__film.state()"
ORANGE = "#ff9426"
PINNED = f"JSON.stringify({STATE}?.pinned)"
SAID = {"Merge tree": "Each marker is an image", "Plane": "The plane contains"}
WATCH_ADDRESS = """() => {
  window.__written = [];
  for (const name of ["replaceState", "pushState"]) {
    const write = history[name].bind(history);
    history[name] = (...all) => {
      window.__written.push(String(all[2]));
      write(...all);
    };
  }
}"""


@pytest.fixture
def visit(serve, open_page):
    """Return a function that opens a page of the app in a separate browser."""

    def open_(path, **options):
        page = open_page(f"{serve(APP)}/{path}", reduced_motion="reduce", **options)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        return page

    return open_


def expect_pair(page, i, j):
    """Check the pinned pair in the player and in the address, where images are numbered from 1."""
    page.wait_for_function(f"{PINNED} === '[{i},{j}]'")
    page.wait_for_url(re.compile(rf"[?&]i={i + 1}(&|$)"))
    if i != j:
        page.wait_for_url(re.compile(rf"[?&]j={j + 1}(&|$)"))


def choose(page, view):
    page.get_by_role("radio", name=view, exact=True).click()


def rest(page):
    """Wait until the server has finished responding."""
    expect(page.get_by_test_id("stStatusWidget")).to_have_count(0)


def framed(page):
    """The markers of a plot that are framed in orange: those of image i."""
    return page.locator(".js-plotly-plot path.point[style*='stroke: rgb(255, 148, 38)']")


def unpin(page):
    """Press Escape in the player and wait until no pair is pinned."""
    page.locator(".player").focus()
    press(page, "Escape")
    page.wait_for_function("!location.search.includes('i=')")
    page.wait_for_function(f"!{STATE}?.pinned")


def test_a_pair_pinned_in_the_player_is_marked_in_every_view_until_escape(ran):
    click_cell(ran, 7, 2)
    expect_pair(ran, 7, 2)
    expect(ran.get_by_text("invariant, the pair")).to_be_visible()
    for view in ("Merge tree", "Plane"):
        choose(ran, view)
        expect(framed(ran)).to_have_count(2)  # one for each method
    choose(ran, "Weights, first and last")
    drawing = ran.get_by_role("img", name=re.compile("First and last W"))
    marks = drawing.locator(f"rect[stroke='{ORANGE}']")
    expect(marks).to_have_count(4)
    unpin(ran)
    expect(ran.get_by_text("invariant, the pair")).to_have_count(0)
    expect(marks).to_have_count(0)
    click_cell(ran, 7, 2)
    expect_pair(ran, 7, 2)


def test_images_selected_in_a_plot_and_pairs_selected_in_the_weights_are_pinned_in_the_player(
    ran,
):
    for view in ("Merge tree", "Plane"):
        choose(ran, view)
        expect(ran.get_by_text(SAID[view])).to_be_visible()
        at_rest(ran)
        ran.locator(".js-plotly-plot path.point").nth(4).click(force=True)
        ran.wait_for_url(re.compile(r"[?&]i=\d"))
        ran.wait_for_function(f"{STATE}?.pinned && {STATE}?.pinned?.[0] === {STATE}?.pinned?.[1]")
        expect(framed(ran)).to_have_count(2)
        unpin(ran)
        expect(framed(ran)).to_have_count(0)
    choose(ran, "Weights, first and last")
    cells = ran.locator(".read[data-pick]").first
    expect(cells).to_be_visible()
    cells.scroll_into_view_if_needed()
    side = place_of(cells)["width"] / 18
    cells.click(position={"x": 4.5 * side, "y": 2.5 * side})
    expect_pair(ran, 2, 4)


def test_another_browser_shows_the_same_step_and_the_same_pair(ran, visit):
    click_cell(ran, 7, 2)
    expect_pair(ran, 7, 2)
    ran.locator(".player").focus()
    press(ran, "Home", "ArrowRight")
    ran.wait_for_url(re.compile(r"[?&]step=1(&|$)"))
    other = visit(ran.url.split("/", 3)[3])
    wait_for_player(other, 2)
    other.wait_for_function(f"{STATE}?.position === 1")
    expect_pair(other, 7, 2)
    assert not state(other)["clock"]["playing"]


def test_scrubbing_writes_only_the_last_step_to_the_address_and_a_table_row_selects_its_step(ran):
    ran.evaluate(WATCH_ADDRESS)
    slider = ran.locator("input.position")
    for value in (0.2, 0.7, 1.1, 1.6, 2):
        slider.evaluate(
            "(e, v) => { e.value = v; e.dispatchEvent(new Event('input', { bubbles: true })); }",
            value,
        )
    ran.wait_for_url(re.compile(r"[?&]step=2(&|$)"))
    steps = [re.search(r"step=(\d+)", written) for written in ran.evaluate("window.__written")]
    assert {found[1] for found in steps if found} == {"2"}
    at_rest(ran)
    table = ran.locator("[class*='st-key-numbers'] [data-testid=stDataFrame]")
    table.scroll_into_view_if_needed()
    box = place_of(table)
    ran.mouse.click(box["x"] + 12, box["y"] + 35 * 2 + 18)  # the second row shows iteration 1
    ran.wait_for_function(f"{STATE}?.position === 1")
    ran.wait_for_url(re.compile(r"[?&]step=1(&|$)"))


def test_a_selection_is_kept_on_other_pages(ran):
    click_cell(ran, 7, 2)
    expect_pair(ran, 7, 2)
    links = ran.get_by_test_id("stSidebarNav")
    links.get_by_role("link", name="Manifolds").click()
    expect(ran.get_by_text(re.compile("^Move v.: 8,"))).to_be_visible()
    expect(ran.get_by_text(re.compile("^onto v.: 3,"))).to_be_visible()
    links.get_by_role("link", name="Data").click()
    expect(ran.get_by_text("image 8, seven 2")).to_be_visible()
    frames = ran.get_by_role("img", name=re.compile("^A gallery of")).locator("rect[fill=none]")
    expect(frames).to_have_count(2)
    links.get_by_role("link", name="Iterations").click()
    wait_for_player(ran)
    expect_pair(ran, 7, 2)


def test_a_bar_in_the_row_of_weights_on_the_manifolds_page_selects_its_image(visit):
    page = visit("manifolds?i=1&j=2", height=1000)
    bars = page.get_by_role("img", name=re.compile("^Row i of W")).first.locator(".read")
    expect(bars).to_be_visible()
    bars.scroll_into_view_if_needed()
    wide = place_of(bars)["width"] / 18
    bars.click(position={"x": 8.5 * wide, "y": 60})
    expect(page.get_by_text(re.compile("^onto v.: 9,"))).to_be_visible()
    page.wait_for_url(re.compile(r"[?&]j=9(&|$)"))
    book = page.get_by_role("button", name=re.compile("^9: "))
    expect(book.last).to_have_attribute("aria-pressed", "true")


def test_a_click_selects_an_image_of_the_gallery_and_a_button_deselects_it(visit):
    page = visit("data?data=experiment-1")
    gallery = page.get_by_role("img", name=re.compile("^A gallery of 18"))
    cells = gallery.locator(".read")
    expect(cells).to_be_visible()
    box = place_of(cells)
    cells.click(position={"x": 2.5 * box["width"] / 6, "y": 1.5 * box["height"] / 3})
    expect(page.get_by_text("image 9, seven 3")).to_be_visible()
    page.wait_for_url(re.compile(r"[?&]i=9(&|$)"))
    page.get_by_role("button", name="Deselect").click()
    expect(page.get_by_text("image 9, seven 3")).to_have_count(0)


def test_the_animation_of_a_mean_marks_the_selected_image_and_can_select_another(visit):
    page = visit("mean?i=4")
    page.wait_for_function(f"JSON.stringify({FILM}?.pair) === '[3,3]'")
    expect(page.locator(".end.own")).to_have_count(2)
    page.locator(".end[data-i='6'] circle").first.dispatch_event("click")
    page.wait_for_url(re.compile(r"[?&]i=7(&|$)"))
    expect(page.locator("canvas.given")).to_have_attribute("aria-label", re.compile("image 7"))
    page.locator("canvas.laid").focus()
    press(page, "ArrowRight")
    page.wait_for_url(re.compile(r"[?&]i=8(&|$)"))


def test_the_iteration_of_a_mean_is_in_its_address(visit):
    page = visit("mean")
    page.wait_for_function(f"{FILM}?.last >= 50")
    page.locator(".film").focus()
    press(page, "Home", "ArrowRight", "ArrowRight")
    page.wait_for_url(re.compile(r"[?&]step=2(&|$)"))
    other = visit(page.url.split("/", 3)[3])
    other.wait_for_function(f"{FILM}?.at === 2")


def test_a_method_is_marked_in_the_table_the_plot_and_the_centres(visit):
    page = visit("compare")
    page.get_by_role("button", name="Invariant attention, SE(2), ARI 1.00").click()
    page.wait_for_url(re.compile(r"[?&]marked=ia-se2(&|$)"))
    marked = page.get_by_role("gridcell", name="●", include_hidden=True)
    expect(marked).to_have_count(1)
    plots = page.locator(".js-plotly-plot")
    expect(plots).to_have_count(2)
    for plot in plots.all():
        expect(plot.locator(".trace.scatter[style*='opacity: 0.3']")).to_have_count(13)
    table = page.get_by_test_id("stDataFrame").first
    table.scroll_into_view_if_needed()
    rest(page)
    box = place_of(table)
    page.mouse.click(box["x"] + 12, box["y"] + 35 + 18)  # the first row shows K-means
    page.wait_for_url(re.compile(r"[?&]marked=kmeans(&|$)"))


def test_all_views_of_a_clustering_share_the_selected_prototype_and_image(visit):
    page = visit("clustering?budget=2&modules=affine&k=4")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_text("Done: ").first).to_be_visible()
    page.get_by_role("button", name=re.compile("^Prototype 3,")).click()
    page.wait_for_url(re.compile(r"[?&]cluster=3(&|$)"))
    expect(page.get_by_text("Prototype 3 transformed to fit")).to_be_visible()
    page.get_by_role("button", name=re.compile("click for all alignments")).nth(2).click()
    page.wait_for_url(re.compile(r"[?&]i=\d+(&|$)"))
    image = re.search(r"[?&]i=(\d+)", page.url)[1]
    expect(page.get_by_role("heading", name=f"Image {image} ")).to_be_visible()
    choose(page, "Outliers")
    expect(page.get_by_role("heading", name=f"Image {image} ")).to_be_visible()


def test_changing_beta_half_way_shows_the_trajectories_before_and_after_side_by_side(
    open_page, address_of_run
):
    page = open_page(f"{address_of_run}&recompute=false", reduced_motion="reduce")
    wait_for_player(page, 2)
    page.locator(".player").focus()
    press(page, "Home", "ArrowRight")
    button = page.get_by_role("button", name="Run from here, iteration 1")
    button.wait_for()
    page.get_by_role("slider", name="Bandwidth").first.focus()
    press(page, *["ArrowLeft"] * 6)
    expect(page.get_by_text("The settings above have changed since this run")).to_be_visible()
    at_rest(page)
    button.click()
    other = page.get_by_role("heading", name="Invariant attention: the other run")
    expect(other).to_be_visible()
    wait_for_player(page, 3)
    new, old = (
        page.evaluate(
            f"""[0, 1, 2].map(k => {{
              const all = [...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')];
              const player = all.map(h => h.shadowRoot?.querySelector('.player')).find(Boolean);
              return [...player.__player.distances({lane}, k)];
            }})"""
        )
        for lane in (0, 1)
    )
    assert new[:2] == old[:2], "both trajectories must be equal up to the change of β"
    assert new[2] != old[2], "the trajectories must differ after the change of β"
