import numpy as np
import pytest

from ia_engine.datasets.recipes import RECIPES, load_recipe
from pages._ui.data.catalogue import CATALOGUE, absent
from pages._ui.data.view import origin
from pages._ui.state import dataset
from pages._ui.state.dataset import MADE
from tests.app.data_page import address, calm, chosen, text
from tests.app.driving import ROOT, open_page


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_ready_made_set_is_shown_or_reported_as_missing(page, name):
    app = page(data=name)
    assert app.radio(key="ready").value == name
    assert not app.error
    assert ("is not on this machine" in text(app)) == bool(absent(name))
    assert address(app) == name


def test_choosing_a_set_shows_it_and_writes_it_to_the_address(page):
    app = page()
    app.radio(key="ready").set_value("digits")
    calm(app)
    assert address(app) == "digits"
    assert len(chosen(app).images) == 1797
    assert "200 of 1,797 images shown" in text(app)


def test_changed_settings_of_a_set_are_stored_in_the_recipe(page):
    app = page(data="blobs")
    app.slider(key="blobs blobs 1").set_value(5)
    calm(app)
    assert load_recipe(address(app)).config.blobs == 5
    assert int(chosen(app).labels.max()) == 4
    assert app.radio(key="ready").value == "blobs"


def test_a_missing_set_is_downloaded_only_when_the_button_is_pressed(page, monkeypatch):
    begun = []
    monkeypatch.setattr(
        "ia_engine.datasets.published.fetch", lambda name, progress, host: begun.append(name)
    )
    app = page(data="svhn")
    assert "SVHN (cropped digits) is not on this machine" in text(app)
    assert "svhn_train.npz or svhn_test.npz into the folder" in text(app)
    assert not begun
    app.button(key="fetch svhn").click()
    calm(app)
    for _ in range(50):
        if begun:
            break
        calm(app)
    assert begun == ["svhn"]


def test_a_saved_recipe_is_opened_and_an_illegal_one_is_refused_with_one_message(page):
    app = page()
    recipe = RECIPES["experiment-2"].to_json()
    app.file_uploader(key="recipe file").set_value(("r.json", recipe.encode(), "application/json"))
    calm(app)
    assert address(app) == "experiment-2"
    app.file_uploader(key="recipe file").set_value(("r.json", b'{"source": 3}', "text/json"))
    calm(app)
    assert [error.value.startswith("a data set must be one of") for error in app.error] == [True]
    assert address(app) == "experiment-2"


def test_a_set_is_regenerated_when_its_preferred_source_becomes_available_or_unavailable(
    page, monkeypatch, tmp_path
):
    app = page(data="rot-mnist")
    assert chosen(app).recipe.config.source == "digits"
    images = np.full((1000, 28, 28), 200, np.uint8)
    np.savez(tmp_path / "mnist_1k_balanced.npz", images=images, labels=np.arange(1000) % 10)
    monkeypatch.setenv("IA_DATA", str(tmp_path))
    assert chosen(calm(app)).recipe.config.source == "mnist"
    monkeypatch.delenv("IA_DATA")
    assert chosen(calm(app)).recipe.config.source == "digits"


@pytest.mark.parametrize(
    ("data", "searched"),
    [
        ("experiment-1", False),
        ("experiment-2", False),
        ('{"source": "experiment-2", "config": {"source": "best"}}', True),
        ("generated", False),
        ("rot-mnist", True),
        ("mnist-1k", True),
    ],
)
def test_the_app_searches_for_published_files_only_if_the_data_need_them(
    monkeypatch, data, searched
):
    searches = []
    places = dataset.places
    monkeypatch.setattr(dataset, "places", lambda: searches.append(data) or places())
    open_page(ROOT / "pages" / "iterations.py", data=data)
    assert bool(searches) is searched


def test_at_most_three_generated_sets_are_cached():
    assert MADE <= 3


def test_the_origin_of_the_digits_states_that_their_licence_is_unknown(page):
    digits = origin(RECIPES["digits"])
    assert "does not specify the licence of the data" in digits
    assert "BSD" not in digits
    assert digits in text(page(data="digits"))
