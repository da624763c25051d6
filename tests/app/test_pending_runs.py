"""A changed setting starts a run; when it is ready, it replaces the previous run on the page."""

import threading

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from ia_engine.runs.kinds import iterations
from ia_engine.runs.kinds.iterations import ITERATIONS
from ia_engine.runs.library import Library
from pages._ui.runs.current import jobs, library
from tests.waits import MAX_WAIT_S

VIEWER = "a" * 22


def page():
    from dataclasses import replace

    import streamlit as st

    from ia_engine.attention.iteration import AttentionConfig
    from ia_engine.datasets.recipes import RECIPES, make
    from ia_engine.runs.attend import plan
    from pages._ui.iterations.follow import show_ready_pending, start_pending
    from pages._ui.runs.current import current_run, own_runs

    show_ready_pending()
    data = make(RECIPES["experiment-1"])
    config = AttentionConfig(steps=1)
    planned = plan((replace(config, beta=st.session_state.get("released", 15.0)),), data, 4)
    job = current_run("iterations")
    shown = job.id if job else "example"
    if "released" in st.session_state:
        del st.session_state["released"]
        history, configs = job.history if job else (), {"ia": config}
        start_pending(shown, planned, data, history, configs, player="player", p=1)
    st.text(shown)
    st.caption(" ".join(one.id for one in own_runs()))


@pytest.fixture
def app(monkeypatch, tmp_path):
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: {"ia_viewer": VIEWER}))
    monkeypatch.setenv("IA_RUNS", str(tmp_path))
    library.cache_clear()
    jobs.clear()
    yield AppTest.from_function(page, default_timeout=MAX_WAIT_S).run()
    jobs().close()
    jobs.clear()
    library.cache_clear()


def release_beta(app, beta):
    app.session_state["released"] = beta
    app.run()
    assert not app.exception
    return jobs().list(VIEWER)[-1]


def finish(app, job):
    assert job.wait(MAX_WAIT_S)
    assert job.state == "done", job.error
    app.run()
    assert not app.exception


def shown(app):
    return app.text[0].value


def listed(app):
    return app.caption[0].value.split()


def test_a_run_is_listed_at_once_and_shown_when_it_is_done(app):
    job = release_beta(app, 30.0)
    assert shown(app) == "example"
    assert listed(app) == [job.id]
    assert job.kind == ITERATIONS.id
    finish(app, job)
    assert shown(app) == job.id
    assert app.query_params["job"] in (job.id, [job.id])
    (kept,) = Library().runs(VIEWER)
    assert (kept.name, kept.state, kept.steps) == (job.id, "done", 2)
    assert len(jobs().list(VIEWER)) == 1, "the computed run and the saved run are the same"


def test_a_finished_run_replaces_the_one_before_and_only_the_last_two_are_kept(app):
    jobs_of_betas = []
    for beta in (30.0, 40.0, 50.0):
        job = release_beta(app, beta)
        finish(app, job)
        assert shown(app) == job.id
        jobs_of_betas.append(job)
    _, *last = [job.id for job in jobs_of_betas]
    assert listed(app) == last
    assert sorted(kept.name for kept in Library().runs(VIEWER)) == sorted(last)
    assert not Library().deleted_folders(), "no page can restore a run that was replaced"


@pytest.fixture
def gate(monkeypatch):
    """An event that must be set before runs compute anything."""
    opened, attend = threading.Event(), iterations.attend

    def attend_later(*args):
        assert opened.wait(MAX_WAIT_S)
        yield from attend(*args)

    monkeypatch.setattr(iterations, "attend", attend_later)
    yield opened
    opened.set()


def test_a_run_is_discarded_when_another_beta_is_chosen(app, gate):
    first = release_beta(app, 30.0)
    last = release_beta(app, 50.0)
    assert first.discarded
    assert listed(app) == [last.id]
    gate.set()
    assert first.wait(MAX_WAIT_S)
    finish(app, last)
    assert shown(app) == last.id
    assert [kept.name for kept in Library().runs(VIEWER)] == [last.id]


def test_a_run_that_the_user_opens_is_not_discarded(app, gate):
    first = release_beta(app, 30.0)
    app.query_params["job"] = f"{first.id}.1"
    app.run()
    assert shown(app) == first.id
    gate.set()
    assert first.wait(MAX_WAIT_S)
    finish(app, release_beta(app, 50.0))
    assert not first.discarded
    assert first.id in listed(app)
