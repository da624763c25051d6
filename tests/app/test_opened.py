"""After a run is opened, named or deleted, the page, its controls and the list of runs agree."""

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from ia_engine.runs.library import Library, Note
from pages._ui.runs.current import jobs, library
from tests.app.driving import ROOT, finish, open_page, press, runs, words
from tests.waits import MAX_WAIT_S

pytestmark = pytest.mark.usefixtures("reused_helpers")
PAGES = ROOT / "pages"
ITERATIONS = PAGES / "iterations.py"


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: {}))
    monkeypatch.setenv("IA_RUNS", str(tmp_path))
    library.cache_clear()
    yield tmp_path
    library.cache_clear()
    jobs.clear()


def link(app):
    job = app.query_params.get("job")
    return (job[0] if isinstance(job, list) else job or "").partition(".")[0]


def go_to(app, page):
    """Open a page as the sidebar does, without parameters in the address."""
    app.query_params.clear()
    return app.switch_page(f"pages/{page}.py").run()


def open_run(app, job):
    app.query_params.clear()
    app.query_params["job"] = f"{job.id}.7"
    return app.run()


def listed(app):
    """The names of the viewer's runs in the sidebar."""
    whole = AppTest.from_file(str(ROOT / "app.py"), default_timeout=MAX_WAIT_S)
    whole.session_state["ia_viewer"] = app.session_state["ia_viewer"]
    links = whole.run().sidebar.get("page_link")
    return [link.proto.label.replace("\\", "") for link in links]


def controls(app):
    return {e.key: e.value for e in [*app.slider, *app.select_slider, *app.selectbox]}


def run(**address):
    return finish(press(open_page(ITERATIONS, **{"steps": "1", **address}), "Run"))


@pytest.mark.parametrize("page", ["iterations", "mean", "compare"])
def test_returning_to_a_page_puts_its_run_back_into_the_address(page):
    address = {"methods": ["kmeans", "ka"], "budget": "20", "data": "experiment-1"}
    asked = address if page == "compare" else {"steps": "1"}
    app = finish(press(open_page(PAGES / f"{page}.py", **asked), "Run"))
    named = link(app)
    assert named == runs(app)[-1].id
    app = go_to(go_to(app, "runs"), page)
    assert not app.exception
    assert link(app) == named


def test_returning_to_a_page_restores_the_settings_of_its_run():
    app = run(beta="30", sigma="1.5", kernel_beta="4")
    app = go_to(go_to(app, "runs"), "iterations")
    now = controls(app)
    assert (now["beta"], now["sigma"], now["kernel_beta"], now["steps"]) == (30, 1.5, 4, 1)


def test_opening_a_run_sets_the_controls_and_they_can_still_be_changed():
    app = run(beta="30", group="rotation", recompute="false")
    (job,) = runs(app)
    app.select_slider(key="beta").set_value(10.0)
    app.run()
    (status,) = [text.value for text in app.markdown if "settings above have changed" in text.value]
    assert "Done: " in status
    assert controls(app)["beta"] == 10
    app = open_run(app, job)
    assert (controls(app)["beta"], controls(app)["group"]) == (30, "rotation")
    assert "The settings above have changed" not in words(app)
    app.select_slider(key="beta").set_value(10.0)
    assert controls(app.run())["beta"] == 10
    app = press(app, "Use this run's settings")
    assert controls(app)["beta"] == 30


def test_settings_in_an_address_take_precedence_over_those_of_its_run():
    (job,) = runs(run(beta="30", sigma="1.5"))
    app = open_page(ITERATIONS, job=job.id, sigma="2.5")
    assert (controls(app)["beta"], controls(app)["sigma"]) == (30, 2.5)
    assert "The settings above have changed" in words(app)


def test_a_preset_can_replace_the_data_of_the_run_in_the_address():
    app = go_to(go_to(run(), "runs"), "iterations")
    app = press(app, "Points")
    assert runs(app)[-1].history[0].plan.recipe.count("blobs")


def test_the_sidebar_lists_a_run_under_its_given_name():
    app = run()
    (kept,) = Library().runs()
    Library().write_note(kept.id, Note("Crabs *and* more"))
    assert listed(app) == ["Crabs *and* more"]


def test_deleting_a_run_removes_it_from_the_sidebar_and_undo_restores_it():
    app = run()
    (kept,) = Library().runs()
    app = press(go_to(app, "runs"), "Delete")
    assert listed(app) == []
    shown = go_to(app, "iterations")
    assert "Done: " not in words(shown)
    assert link(shown) == ""
    app = press(go_to(app, "runs"), "Undo")
    assert listed(app) == [kept.record.title]
    assert "Done: " in words(go_to(app, "iterations"))


def test_a_resumed_run_replaces_the_interrupted_one_and_keeps_its_name():
    app = run(steps="3")
    (kept,) = Library().runs()
    Library().write_note(kept.id, Note("Mine", ("lesson",)))
    (kept.folder / "ended.json").unlink()
    (kept.folder / "step-00004.safetensors").unlink()
    jobs.clear()  # as if the server had been restarted
    app.query_params["job"] = kept.name
    app = finish(press(app.run(), "Resume"))
    (new,) = Library().runs()
    assert (new.state, new.steps, new.title) == ("done", 4, "Mine")
    assert new.id != kept.id
    assert listed(app) == ["Mine"]


def test_resuming_a_run_of_another_viewer_keeps_the_original():
    run(steps="3")
    (kept,) = Library().runs()
    (kept.folder / "ended.json").unlink()
    (kept.folder / "step-00004.safetensors").unlink()
    finish(press(open_page(ITERATIONS, job=kept.name), "Resume"))
    assert {one.id for one in Library().runs()} > {kept.id}
