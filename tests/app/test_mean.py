"""The page Mean without a browser: its example, presets and runs."""

from ia_engine.figures.frames import CACHED_FROM, make_frame
from pages._ui.components.player import encode_step
from tests.app.driving import ROOT, finish, open_page, press, words
from tests.frames import decode

PAGE = ROOT / "pages" / "mean.py"


def test_the_example_is_shown_before_the_first_run():
    app = open_page(PAGE)
    assert "Precomputed example" in words(app)
    assert "10 of 10 images shown" in words(app)


def test_a_film_is_described_by_its_own_settings_not_by_the_controls():
    told = words(open_page(PAGE, data="experiment-1", steps="7"))
    assert "This film:** experiment-2: ten handwritten 3s" in told
    assert "10 of 10 images; descent, 50 iterations" in told
    assert "The controls above apply to the next run" in told
    app = finish(press(open_page(PAGE, data="experiment-1", steps="2", group="rotation"), "Run"))
    app.slider(key="steps").set_value(3).run()
    told = words(app)
    assert "This film:** experiment-1: three drawings" in told
    assert "class Crab; 6 of 6 images; warm start, 2 iterations; group rotation; σ = 0 px" in told


def test_a_step_is_sent_with_its_run_and_its_numbers_and_is_long_enough_for_the_cache():
    frame = make_frame(2, [[0.5]])
    sent = encode_step("run", frame, {"k": 3})
    metadata, arrays = decode(sent)
    assert metadata == {"run": "run", "k": 2, "summary": {"k": 3}}
    assert arrays["d2"].tolist() == [[0.5]]
    assert len(sent) >= CACHED_FROM
    assert encode_step("run", frame, {"k": 3}) == sent


def test_the_first_data_set_is_experiment_2():
    assert open_page(PAGE).query_params["data"] in ("experiment-2", ["experiment-2"])


def test_labelled_data_have_a_choice_of_class():
    app = open_page(PAGE, data="experiment-1")
    assert app.selectbox(key="class").options[-1] == "all images"


def test_a_preset_sets_the_controls_and_runs():
    app = press(open_page(PAGE), "As in the paper")
    assert not app.exception
    assert app.session_state["start"] == "identity"
    assert any("of 50 iterations" in progress.proto.text for progress in app.get("progress"))


def test_a_finished_run_reports_when_the_settings_have_changed():
    app = finish(press(open_page(PAGE, steps="2"), "Run"))
    assert "Done: 2 iterations" in words(app)
    assert "An example" not in words(app)
    app.slider(key="steps").set_value(3).run()
    (status,) = [text.value for text in app.markdown if "settings above have changed" in text.value]
    assert "Done: 2 iterations" in status


def test_results_from_different_initial_poses_are_shown_below_the_film():
    two = '{"source": "experiment-2", "config": {"copies": 2}}'
    app = finish(press(open_page(PAGE, data=two), "Restart from different poses"))
    assert not app.exception
    assert [m.label for m in app.metric][-2:] == ["Start 1 differs by", "Start 2 differs by"]
    assert "Precomputed example" in words(app)
    assert "2 of 2 images shown" in words(app)
