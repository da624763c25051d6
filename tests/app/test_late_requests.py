"""A request that the browser sent before the app's last change does not undo that change."""

from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from pages._ui.state import fields


def page_with_step():
    """A player that starts at the step in the address and stops at the step entered by the user."""
    import streamlit as st

    from pages._ui.state.selection import note_stop, start_step

    rest = start_step("run")
    stopped = st.number_input("stopped at", value=-1)
    note_stop("run", None if stopped < 0 else stopped)
    st.text(str(rest.given))


@pytest.fixture
def player():
    app = AppTest.from_function(page_with_step)
    app.query_params["step"] = "2"
    app.run()
    assert app.text[0].value == "2"
    app.number_input[0].set_value(5).run()
    assert app.query_params["step"] in ("5", ["5"])
    return app


def request_step(app, step):
    """Send a request with this step in its address and with unchanged controls."""
    app.query_params["step"] = step
    app.number_input[0].set_value(-1)
    return app.run().text[0].value


def test_a_late_request_with_the_earlier_address_is_ignored(player):
    assert request_step(player, "2") == "2", "the initial step has not changed"
    assert player.query_params["step"] in ("5", ["5"]), "the player stays where it was stopped"


def test_the_back_button_restores_the_earlier_address(player, monkeypatch):
    monkeypatch.setattr(
        fields, "get_script_run_ctx", lambda: SimpleNamespace(is_history_navigation=True)
    )
    assert request_step(player, "2") == "2"
    assert player.query_params["step"] in ("2", ["2"])


def test_an_address_that_the_page_has_not_written_is_applied(player):
    assert request_step(player, "7") == "7"
    assert player.query_params["step"] in ("7", ["7"])


def test_after_a_delay_the_earlier_address_is_applied(player, monkeypatch):
    monkeypatch.setattr(fields, "LATE_ADDRESS_S", 0.0)
    assert request_step(player, "2") == "2"
    assert player.query_params["step"] in ("2", ["2"])


def page_with_control():
    """A control that the page sets once: to the value in `β of the player`."""
    import streamlit as st

    from pages._ui.state.fields import keep_controls, replace_controls, set_controls

    if "β of the player" in st.session_state:
        set_controls({"beta": st.session_state.pop("β of the player")})
    keep_controls()
    if "β of a run" in st.session_state:
        replace_controls({"beta": st.session_state.pop("β of a run")})
    st.slider("β", 0.0, 100.0, 15.0, key="beta")


def set_beta(app, beta):
    app.session_state["β of the player"] = beta
    assert app.run().slider[0].value == beta
    return app


def test_a_run_opened_just_after_a_change_sets_its_own_value():
    app = set_beta(AppTest.from_function(page_with_control).run(), 40.0)
    app.session_state["β of a run"] = 15.0
    assert app.run().slider[0].value == 15
    assert app.run().slider[0].value == 15, "the next run of the script does not set 40 again"
    assert app.slider[0].set_value(40.0).run().slider[0].value == 15, "a late request"


def test_a_late_request_does_not_restore_the_earlier_value_of_a_control():
    app = set_beta(AppTest.from_function(page_with_control).run(), 40.0)
    assert app.slider[0].set_value(15.0).run().slider[0].value == 40


def test_a_late_request_does_not_restore_either_of_two_earlier_values():
    app = set_beta(AppTest.from_function(page_with_control).run(), 40.0)
    set_beta(app, 50.0)
    for late in (15.0, 40.0):
        assert app.slider[0].set_value(late).run().slider[0].value == 50


def test_the_value_is_also_sent_to_the_browser_in_the_next_run_of_the_script():
    app = set_beta(AppTest.from_function(page_with_control).run(), 40.0)
    app.query_params["beta"] = "40"
    assert app.run().slider[0].proto.set_value


def test_the_user_can_choose_a_new_value_and_then_the_earlier_one():
    app = set_beta(AppTest.from_function(page_with_control).run(), 40.0)
    assert app.slider[0].set_value(60.0).run().slider[0].value == 60
    assert app.slider[0].set_value(15.0).run().slider[0].value == 15


def test_the_user_can_choose_the_earlier_value_after_a_delay(monkeypatch):
    app = set_beta(AppTest.from_function(page_with_control).run(), 40.0)
    monkeypatch.setattr(fields, "LATE_VALUE_S", -1.0)
    assert app.slider[0].set_value(15.0).run().slider[0].value == 15


def page_with_run():
    """A page whose run is replaced by the run in `next run`."""
    import streamlit as st

    from pages._ui.state.selection import runs_state

    runs_state.restore_late_link()
    if "next run" in st.session_state:
        runs_state.name_in_address(st.session_state.pop("next run"))
    st.text(runs_state.linked_run)


def test_a_late_request_does_not_reopen_the_replaced_run(monkeypatch):
    app = AppTest.from_function(page_with_run)
    for run in ("first", "second"):
        app.session_state["next run"] = run
        app.run()
    app.query_params["job"] = "first"
    assert app.run().text[0].value == "second"
    app.query_params["job"] = "first.3"
    assert app.run().text[0].value == "first", "a link with a step is a new request"
    monkeypatch.setattr(fields, "LATE_ADDRESS_S", -1.0)
    app.query_params["job"] = "first"
    assert app.run().text[0].value == "first"
