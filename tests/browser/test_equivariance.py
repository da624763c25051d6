"""The Equivariance page in a browser: the maps follow the dial immediately."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.places import at_rest, expect_accessible, painted, place_of
from tests.browser.player_page import HOSTS

APP = Path(__file__).parents[2] / "app.py"
FIND = f"(name) => {HOSTS}.map(host => host.shadowRoot?.querySelector(name)).find(Boolean)"
STATE = f"({FIND})('.turning:not(.layers)')?.__turning?.state()"
TURN = f"""async (at) => {{
  const find = {FIND};
  const input = find(".track input"), views = [find(".turning:not(.layers)"), find(".layers")];
  const begun = performance.now();
  input.value = at;
  input.dispatchEvent(new Event("input", {{ bubbles: true }}));
  await new Promise(requestAnimationFrame);
  await new Promise((resolve) => setTimeout(resolve)); // after the paint of that frame
  const took = performance.now() - begun;
  if (views.some((view) => Number(view.dataset.at) !== at)) throw new Error("a view lags behind");
  return took;
}}"""


@pytest.fixture
def equivariance(serve, open_page):
    """Return a function that opens the page at an address and waits for its maps."""

    def open_(address="", **options):
        options = {"height": 1000, "reduced_motion": "reduce", **options}
        page = open_page(f"{serve(APP)}/equivariance{address}", **options)
        page.wait_for_function(f"{STATE}?.key")
        return page

    return open_


def verdicts(page):
    """The errors and verdicts beside the rows of maps."""
    rows = page.locator(".network")
    return [row.inner_text() for row in rows.all()]


def test_a_rotation_redraws_all_maps_in_the_next_frame(equivariance):
    page = equivariance("?turn=0")
    page.wait_for_function(f"({FIND})('.layers .map canvas')")
    for at in (5, 7, 40):
        page.evaluate(TURN, at)  # raises an error if a view still shows another angle


def test_only_the_attentive_network_is_exact_and_only_at_multiples_of_90_degrees(
    equivariance,
):
    page = equivariance("?turn=90")
    attentive, plain = verdicts(page)
    assert "·10⁻" in attentive
    assert "exact" in attentive
    assert "not exact" in plain
    page.evaluate(TURN, 40)
    attentive, _ = verdicts(page)
    assert "in between" in attentive
    assert "·10⁻" not in attentive
    expect(page).to_have_url(re.compile("turn=120"))


@pytest.mark.parametrize("address", ["?turn=0", "?turn=0&lesson=layers.4"])
def test_the_layer_and_channel_stay_selected_after_another_view_has_been_opened(
    equivariance, address
):
    page = equivariance(address)
    layer = page.get_by_role("group", name="Layer").get_by_role("button").nth(2)
    layer.click()
    channel = page.locator(".strip").first.get_by_role("button").nth(3)
    channel.click()
    for view in ("Stride and parity", "Layer by layer"):
        page.get_by_role("radio", name=view).click()
        at_rest(page)
    expect(layer).to_have_attribute("aria-pressed", "true")
    expect(channel).to_have_attribute("aria-pressed", "true")


def test_network_names_have_subscripts_and_the_labels_of_the_plot_are_outside_its_drawing(
    equivariance,
):
    page = equivariance()
    expect(page.locator(".name.line-0 sub")).to_have_text("F")
    expect(page.locator(".name.line-0")).to_have_text("αF-p4-CNN")
    assert not page.locator(".plot svg text").count()
    expect(page.locator(".axis")).to_contain_text("relative error [no unit], 0 to")


def test_the_image_rotates_automatically_until_it_is_paused(equivariance):
    page = equivariance(reduced_motion="no-preference")
    page.wait_for_function(f"{STATE}.playing")
    page.wait_for_function(f"{STATE}.at > 33")
    page.get_by_role("button", name="Pause the rotation").click()
    at = page.evaluate(f"{STATE}.at")
    painted(page)
    assert page.evaluate(f"{STATE}") | {"key": ""} == {"at": at, "playing": False, "key": ""}


def test_dragging_the_ring_and_pressing_keys_rotate_the_image(equivariance):
    page = equivariance("?turn=0")
    ring = page.locator(".ring")
    box = place_of(ring)
    middle, top = box["x"] + box["width"] / 2, box["y"] + 8
    page.mouse.move(middle, top)
    page.mouse.down()
    page.mouse.move(box["x"] + 8, box["y"] + box["height"] / 2, steps=4)
    page.mouse.up()
    assert page.evaluate(f"{STATE}.at") == 30, "a drag from the top to the left rotates by 90°"
    page.get_by_role("slider", name="Rotation of the picture", exact=True).press("ArrowRight")
    assert page.evaluate(f"{STATE}.at") == 31


def test_a_drawn_digit_or_an_uploaded_picture_becomes_the_image(equivariance):
    page = equivariance("?picture=draw&view=Answers")
    before = page.evaluate(f"{STATE}.key")
    pad = page.get_by_role("img", name="Pad to draw a digit on")
    expect(pad).to_be_visible()
    pad.scroll_into_view_if_needed()
    box = place_of(pad)
    page.mouse.move(box["x"] + 80, box["y"] + 25)
    page.mouse.down()
    page.mouse.move(box["x"] + 85, box["y"] + 140, steps=5)
    page.mouse.up()
    page.wait_for_function(f"{STATE}.key !== {before!r}")
    assert "drawn" in page.evaluate(f"{STATE}.key")
    page.get_by_role("button", name="Clear").click()
    page.wait_for_function(f"{STATE}.key === {before!r}")
    page.get_by_text("upload", exact=True).click()
    icon = APP.parent / "assets" / "drawings.png"
    page.locator("input[type=file]").set_input_files(icon)
    page.wait_for_function(f"{STATE}.key.includes('uploaded')")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_has_no_serious_accessibility_violations(equivariance, scheme):
    page = equivariance(scheme=scheme)
    page.wait_for_function(f"({FIND})('.layers .map canvas')")
    expect_accessible(page)


OUTSIDE = """main => [
  ...main.querySelectorAll(".katex-html, [data-testid=stBidiComponentIsolated]")]
  .flatMap(place => place.shadowRoot ? [...place.shadowRoot.querySelectorAll("*")] : [place])
  .filter(part => part.getBoundingClientRect().right > main.clientWidth - 8 ||
    (part.matches(".katex-html") && part.scrollWidth > part.clientWidth + 1))
  .map(part => part.outerHTML.slice(0, 80))"""


def test_nothing_is_wider_than_the_screen_of_a_phone(equivariance):
    page = equivariance(width=390, height=844)
    expect(page.locator(".layers canvas").first).to_be_attached()
    expect(page.locator(".katex-html").first).to_be_attached()
    assert page.get_by_test_id("stMain").evaluate(OUTSIDE) == []
