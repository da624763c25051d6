"""The page Papers: entries opened by their address, their results, and missing data."""

import re
import threading
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ia_engine.figures.papers.panels import Curves
from ia_engine.runs import catalogue as unsaved
from ia_engine.runs.job import Job
from ia_engine.runs.papers import ENTRIES
from ia_engine.runs.papers.entry import FAILED
from ia_engine.runs.papers.shipped import load_shipped_results
from ia_engine.runs.tables.results import Finished
from pages._ui.papers import view
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
def test_every_entry_opens_by_its_address(entry):
    app = open_papers(entry=entry.id)
    assert heading(app) == f"{entry.label}: {entry.title}"
    assert not app.error
    can = any(button.label == "Compute" for button in app.button)
    assert can == entry.runs()


def test_an_unknown_entry_is_replaced_by_the_first():
    app = open_papers(entry="ia-figure-9<b>")
    assert heading(app).startswith("Figure 4")
    assert "ia\\-figure\\-9" in app.warning[0].value


def test_the_address_names_the_chosen_entry_or_paper():
    app = open_papers()
    app.radio(key="entries of ia").set_value("ia-figure-2").run()
    assert heading(app).startswith("Figure 2")
    assert app.query_params["entry"] in ("ia-figure-2", ["ia-figure-2"])
    app.selectbox(key="paper of the entry").set_value("gcnn").run()
    assert heading(app).startswith("Figure 1: An exercise")


def captions_of(entry):
    return [caption.value.replace("\\", "") for caption in open_papers(entry=entry).caption]


def test_the_reason_why_a_claim_fails_has_the_name_of_its_badge():
    failed = [name for name, kept in load_shipped_results().items() if kept.status == FAILED]
    assert failed, "this test needs a shipped result with a claim that does not hold"
    captions = captions_of(failed[0])
    assert any(f"Not reproduced: {ENTRIES[failed[0]].why}" in text for text in captions)
    assert not any("Direction only" in text for text in captions)


def test_hundreds_of_seconds_have_no_exponent():
    assert load_shipped_results()["gcnn-table-1"].seconds > 100
    captions = captions_of("gcnn-table-1")
    assert any("CPU s (budget about 500 s)" in text for text in captions)
    assert not any("e+02" in text for text in captions)


KEPT_WITH_DATA = ("ia-figure-5", "dti-figure-1b", "dti-figure-2b")


def verdicts(app):
    return [badge for text in app.markdown for badge in re.findall(r"-badge\[(.*)\]", text.value)]


@pytest.mark.parametrize("name", KEPT_WITH_DATA)
def test_a_result_on_the_papers_data_keeps_its_verdict_where_these_are_missing(name):
    app = open_papers(entry=name)
    (verdict,) = verdicts(app)
    assert verdict.endswith("reproduced")
    assert "MNIST" in said(app)
    listed = app.radio(key=f"entries of {ENTRIES[name].paper}")
    label = next(text for text in listed.options if text.startswith(f"{ENTRIES[name].label} "))
    assert label.endswith("[reproduced]")


def test_each_of_two_results_has_its_own_data_and_verdict():
    app = compute(open_papers(entry="ia-figure-5"))
    before, now = verdicts(app)
    assert before.endswith("reproduced")
    assert now.endswith("direction only")
    assert "Data: MNIST's 3s" in words(app)
    assert "Data: scikit-learn's 3s instead of MNIST's" in words(app)


def test_missing_data_are_named_and_impossible_entries_explained():
    assert "florence\\_cathedral\\.npz" in said(open_papers(entry="dti-figure-3b"))
    assert "Instagram" in said(open_papers(entry="dti-figure-1c"))


def test_an_entry_is_computed_and_shown_beside_the_precomputed_result():
    app = compute(open_papers(entry="ia-figure-2"))
    table = app.dataframe[0].value
    assert list(table) == ["quantity", "paper", "precomputed", "computed now", "difference"]
    first = table.iloc[0]
    assert (first["paper"], first["computed now"]) == ("4", first["precomputed"])


def test_a_run_that_ends_while_its_page_is_drawn_is_shown_with_its_numbers(monkeypatch):
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


def test_the_exercise_hides_its_answers_until_they_are_asked_for():
    app = open_papers(entry="gcnn-figure-1")
    assert not app.success
    app.toggle[0].set_value(True).run()
    assert "You are right about" in app.success[0].value


def test_the_diagram_of_a_layer_shows_the_chosen_digit():
    app = open_papers(entry="gcnn-figure-6")
    app.button_group(key="digit of the branch").set_value(7)
    app.run()
    assert not app.exception
    assert any("gives the layer's result" in caption.value for caption in app.caption)


def test_finished_seeds_are_shown_with_their_curves(tmp_path, monkeypatch):
    found = Finished(
        ({"row": "p4-CNN", "here": "2.10 %", "paper": "2.048 %"},),
        ("some digits",),
        (Curves("Errors", "epoch", "error [%]", ("p4", ), np.arange(3.0), np.ones((1, 3))),),
    )  # fmt: skip
    monkeypatch.setattr(view, "_load_finished", lambda entry: found)
    app = open_papers(entry="gcnn-table-1")
    assert "At the paper's own schedule" in said(app)
    assert "some digits" in said(app)
    shown = [table.value.to_dict("records") for table in app.dataframe]
    assert [{"row": "p4-CNN", "here": "2.10 %", "paper": "2.048 %"}] in shown
