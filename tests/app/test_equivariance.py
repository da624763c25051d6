"""The Equivariance page without a browser: its text, and the parameters in its address."""

import re

import pytest

from pages._ui.runs.current import jobs
from pages._ui.state.equivariance import EquivarianceState
from tests.app.driving import ROOT, open_page, press, words
from tests.waits import MAX_WAIT_S

PAGE = ROOT / "pages" / "equivariance.py"
VIEWS = (
    "Layer by layer",
    "Answers",
    "Stride and parity",
    "Inside a convolution",
    "Train",
)


@pytest.mark.parametrize("view", VIEWS)
def test_every_view_can_be_opened_by_its_address_and_explains_how_it_can_mislead(view):
    app = open_page(PAGE, view=view)
    assert not app.exception
    assert app.button_group(key="view").value == view
    assert any(e.label == "How this can mislead" for e in app.expander)


@pytest.mark.parametrize("address", [{"picture": "12"}, {"network": "none"}, {"turn": "x"}])
def test_an_illegal_value_in_the_address_leaves_the_default_network_selected(address):
    app = open_page(PAGE, **address)
    assert not app.exception
    assert app.selectbox(key="network").value == "alpha-f-p4"


def test_the_menu_labels_untrained_networks_and_starts_with_a_trained_one():
    app = open_page(PAGE, network="alpha-rh-p4", view="Answers")
    assert not app.exception
    options = app.selectbox(key="network").options
    assert options[0] == "αF-p4-CNN"
    assert "αRH-p4-CNN, untrained" in options
    compared = next(group for group in app.button_group if "networks beside" in str(group.key))
    assert set(compared.value) == {"alpha-f-p4", "p4", "z2", "alpha-rh-p4"}


@pytest.mark.parametrize(
    ("side", "way", "verdict"),
    [
        ("even: 8 px", "stride 2", "Not exact"),
        ("odd: 9 px", "stride 2", "Exact"),
        ("even: 8 px", "stride 1, then 2×2 pooling", "Exact"),
        ("odd: 9 px", "stride 1, then 2×2 pooling", "Not exact"),
        ("odd: 9 px", "stride 1", "Exact"),
    ],
)
def test_the_verdict_on_exactness_depends_on_both_stride_and_parity(side, way, verdict):
    app = open_page(PAGE, view="Stride and parity", side=side, way=way)
    assert not app.exception
    assert f"**{verdict}**" in words(app)
    (rule,) = [latex.value for latex in app.latex if r"\bmod" in latex.value]
    assert (r"\ne 0" in rule) == (verdict == "Not exact")


def test_the_lifting_layer_has_one_input_channel_and_other_layers_have_many():
    app = open_page(PAGE, view="Inside a convolution", conv_layer="1")
    assert "for 1 of 1 channels" in words(app)
    app = open_page(PAGE, view="Inside a convolution", conv_layer="3")
    assert "for 1 of 10 channels" in words(app)


@pytest.mark.parametrize("layer", ["1", "2"])
def test_the_description_of_attention_agrees_with_the_displayed_values(layer):
    app = open_page(PAGE, view="Inside a convolution", conv_layer=layer)
    shown, convolution = (
        float(x) for x in re.findall(r"(?:α⁺|1 − αX) is on average ([\d.]+)", words(app))
    )
    assert "In every map, the lowest value is pale and the highest value is dark" in words(app)
    assert "attenuated more than its surroundings" in words(app)
    low, high = re.search(r"α⁺ = 1 − α⁻ from (.+) \(pale\) to (.+) \(dark\)", words(app)).groups()
    assert low != high
    assert shown < 0.5
    assert (convolution < 0.5) == (layer == "1")


def test_the_page_opens_with_the_scribbled_3():
    assert open_page(PAGE).button_group(key="picture").value == "scribbled 3"


def test_an_address_of_an_earlier_version_opens_the_scribbled_3_without_a_note():
    app = open_page(PAGE, picture="hasty 3")
    assert app.button_group(key="picture").value == "scribbled 3"
    assert not app.exception
    assert "hasty" not in words(app)


def test_a_digit_is_shown_until_something_is_drawn_on_the_pad():
    app = open_page(PAGE, picture="draw")
    assert not app.exception
    assert "Until you draw, the 3 is shown" in words(app)


def test_three_networks_are_trained_side_by_side_and_can_then_be_selected():
    app = open_page(PAGE, view="Train", race_iterations="10", race_digits="200")
    next(button for button in app.button if button.label == "Run").click()
    app.run()
    (job,) = jobs().list(app.session_state["ia_viewer"])
    assert job.wait(MAX_WAIT_S)
    assert job.state == "done", job.error
    assert not app.run().exception
    race = job.history[-1]
    assert len(job.history) == job.expected
    assert set(race.curves) == {"z2", "p4", "alpha-f-p4"}
    ends = [lane[-1] for lane in race.curves.values()]
    assert all(end.iteration == 10 and end.test is not None for end in ends)
    assert "CPU time so far" in words(app)
    next(button for button in app.button if button.label == "Use the αF-p4-CNN").click()
    assert not app.run().exception
    assert app.selectbox(key="network").value == f"alpha-f-p4@{job.id}"
    assert "αF-p4-CNN, trained here:" in words(app)
    assert "Z²-CNN, trained here:" in words(app)
    app.button_group(key="view").set_value("Answers")
    assert not app.run().exception
    compared = next(group for group in app.button_group if "networks beside" in str(group.key))
    assert set(compared.value) == {f"{name}@{job.id}" for name in ("alpha-f-p4", "p4", "z2")}


@pytest.mark.parametrize("network", ["alpha-f-p4m", "p4"])
def test_the_image_can_be_mirrored_whichever_network_is_selected(network):
    app = open_page(PAGE, network=network, mirror="true")
    assert not app.exception
    assert app.toggle(key="mirror").value
    assert app.selectbox(key="network").value == network


def test_nearly_constant_attention_is_described_as_such():
    text = words(open_page(PAGE, view="Inside a convolution"))
    assert "nearly the same everywhere" in text
    assert "a scale spans at least 0.01" in text


def test_no_network_name_contains_an_underscore():
    for view in ("Layer by layer", "Stride and parity", "Train"):
        assert "α_" not in words(open_page(PAGE, view=view))


def test_a_button_selects_a_network_that_is_exact_but_untrained():
    app = open_page(PAGE)
    next(button for button in app.button if button.label == "Show me").click()
    assert not app.run().exception
    assert "αRH-p4-CNN, untrained: random weights" in words(app)


def test_the_view_does_not_change_when_the_address_no_longer_contains_a_run():
    app = open_page(PAGE, view="Answers")
    app.session_state[EquivarianceState.run_opened.key] = "a run"
    assert app.run().button_group(key="view").value == "Answers"


def test_an_illegal_network_is_replaced_and_the_message_names_a_legal_one():
    app = open_page(PAGE, network="z2")
    assert app.selectbox(key="network").value == "alpha-f-p4"
    assert "a network such as alpha-f-p4m" in words(app)


@pytest.fixture
def shown(monkeypatch):
    """What the view of the layers was asked to show: layer, angle and caption, run by run."""
    asked = []
    monkeypatch.setattr(
        "pages._ui.equivariance.turning.show_layer_maps", lambda _, *given: asked.append(given)
    )
    return asked


def test_a_caption_sets_the_angle_even_after_the_dial_was_rotated(shown, monkeypatch):
    app = open_page(PAGE, lesson="layers.3")
    dial = "pages._ui.equivariance.turning.show_dial"
    monkeypatch.setattr(dial, lambda _: 30.0)  # in every run from now on, like the component
    assert not app.run().exception
    assert app.query_params["turn"] == "30"
    app = press(app, "Next")
    assert app.query_params["turn"] == "90"
    assert shown[-1][1:] == ("90", "layers.4")
    monkeypatch.setattr(dial, lambda _: 60.0)
    assert app.run().query_params["turn"] == "60"


def test_an_illegal_angle_is_not_passed_on_to_the_view_of_the_layers(shown):
    for turn in ("1e999", "abc"):
        assert "turn" not in open_page(PAGE, lesson="layers.2", turn=turn).query_params
        assert shown[-1][1:] == ("", "layers.2")


def test_a_layer_in_the_address_is_ignored_for_a_network_without_attention(shown):
    app = open_page(PAGE, network="p4", layer="5")
    assert not [note.value for note in app.warning if "address" in note.value]
    assert shown[-1][0] == 1
