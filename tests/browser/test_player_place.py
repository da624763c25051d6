"""The player within a page: reruns, themes, tabs, widths, and hiding and showing it."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.places import at_rest, until
from tests.browser.player_page import (
    STATE,
    choose_poses,
    expect_python,
    pixel,
    press,
    run_again,
    set_beta,
    state,
)


def test_a_rerun_keeps_position_beta_and_selection(player):
    page = player()
    page.locator("canvas.matrix").first.click(position={"x": 60, "y": 90})
    page.locator(".player").focus()
    press(page, "ArrowRight", "ArrowRight")
    set_beta(page, 300)
    page.locator("select.order").select_option("by class")
    choose_poses(page, "common")
    expect_python(page, "step=2")
    before = state(page)
    run_again(page)
    after = state(page)
    kept = ("clock", "betas", "pinned", "order", "poses", "swing")
    assert [after[name] for name in kept] == [before[name] for name in kept]


def test_the_player_stays_at_its_step_when_another_run_replaces_the_run(player):
    page = player()
    page.locator(".player").focus()
    press(page, "ArrowRight", "ArrowRight")
    expect_python(page, "step=2")
    page.get_by_role("button", name="Replace the run").click()
    page.wait_for_function(f"{STATE}.given.runs[0].startsWith('run1.')")
    at_rest(page)
    expect_python(
        page, "step=2"
    )  # the step is sent again, although the new header starts at step 0
    assert state(page)["step"] == 2


def test_a_new_theme_repaints_the_matrix(player):
    page = player("case=one")
    light = pixel(page, "canvas.matrix", 0.99, 0.05)
    page.emulate_media(color_scheme="dark")
    assert sum(light[:3]) > 500
    until(page, lambda: sum(pixel(page, "canvas.matrix", 0.99, 0.05)[:3]) < 300)


def test_a_player_in_a_hidden_tab_is_painted_when_the_tab_is_opened(player):
    page = player("case=tab", ready=False)
    page.wait_for_function(f"{STATE}?.last == 5")
    page.get_by_role("tab", name="Second").click()
    until(page, lambda: pixel(page, "canvas.matrix", 0.99, 0.05)[3] == 255)


def test_a_removed_player_releases_its_frames(player):
    page = player()
    page.get_by_text("Show the player").click()
    page.wait_for_function("__ia.frames.size == 0 && __ia.listeners.size == 0")


def test_a_player_that_is_hidden_and_shown_again_continues_at_its_step(player):
    page = player()
    page.locator(".player").focus()
    press(page, "End")
    page.get_by_text("Show the player").click()
    page.wait_for_function("__ia.frames.size == 0")
    page.get_by_text("Show the player").click()
    page.wait_for_function(f"{STATE}?.last == 5")
    assert state(page)["step"] == 5


@pytest.mark.parametrize("width", [1280, 620])
def test_nothing_is_wider_than_the_page(player, width):
    page = player("case=two", width=width)
    inside = page.locator(".player").evaluate("e => e.scrollWidth <= e.clientWidth")
    tops = page.locator(".run").evaluate_all("es => es.map(e => e.getBoundingClientRect().top)")
    assert inside
    assert (tops[0] == tops[1]) == (width == 1280)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_player_has_no_serious_accessibility_violations(player, scheme):
    page = player("case=two", scheme=scheme)
    page.locator("canvas.matrix").first.click(position={"x": 60, "y": 90})
    results = Axe().run(page, context={"include": [["[data-testid=stBidiComponentIsolated]"]]})
    grave = [v for v in results.response["violations"] if v["impact"] in ("serious", "critical")]
    assert not [(n["target"], n["any"][0]["message"]) for v in grave for n in v["nodes"]]
