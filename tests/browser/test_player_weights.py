"""The weights in the player: how they follow β, and their text alternatives."""

import math
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from ia_engine.figures.player import PlayerHeader
from tests.browser.places import painted
from tests.browser.player_page import PLAYER, STATE, expect_python, pixel, press, set_beta, state


def test_weights_in_the_browser_agree_with_a_softmax_in_numpy(player):
    page = player("case=one&n=18")
    set_beta(page, 700)
    (beta,) = state(page)["betas"]
    d2, weights = page.evaluate(
        f"[[...__ia.frames.values().next().value.get(2).d2], [...{PLAYER}.weights(0, 2)]]"
    )
    logits = -beta * np.array(d2).reshape(18, 18)
    expected = np.exp(logits) / np.exp(logits).sum(0)
    np.testing.assert_allclose(np.array(weights).reshape(18, 18), expected, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize(
    ("kernel", "profile"),
    [("cauchy", lambda u: 1 / (1 + u)), ("epanechnikov", lambda u: np.maximum(0, 1 - u))],
)
def test_weights_by_other_kernels_follow_beta(player, kernel, profile):
    page = player(f"case=one&n=18&kernel={kernel}")
    for value in (700, 300):
        set_beta(page, value)
        (beta,) = state(page)["betas"]
        d2, weights = page.evaluate(
            f"[[...__ia.frames.values().next().value.get(2).d2], [...{PLAYER}.weights(0, 2)]]"
        )
        kappa = profile(beta * np.array(d2).reshape(18, 18))
        found = np.array(weights).reshape(18, 18)
        np.testing.assert_allclose(found, kappa / kappa.sum(0), atol=1e-4)
    expect(page.get_by_text(re.compile("κ\\("))).not_to_have_count(0)


def test_the_slider_of_beta_changes_weights_at_once_and_notifies_python_on_release(player):
    page = player("case=one")
    before = pixel(page, "canvas.matrix", 0.55, 0.08)
    page.locator("input.beta").focus()
    press(page, *["PageDown"] * 4)
    (beta,) = state(page)["betas"]
    assert beta < 10
    painted(page)
    assert pixel(page, "canvas.matrix", 0.55, 0.08) != before
    expect_python(page, f"betas={beta:g} ")


def test_the_slider_of_beta_shows_its_value(player):
    page = player()
    low, high = PlayerHeader().beta_range
    found = page.locator("input.beta").evaluate_all("(all) => all.map((one) => Number(one.value))")
    logs = [math.log(beta / low) / math.log(high / low) for beta in state(page)["betas"]]
    assert found == pytest.approx([1000 * log for log in logs], abs=1)


def test_each_run_has_its_own_beta(player):
    page = player()
    assert state(page)["betas"] == [10, 2]
    before = page.evaluate(f"[...{PLAYER}.weights(0, 1)]")
    page.get_by_role("slider", name="β of Kernel attention").focus()
    press(page, *["PageUp"] * 3)
    beta, kernel_beta = state(page)["betas"]
    assert (beta, kernel_beta > 2) == (10, True)
    assert page.evaluate(f"[...{PLAYER}.weights(0, 1)]") == before
    expect_python(page, f"betas=10 {kernel_beta:g} ")
    label = page.get_by_role("img", name=re.compile("Weight matrix of Kernel attention"))
    expect(label).to_have_attribute("aria-label", re.compile(f"β = {kernel_beta:g}"))


def test_a_new_beta_of_one_run_does_not_change_the_beta_that_the_user_chose_for_the_other(player):
    page = player()
    for lane in (0, 1):
        page.locator("input.beta").nth(lane).focus()
        press(page, *["PageDown"] * 2)
    kept = state(page)["betas"][0]
    expect_python(page, f"betas={kept:g} {state(page)['betas'][1]:g} ")
    page.get_by_role("button", name="A new β for kernel attention").click()
    expect_python(page, f"betas={kept:g} 4 ")
    page.wait_for_function(f"JSON.stringify({STATE}.betas) === '[{kept:g},4]'")


def test_a_late_response_of_python_does_not_reset_the_slider_of_beta(player):
    page = player()
    for value in (485, 600):  # 4, and another value before the page has adopted it
        set_beta(page, value, lane=1)
        page.locator("input.beta").nth(1).dispatch_event("change")
        expect_python(page, f"betas=10 {state(page)['betas'][1]:g} ")
    last = state(page)["betas"]
    page.get_by_role("button", name="A new β for kernel attention").click()
    page.wait_for_function(f"{STATE}.given.betas[1] === 4")
    expect_python(page, f"betas=10 {last[1]:g} ")
    assert state(page)["betas"] == last


def test_the_text_alternative_states_iteration_beta_and_block_mass(player):
    page = player("case=one")
    page.locator(".player").focus()
    press(page, "ArrowRight")
    label = page.get_by_role("img", name=re.compile("Weight matrix of Invariant attention"))
    expect(label).to_have_attribute(
        "aria-label", re.compile(r"iteration 1, β = 10\. \d+ % of the weight off the diagonal")
    )
    expect(page.locator(".unseen")).to_contain_text("Iteration 1. Invariant attention:")


def test_if_classes_are_unknown_the_player_shows_clusters_instead(player):
    page = player("case=clusters")
    assert page.locator(".groups li").all_inner_texts() == ["cluster 1", "cluster 2", "cluster 3"]
    assert "by cluster" in page.locator("select.order").inner_text()


def test_means_computed_with_a_different_beta_are_labelled_as_such(player):
    page = player("case=one")
    stale = page.locator(".stale")
    set_beta(page, 700)
    expect(stale).to_be_hidden()
    page.locator(".player").focus()
    press(page, "ArrowRight")
    expect(stale).to_have_text(re.compile(r"computed with β = 10, not"))
