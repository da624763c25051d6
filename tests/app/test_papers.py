"""The Papers page: entries opened by their address, their results, and missing data."""

import re
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ia_engine.figures.papers.panels import Curves
from ia_engine.runs import catalogue as unsaved
from ia_engine.runs.job import Job
from ia_engine.runs.papers import ENTRIES
from ia_engine.runs.papers.entry import DEFINITIONS, UNDECIDED, Claim, Outcome, status
from ia_engine.runs.papers.seeds import Finished
from ia_engine.runs.papers.shipped import load_shipped_results
from pages._ui.papers import results, view
from pages._ui.papers.setups import SETUPS
from tests.app.driving import finish, press, words
from tests.waits import MAX_WAIT_S

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def no_files(monkeypatch, tmp_path):
    monkeypatch.setenv("IA_CACHE", str(tmp_path))
    monkeypatch.delenv("IA_DATA", raising=False)


def open_papers(**address):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=MAX_WAIT_S)
    app.switch_page("pages/papers.py")
    for name, value in address.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception
    return app


def compute(app):
    return finish(press(app, "Compute"))


def heading(app):
    return app.subheader[0].value


def said(app):
    return " ".join(text.value for text in [*app.markdown, *app.info, *app.warning, *app.caption])


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=lambda entry: entry.id)
def test_every_entry_can_be_opened_by_its_address(entry):
    app = open_papers(entry=entry.id)
    assert heading(app) == f"{entry.label}: {entry.title}"
    assert not app.error
    can = any(button.label == "Compute" for button in app.button)
    assert can == entry.runs()


def test_an_unknown_entry_in_the_address_is_replaced_by_the_first():
    app = open_papers(entry="ia-figure-9<b>")
    assert heading(app).startswith("Figure 4")
    assert "ia\\-figure\\-9" in app.warning[0].value


def test_the_page_and_its_address_follow_the_chosen_entry_and_paper():
    app = open_papers()
    app.radio(key="entries of ia").set_value("ia-figure-2").run()
    assert heading(app).startswith("Figure 2")
    assert app.query_params["entry"] in ("ia-figure-2", ["ia-figure-2"])
    app.selectbox(key="paper of the entry").set_value("gcnn").run()
    assert heading(app).startswith("Figure 1: An exercise")


def captions_of(entry):
    return [caption.value.replace("\\", "") for caption in open_papers(entry=entry).caption]


def test_the_page_states_why_a_better_verdict_is_impossible():
    why = ENTRIES["ia-theorem-31"].why
    assert why
    assert any(f": {why}" in text for text in captions_of("ia-theorem-31"))


def test_hundreds_of_seconds_are_shown_without_an_exponent():
    assert load_shipped_results()["dti-figure-2b"].seconds > 100
    captions = captions_of("dti-figure-2b")
    assert any("CPU s (budget about 300 s)" in text for text in captions)
    assert not any("e+02" in text for text in captions)


KEPT_WITH_DATA = ("ia-figure-5", "dti-figure-1b", "dti-figure-2b")


def verdicts(app):
    return [badge for text in app.markdown for badge in re.findall(r"-badge\[(.*)\]", text.value)]


@pytest.mark.parametrize("name", KEPT_WITH_DATA)
def test_a_shipped_result_keeps_its_verdict_if_the_data_of_the_paper_are_missing(name):
    app = open_papers(entry=name)
    (verdict,) = verdicts(app)
    assert verdict.endswith(status(ENTRIES[name], load_shipped_results()[name].outcome))
    assert "MNIST" in said(app)
    listed = app.radio(key=f"entries of {ENTRIES[name].paper}")
    label = next(text for text in listed.options if text.startswith(f"{ENTRIES[name].label} "))
    assert label.endswith(f"[{status(ENTRIES[name], load_shipped_results()[name].outcome)}]")


def test_each_of_two_results_has_its_own_data_and_verdict():
    app = compute(open_papers(entry="ia-figure-5"))
    before, now = verdicts(app)
    shipped = load_shipped_results()["ia-figure-5"].outcome
    assert before.endswith(status(ENTRIES["ia-figure-5"], shipped))
    assert now.endswith(status(ENTRIES["ia-figure-5"], replace(shipped, stand_in=True, seeds=1)))
    assert "Data: We use random 3s from MNIST" in words(app)
    assert "Data: We use scikit-learn's 3s instead of MNIST's" in words(app)


def test_the_page_names_missing_data_and_explains_why_an_entry_is_impossible():
    assert "florence\\_cathedral\\.npz" in said(open_papers(entry="dti-figure-3b"))
    assert "Instagram" in said(open_papers(entry="dti-figure-1c"))


def test_an_entry_can_be_computed_and_is_shown_beside_the_precomputed_result():
    app = compute(open_papers(entry="ia-figure-2"))
    table = app.dataframe[0].value
    columns = ["quantity", "paper", "precomputed", "computed now", "difference", "unit", "note"]
    assert list(table) == columns
    first = table.iloc[0]
    assert first["paper"] == "4"
    assert first["precomputed"] == first["computed now"] == "3.10 ± 0.31"


def test_if_a_run_ends_while_its_page_is_drawn_the_page_shows_its_numbers(monkeypatch):
    waited, wait, run_entry = threading.Event(), Job.wait, unsaved.run_entry

    def run_when_waited_for(*args):
        assert waited.wait(MAX_WAIT_S)
        yield from run_entry(*args)

    def wait_for_the_end(job, seconds=None):
        waited.set()
        return wait(job, MAX_WAIT_S)

    monkeypatch.setattr(unsaved, "run_entry", run_when_waited_for)
    monkeypatch.setattr(Job, "wait", wait_for_the_end)
    app = press(open_papers(entry="gcnn-figure-4"), "Compute")
    assert any(text.value.startswith("Done: ") for text in app.caption)
    assert "computed now" in app.dataframe[0].value
    assert len(verdicts(app)) == 2


def test_the_exercise_hides_its_answers_until_the_reader_asks_for_them():
    app = open_papers(entry="gcnn-figure-1")
    assert not app.success
    app.toggle[0].set_value(True).run()
    assert "You are right about" in app.success[0].value


def test_the_diagram_of_a_layer_can_show_another_digit():
    app = open_papers(entry="gcnn-figure-6")
    app.button_group(key="digit of the branch").set_value(7)
    app.run()
    assert not app.exception
    assert any("gives the layer's result" in caption.value for caption in app.caption)


def test_results_of_several_seeds_are_shown_with_their_verdict_their_claims_and_quoted_rows(
    monkeypatch,
):
    outcome = Outcome(claims=(Claim("p4 is worse", True),), seeds=2, schedule="100 epochs")
    found = Finished(
        outcome, ("p4 is better",),
        ({"method": "p4-CNN", "test error, ours": "2.10"},), ({"method": "VaDE"},),
        ("some digits",),
        (Curves("Errors", "epoch", "error [%]", ("p4", ), np.arange(3.0), np.ones((1, 3))),),
    )  # fmt: skip
    monkeypatch.setattr(results, "finished_of", lambda entry: found)
    monkeypatch.setattr(view, "finished_of", lambda entry: found)
    app = open_papers(entry="gcnn-table-1")
    text = said(app)
    assert "At the authors' schedule" in text
    assert "some digits" in text
    assert "p4 is worse" in text
    assert "p4 is better (undecided)" in text
    assert "Seeds: 2 of 5" in words(app)
    assert verdicts(app)[0].endswith(UNDECIDED)
    shown = [table.value.to_dict("records") for table in app.dataframe]
    assert [{"method": "p4-CNN", "test error, ours": "2.10"}] in shown
    assert [{"method": "VaDE"}] in shown


def test_every_verdict_is_defined_on_the_page():
    text = said(open_papers())
    for verdict, definition in DEFINITIONS.items():
        assert f"**{verdict}**: {definition}" in text


@pytest.mark.parametrize("name", {str(setup): name for name, setup in SETUPS.items()}.values())
def test_the_link_of_a_set_up_opens_its_page_with_its_settings(name):
    setup = SETUPS[name]
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=MAX_WAIT_S)
    app.switch_page(f"pages/{setup.page}.py")
    for key, value in setup.address.items():
        app.query_params[key] = value
    app.run()
    assert not app.exception
    assert not app.warning, "every part of the address is used"
    for key, value in setup.settings.items():
        assert app.session_state[key] == value


def test_an_entry_with_a_set_up_links_to_it():
    app = open_papers(entry="ia-figure-4")
    (link,) = (link for link in app.get("page_link") if link.proto.label == "Open this set-up")
    assert "updates=" in link.proto.query_string
