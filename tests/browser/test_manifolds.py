"""The Manifolds page in a browser: a click selects a pair, and the landscape follows σ during a
drag.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.places import expect_accessible, place_of

APP = Path(__file__).parents[2] / "app.py"
DRAWINGS = "[...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]"
CURVE = f"""{DRAWINGS}.map(host => host.shadowRoot?.querySelector('.drawing svg'))
    .find(svg => svg?.getAttribute('aria-label').startsWith('Squared distance'))"""
SET_SIGMA = """async (value) => {
  const find = () => CURVE;
  const input = DIALS.find(Boolean);
  const before = find().outerHTML;
  const begun = performance.now();
  input.value = value;
  input.dispatchEvent(new Event("input", { bubbles: true }));
  return await new Promise((resolve) => {
    const look = () => {
      if (find()?.outerHTML === before) return requestAnimationFrame(look);
      requestAnimationFrame(() => resolve(performance.now() - begun));
    };
    requestAnimationFrame(look);
  });
}""".replace("CURVE", CURVE).replace(
    "DIALS", f"{DRAWINGS}.map(host => host.shadowRoot?.querySelector('input[type=range]'))"
)


@pytest.fixture
def manifolds(serve, open_page):
    """Return a function that opens the page at an address and waits for its last panel."""

    def open_(address="", scheme="light"):
        page = open_page(f"{serve(APP)}/manifolds{address}", height=1000, scheme=scheme)
        example = page.get_by_role("img", name=re.compile("^Distances d between 3"))
        expect(example).to_be_visible()
        return page

    return open_


def test_smoothing_leads_the_descent_out_of_a_wrong_basin(manifolds):
    page = manifolds()
    expect(page.get_by_text("a wrong basin")).to_be_visible()
    page.evaluate(SET_SIGMA, 2)
    expect(page.get_by_text("the deepest basin")).to_be_visible()
    expect(page).to_have_url(re.compile("sigma=2"))


def test_the_landscape_follows_sigma_while_the_slider_moves(manifolds):
    page = manifolds()
    for sigma in (4, 0.5, 2.5):
        page.evaluate(SET_SIGMA, sigma)  # returns when another landscape has been drawn


def test_a_click_selects_the_pair_and_the_address_restores_it_in_another_browser(manifolds):
    page = manifolds("?sigma=1.5&schedule=annealed")
    page.get_by_role("button", name=re.compile("^7: ")).first.click()
    expect(page.get_by_text(re.compile("^Move v.: 7,"))).to_be_visible()
    page.get_by_role("button", name=re.compile("^9: ")).last.click()
    expect(page.get_by_text(re.compile("^onto v.: 9,"))).to_be_visible()
    for part in ("i=7", "j=9", "sigma=1.5", "schedule=annealed"):
        expect(page).to_have_url(re.compile(re.escape(part)))
    other = manifolds("?" + page.url.partition("?")[2])
    expect(other.get_by_text(re.compile("^Move v.: 7,"))).to_be_visible()
    expect(other.get_by_role("slider", name=re.compile("σ"))).to_have_value("1.5")


def test_a_cell_names_its_pair_and_a_click_selects_it(manifolds):
    page = manifolds("?i=1&j=2")
    cells = page.locator(".read[data-pick]").first
    cells.scroll_into_view_if_needed()
    side = place_of(cells)["width"] / 18
    cells.hover(position={"x": 4.5 * side, "y": 2.5 * side})
    expect(page.get_by_text(re.compile("^i = 3, j = 5: d = 0"))).to_be_visible()
    cells.click(position={"x": 4.5 * side, "y": 2.5 * side})
    expect(page.get_by_text(re.compile("^Move v.: 3,"))).to_be_visible()
    expect(page).to_have_url(re.compile("i=3.*j=5"))


def test_a_rotation_changes_the_weights_of_kernel_attention_more_than_the_invariant_ones(manifolds):
    page = manifolds()
    page.get_by_role("slider", name=re.compile("^Rotation of")).evaluate(
        "e => { e.value = 90; e.dispatchEvent(new Event('input', { bubbles: true })) }"
    )
    rows = page.get_by_role("img", name=re.compile("^Row i of W"))
    expect(rows.nth(1)).not_to_have_attribute("aria-label", re.compile(" 100 %"))
    kept = [int(re.search(r"(\d+) %", row.get_attribute("aria-label"))[1]) for row in rows.all()]
    assert kept[0] > 90
    assert kept[1] < 80


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_has_no_serious_accessibility_violations(manifolds, scheme):
    expect_accessible(manifolds(scheme=scheme))
