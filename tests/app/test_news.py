"""The address as a browser sends it may be older than what a page has written."""

from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from pages._ui.state import fields as news


def page():
    """Rests where the address asks, and goes on to the step that is pressed."""
    import streamlit as st

    from pages._ui.state.selection import rest_at, start_step

    rest = start_step("run")
    pressed = st.number_input("pressed", value=-1)
    rest_at("run", None if pressed < 0 else pressed)
    st.text(str(rest.given))


@pytest.fixture
def film():
    app = AppTest.from_function(page)
    app.query_params["step"] = "2"
    app.run()
    assert app.text[0].value == "2"
    app.number_input[0].set_value(5).run()
    assert app.query_params["step"] in ("5", ["5"])
    return app


def ask(app, step):
    """A request that carries this address; the hand does nothing new."""
    app.query_params["step"] = step
    app.number_input[0].set_value(-1)
    return app.run().text[0].value


def test_what_stood_there_a_moment_ago_is_not_taken_for_a_wish(film):
    assert ask(film, "2") == "2", "as it began: nothing has asked for another step"
    assert film.query_params["step"] in ("5", ["5"]), "and it rests where it was left"


def test_what_stood_there_a_moment_ago_is_a_wish_if_the_browser_went_back_to_it(film, monkeypatch):
    monkeypatch.setattr(
        news, "get_script_run_ctx", lambda: SimpleNamespace(is_history_navigation=True)
    )
    assert ask(film, "2") == "2"
    assert film.query_params["step"] in ("2", ["2"])


def test_what_nobody_wrote_here_is_a_wish_at_once(film):
    assert ask(film, "7") == "7"
    assert film.query_params["step"] in ("7", ["7"])


def test_what_stood_there_long_ago_is_a_wish(film, monkeypatch):
    monkeypatch.setattr(news, "SETTLED", 0.0)
    assert ask(film, "2") == "2"
    assert film.query_params["step"] in ("2", ["2"])
