import threading

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from ia_engine.errors import EngineError
from ia_engine.runs.catalogue import RUN_KINDS
from ia_engine.runs.kinds.kind import RunKind
from pages._ui.runs.current import KIND_PAGES, KindPage, jobs
from tests.app.driving import ROOT
from tests.waits import MAX_WAIT_S

ANN, BOB = "a" * 22, "b" * 22
SCRIPT = "pages/trial.py"
TRIAL = RunKind("trial", "Trial", "iteration", work=lambda *_: iter([1]), expected=lambda *_: 1)


@pytest.fixture
def browser(monkeypatch, tmp_path):
    """Return a function that opens a small app for the viewer whom a cookie identifies."""
    table = dict(KIND_PAGES) | {TRIAL.id: KindPage(SCRIPT, "")}
    monkeypatch.setattr("pages._ui.runs.current.KIND_PAGES", table)
    (tmp_path / "pages").mkdir()
    (tmp_path / "app.py").write_text(
        "import streamlit as st\n"
        "from pages._ui.runs.sidebar import list_runs\n"
        "page = st.navigation([st.Page('pages/trial.py', url_path='trial')])\n"
        "list_runs()\n"
        "page.run()\n"
    )
    (tmp_path / SCRIPT).write_text(
        "import streamlit as st\n"
        "from pages._ui.runs.current import shown_run\n"
        "from pages._ui.runs.start import start\n"
        "from pages._ui.runs.watch import watch\n"
        "from tests.app.test_jobs import TRIAL\n"
        "st.button('Run', on_click=start, args=(TRIAL, 'new', None))\n"
        "watch(shown_run('trial'), lambda job: st.write(f'shown: {job.history}'))\n"
    )

    def open_app(cookie=None):
        cookies = {} if cookie is None else {"ia_viewer": cookie}
        monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: cookies))
        app = AppTest.from_file(str(tmp_path / "app.py")).run(timeout=MAX_WAIT_S)
        assert not app.exception
        return app

    jobs.clear()
    yield open_app
    jobs().close()
    jobs.clear()


def submit(owner, work, expected=1):
    return jobs().submit(owner, "a_run", work, expected, TRIAL.id)


def said(app):
    return [*app.info, *app.warning, *app.error, *app.caption, *app.markdown]


def texts(app):
    return " | ".join(element.value.replace("\\", "") for element in said(app))


def test_a_page_without_runs_explains_how_to_start_one(browser):
    app = browser(ANN)
    assert "press Run" in app.info[0].value
    assert not app.sidebar.subheader


def test_the_run_button_starts_a_run_for_this_viewer_and_shows_it(browser):
    app = browser(ANN)
    app.button[0].click().run()
    (job,) = jobs().list(ANN)
    assert job.wait(MAX_WAIT_S)
    assert "shown: (1,)" in texts(app.run())
    assert "Done: 0 iterations" in texts(app)


def test_the_page_of_a_failed_run_shows_its_error_and_its_steps(browser):
    def work():
        yield 1
        raise EngineError("beta must be less; got 7")

    assert submit(ANN, work).wait(MAX_WAIT_S)
    app = browser(ANN)
    assert "beta must be less; got 7" in texts(app)
    assert "shown: (1,)" in texts(app)


def test_a_run_in_progress_has_a_button_that_cancels_it(browser):
    gate = threading.Event()

    def work():
        yield 1
        gate.wait(MAX_WAIT_S)
        yield 2

    job = submit(ANN, work, expected=5)
    app = browser(ANN)
    app.button(key=f"cancel {job.id}").click().run()
    assert job.cancelling or job.finished
    assert app.button(key=f"cancel {job.id}").disabled
    gate.set()
    assert job.wait(MAX_WAIT_S)
    assert "Cancelled; 1 iteration kept" in texts(app.run())


def test_the_list_shows_the_state_of_a_run_before_its_first_step_and_after_a_pause(browser):
    gate = threading.Event()

    def work():
        gate.wait(MAX_WAIT_S)
        yield 1
        yield 2

    job = submit(ANN, work, expected=5)
    app = browser(ANN)
    assert any("computing the first step" in bar.proto.text for bar in app.get("progress"))
    job.pause()
    gate.set()
    assert job.wait(MAX_WAIT_S)
    assert "Paused" in [caption.value for caption in browser(ANN).sidebar.caption]


def test_a_run_with_more_steps_than_expected_never_shows_a_full_progress_bar(browser):
    gate = threading.Event()

    def work():
        yield from range(4)
        gate.wait(MAX_WAIT_S)

    job = submit(ANN, work, expected=2)
    while len(job.history) < 4:
        assert not job.wait(0.01)
    listed = browser(ANN).sidebar.get("progress")
    gate.set()
    assert [(bar.proto.value, bar.proto.text) for bar in listed] == [(97, "longer than expected")]


def test_the_sidebar_and_the_page_show_a_run_only_to_the_viewer_who_started_it(browser):
    assert submit(ANN, lambda: iter([1])).wait(MAX_WAIT_S)
    assert browser(ANN).sidebar.subheader[0].value == "Runs"
    assert "shown" in texts(browser(ANN))
    assert not browser(BOB).sidebar.subheader
    assert "press Run" in browser(BOB).info[0].value


@pytest.mark.parametrize("cookie", [None, "", "short", "a" * 23, "<script>alert(1)</script>"])
def test_an_invalid_cookie_is_replaced_by_a_new_one(browser, cookie):
    app = browser(cookie)
    viewer = app.session_state["ia_viewer"]
    assert len(viewer) == 22
    assert viewer != cookie
    assert app.run().session_state["ia_viewer"] == viewer


def test_the_newest_run_is_shown_unless_the_address_names_another(browser):
    old, new = submit(ANN, lambda: iter(["old"])), submit(ANN, lambda: iter(["new"]))
    assert old.wait(MAX_WAIT_S)
    assert new.wait(MAX_WAIT_S)
    app = browser(ANN)
    assert "('new',)" in texts(app)
    app.query_params["job"] = f"{old.id}.0"
    assert "('old',)" in texts(app.run())
    app.button[0].click().run()
    assert jobs().list(ANN)[-1].wait(MAX_WAIT_S)
    assert "(1,)" in texts(app.run()), "a new run replaces the opened one"


def test_every_kind_in_the_catalogue_has_a_page():
    assert KIND_PAGES.keys() == RUN_KINDS.keys()
    assert all((ROOT / shown.script).is_file() for shown in KIND_PAGES.values())
