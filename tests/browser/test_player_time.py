"""The player over time: its keys, playing, and waiting for steps."""

import re

from playwright.sync_api import expect

from tests.browser.player_page import STATE, expect_python, press, set_beta, state, wait_for_player


def test_space_arrows_home_and_end_control_the_player_while_it_has_the_focus(player):
    page = player()
    page.locator(".player").focus()
    press(page, "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft")
    assert state(page)["step"] == 2
    press(page, "End")
    assert state(page)["step"] == 5
    press(page, "Home")
    assert state(page)["step"] == 0
    press(page, " ")
    assert state(page)["clock"]["playing"]
    press(page, " ")
    assert not state(page)["clock"]["playing"]


def test_without_loop_playing_stops_at_the_last_step(player):
    page = player("case=one&steps=3")
    page.get_by_role("button", name="Loop").click()
    page.locator("select.speed").select_option("4")
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(f"{STATE}?.step == 2 && !{STATE}?.clock.playing")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_python_is_notified_when_playing_starts_and_at_which_step_it_stops(player):
    page = player("case=one&steps=3&minds=1")
    expect_python(page, "step=0")
    page.get_by_role("button", name="Loop").click()
    page.locator("select.speed").select_option("2")
    page.get_by_role("button", name="Play").click()
    expect_python(page, "step=plays")
    page.wait_for_function(f"!{STATE}?.clock.playing")
    expect_python(page, "step=2")
    page.locator("select.speed").select_option(
        "0.25"
    )  # slow enough that it plays until it is paused
    page.get_by_role("button", name="Play").click()
    expect_python(page, "step=plays")
    page.get_by_role("button", name="Pause").click()
    expect_python(page, f"step={state(page)['step']}")
    expect_python(player("case=one&autoplay=1&minds=1"), "step=plays")


def test_the_player_starts_automatically_unless_motion_is_reduced(player):
    assert state(player("case=two&autoplay=1"))["clock"]["playing"]
    page = player("case=two&autoplay=0")
    page.emulate_media(reduced_motion="reduce")
    page.goto(page.url.replace("autoplay=0", "autoplay=1"))
    wait_for_player(page)
    assert not state(page)["clock"]["playing"]


def test_the_player_of_a_run_in_progress_receives_new_steps_and_shows_the_progress(player):
    page = player("case=running")
    expect(page.locator(".status").first).to_have_text("running, iteration 2 of 5")
    page.locator(".player").focus()
    press(page, "End")
    assert state(page)["step"] == 2
    page.get_by_role("button", name="One more step").click()
    expect(page.locator(".status").first).to_have_text("running, iteration 3 of 5")
    assert (state(page)["step"], state(page)["last"]) == (2, 3)
    expect(page.locator("input.position")).to_have_attribute("max", "3")


def test_at_the_last_received_step_playing_waits_for_the_next_one(player):
    page = player("case=running")
    page.locator("select.speed").select_option("4")
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(f"{STATE}?.step == 2")
    page.wait_for_function(f"paints => {STATE}.paints > paints + 20", arg=state(page)["paints"])
    assert state(page)["clock"]["playing"]
    page.get_by_role("button", name="One more step").click()
    page.wait_for_function(f"{STATE}?.step == 3")


def test_a_player_without_steps_reports_that_it_is_waiting(player):
    page = player("case=empty", ready=False)
    expect(page.locator(".wait-text")).to_have_text("Waiting for the first weights")
    expect(page.get_by_role("button", name="Play")).to_be_disabled()


def test_space_controls_the_player_unless_the_focused_element_uses_it(player):
    page = player()
    press(page, " ")
    page.wait_for_function(f"{STATE}?.clock.playing")
    page.get_by_role("heading", name="Attention, iterated").click()
    press(page, " ")
    assert not state(page)["clock"]["playing"]
    page.get_by_role("checkbox", name="Show the player").focus()
    press(page, " ")
    expect(page.locator(".player")).to_have_count(0)


def test_means_are_shown_before_their_weights_are_known(player):
    page = player("case=pending")
    press(page, " ")
    page.wait_for_function(f"{STATE}?.step == 3")
    expect(page.locator(".matrix-caption").first).to_have_text(
        re.compile("W: not available until the means have been compared")
    )
    expect(page.locator(".status").first).to_have_text("running, iteration 2 of 5")
    page.get_by_role("button", name="One more step").click()
    expect(page.locator(".matrix-caption").first).to_have_text(re.compile("row, image i"))


HOLD_TIMERS = """() => {
  window.__setTimeout = window.setTimeout;
  window.setTimeout = (act, delay, ...rest) =>
    window.__setTimeout(act, delay === 400 || delay === 700 ? 1e9 : delay, ...rest);
}"""


def test_a_beta_and_a_step_that_have_not_been_sent_yet_are_sent_when_the_player_is_shown_again(
    player,
):
    page = player()
    show = page.get_by_text("Show the player")
    page.evaluate(HOLD_TIMERS)
    for value in (300, 600):
        set_beta(page, value)
        page.locator("input.beta").first.dispatch_event("change")
    page.locator(".player").focus()
    press(page, "ArrowRight", "ArrowRight")
    beta = state(page)["betas"][0]
    show.click()
    expect(page.locator(".player")).to_have_count(0)
    page.evaluate("() => { window.setTimeout = window.__setTimeout; }")
    show.click()
    expect_python(page, f"betas={beta:g}")
    expect_python(page, "step=2")
    assert state(page)["betas"][0] == beta
