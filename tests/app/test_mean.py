"""The Mean page without a browser: its example, presets and runs."""

import pytest
from hypothesis import given
from hypothesis.strategies import integers, sets

from ia_engine.figures.frames import CACHED_FROM, make_frame
from ia_engine.figures.player import encode_step
from pages._ui.state.mean import format_rows, parse_rows
from tests.app.driving import ROOT, finish, open_page, press, runs, words
from tests.frames import decode

PAGE = ROOT / "pages" / "mean.py"


def test_the_example_is_shown_before_the_first_run():
    app = open_page(PAGE)
    assert "Precomputed example" in words(app)
    assert "10 of 10 images shown" in words(app)


def test_the_description_of_an_animation_states_its_own_settings_instead_of_those_of_the_controls():
    text = words(open_page(PAGE, data="experiment-1", steps="7"))
    assert "This animation:** experiment-2: ten handwritten 3s" in text
    assert "10 of 10 images; descent, 50 iterations" in text
    assert "The controls above apply to the next run" in text
    app = finish(press(open_page(PAGE, data="experiment-1", steps="2", group="rotation"), "Run"))
    app.slider(key="steps").set_value(3).run()
    text = words(app)
    assert "This animation:** experiment-1: three drawings" in text
    assert "class Crab; 6 of 6 images; warm start, 2 iterations; group rotation; σ = 0 px" in text


def test_the_message_of_a_step_contains_its_run_and_summary_and_is_long_enough_for_the_cache():
    frame = make_frame(2, [[0.5]])
    sent = encode_step("run", frame, {"k": 3})
    metadata, arrays = decode(sent)
    assert metadata == {"run": "run", "k": 2, "summary": {"k": 3}}
    assert arrays["d2"].tolist() == [[0.5]]
    assert len(sent) >= CACHED_FROM
    assert encode_step("run", frame, {"k": 3}) == sent


def test_the_default_data_set_is_experiment_2():
    assert open_page(PAGE).query_params["data"] in ("experiment-2", ["experiment-2"])


def test_for_labelled_data_a_class_can_be_chosen():
    app = open_page(PAGE, data="experiment-1")
    assert app.selectbox(key="class").options[-1] == "all images"


def test_a_preset_sets_the_controls_and_starts_a_run():
    app = press(open_page(PAGE), "As in the paper")
    assert not app.exception
    assert app.session_state["start"] == "identity"
    assert any("of 50 iterations" in progress.proto.text for progress in app.get("progress"))


def test_the_status_of_a_finished_run_says_that_the_settings_have_changed():
    app = finish(press(open_page(PAGE, steps="2"), "Run"))
    assert "Done: 2 iterations" in words(app)
    assert "An example" not in words(app)
    app.slider(key="steps").set_value(3).run()
    (status,) = [text.value for text in app.markdown if "settings above have changed" in text.value]
    assert "Done: 2 iterations" in status


def test_means_from_different_initial_poses_are_compared_below_the_animation():
    two = '{"source": "experiment-2", "config": {"copies": 2}}'
    app = finish(press(open_page(PAGE, data=two), "Restart from different poses"))
    assert not app.exception
    assert [m.label for m in app.metric][-2:] == ["Start 1 differs by", "Start 2 differs by"]
    assert "Precomputed example" in words(app)
    assert "2 of 2 images shown" in words(app)


def test_a_link_with_the_rows_of_a_cluster_computes_their_mean_once():
    address = {"data": "experiment-1", "rows": "1-3,9", "steps": "2", "group": "rotation"}
    app = finish(open_page(PAGE, **address, run_now="0"))
    (job,) = runs(app)
    assert job.history[-1].plan.rows == (0, 1, 2, 8)
    assert job.history[-1].plan.config.group == "rotation"
    assert "a cluster found on Iterations; 4 of 4 images" in words(app)
    assert "run_now" not in app.query_params
    app.query_params["run_now"] = "0"  # a late request of the browser
    app.run()
    assert len(runs(app)) == 1
    app = press(app, "Cluster: 4 images")
    assert not app.exception
    assert "rows" not in app.query_params
    assert app.selectbox(key="class").options[-1] == "all images"


def test_a_copied_address_with_the_rows_of_a_cluster_computes_nothing():
    app = open_page(PAGE, data="experiment-1", rows="1-3,9", steps="1")
    assert not app.exception
    assert not runs(app)
    assert "rows" in app.query_params
    (job,) = runs(finish(press(app, "Run")))
    assert job.history[-1].plan.rows == (0, 1, 2, 8)


@pytest.mark.parametrize("text", ["0-3", "4-2", "1-99", "a", "1,,2"])
def test_invalid_rows_in_the_address_are_ignored_with_a_note(text):
    app = open_page(PAGE, data="experiment-1", rows=text)
    assert not app.exception
    assert not runs(app)
    assert any("1-6,9" in element.value for element in app.toast) or "1-6,9" in words(app)


def test_rows_are_removed_when_different_data_are_chosen():
    app = finish(open_page(PAGE, data="experiment-1", rows="1-3", steps="1", run_now="0"))
    app.selectbox(key="pick experiment-1").set_value("experiment-2").run()
    assert not app.exception
    assert "rows" not in app.query_params
    assert len(runs(app)) == 1


@given(rows=sets(integers(0, 60), min_size=1))
def test_rows_are_read_as_they_were_written(rows):
    assert parse_rows(format_rows(tuple(rows)), 61) == tuple(sorted(rows))
