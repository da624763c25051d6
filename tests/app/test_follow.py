"""A changed setting computes a small result again without Run; a large one waits for Run."""

import threading
import time
from dataclasses import replace
from types import SimpleNamespace

import pytest
from streamlit.runtime.context import ContextProxy

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.runs.attend import Plan
from ia_engine.runs.kinds import iterations
from ia_engine.shell.main import main
from pages._ui.iterations.actions import list_differences, wanted_configs
from pages._ui.iterations.follow import describe_change
from pages._ui.runs.current import jobs, library
from tests.app.driving import ROOT, finish, open_page, press, runs, words
from tests.waits import MAX_WAIT_S

ITERATIONS = ROOT / "pages" / "iterations.py"
IA = AttentionConfig()
KA = replace(IA, method="ka", beta=2.0)
SHOWN = {"ia": IA, "ka": KA}


@pytest.fixture
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: {}))
    monkeypatch.setenv("IA_RUNS", str(tmp_path))
    library.cache_clear()
    yield
    library.cache_clear()
    jobs.clear()


def job_of(size):
    plan = Plan(SHOWN, "recipe", ("image",) * size, (), (), size)
    return SimpleNamespace(id="job", state="failed", history=(SimpleNamespace(plan=plan),)), plan


def with_sigma(plan, sigma):
    configs = {method: replace(config, sigma=sigma) for method, config in plan.configs.items()}
    return replace(plan, configs=configs)


def test_differences_are_listed_with_symbols_units_and_methods():
    changed = {"ia": replace(IA, sigma=2.0, group="rotation"), "ka": replace(KA, beta=3.0)}
    changed["ka"] = replace(changed["ka"], sigma=2.0, group="rotation")
    found = list_differences(changed, SHOWN)
    assert found == "𝕋 = rotation, σ = 2 px, β = 3 for kernel attention"
    assert list_differences(SHOWN, changed).startswith("𝕋 = rotation + translation, σ = 0 px")
    assert list_differences(SHOWN, SHOWN) == ""


def test_a_beta_from_the_player_is_combined_with_a_setting_above_it():
    controls = {m: replace(config, sigma=1.0) for m, config in SHOWN.items()}
    wanted = wanted_configs(SHOWN, controls, {"ia": 40.0, "ka": 2.0})
    assert wanted["ia"] == replace(IA, sigma=1.0, beta=40.0)
    assert wanted["ka"] == controls["ka"]


def test_a_beta_from_the_player_is_ignored_if_a_rule_computes_beta():
    controls = {m: replace(config, bandwidth="local") for m, config in SHOWN.items()}
    assert wanted_configs(SHOWN, controls, {"ia": 40.0}) == controls


@pytest.mark.parametrize(("size", "waits"), [(60, False), (61, True)])
def test_the_page_says_that_a_change_waits_for_run_if_the_run_is_large(size, waits):
    job, plan = job_of(size)
    assert describe_change(job, plan) == ""
    text = describe_change(job, with_sigma(plan, 1.0))
    assert "Press **Run** or **Run from here**" in text
    assert ("more than 60 images" in text) == waits


@pytest.mark.parametrize(
    ("change", "fork"), [({"names": ("image",) * 4}, False), ({"device": "cuda"}, True)]
)
def test_a_changed_number_of_images_or_device_waits_for_run(change, fork):
    job, plan = job_of(6)
    text = describe_change(job, replace(plan, **change))
    assert "Press **Run**" in text
    assert ("**Run from here**" in text) == fork


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("method", "control"), [("ia", "beta"), ("ka", "kernel_beta")])
def test_a_run_of_the_shell_follows_the_settings_with_its_own_method(method, control, capsys):
    options = ["--method", method, "--beta", "30", "--steps", "1", "--limit", "4", "--keep"]
    assert main(["attend", "--data", "digits", *options]) == 0
    capsys.readouterr()
    (kept,) = library().runs()
    app = open_page(ITERATIONS, job=kept.name)
    assert not app.exception
    assert {e.key: e.value for e in app.select_slider}[control] == 30
    assert "Press **Run**" not in words(app)
    app.slider(key="sigma").set_value(2.0)
    finish(app.run())
    configs = runs(app)[-1].history[0].plan.configs
    assert {m: config.sigma for m, config in configs.items()} == {method: 2.0}
    assert library().find(kept.name), "the run of the shell stays"


@pytest.mark.usefixtures("folder")
def test_a_run_that_was_cancelled_while_it_followed_a_setting_waits_for_run(monkeypatch):
    app = finish(press(open_page(ITERATIONS, data="digits", steps="1", images="6"), "Run"))
    opened, attend = threading.Event(), iterations.attend

    def attend_later(*args):
        assert opened.wait(MAX_WAIT_S)
        yield from attend(*args)

    monkeypatch.setattr(iterations, "attend", attend_later)
    app.slider(key="sigma").set_value(2.0)
    app.run()
    assert "Recomputing with σ = 2 px" in words(app)
    job = runs(app)[-1]
    job.cancel()
    opened.set()
    assert job.wait(MAX_WAIT_S)
    app.run()
    assert not app.exception
    assert "Press **Run** or **Run from here**" in words(app)
    app = finish(press(app, "Run"))
    assert runs(app)[-1].history[0].plan.configs["ia"].sigma == 2
    assert "Press **Run**" not in words(app)


@pytest.mark.usefixtures("folder")
def test_after_a_change_that_was_overtaken_one_click_shows_the_last_complete_result(monkeypatch):
    app = finish(press(open_page(ITERATIONS, data="digits", steps="1", images="4"), "Run"))
    app.slider(key="sigma").set_value(2.0)
    finish(app.run())
    complete, opened, attend = runs(app)[-1], threading.Event(), iterations.attend

    def attend_slowly(*args):
        moments = attend(*args)
        yield next(moments)
        assert opened.wait(MAX_WAIT_S)
        yield from moments

    monkeypatch.setattr(iterations, "attend", attend_slowly)
    app.slider(key="sigma").set_value(3.0)
    app.run()
    overtaken, until = runs(app)[-1], time.monotonic() + MAX_WAIT_S
    while app.query_params["job"] not in (overtaken.id, [overtaken.id]):
        assert time.monotonic() < until, "the run is not shown before its end"
        app.run()
    app.slider(key="sigma").set_value(4.0)
    app.run()
    opened.set()
    app = finish(app)
    assert overtaken.wait(MAX_WAIT_S)
    assert overtaken.state == "cancelled"
    app = press(app.run(), "Side by side")
    assert set(app.dataframe[0].value["method"]) == {"invariant", "other run"}
    (beside,) = [box for box in app.selectbox if box.label == "Show beside this run"]
    assert beside.value == complete.id


@pytest.mark.usefixtures("folder")
def test_a_changed_sigma_replaces_the_result_without_run_and_can_be_switched_off():
    app = finish(press(open_page(ITERATIONS, steps="1", images="6"), "Run"))
    (first,) = runs(app)
    app.slider(key="sigma").set_value(2.0)
    finish(app.run())
    assert app.query_params["job"] in (runs(app)[-1].id, [runs(app)[-1].id])
    second = runs(app)[-1]
    assert second.history[0].plan.configs["ia"].sigma == 2
    assert first.history[0].plan.configs["ia"].sigma == 0
    assert "Press **Run**" not in words(app)
    app.toggle(key="recompute").set_value(False)
    app.run()
    app.slider(key="sigma").set_value(1.0)
    app.run()
    assert runs(app)[-1] is second
    assert "Press **Run**" in words(app)


@pytest.mark.usefixtures("folder")
def test_one_click_shows_two_runs_side_by_side_in_plots_and_table():
    address = {"steps": "1", "images": "6", "recompute": "false"}
    app = finish(press(open_page(ITERATIONS, **address), "Run"))
    app.slider(key="sigma").set_value(2.0)
    app = finish(press(app.run(), "Run"))
    assert set(app.dataframe[0].value["method"]) == {"invariant", "kernel"}
    app = press(app, "Side by side")
    assert not app.exception
    assert set(app.dataframe[0].value["method"]) == {"invariant", "other run"}
    for view in ("Contraction", "Clusters", "Merge tree", "Plane", "Weights, first and last"):
        app.button_group(key="view").set_value(view)
        assert not app.run().exception
    app = press(app, "Show one run")
    assert set(app.dataframe[0].value["method"]) == {"invariant", "kernel"}
