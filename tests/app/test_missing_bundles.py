"""If a bundle is missing, one error message replaces its component."""

import importlib
import pkgutil
import shutil

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

import ia_engine.files
import pages
from pages._ui import panels as assets
from tests.app.driving import ROOT, open_page
from tests.waits import MAX_WAIT_S

for found in pkgutil.walk_packages(pages.__path__, "pages."):
    if "._ui." in found.name:
        importlib.import_module(found.name)
FILES = sorted(
    path.name for kind in ("js", "css") for path in (ROOT / "assets/bundles").glob(f"*.{kind}")
)
OTHER_USES = {
    "projector_page.css",
    "player_file.js",
    "mean_film_file.js",
    "prototypes_file.js",
    "site_file.js",
    "site_page.css",
}
"""Bundles that no component needs: the style for projectors, and the scripts and the style of
exported pages and of the site."""
SHOWN = {
    "overview": ("player.js", {}),
    "data": ("drawing.js", {"data": "experiment-1"}),
    "iterations": ("player.css", {}),
    "mean": ("mean_film.js", {}),
    "manifolds": ("dial.js", {}),
    "clustering": ("prototypes.js", {}),
    "equivariance": ("turning.js", {}),
    "compare": ("formula.js", {}),
    "papers": ("drawing.css", {}),
    "runs": ("projector.js", {}),
}


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """A copy of the bundles, which the app reads again."""
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: {}))
    monkeypatch.setattr(ia_engine.files, "ASSETS", tmp_path)
    for path in (ROOT / "assets").iterdir():
        target = tmp_path / path.name
        if path.name == "bundles":
            shutil.copytree(path, target)
        else:
            target.symlink_to(path)
    assets._register.cache_clear()
    yield tmp_path
    assets._register.cache_clear()


def messages(app):
    return [error.value.replace("\\", "") for error in app.error]


def draw_twice(name):
    from pages._ui.panels import COMPONENTS, component

    script, *style = COMPONENTS[name]
    for key in ("one", "two"):
        component(name, script.removesuffix(".js"), styled=bool(style))(key=key, data=None)


def components_of(name):
    return [key for key, bundles in assets.COMPONENTS.items() if name in bundles]


@pytest.mark.parametrize("name", sorted({*FILES} - OTHER_USES))
def test_one_message_replaces_a_component_whose_file_is_missing(folder, name):
    needed = components_of(name)
    assert needed, "every bundle belongs to a component"
    (folder / "bundles" / name).unlink()
    for key in needed:
        app = AppTest.from_function(draw_twice, kwargs={"name": key}, default_timeout=MAX_WAIT_S)
        app.run()
        assert not app.exception
        (message,) = messages(app)
        assert message.startswith(
            f"assets/bundles/{name} is missing or cannot be read: restore this project file"
        )


@pytest.mark.parametrize("page", SHOWN)
def test_a_page_names_a_missing_file_once_and_shows_its_title(folder, page):
    name, address = SHOWN[page]
    (folder / "bundles" / name).unlink()
    app = open_page(ROOT / "pages" / f"{page}.py", **address)
    assert not app.exception
    assert [name in message for message in messages(app)] == [True]
    assert app.title[0].value


def test_without_the_projector_style_a_page_opens_with_a_message(folder):
    (folder / "bundles" / "projector_page.css").unlink()
    app = open_page(ROOT / "pages" / "runs.py", projector="1")
    assert not app.exception
    assert ["projector_page.css" in message for message in messages(app)] == [True]
