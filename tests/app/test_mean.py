"""The Mean page without a browser: its example, presets and runs."""

from ia_engine.figures.frames import CACHED_FROM, make_frame
from ia_engine.figures.player import encode_step
from tests.app.driving import ROOT, finish, open_page, press, words
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
