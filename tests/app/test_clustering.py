"""The Clustering page: its example, views and links to Compare; pausing and resuming a run."""

import io
import math
from urllib.parse import parse_qs

import pytest
from PIL import Image

from ia_engine.datasets.data import Recipe
from ia_engine.datasets.distortions import Distortion
from ia_engine.datasets.generated import GeneratedConfig
from ia_engine.files import find_shipped
from ia_engine.runs.clustering.result import LARGE
from ia_engine.runs.kinds.clusterings import CLUSTERINGS
from pages._ui.clustering.controls import TRANSFORMED
from pages._ui.clustering.view import NAME, example
from pages._ui.compare.sweep import example as sweeps
from pages._ui.runs.current import jobs
from tests.app.driving import ROOT, finish, open_page, press, runs, words
from tests.waits import MAX_WAIT_S, wait_until

PAGE = ROOT / "pages" / "clustering.py"
SHORT = {"budget": "1", "modules": "affine", "k": "4"}


def wait_for_steps(job, count):
    wait_until(lambda: len(job.history) >= count, f"{count} steps of the run")


def open_view(app, view):
    app.button_group(key="view").set_value(view)
    app.run()
    assert not app.exception
    return app


@pytest.fixture(scope="module")
def done():
    return finish(press(open_page(PAGE, **SHORT), "Run"))


def test_the_example_is_shown_before_the_first_run():
    app = open_page(PAGE)
    assert "Precomputed example" in words(app)
    assert app.query_params["data"] in ("digits", ["digits"])


def test_the_example_is_small_and_accurate_and_has_one_frame_per_point_of_its_curves():
    film = example()
    assert find_shipped(NAME).stat().st_size < 300_000
    assert len(film.pictures) == len(film.numbers.seconds) > 30
    assert film.numbers.acc[-1] > 0.75


def test_a_run_uses_the_settings_in_the_page_address(done):
    plan = runs(done)[0].history[-1].plan
    assert (plan.config.k, plan.config.sequence, plan.budget) == (4, "affine", 1)
    assert "Done: " in words(done)


def test_a_run_assigns_every_image_and_scores_its_clusters_by_purity(done):
    look = runs(done)[0].history[-1]
    assert len(look.newest.result.assignments) == look.plan.total
    assert look.score.rule == "purity", "there are four clusters and ten classes"


def test_the_samples_view_explains_its_prototypes_and_counts_its_images(done):
    app = open_view(done, "Samples")
    assert "transformed to fit images of its cluster" in words(app)
    assert "won" in words(app)
    assert "images of prototype 1 shown" in words(app)


def test_the_prototype_view_has_a_slider_for_every_parameter_and_a_button_that_resets_them(done):
    app = open_view(done, "Prototype")
    sliders = [slider for slider in app.slider if "affine" in (slider.key or "")]
    assert [slider.label.split(",")[0] for slider in sliders] == [
        "L₁₁ · rows", "L₁₂ · rows by columns", "L₂₁ · columns by rows", "L₂₂ · columns",
        "b₁ · up", "b₂ · left",
    ]  # fmt: skip
    sliders[0].set_value(0.2)
    app.run()
    app = press(app, "Back to 0")
    assert [s.value for s in app.slider if "affine" in (s.key or "")] == [0] * 6


def test_the_outliers_view_states_how_many_images_are_shown(done):
    assert "24 of 1,797 images shown" in words(open_view(done, "Outliers"))


def test_the_confusion_view_names_its_measures_and_explains_how_it_can_mislead(done):
    app = open_view(done, "Confusion")
    assert [metric.label for metric in app.metric] == ["ACC (purity)", "NMI", "ARI"]
    assert any(element.label == "How this can mislead" for element in app.expander)


def test_the_export_view_states_that_its_files_cover_all_images(done):
    assert "1,797 of 1,797 images, one line each" in words(open_view(done, "Export"))


def test_training_continues_after_manual_edits_and_with_new_settings_but_not_with_a_new_k():
    app = finish(press(open_page(PAGE, more="1", view="Change", **SHORT), "Run"))
    for change in ("Split 1", "Merge 1 and 2", "Reseed 1"):
        app = finish(press(app, change))
        old, new = runs(app)[-2:]
        assert new.title.startswith(change)
        assert new.history[-1].iteration > old.history[-1].iteration
        assert new.history[0].iteration == 0, "the animation starts where the old one does"
    app.select_slider(key="rate").set_value(1e-2)
    app = finish(press(app.run(), "Continue with the settings above"))
    assert runs(app)[-1].history[-1].plan.config.rate == 1e-2
    app.slider(key="k").set_value(5)
    app.run()
    assert "k cannot change within a run" in words(app)
    assert next(b for b in app.button if b.label == "Continue with the settings above").disabled


def test_a_button_reseeds_a_prototype_from_the_selected_image():
    app = finish(press(open_page(PAGE, i="1630", view="Change", **SHORT), "Run"))
    assert any(button.label == "Reseed 1 from image 1630" for button in app.button)


def test_a_paused_run_shows_its_views_and_resumes_from_its_last_step():
    app = press(open_page(PAGE, **(SHORT | {"budget": "60"})), "Run")
    (job,) = runs(app)
    wait_for_steps(job, 3)
    app = press(app.run(), "Pause")
    assert job.wait(MAX_WAIT_S)
    app.run()
    assert not app.exception
    assert "Paused after" in words(app)
    assert "500 of 1,797 images shown" in words(app)
    app = press(app, "Resume")
    again = runs(app)[-1]
    wait_for_steps(again, len(job.history) + 2)
    again.cancel()
    assert again.history[-1].iteration > job.history[-1].iteration


def test_after_a_failed_run_the_page_explains_what_to_do():
    app = open_page(PAGE)

    def fail():
        raise RuntimeError("no pixels left")
        yield

    job = jobs().submit(app.session_state["ia_viewer"], "fails", fail, 1, CLUSTERINGS.id)
    assert job.wait(MAX_WAIT_S)
    app.run()
    assert not app.exception
    assert "no pixels left" not in words(app), "only the log contains it"
    assert "look for the reference in the log of the server" in words(app)
    assert "press Run again" in words(app)


def test_k_cannot_exceed_the_number_of_images():
    app = open_page(PAGE, data="experiment-1", k="40")
    assert not app.exception
    assert (app.slider(key="k").max, app.slider(key="k").value) == (18, 3)
    assert "must be a whole number between 1 and 18" in app.warning[0].value


def test_with_a_single_generated_image_the_run_button_is_disabled_and_the_example_stays():
    one = GeneratedConfig(bases=("digits:3",), copies=1)
    app = open_page(PAGE, data=Recipe("generated", one).to_json())
    assert not app.exception
    assert "choose different data" in words(app)
    (run,) = [button for button in app.button if button.label == "Run"]
    assert run.disabled
    assert "Precomputed example" in words(app)


def photograph(at):
    """A picture of a stripe to upload; its direction alternates and its size varies with `at`."""
    picture, file = (
        Image.new("RGB", (60 + 4 * at, 90 - 3 * at), (40, 90 + 10 * at, 160)),
        io.BytesIO(),
    )
    box = (0, 30, 90, 45) if at % 2 else (25, 0, 40, 90)
    picture.paste((220, 200, 60), box)
    picture.save(file, "PNG")
    return (f"trip/{at}.png", file.getvalue(), "image/png")


def test_photographs_of_different_sizes_are_clustered_in_colour_at_128_pixels():
    app = open_page(PAGE, budget="1", k="2")
    (uploader,) = app.file_uploader
    assert uploader.accept_directory
    rubbish = ("trip/rubbish.png", b"no picture at all", "image/png")
    uploader.set_value([*(photograph(at) for at in range(8)), rubbish])
    app.run()
    assert not app.exception
    assert any("8 images read" in element.value for element in app.success)
    assert any("rubbish" in element.value for element in app.warning)
    assert app.button_group(key="colour_modules").value == ["color", "projective"]
    app.slider(key="k").set_value(2)
    app = finish(press(app.run(), "Run"))
    look = runs(app)[-1].history[-1]
    assert look.newest.state.prototypes.shape == (2, 3, 128, 128)
    assert (look.plan.config.sequence, look.plan.config.batch) == ("color,projective", 32)
    assert look.newest.picture.nbytes <= 1.3 * LARGE


def rotated(degrees):
    turned = Distortion("rotation", (-math.radians(degrees),), (math.radians(degrees),))
    return Recipe("generated", GeneratedConfig(distortions=(turned,))).to_json()


def test_before_a_run_the_page_warns_about_rotations_that_prototypes_cannot_learn():
    app = open_page(PAGE, data=rotated(180))
    assert "These images are rotated by up to ±180°" in words(app)
    (link,) = [link for link in app.get("page_link") if "invariant attention" in link.label]
    assert link.page == "compare"
    address = parse_qs(link.query_string)
    assert address == {"data": [rotated(180)], "methods": ["ia-rotation"]}


@pytest.mark.parametrize("address", [{"data": rotated(60)}, {"data": rotated(180), "model": "gmm"}])
def test_small_rotations_and_models_without_transformations_need_no_warning(address):
    assert "These images are rotated" not in words(open_page(PAGE, **address))


def test_in_the_precomputed_sweep_transformed_prototypes_fail_for_rotations_by_180_degrees():
    (found,) = [found for plan, found in sweeps().sweeps if plan.sweep.sweep == "rotation"]
    ari = {result.method: result.measures.ari for result in found[max(found)]}
    assert ari["ia-rotation"] == 1
    assert all(ari[model] < 0.5 for model in TRANSFORMED)


def test_a_single_uploaded_image_is_refused():
    app = open_page(PAGE)
    app.file_uploader[0].set_value([photograph(0)])
    app.run()
    assert not app.exception
    assert "at least 2 images; got 1" in words(app).replace("\\", "")


def test_k_defaults_to_the_number_of_classes_of_the_data():
    assert open_page(PAGE, data="experiment-1").slider(key="k").value == 3


def test_colour_images_use_the_modules_for_photographs_by_default():
    app = open_page(PAGE, data="mnist-color")
    assert app.button_group(key="colour_modules").value == ["color", "projective"]


def test_the_status_says_that_the_settings_have_changed(done):
    done.slider(key="k").set_value(6)
    done.run()
    (status,) = [
        text.value for text in done.markdown if "settings above have changed" in text.value
    ]
    assert "Done: " in status


METHODS = {"dti-kmeans", "dti-gmm", "ti", "kmeans", "gmm"}


def link_to_compare(app):
    (link,) = [link for link in app.get("page_link") if "Compare K-means" in link.label]
    assert link.page == "compare"
    return parse_qs(link.query_string)


def test_a_link_opens_the_compare_page_with_the_same_data_k_and_seed():
    app = open_page(PAGE, data="mnist-color", k="4", seed="7")
    address = link_to_compare(app)
    assert set(address) == {"data", "methods", "images", "set_k", "set_seed"}
    images = address["images"][0]
    app.query_params.clear()
    for name, value in address.items():
        app.query_params[name] = value
    app.switch_page("pages/compare.py").run()
    assert not app.exception
    assert not [warning for warning in app.warning if "The address contains" in warning.value]
    assert not {"set_k", "set_seed"} & set(app.query_params)
    assert set(app.button_group(key="methods").value) == METHODS
    assert (app.slider(key="k").value, app.number_input(key="seed").value) == (4, 7)
    assert f"5 methods on all {int(images):,} images" in words(app)


@pytest.mark.parametrize("address", [{"view": "Side by side"}, {"each": "12"}])
def test_for_an_address_of_the_former_comparison_view_the_page_links_to_the_compare_page(address):
    app = open_page(PAGE, **address)
    (message,) = app.warning
    assert "compared on the Compare page" in message.value
    assert not {"view", "each"} & set(app.query_params)
    assert link_to_compare(app)
    assert not app.run().warning
