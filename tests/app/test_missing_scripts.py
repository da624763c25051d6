"""A missing script or style of the project disables its components, with one sentence."""

import importlib
import pkgutil
import shutil

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

import ia_engine.files
import pages
from pages._ui import assets
from tests.app.driving import ROOT, open_page
from tests.waits import MAX_WAIT_S

for found in pkgutil.walk_packages(pages.__path__, "pages."):
    if "._ui." in found.name:
        importlib.import_module(found.name)
FILES = sorted(
    path.relative_to(ROOT / "assets").as_posix()
    for kind in ("js", "css")
    for path in (ROOT / "assets").glob(f"*/*.{kind}")
    if path.parent.name != "components"
)
PAGE_STYLE = "projector/page.css"
SHOWN = {
    "overview": ("player/player.js", {}),
    "data": ("drawing/drawing.js", {"data": "experiment-1"}),
    "iterations": ("player/player.css", {}),
    "mean": ("film/film.js", {}),
    "manifolds": ("dial/dial.js", {}),
    "clustering": ("prototypes/prototypes.js", {}),
    "equivariance": ("maps/hero.js", {}),
    "compare": ("formula/formula.js", {}),
    "papers": ("drawing/drawing.css", {}),
    "runs": ("projector/bar.js", {}),
}


@pytest.fixture
def folder(monkeypatch, tmp_path):
    """A copy of the scripts and styles, which are read anew."""
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: {}))
    monkeypatch.setattr(ia_engine.files, "ASSETS", tmp_path)
    for path in (ROOT / "assets").iterdir():
        target = tmp_path / path.name
        if path.is_dir() and any(name.startswith(f"{path.name}/") for name in FILES):
            shutil.copytree(path, target)
        else:
            target.symlink_to(path)
    assets._register.cache_clear()
    yield tmp_path
    assets._register.cache_clear()


def sentences(app):
    return [error.value.replace("\\", "") for error in app.error]


def draw_twice(name):
    from pages._ui.assets import COMPONENTS, component

    for key in ("one", "two"):
        component(name, *COMPONENTS[name])(key=key, data=None)


def components_of(name):
    stem, _, kind = name.rpartition(".")
    return [key for key, parts in assets.COMPONENTS.items() if stem in parts[kind == "css"]]


@pytest.mark.parametrize("name", sorted({*FILES} - {PAGE_STYLE}))
def test_components_that_need_a_file_are_replaced_by_one_sentence(folder, name):
    needed = components_of(name)
    assert needed, "every file belongs to a component"
    (folder / name).unlink()
    for key in needed:
        app = AppTest.from_function(draw_twice, kwargs={"name": key}, default_timeout=MAX_WAIT_S)
        app.run()
        assert not app.exception
        (sentence,) = sentences(app)
        assert sentence.startswith(f"assets/{name} is missing or cannot be read: restore this file")


@pytest.mark.parametrize("page", SHOWN)
def test_a_page_says_once_which_file_is_missing_and_shows_the_rest(folder, page):
    name, address = SHOWN[page]
    (folder / name).unlink()
    app = open_page(ROOT / "pages" / f"{page}.py", **address)
    assert not app.exception
    assert [name in sentence for sentence in sentences(app)] == [True]
    assert app.title[0].value


def test_without_the_style_of_the_projector_a_page_is_shown_with_a_sentence(folder):
    (folder / PAGE_STYLE).unlink()
    app = open_page(ROOT / "pages" / "runs.py", projector="1")
    assert not app.exception
    assert [PAGE_STYLE in sentence for sentence in sentences(app)] == [True]
