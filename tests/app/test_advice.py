"""The advice on β on Iterations, at its sliders in the player or above it, and the panel on the
theorems."""

import pytest

from pages._ui.iterations import advice
from tests.app.driving import ROOT, finish, open_page, open_section, press, runs, words

ITERATIONS = ROOT / "pages" / "iterations.py"


@pytest.fixture(scope="module")
def blobs():
    """Iterations after a short run on points; nothing follows the settings. The
    panel on the theorems is open."""
    address = {"data": "blobs", "steps": "1", "recompute": "false"}
    app = finish(press(open_page(ITERATIONS, **address), "Run"))
    return open_section(app, "theorems")


@pytest.fixture
def sent(monkeypatch):
    """The advice that the player has received, by run."""
    found = {}
    monkeypatch.setattr(advice, "send_advice", lambda _, runs: found.update(runs))
    return found


def advised(app):
    return [text.value for text in app.caption if "lightbulb" in text.value]


def test_the_precomputed_example_gets_advice_at_its_sliders_without_a_run(sent):
    app = open_page(ITERATIONS)
    assert not advised(app)
    invariant, kernel = sent["experiment-1.ia"], sent["experiment-1.ka"]
    assert kernel["sentence"].startswith("At β = 2, a mean averages")
    assert invariant["sentence"].startswith("At β = 15, a mean averages")
    assert "3 clusters are predicted, as for any β from" in invariant["sentence"]
    for one in (invariant, kernel):
        assert one["n"] == 18
        assert one["averaged"] == sorted(one["averaged"], reverse=True)
        assert len(one["averaged"]) == len(one["betas"])
        assert one["choices"]


def test_a_beta_in_the_address_that_differs_from_the_result_has_its_control_and_its_advice(sent):
    app = open_page(ITERATIONS, beta="30")
    invariant, kernel = advised(app)
    assert "**Invariant attention.** At β = 30, a mean averages" in invariant
    assert "**Kernel attention.** At β = 2, a mean averages" in kernel
    assert not sent
    assert "Press Run to use the settings above" in words(app)


def test_settings_without_known_distances_are_named():
    app = open_page(ITERATIONS, sigma="3", recompute="false")
    assert not advised(app)
    assert "Advice on β for invariant attention and kernel attention appears when a run" in words(
        app
    )


def test_a_rule_that_computes_beta_needs_no_advice(sent):
    assert not advised(open_page(ITERATIONS, bandwidth="local", recompute="false"))
    assert not sent


def test_one_click_sets_the_recommended_beta_and_starts_the_run(blobs):
    (button,) = [one for one in blobs.button if one.label.startswith("Use β")]
    beta = float(button.label.removeprefix("Use β = "))
    before = len(runs(blobs))
    app = finish(button.click().run())
    assert len(runs(app)) == before + 1
    assert app.session_state["points_kernel_beta"] == beta
    assert runs(app)[-1].history[0].plan.configs["ka"].beta == beta
    assert not [one for one in app.button if one.label == button.label]


def test_distances_that_are_not_exact_are_no_reason_for_advice():
    few = {"images": "6", "steps": "1", "recompute": "false"}
    rough = finish(press(open_page(ITERATIONS, pairs="nearest", nearest="2", **few), "Run"))
    assert runs(rough)[-1].history[0].shown["ia"].rough is not None
    assert ["Kernel" in one for one in advised(rough)] == [True]
    rough.session_state["pairs"] = "all"
    app = rough.run()
    assert ["Kernel" in one for one in advised(app)] == [True]
    assert "Advice on β for invariant attention appears when a run" in words(app)


def test_the_panel_of_the_precomputed_example_is_open():
    app = open_page(ITERATIONS)
    (table,) = [one.value for one in app.dataframe if "c′ = β R²" in one.value]
    first = table.iloc[0]
    assert (first["method"], first["c′ = β R²"]) == (
        "invariant",
        pytest.approx(15 * first["R"] ** 2, rel=1e-5),
    )
    assert f"R = {first['R']:.3g} for the data and" in words(app)


def test_for_another_kernel_the_panel_has_no_constant_and_no_scan():
    app = open_page(ITERATIONS, data="blobs", steps="1", kernel="cauchy")
    app = open_section(finish(press(app, "Run")), "theorems")
    (table,) = [one.value for one in app.dataframe if "c′ = β R²" in one.value]
    assert table["c′ = β R²"].isna().all()
    assert "Theorem 4.1 is about the Gaussian kernel, not about κ" in words(app)
    (scan,) = [one for one in app.button if one.label == "Scan c′"]
    assert scan.disabled


def test_the_panel_states_the_quantities_and_what_is_not_known(blobs):
    (table,) = [one.value for one in blobs.dataframe if "c′ = β R²" in one.value]
    first = table.iloc[0]
    assert first["c′ = β R²"] == pytest.approx(blobs.session_state["points_kernel_beta"]
                                               * first["R"] ** 2, rel=1e-5)  # fmt: skip
    assert "The reach $\\rho_{\\min}$ is defined in (B.9)" in " ".join(
        one.value for one in blobs.markdown
    )


def test_the_scan_of_constants_is_drawn_on_request(blobs):
    app = press(blobs, "Scan c′")
    assert not app.exception
    assert "On **Papers**, c′ = 4 is the largest of these values at which all" in words(app)
