"""The address sets the selection, all pages share it, and new data clear it."""

import pytest
from streamlit.testing.v1 import AppTest

from ia_engine.datasets.recipes import RECIPES, make
from pages._ui.state.selection import SELECTED, STOPPED, Selection
from tests.app.driving import ROOT, open_page, words
from tests.waits import MAX_WAIT_S


def page(name):
    return ROOT / "pages" / f"{name}.py"


def address(app, name):
    value = app.query_params.get(name)
    return value[0] if isinstance(value, list) else value


def selected(app):
    found = app.session_state[SELECTED]
    return found.i, found.j


def test_a_single_selected_image_forms_a_pair_with_itself_and_hidden_images_form_none():
    rows = [4, 8, 15]
    assert Selection("d", 8).pair(rows) == (1, 1)
    assert Selection("d", 15, 4).pair(rows) == (2, 0)
    assert Selection("d", 15, 5).pair(rows) is None
    assert Selection("d", cluster=0).pair(rows) is None
    assert Selection("d", cluster=0)
    assert not Selection("d")


def test_the_address_selects_images_and_the_page_keeps_the_selection():
    app = open_page(page("iterations"), i="7", j="9")
    assert not app.exception
    assert selected(app) == (6, 8)
    app.run()
    assert (address(app, "i"), address(app, "j")) == ("7", "9")


@pytest.mark.parametrize("asked", ["0", "19", "x", "²", "-1", "9" * 30])
def test_an_illegal_selection_in_the_address_is_explained_and_selects_nothing(asked):
    app = open_page(page("iterations"), i=asked)
    assert not app.exception
    assert "must be a number from 1 to 18" in words(app)
    assert selected(app) == (None, None)
    assert "i" not in app.query_params


@pytest.mark.parametrize("name", ["iterations", "manifolds", "data"])
def test_a_selection_made_on_another_page_appears_in_the_address(name):
    data = make(RECIPES["experiment-1"])
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=MAX_WAIT_S)
    app.switch_page(f"pages/{name}.py")
    app.session_state[SELECTED] = Selection(data.digest, 6, 8)
    app.query_params["data"] = "experiment-1"
    app.run()
    assert not app.exception
    assert selected(app) == (6, 8)
    assert (address(app, "i"), address(app, "j")) == ("7", "9")


def test_new_data_clear_the_selection_and_a_message_explains_why():
    app = open_page(page("iterations"), i="7", j="9")
    app.query_params["data"] = "digits"
    app.run()
    assert not app.exception
    assert selected(app) == (None, None)
    assert "i" not in app.query_params
    assert "belongs to different data" in app.toast[0].value


def test_a_changed_address_of_the_same_page_changes_the_selection():
    app = open_page(page("iterations"), i="7", j="9")
    app.query_params["i"] = "2"
    app.run()
    assert selected(app) == (1, 8)
    app.query_params["data"], app.query_params["i"] = "digits", "700"
    del app.query_params["j"]
    app.run()
    assert selected(app) == (699, None)
    assert not app.toast


def test_the_page_explains_an_illegal_step_in_the_address():
    app = open_page(page("iterations"), step="-1")
    assert not app.exception
    assert "contains step = -1" in words(app)
    assert not any(stop.given for stop in app.session_state[STOPPED].values())
