"""A knob that follows the player stays, though a late request holds its value of before."""

from streamlit.testing.v1 import AppTest

from pages._ui.state import fields as news


def page():
    import streamlit as st

    from pages._ui.iterations.actions import TURNED, turn_knobs

    if "released" in st.session_state:
        st.session_state[TURNED] = {"beta": st.session_state.pop("released")}
    turn_knobs()
    st.slider("β", 0.0, 100.0, 15.0, key="beta")


def turned():
    app = AppTest.from_function(page).run()
    app.session_state["released"] = 40.0
    app.run()
    assert app.slider[0].value == 40
    return app


def test_a_late_request_does_not_put_the_value_of_before_back():
    app = turned()
    app.slider[0].set_value(15.0).run()
    assert app.slider[0].value == 40


def test_neither_does_one_that_holds_the_value_before_two_releases():
    app = turned()
    app.session_state["released"] = 50.0
    app.run()
    for late in (15.0, 40.0):
        assert app.slider[0].set_value(late).run().slider[0].value == 50


def test_the_next_run_sets_it_too_since_the_browser_may_not_draw_the_first():
    app = turned()
    app.query_params["beta"] = "40"
    assert app.run().slider[0].proto.set_value


def test_any_other_value_is_the_viewers():
    app = turned()
    assert app.slider[0].set_value(60.0).run().slider[0].value == 60
    assert app.slider[0].set_value(15.0).run().slider[0].value == 15


def test_the_value_of_before_can_be_chosen_again_later(monkeypatch):
    app = turned()
    monkeypatch.setattr(news, "LATE_S", -1.0)
    assert app.slider[0].set_value(15.0).run().slider[0].value == 15
