"""A term of a formula and its part of the figure are highlighted together, by pointer or
keyboard.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.places import expect_accessible, place_of, until
from tests.browser.player_page import STATE, press

APP = Path(__file__).parents[2] / "app.py"
LIT = re.compile(r"\blit\b")
PICTURE = "canvas => canvas.toDataURL()"


@pytest.fixture
def iterations(serve, open_page):
    """The Iterations page with its example and a pinned pair."""
    page = open_page(f"{serve(APP)}/iterations?i=8&j=3", reduced_motion="reduce", height=1200)
    page.wait_for_function(f"{STATE}?.paints > 0 && {STATE}?.pinned")
    return page


def term(page, name):
    """The term with this name in the first formula."""
    return page.locator(f".formula .term[data-term='{name}']").first


def test_pointing_at_a_term_highlights_its_part_of_the_figure_and_changes_the_matrix(iterations):
    page = iterations
    matrix = page.locator("canvas.matrix").first
    place_of(matrix)
    before = matrix.evaluate(PICTURE)
    term(page, "W").hover()
    expect(page.locator(".box[data-term~='W']").first).to_have_class(LIT)
    until(page, lambda: matrix.evaluate(PICTURE) != before)


def test_pointing_at_the_figure_highlights_its_term(iterations):
    page = iterations
    gallery = page.locator("canvas.gallery").first
    place_of(gallery)
    gallery.hover(position={"x": 20, "y": 20})
    expect(term(page, "mean")).to_have_class(LIT)
    expect(term(page, "W")).not_to_have_class(LIT)
    page.locator("input.beta").first.hover()
    expect(term(page, "beta")).to_have_class(LIT)
    page.mouse.move(2, 2)
    expect(term(page, "beta")).not_to_have_class(LIT)


def test_keys_highlight_terms_just_as_the_pointer_does(iterations):
    page = iterations
    term(page, "W").focus()
    expect(page.locator(".box[data-term~='W']").first).to_have_class(LIT)
    press(page, "ArrowRight", "ArrowRight")
    expect(term(page, "beta")).to_be_focused()
    expect(page.locator(".turn[data-term='beta']").first).to_have_class(LIT)
    assert page.evaluate(f"{STATE}.position") == 0, "the formula receives the arrow keys"


def test_the_formula_contains_the_values_of_the_pair(iterations):
    formula = iterations.locator(".pair-weight").last.inner_text()
    beta, d2, total, weight = map(
        float,
        re.search(r"exp\(−([\d.]+)\s·\s([\d.]+)\)\s/\s([\d.]+)\s=\s([\d.]+)", formula).groups(),
    )
    shown = iterations.locator(".beta-value").last.inner_text()
    assert beta == float(shown)
    assert 2.718281828 ** (-beta * d2) / total == pytest.approx(weight, rel=0.05)


def test_a_symbol_in_the_glossary_shows_its_definition_and_highlights_its_part_of_the_figure(
    iterations,
):
    page = iterations
    word = page.get_by_role("img", name=re.compile("^β: β: the bandwidth"))
    word.focus()
    shown = word.evaluate("e => getComputedStyle(e, '::after').content")
    assert "a larger β is more selective" in shown
    expect(page.locator(".turn[data-term='beta']").first).to_have_class(LIT)


def test_on_the_manifolds_page_an_image_of_the_pair_highlights_its_term(serve, open_page):
    page = open_page(f"{serve(APP)}/manifolds?i=3&j=5", height=1000)
    tile = page.locator("figure[data-term='pose']")
    expect(tile).to_be_visible()
    place_of(tile)
    tile.hover()
    expect(page.locator(".term[data-term='pose']").first).to_have_class(LIT)
    page.locator(".term[data-term='sigma']").first.hover()
    expect(page.locator(".dial[data-term='sigma']")).to_have_class(LIT)


def test_a_term_in_the_formula_of_the_mean_highlights_its_images(serve, open_page):
    page = open_page(f"{serve(APP)}/mean", reduced_motion="reduce")
    formula = page.locator(".film .formula")
    expect(formula).to_contain_text("f = Σ")
    place_of(formula)
    formula.locator(".term[data-term='laid']").first.hover()
    expect(page.locator("figure[data-term='laid']")).to_have_class(LIT)
    expect(formula).to_contain_text("‖² = 0.524")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_formulas_have_no_serious_accessibility_violations(serve, open_page, scheme):
    page = open_page(f"{serve(APP)}/mean?i=4", reduced_motion="reduce", scheme=scheme)
    expect(page.locator(".film .formula")).to_contain_text("f = Σ")
    expect_accessible(page)
