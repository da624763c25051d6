import pytest
from streamlit.testing.v1 import AppTest

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.attention.manifolds.pair import PairConfig
from ia_engine.attention.means.algorithm1 import MeanConfig
from ia_engine.clustering.config import ClusterConfig
from ia_engine.params import Range, parameters
from pages._ui.controls import label_of, linear_steps, log_stops
from pages._ui.panels import escape
from pages._ui.wording import duration, number
from tests.waits import MAX_WAIT_S


def script():
    from dataclasses import dataclass
    from typing import Annotated

    import streamlit as st

    from ia_engine.errors import EngineError
    from ia_engine.params import Choice, Config, Range
    from pages._ui.controls import edit

    @dataclass(frozen=True)
    class Example(Config):
        beta: Annotated[float, Range("β", 0.1, 100, "sharpness", log=True)] = 10.0
        sigma: Annotated[float, Range("σ", 0, 20, "smoothing", "px")] = 0.5
        steps: Annotated[int, Range("N", 1, 50, "iterations")] = 6
        neighbours: Annotated[int, Range("k", 1, 1000, "neighbours", log=True)] = 7
        seed: Annotated[int, Range("seed", 0, 2**31 - 1, "of the noise")] = 3
        method: Annotated[str, Choice("", ("ia", "ka"), "which mean")] = "ia"
        rule: Annotated[str, Choice("", tuple(f"a long rule {k}" for k in range(5)), "which")] = (
            "a long rule 1"
        )

        def __post_init__(self):
            super().__post_init__()
            if self.steps == 50 and self.method == "ka":
                raise EngineError("ka takes fewer than 50 steps: choose fewer")

    st.session_state["config"] = edit(Example(), "x")
    st.session_state["default"] = Example()
    st.session_state["partly"] = edit(Example(), "y", only=["beta"])


def run(**address):
    app = AppTest.from_function(script)
    for name, value in address.items():
        app.query_params[name] = value
    app.run(timeout=MAX_WAIT_S)
    assert not app.exception
    return app


def test_controls_that_were_not_changed_return_the_given_config():
    app = run()
    assert app.session_state["config"] == app.session_state["default"]
    assert not app.warning


@pytest.mark.parametrize(("name", "value"), [("steps", 0), ("beta", 0.01), ("method", "other")])
def test_an_illegal_value_that_another_page_has_set_is_removed(name, value):
    app = AppTest.from_function(script)
    app.session_state[f"x_{name}"] = value
    app.run(timeout=MAX_WAIT_S)
    assert not app.exception
    assert not app.error
    assert app.session_state["config"] == app.session_state["default"]


def test_a_label_consists_of_a_word_a_symbol_and_a_unit():
    app = run()
    assert app.slider(key="x_sigma").label.replace("\\", "") == "Smoothing σ [px]"
    assert app.slider(key="x_sigma").help == "smoothing"
    assert app.number_input(key="x_seed").label == "seed"


def test_every_control_changes_its_own_parameter():
    app = run()
    app.select_slider(key="x_beta").set_value(20.0)
    app.slider(key="x_sigma").set_value(1.5)
    app.slider(key="x_steps").set_value(9)
    app.select_slider(key="x_neighbours").set_value(100)
    app.number_input(key="x_seed").set_value(12345)
    app.button_group(key="x_method").set_value("ka")
    app.selectbox(key="x_rule").set_value("a long rule 4")
    config = app.run().session_state["config"]
    assert config == type(config)(20.0, 1.5, 9, 100, 12345, "ka", "a long rule 4")
    assert [type(x) for x in (config.beta, config.steps, config.neighbours)] == [float, int, int]


def test_only_the_requested_parameters_have_controls():
    app = run()
    keys = {widget.key for widget in [*app.slider, *app.select_slider, *app.number_input]}
    assert {key for key in keys if key.startswith("y")} == {"y_beta"}


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("beta", "20", 20.0),
        ("beta", "3.14159", 3.14159),
        ("sigma", "2.5", 2.5),
        ("steps", "50", 50),
        ("neighbours", "77", 77),
        ("seed", "99", 99),
        ("method", "ka", "ka"),
        ("rule", "a long rule 0", "a long rule 0"),
    ],
)
def test_a_value_in_the_address_sets_its_parameter(name, text, value):
    app = run(**{f"x_{name}": text})
    assert getattr(app.session_state["config"], name) == value
    assert not app.warning


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("beta", "1000"),
        ("beta", "nan"),
        ("beta", "ten"),
        ("beta", ""),
        ("sigma", "-1"),
        ("sigma", "inf"),
        ("steps", "51"),
        ("steps", "many"),
        ("neighbours", "7.5"),
        ("seed", "-4"),
        ("seed", "9" * 30),
        ("seed", "1" + "0" * 400),
        ("seed", "9" * 5000),
        ("steps", "1" + "0" * 400),
        ("method", "![x](y)"),
        ("rule", "another"),
    ],
)
def test_an_illegal_value_in_the_address_is_replaced_by_the_default_with_one_warning(name, text):
    app = run(**{f"x_{name}": text})
    assert app.session_state["config"] == app.session_state["default"]
    assert [f"x_{name}" in warning.value.replace("\\", "") for warning in app.warning] == [True]
    assert not app.run().warning


def test_an_illegal_combination_of_values_is_explained_and_not_used():
    app = run(x_steps="50", x_method="ka")
    assert app.session_state["config"] == app.session_state["default"]
    assert "choose fewer" in app.error[0].value


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 1, (0, 1, 0.01)),
        (0, 8, (0, 8, 0.1)),
        (0, 20, (0, 20, 0.2)),
        (-3.14159, 3.14159, (-3.1, 3.1, 0.1)),
        (0.05, 0.9, (0.05, 0.9, 0.01)),
        (-1024, 1024, (-1000, 1000, 50)),
    ],
)
def test_a_linear_slider_has_round_limits_and_a_round_step(low, high, expected):
    assert linear_steps(Range("x", low, high, ""), value=0.5) == expected


@pytest.mark.parametrize("config", [AttentionConfig, MeanConfig, PairConfig, ClusterConfig])
def test_a_linear_slider_has_at_most_102_stops(config):
    for parameter in parameters(config):
        if isinstance(parameter.about, Range) and not parameter.about.log:
            low, high, step = linear_steps(parameter.about, parameter.default)
            assert round((high - low) / step) <= 101


@pytest.mark.parametrize("config", [AttentionConfig, MeanConfig, PairConfig, ClusterConfig])
def test_no_label_repeats_a_word(config):
    for parameter in parameters(config):
        words = label_of(parameter.name, parameter.about).lower().split()
        assert len(set(words)) == len(words), words


def test_the_range_of_a_linear_slider_includes_its_value():
    assert linear_steps(Range("x", -1024, 1024, ""), value=1024.0)[1] == 1024


def test_a_logarithmic_slider_stops_at_its_limits_at_round_numbers_and_at_known_values():
    about = Range("x", 0.7, 30, "", log=True)
    stops = log_stops(about, float, known=[7.77])
    assert stops == sorted(stops)
    assert (stops[0], stops[-1]) == (0.7, 30)
    assert {1, 2.5, 7.77, 10, 12} <= set(stops)
    whole = log_stops(Range("x", 1, 20, "", log=True), int, known=[])
    assert whole == [1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20]
    assert all(isinstance(stop, int) for stop in whole)


def test_numbers_are_short_and_durations_are_rounded():
    assert [number(x) for x in (10.0, 0.1, 1 / 3, 2e-7, 1234567)] == [
        "10",
        "0.1",
        "0.333333",
        "2e-07",
        "1234567",
    ]
    assert [duration(x) for x in (0.2, 12.3, 600, 9000)] == [
        "less than 1 s",
        "12 s",
        "10 min",
        "2 h 30 min",
    ]


def test_markup_in_user_text_is_escaped():
    assert escape("![a](b) <c> :red[d] $e$ f") == r"\!\[a\]\(b\) \<c\> \:red\[d\] \$e\$ f"


def test_labels_contain_no_escapes_because_screen_readers_read_them_aloud():
    app = run()
    assert app.slider(key="x_sigma").label == "Smoothing σ [px]"
    assert label_of("n_b", Range("σ_n", 0, 1, "", "1/px")) == "σₙ · n b [1/px]"
