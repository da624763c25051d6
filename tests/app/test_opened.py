"""A run that is opened, come back to, named or deleted: the page, its knobs and the list agree."""

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from ia_engine.runs.library import Library, Note
from pages._ui.runs.current import jobs
from pages._ui.runs.saved import library
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
    """As the sidebar does: the page alone, without what the address held."""
    app.query_params.clear()
    return app.switch_page(f"pages/{page}.py").run()


def open_run(app, job):
    app.query_params.clear()
    app.query_params["job"] = f"{job.id}.7"
    return app.run()


def listed(app):
    """What the list at the side calls the viewer's runs."""
    whole = AppTest.from_file(str(ROOT / "app.py"), default_timeout=MAX_WAIT_S)
    whole.session_state["ia_viewer"] = app.session_state["ia_viewer"]
    links = whole.run().sidebar.get("page_link")
    return [link.proto.label.replace("\\", "") for link in links]


def knobs(app):
    return {e.key: e.value for e in [*app.slider, *app.select_slider, *app.selectbox]}


def run(**address):
    return finish(press(open_page(ITERATIONS, **{"steps": "1", **address}), "Run"))


@pytest.mark.parametrize("page", ["iterations", "mean", "compare"])
def test_whoever_comes_back_to_a_run_finds_it_in_the_address(page):
    address = {"methods": ["kmeans", "ka"], "budget": "20", "data": "experiment-1"}
    asked = address if page == "compare" else {"steps": "1"}
    app = finish(press(open_page(PAGES / f"{page}.py", **asked), "Run"))
    named = link(app)
    assert named == runs(app)[-1].id
    app = go_to(go_to(app, "runs"), page)
    assert not app.exception
    assert link(app) == named


def test_whoever_comes_back_finds_the_knobs_as_the_run_was_made():
    app = run(beta="30", sigma="1.5", kernel_beta="4")
    app = go_to(go_to(app, "runs"), "iterations")
    now = knobs(app)
    assert (now["beta"], now["sigma"], now["kernel_beta"], now["steps"]) == (30, 1.5, 4, 1)


def test_a_run_that_is_opened_sets_the_knobs_and_a_hand_may_turn_them_again():
    app = run(beta="30", group="rotation")
    (job,) = runs(app)
    app.select_slider(key="beta").set_value(10.0)
    app.run()
    (status,) = [text.value for text in app.markdown if "settings above have changed" in text.value]
    assert "Done: " in status
    assert knobs(app)["beta"] == 10
    app = open_run(app, job)
    assert (knobs(app)["beta"], knobs(app)["group"]) == (30, "rotation")
    assert "The settings above have changed" not in words(app)
    app.select_slider(key="beta").set_value(10.0)
    assert knobs(app.run())["beta"] == 10
    app = press(app, "Take this run's settings")
    assert knobs(app)["beta"] == 30


def test_an_address_that_is_opened_anew_keeps_to_its_knobs():
    (job,) = runs(run(beta="30", sigma="1.5"))
    app = open_page(ITERATIONS, job=job.id, sigma="2.5")
    assert (knobs(app)["beta"], knobs(app)["sigma"]) == (30, 2.5)
    assert "The settings above have changed" in words(app)


def test_data_that_are_chosen_stay_chosen_after_a_run_was_named_in_the_address():
    app = go_to(go_to(run(), "runs"), "iterations")
    app = press(app, "Points")
    assert runs(app)[-1].history[0].plan.recipe.count("blobs")


def test_the_list_says_the_name_that_a_run_was_given():
    app = run()
    (kept,) = Library().runs()
    Library().write_note(kept.id, Note("Crabs *and* more"))
    assert listed(app) == ["Crabs *and* more"]


def test_a_deleted_run_leaves_the_list_and_undo_brings_it_back():
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


def test_a_run_that_goes_on_takes_the_place_of_the_one_that_was_stopped():
    app = run(steps="3")
    (kept,) = Library().runs()
    Library().write_note(kept.id, Note("Mine", ("lesson",)))
    (kept.folder / "ended.json").unlink()
    (kept.folder / "step-00004.safetensors").unlink()
    jobs.clear()  # as after a start of the server
    app.query_params["job"] = kept.name
    app = finish(press(app.run(), "Resume"))
    (new,) = Library().runs()
    assert (new.state, new.steps, new.title) == ("done", 4, "Mine")
    assert new.id != kept.id
    assert listed(app) == ["Mine"]


def test_whoever_resumes_a_strangers_run_leaves_it_as_it_is():
    run(steps="3")
    (kept,) = Library().runs()
    (kept.folder / "ended.json").unlink()
    (kept.folder / "step-00004.safetensors").unlink()
    finish(press(open_page(ITERATIONS, job=kept.name), "Resume"))
    assert {one.id for one in Library().runs()} > {kept.id}
