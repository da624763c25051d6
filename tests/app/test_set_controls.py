"""A control that the page has set keeps its value when a late request has the previous one."""

from streamlit.testing.v1 import AppTest

from pages._ui.state import fields


def page():
    import streamlit as st

    from pages._ui.state.fields import keep_controls, set_controls

    if "released" in st.session_state:
        set_controls({"beta": st.session_state.pop("released")})
    keep_controls()
    st.slider("β", 0.0, 100.0, 15.0, key="beta")


def changed():
    app = AppTest.from_function(page).run()
    app.session_state["released"] = 40.0
    app.run()
    assert app.slider[0].value == 40
    return app


def test_a_late_request_does_not_restore_the_previous_value():
    app = changed()
    app.slider[0].set_value(15.0).run()
    assert app.slider[0].value == 40


def test_a_late_request_does_not_restore_the_value_before_two_changes():
    app = changed()
    app.session_state["released"] = 50.0
    app.run()
    for late in (15.0, 40.0):
        assert app.slider[0].set_value(late).run().slider[0].value == 50


def test_the_next_run_sets_the_value_again_in_case_the_browser_skipped_the_first():
    app = changed()
    app.query_params["beta"] = "40"
    assert app.run().slider[0].proto.set_value


def test_any_other_value_was_chosen_by_the_user():
    app = changed()
    assert app.slider[0].set_value(60.0).run().slider[0].value == 60
    assert app.slider[0].set_value(15.0).run().slider[0].value == 15


def test_the_previous_value_can_be_chosen_again_later(monkeypatch):
    app = changed()
    monkeypatch.setattr(fields, "LATE_S", -1.0)
    assert app.slider[0].set_value(15.0).run().slider[0].value == 15
