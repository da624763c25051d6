"""Every page opens, even without data files or with illegal values in its address."""

import ast
import json
import re
import tomllib

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from ia_engine.datasets.data import Recipe
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.runs.papers.invariant_iterations import SHOWN, UNFINISHED
from pages._ui.state.viewer import Upload, Uploads
from tests.app.driving import ROOT, finish, open_page, press, runs
from tests.crafted import npy, npy_that_claims, packed
from tests.waits import MAX_WAIT_S

PAGES = sorted(page for page in ROOT.glob("pages/*.py") if page.stem != "__init__")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_page_opens_without_an_error(page):
    app = open_page(page)
    assert not app.exception
    assert not app.error
    assert len(app.title) == 1
    (bar,) = [
        e for e in app.main if getattr(e.proto, "component_name", "").endswith("ia_projector")
    ]
    explanation = json.loads(bar.proto.json)["explanation"]
    assert explanation["title"] == app.title[0].value
    assert len(re.findall(r"[.?!](?= |$)", explanation["text"])) == 4, "four sentences"
    assert explanation["trial"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
@pytest.mark.parametrize(
    "recipe", ["nothing", "{", '{"source": "generated", "config": {"copies": -1}}', "blobs"]
)
def test_every_page_opens_with_any_recipe_in_its_address(page, recipe):
    app = open_page(page, data=recipe)
    assert not app.exception


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_page_that_needs_the_data_reports_a_file_that_claims_to_contain_36_gigabytes(
    page, monkeypatch, tmp_path
):
    members = [("images.npy", npy_that_claims((36, 10**9))), ("labels.npy", npy(np.zeros(36)))]
    (tmp_path / "mnist_train.npz").write_bytes(packed(members))
    monkeypatch.setenv("IA_DATA", str(tmp_path))
    app = open_page(page, data="mnist")
    assert not app.exception
    messages = [text.value.replace("\\", "") for text in app.error]
    assert all("mnist_train.npz: expected 36,000,000,000 bytes" in text for text in messages)
    assert messages or "pick()" not in page.read_text("utf-8")
    assert messages or page.stem != "data"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_no_statement_of_a_page_is_a_bare_value(page):
    """Streamlit shows every bare value in a page's script unless this feature is switched off."""
    _, *statements = ast.parse(page.read_text("utf-8")).body
    values = [one.value for one in statements if isinstance(one, ast.Expr)]
    assert all(isinstance(value, ast.Call) for value in values)


def test_every_page_is_in_the_navigation():
    listed = (ROOT / "app.py").read_text("utf-8")
    assert all(f'"pages/{page.name}"' in listed for page in PAGES)


def test_the_run_button_starts_a_run_with_the_settings_in_the_address():
    app = open_page(ROOT / "pages" / "iterations.py", steps="2", group="rotation")
    run = next(button for button in app.button if button.label == "Run")
    assert not run.click().run().exception
    assert any("of 2 iterations" in progress.proto.text for progress in app.get("progress"))


ITERATIONS = ROOT / "pages" / "iterations.py"


def promises(app, words="Press **Run**"):
    return any(words in text.value for text in app.markdown)


def numbers(job, method="ia"):
    return [moment.shown[method].numbers for moment in job.history]


def test_the_preset_as_in_the_paper_runs_figure_4_on_the_data_of_its_picture():
    """`test_claims_ia.py` checks that these data and settings give three clusters."""
    app = finish(press(open_page(ITERATIONS), "As in the paper"))
    (job,) = runs(app)
    config = job.history[0].plan.configs["ia"]
    assert config == UNFINISHED
    first, second, _ = numbers(job)
    assert 0.4 < first.block_mass < 0.95
    assert second.block_mass > first.block_mass + 0.05
    assert job.history[0].plan.recipe == Recipe("experiment-1", SHOWN).to_json()


def test_the_images_slider_has_the_size_of_the_set_as_its_maximum():
    app = open_page(ITERATIONS, images="80")
    assert (app.slider(key="images").value, app.slider(key="images").max) == (18, 18)
    assert not app.warning
    app.slider(key="images").set_value(9)
    app.run()
    app.selectbox[0].set_value("digits")
    app.run()
    assert (app.slider(key="images").value, app.slider(key="images").max) == (9, 400)
    app = open_page(ITERATIONS, images="80", data="digits")
    assert app.slider(key="images").value == 80


def test_choosing_a_small_set_does_not_reduce_the_number_of_images_of_the_next_set():
    app = open_page(ITERATIONS)
    app.selectbox[0].set_value("digits")
    app.run()
    assert app.slider(key="images").value == 60


def test_an_illegal_number_of_images_is_explained():
    app = open_page(ITERATIONS, images="1e999")
    assert "must be a whole number between 2 and 400" in app.warning[0].value
    assert app.slider(key="images").value == 18


def test_messages_about_the_address_are_above_the_columns_of_controls():
    app = open_page(ITERATIONS, beta="abc", steps="9999")
    assert [word in text.value for word, text in zip(("beta", "steps"), app.warning, strict=True)]
    assert not any(column.warning for column in app.columns)


def test_the_preset_for_points_contracts_each_blob_to_a_single_cluster():
    app = finish(press(open_page(ITERATIONS), "Points"))
    (job,) = runs(app)
    assert list(job.history[-1].shown) == ["ka"]
    assert numbers(job, "ka")[-1].clusters == 3
    assert any("Only kernel attention" in caption.value for caption in app.caption)
    assert app.session_state["points_kernel_beta"] == 2
    labels = [slider.label for slider in [*app.slider, *app.select_slider]]
    assert not any("sigma" in label for label in labels), "σ does not apply to points"


def test_every_view_of_a_run_has_a_note_on_how_it_can_mislead():
    app = finish(press(open_page(ITERATIONS, steps="2"), "Run"))
    views = app.button_group(key="view")
    for view in (
        "Distances",
        "Contraction",
        "Clusters",
        "Merge tree",
        "Plane",
        "Weights, first and last",
    ):
        views = app.button_group(key="view")
        views.set_value(view)
        app.run()
        assert not app.exception
        assert any(e.label == "How this can mislead" for e in app.expander)


def test_controls_without_effect_are_hidden():
    app = open_page(ITERATIONS)
    keys = {e.key for e in [*app.slider, *app.select_slider, *app.button_group, *app.selectbox]}
    assert {"beta", "kernel_beta", "sigma", "group", "solver", "bandwidth"} <= keys
    assert not {"updates", "schedule", "rate", "quantile", "constant", "neighbours"} & keys
    app = open_page(ITERATIONS, solver="descent", bandwidth="quantile")
    keys = {e.key for e in [*app.slider, *app.select_slider, *app.button_group, *app.selectbox]}
    assert {"updates", "schedule", "rate", "quantile"} <= keys
    assert not {"beta", "kernel_beta"} & keys


def test_forking_a_run_shows_the_old_run_beside_the_new_one():
    app = finish(press(open_page(ITERATIONS, steps="2", recompute="false"), "Run"))
    app.select_slider(key="beta").set_value(30.0)
    app.run()
    app = finish(press(app, "Run from here"))
    old, new = runs(app)
    assert new.history[0].plan.origin == old.id
    assert new.history[-1].plan.configs["ia"].beta == 30
    assert app.selectbox(key=f"beside {new.id}").value == old.id


def test_pressing_run_again_during_a_run_shows_the_run_in_progress():
    app = press(open_page(ITERATIONS, data="digits", images="60", steps="20"), "Run")
    press(app, "Run")
    (job,) = runs(app)
    assert not job.finished
    assert app.query_params["job"] in (job.id, [job.id])
    app.slider(key="sigma").set_value(1.0)
    app.run()
    press(app, "Run")
    assert len(runs(app)) == 2, "different settings start a new run"
    for job in runs(app):
        job.cancel()
        assert job.wait(MAX_WAIT_S)
    press(app, "Run")
    assert len(runs(app)) == 3, "a cancelled run is computed again"
    last = runs(app)[-1]
    last.cancel()
    assert last.wait(MAX_WAIT_S)


def test_a_run_with_the_same_settings_reuses_the_computed_steps():
    app = finish(press(open_page(ITERATIONS, steps="2"), "Run"))
    app = finish(press(app, "Run"))
    old, new = runs(app)
    assert new.history[-1].shown["ia"] is old.history[-1].shown["ia"]


def test_for_new_data_the_page_states_what_a_run_will_compute():
    app = open_page(ITERATIONS, data="digits", images="30")
    assert promises(
        app, "compute 4 iterations of invariant and kernel attention on 30 of the 1,797"
    )


def test_a_run_on_different_data_is_hidden_until_the_address_opens_it():
    app = finish(press(open_page(ITERATIONS, data="blobs"), "Run"))
    assert not promises(app)
    app.query_params["data"] = "digits"
    assert promises(app.run())
    (job,) = runs(app)
    app.query_params["job"] = f"{job.id}.0"
    assert not promises(app.run())
    assert app.query_params["data"] == "blobs"


def test_one_of_several_devices_can_be_chosen_and_is_part_of_the_plan(monkeypatch):
    monkeypatch.setattr("pages._ui.controls.list_devices", lambda: ("cpu", "cpu:0"))
    app = open_page(ITERATIONS, data="blobs", steps="1")
    app.selectbox(key="device").set_value("cpu:0")
    app = finish(press(app.run(), "Run"))
    (job,) = runs(app)
    assert job.history[0].plan.device == "cpu:0"
    assert "cpu:0" in job.title


def test_the_page_offers_no_choice_if_there_is_only_one_device():
    assert "device" not in {box.key for box in open_page(ITERATIONS).selectbox}


def test_uploads_are_kept_per_viewer_up_to_a_total_size():
    uploads = Uploads(most=10**6)
    data = make(RECIPES["experiment-1"])
    one, two = Upload("one", data), Upload("two", data)
    uploads.keep("ann", one)
    uploads.keep("bob", two)
    assert uploads.of("ann") is one
    assert uploads.of("eve") is None
    uploads = Uploads(most=data.images.nbytes)
    for owner in ("ann", "bob"):
        uploads.keep(owner, one)
    assert (uploads.of("ann"), uploads.of("bob")) == (None, one)


def test_streamlit_shows_no_menu_of_file_names_before_the_app_draws_its_navigation(monkeypatch):
    configured = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))
    assert configured["client"]["showSidebarNavigation"] is False
    shown, navigation = [], st.navigation

    def navigate(*pages, **options):
        shown.append(st.get_option("client.showSidebarNavigation"))
        return navigation(*pages, **options)

    monkeypatch.setattr(st, "navigation", navigate)
    st.set_option("client.showSidebarNavigation", False)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=MAX_WAIT_S).run()
    assert not app.exception
    assert shown == [True]
