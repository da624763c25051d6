"""The Compare page: its example, table and sweep, pausing and resuming a run, and errors."""

import csv
import io
from dataclasses import replace

import pytest

from ia_engine.figures.formats import write_csv
from ia_engine.files import find_shipped
from ia_engine.runs.comparison.compare import results_of
from ia_engine.runs.comparison.config import TITLES
from ia_engine.runs.comparison.sweep import ROTATED, SWEPT
from ia_engine.runs.kinds.comparisons import COMPARISONS
from pages._ui.compare.sweep import NAME, SCORES, axis_of, example, lines_of, rows_of
from pages._ui.compare.table import format_notes, sort_rows
from pages._ui.runs.current import jobs
from tests.app.driving import ROOT, finish, open_page, press, runs, words
from tests.waits import MAX_WAIT_S, wait_until

pytestmark = pytest.mark.usefixtures("reused_helpers")
PAGE = ROOT / "pages" / "compare.py"
QUICK = {"methods": ["kmeans", "ka", "ia-se2"], "budget": "20"}


@pytest.fixture(scope="module")
def done(reused_helpers):
    return finish(press(open_page(PAGE, **QUICK), "Run"))


def test_the_example_includes_fourteen_methods_and_every_transformation():
    app = open_page(PAGE)
    assert "Precomputed example: Experiment 1" in words(app)
    kept = example()
    computed = [result.method for result in kept.results]
    assert computed == [name for name in TITLES if name in computed]
    assert len(computed) >= 14
    kept_sweeps = [plan.sweep.sweep for plan, _ in kept.sweeps]
    assert kept_sweeps == [name for name in SWEPT if name not in ROTATED]
    assert find_shipped(NAME).stat().st_size < 400_000


def test_the_page_names_the_data_of_the_example_and_counts_the_images_that_a_run_will_use():
    text = words(open_page(PAGE, data="digits", images="60"))
    assert "Precomputed example: Experiment 1, 18 of 18 images, K = 3 given" in text
    assert "It is not a result for the data chosen above" in text
    assert f"{len(TITLES)} methods on 60 of the 1,797 images chosen above" in text
    text = words(open_page(PAGE, data="experiment-1"))
    assert "It is not a result for the data chosen above" not in text
    assert f"{len(TITLES)} methods on all 18 images chosen above" in text


def test_in_the_example_invariant_attention_finds_the_classes_and_k_means_does_not():
    ari = {result.method: result.measures.ari for result in example().results}
    assert ari["ia-se2"] == 1
    assert ari["kmeans"] < 0.3


def test_the_table_has_a_row_for_every_method_in_the_address(done):
    assert list(done.dataframe[0].value["method"]) == [
        "K-means", "Kernel attention", "Invariant attention, SE(2)",
    ]  # fmt: skip
    assert "Done: " in words(done)
    assert any(element.label == "How this can mislead" for element in done.expander)


def test_the_table_is_sorted_by_the_measure_in_the_address():
    app = finish(press(open_page(PAGE, order="ARI", **QUICK), "Run"))
    assert app.dataframe[0].value["method"][0] == "Invariant attention, SE(2)"


def test_the_notes_do_not_call_an_empty_result_the_best_result_so_far():
    done, found = (
        replace(result, finished=False, note="out of time") for result in example().results[:2]
    )
    nothing = replace(done, note="it diverged", assignments=done.assignments[:0])
    assert format_notes([done, nothing, found]) == [
        "K-means; GMM: out of time; the row shows the best result so far.",
        "K-means: it diverged; it found nothing.",
    ]


def test_the_table_shows_missing_values_as_dashes_and_has_no_column_of_notes(done):
    table = done.dataframe[0]
    assert table.proto.placeholder == "–"
    assert "note" not in table.value.columns


def test_the_squared_error_is_shown_for_methods_that_have_one(done):
    errors = done.dataframe[0].value["squared error"]
    assert errors[0] > 0
    assert errors[1:].isna().all()


def test_missing_values_are_sorted_last():
    rows = [{"ARI": None}, {"ARI": 0.1}, {"ARI": 0.9}]
    assert [row["ARI"] for row in sort_rows(rows, "ARI")] == [0.9, 0.1, None]


def test_the_status_says_that_the_settings_have_changed(done):
    done.slider(key="k").set_value(5)
    done.run()
    assert "settings above have changed" in words(done)


def test_k_defaults_to_the_number_of_classes_and_the_page_explains_a_k_of_0():
    assert open_page(PAGE).slider(key="k").value == 3
    assert "K is not set" in words(open_page(PAGE, k="0"))


def test_a_paused_run_resumes_with_the_remaining_methods():
    address = {"methods": ["ia-se2", "dti-kmeans"], "budget": "600"}
    app = press(open_page(PAGE, **address), "Run")
    (job,) = runs(app)
    wait_until(lambda: results_of(job.history), "the result of the first method")
    app = press(app.run(), "Pause")
    assert job.wait(MAX_WAIT_S)
    app.run()
    assert "Paused: 1 of 2 methods are done" in words(app)
    app = press(app, "Resume")
    again = runs(app)[-1]
    wait_until(lambda: again.history, "the first step of the resumed run")
    assert again.history[0].result is job.history[-1].result or results_of(again.history)
    again.cancel()
    assert again.wait(MAX_WAIT_S)


def test_after_a_failed_run_the_page_explains_what_to_do():
    app = open_page(PAGE)

    def fail():
        raise RuntimeError("no pixels left")
        yield

    job = jobs().submit(app.session_state["ia_viewer"], "fails", fail, 1, COMPARISONS.id)
    assert job.wait(MAX_WAIT_S)
    app.run()
    assert not app.exception
    assert "no pixels left" not in words(app), "only the log contains it"
    assert "look for the reference in the log of the server" in words(app)
    assert "press Run again" in words(app)


def test_a_sweep_computes_every_method_at_every_strength():
    address = {"methods": ["kmeans", "ia-se2"], "strengths": "2", "copies": "4", "budget": "20",
               "repeats": "1"}  # fmt: skip
    app = finish(press(open_page(PAGE, **address), "Sweep"))
    (job,) = runs(app)
    plan = job.history[-1].plan
    assert plan.steps == (0, 180)
    assert len([item for item in job.history if item.moment.result]) == 4
    assert "Precomputed example: Experiment 1" in words(app), "a sweep does not replace the table"


def test_the_spread_of_repetitions_is_plotted_and_attention_responds_to_beta():
    address = {"methods": ["kmeans", "ka"], "sweep": "beta", "strengths": "2", "copies": "3",
               "repeats": "2", "angle": "10"}  # fmt: skip
    app = finish(press(open_page(PAGE, **address), "Sweep"))
    (job,) = runs(app)
    done = [item for item in job.history if item.moment.result]
    assert [(item.repeat, item.at, item.moment.method) for item in done] == [
        (repeat, at, method) for repeat in (0, 1) for at in (0, 1) for method in ("kmeans", "ka")
    ]
    results = {(item.repeat, item.at, item.moment.method): item.moment.result for item in done}
    assert results[0, 0, "kmeans"] is results[0, 1, "kmeans"], "K-means has no β"
    assert results[0, 0, "ka"] is not results[0, 1, "ka"]
    assert "the median of 2 repetitions" in words(app)
    assert "Methods without β run only once" in words(app)


def test_the_axis_of_a_sweep_states_the_unit_of_its_quantity_or_that_it_has_none():
    assert axis_of(SWEPT["beta"]) == "bandwidth β [no unit]"
    assert axis_of(SWEPT["rotation"]) == "rotated by up to [°]"


@pytest.mark.parametrize("measure", SCORES)
def test_the_chart_and_the_exported_rows_of_a_sweep_agree(measure):
    plan, found = example().sweeps[0]
    lines = lines_of(plan, found, measure)
    rows = list(csv.DictReader(io.StringIO(write_csv(rows_of(plan, found)).decode("utf-8-sig"))))
    assert len(rows) == len(lines) * plan.sweep.strengths
    assert float(rows[0][measure.lower()]) == lines["K-means"][0].middle


def test_methods_are_chosen_by_their_titles_or_all_at_once():
    app = open_page(PAGE)
    assert list(app.button_group(key="methods").options) == list(TITLES.values())
    app = press(app, "None")
    assert "Choose at least one method" in words(app)
    app.button_group(key="methods").set_value(["ka", "ti"])
    app.run()
    assert app.query_params["methods"] == ["ka", "ti"]
    app = press(app, "All")
    assert set(app.button_group(key="methods").value) == set(TITLES)
    assert "methods" not in app.query_params


def test_a_run_of_a_single_method_is_named_after_that_method():
    app = press(open_page(PAGE, methods="kmeans", budget="0.1"), "Run")
    assert runs(app)[-1].title == "0.1 s, K = 3, K-means: experiment-1"


def test_without_methods_the_run_button_is_disabled_and_the_page_explains_why():
    app = open_page(PAGE)
    app.button_group(key="methods").set_value([])
    app.run()
    assert not app.exception
    assert "Choose at least one method" in words(app)
    assert next(button for button in app.button if button.label == "Run").disabled


def test_a_link_sets_k_even_if_the_page_showed_different_data_before():
    app = open_page(PAGE)
    app.switch_page("pages/papers.py").run()
    app.query_params["data"], app.query_params["k"] = "digits", "4"
    app.switch_page("pages/compare.py").run()
    assert not app.exception
    assert app.slider(key="k").value == 4


def test_an_illegal_k_in_a_link_is_explained_and_changes_nothing():
    app = open_page(PAGE, set_k="many")
    assert "set_k = many, which must be a whole number: k is unchanged" in words(app)
    assert app.slider(key="k").value == 3


def test_choosing_new_data_resets_k_to_their_number_of_classes():
    app = open_page(PAGE, k="5")
    app.query_params["data"] = "digits"
    app.run()
    assert app.slider(key="k").value == 10


def test_if_there_are_more_clusters_than_images_the_page_suggests_a_lower_k():
    app = open_page(PAGE, k="40")
    assert not app.exception
    assert "lower K" in words(app)
