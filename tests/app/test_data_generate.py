import math

import pytest

from ia_engine.datasets.recipes import load_recipe
from ia_engine.transforms import TRANSFORMS
from pages._ui.state import data as state
from tests.app.data_page import address, calm, chosen, go, text


def test_the_generate_tab_opens_with_the_recipe_of_the_current_set_and_keeps_the_set(page):
    app = go(page(), "Generate")
    assert address(app) == "experiment-1"
    assert app.multiselect[0].value == ["crab", "seven", "snail"]
    assert app.number_input[0].value == 6


def test_every_control_of_the_generate_tab_changes_the_data(page):
    app = go(page(), "Generate")
    seen = {chosen(app).digest}
    app.multiselect[0].set_value(["crab", "icon-cat", "digits:3"])
    calm(app)
    seen.add(chosen(app).digest)
    assert chosen(app).classes == ("Crab", "Cat", "3")
    app.number_input[0].set_value(4)
    calm(app)
    assert len(chosen(app).images) == 12
    seen.add(chosen(app).digest)
    app.number_input[1].set_value(9)
    calm(app)
    seen.add(chosen(app).digest)
    slider = rotation_slider(app)
    assert (slider.label, slider.value) == ("± θ · turn [°]", 65.0)
    slider.set_value(10.0)
    calm(app)
    seen.add(chosen(app).digest)
    assert len(seen) == 5
    recipe = load_recipe(address(app)).config
    assert recipe.distortions[0].low[0] == pytest.approx(-0.1745)
    assert recipe.distortions[0].low[1] == -10, "the other bounds do not change"


def test_distortions_are_added_changed_moved_and_removed(page):
    app = go(page(), "Generate")
    app.button(key="add distortion").click()
    calm(app)
    assert kinds(app) == ["se2", "similarity"]
    app.selectbox[1].set_value("noise")
    calm(app)
    assert kinds(app) == ["se2", "noise"]
    app.button(key="Move distortion 2 up").click()
    calm(app)
    assert kinds(app) == ["noise", "se2"]
    app.button(key="Remove distortion 1").click()
    calm(app)
    assert kinds(app) == ["se2"]
    app.button(key="Remove distortion 1").click()
    calm(app)
    assert kinds(app) == []


def test_an_outdated_address_from_the_browser_does_not_reset_the_sliders(page):
    app = separate_ends(go(page(), "Generate"))
    before = address(app)
    rotation_slider(app).set_value((-60.0, 65.0))
    calm(app)
    key, after = rotation_slider(app).key, address(app)
    assert after != before
    app.query_params["data"] = before
    calm(app)
    slider = rotation_slider(app)
    assert (slider.key, slider.value, address(app)) == (key, (-60.0, 65.0), after)


def test_the_previous_address_is_applied_if_it_is_not_outdated(page, monkeypatch):
    monkeypatch.setattr(state, "LATE_S", 0.0)
    app = separate_ends(go(page(), "Generate"))
    before = address(app)
    rotation_slider(app).set_value((-60.0, 65.0))
    calm(app)
    app.query_params["data"] = before
    calm(app)
    assert (rotation_slider(app).value, address(app)) == (65.0, before)


def separate_ends(app):
    """Give every coordinate a slider with two handles."""
    even_toggle(app).set_value(False)
    return calm(app)


def even_toggle(app):
    return next(one for one in app.toggle if one.label == "Same limit in both directions")


def rotation_slider(app):
    return next(slider for slider in app.slider if "turn" in slider.label)


def kinds(app):
    return [part.transform for part in load_recipe(address(app)).config.distortions]


@pytest.mark.parametrize("transform", sorted(set(TRANSFORMS) - {"se2"}))
def test_the_sliders_of_every_transform_change_the_data_set(page, transform):
    app = go(page(), "Generate")
    app.selectbox[0].set_value(transform)
    calm(app)
    assert not app.error
    assert kinds(app) == [transform]
    before = chosen(app).digest
    slider = app.slider[-1]
    low_and_high = isinstance(slider.value, tuple)
    slider.set_value((slider.value[0], slider.value[1] / 2) if low_and_high else slider.value / 2)
    calm(app)
    assert chosen(app).digest != before


def test_rotations_can_be_generated_up_to_exactly_180_degrees(page):
    app = go(page(), "Generate")
    rotation_slider(app).set_value(180.0)
    calm(app)
    assert not app.error
    (distortion,) = load_recipe(address(app)).config.distortions
    assert (distortion.low[0], distortion.high[0]) == (-math.pi, math.pi)
    assert rotation_slider(app).value == 180.0
    assert rotation_slider(separate_ends(app)).value == (-180.0, 180.0)


def test_bounds_that_become_one_limit_get_the_larger_one(page):
    app = separate_ends(go(page(), "Generate"))
    rotation_slider(app).set_value((-60.0, 20.0))
    calm(app)
    assert not even_toggle(app).value
    even_toggle(app).set_value(True)
    calm(app)
    assert rotation_slider(app).value == 60.0
    (distortion,) = load_recipe(address(app)).config.distortions
    assert distortion.low[0] == pytest.approx(-math.radians(60), abs=1e-4)
    assert distortion.high[0] == -distortion.low[0]


def test_mirrors_and_noise_are_added_with_one_click_each(page):
    app = go(page(), "Generate")
    before = chosen(app)
    app.button(key="add mirrors").click()
    calm(app)
    app.button(key="add noise").click()
    calm(app)
    assert kinds(app) == ["se2", "mirror", "noise"]
    data = chosen(app)
    mirrored = data.poses[:, 3] >= 0.5
    assert 0 < int(mirrored.sum()) < len(mirrored)
    assert data.images.shape == before.images.shape


def test_no_transform_is_listed_by_its_internal_name(page):
    app = go(page(), "Generate")
    assert set(app.selectbox[0].options).isdisjoint(TRANSFORMS)


def test_every_coordinate_can_have_its_own_bounds(page):
    app = go(page(), "Generate")
    app.toggle[0].set_value(True)
    calm(app)
    labels = [slider.label for slider in app.slider if slider.label.startswith("±")]
    assert labels == ["± θ · turn [°]", "± b · shift 1 [px]", "± b · shift 2 [px]"]
    assert len(load_recipe(address(app)).config.distortions[0].low) == 3


def test_a_large_set_is_only_previewed_until_a_button_generates_it(page):
    app = go(page(), "Generate")
    app.number_input[0].set_value(80)
    calm(app)
    assert address(app) == "experiment-1"
    assert "Preview" in text(app)
    make = next(button for button in app.button if button.label == "Make all 240 images")
    make.click()
    calm(app)
    assert len(chosen(app).images) == 240
    assert "Preview" not in text(app)


def test_if_no_base_image_is_chosen_the_data_are_unchanged_and_the_page_asks_for_one(page):
    app = go(page(), "Generate")
    app.multiselect[0].set_value([])
    calm(app)
    assert "Choose at least one picture" in text(app)
    assert len(chosen(app).images) == 18
