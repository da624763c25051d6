"""Pages that need a missing or changed shipped file report it in one message."""

import os
import shutil

import pytest
import streamlit as st
from streamlit.runtime.context import ContextProxy

import ia_engine.files
from ia_engine.datasets import bases
from ia_engine.files import ASSETS, CHECKSUMS, find_shipped, read_checksums
from pages._ui.runs import current as saved
from tests.app.driving import ROOT, open_page

ICONS = '{"source": "generated", "config": {"bases": ["icon-horse"]}}'
NEEDED = {
    "drawings.png": {"overview", "iterations", "data", "manifolds", "compare"},
    "networks/alpha-f-p4.safetensors": {"equivariance"},
    "networks/z2.safetensors": {"equivariance"},
    "papers/papers.json": {"overview", "papers"},
    "papers/papers.npz": {"overview", "papers"},
    "runs/clustering-digits.safetensors": {"clustering"},
    "runs/comparison.safetensors": {"compare"},
    "runs/experiment-1.safetensors": {"overview", "iterations"},
    "runs/experiment-2-mean.safetensors": {"mean"},
}
"""For each file, the pages that need it as soon as they are opened."""


@pytest.fixture
def assets(monkeypatch, tmp_path):
    """Copy the shipped files and make the app read the copy."""
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: {}))
    monkeypatch.setenv("IA_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("IA_DATA", raising=False)
    folder = tmp_path / "assets"
    scripts = [
        path.relative_to(ASSETS) for kind in ("js", "css") for path in ASSETS.rglob(f"*.{kind}")
    ]
    for name in (*read_checksums(), CHECKSUMS, *scripts):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        os.link(ASSETS / name, path) if _same_disk(path) else shutil.copy(ASSETS / name, path)
    monkeypatch.setattr(ia_engine.files, "ASSETS", folder)
    forget()
    yield folder
    forget()


def _same_disk(path):
    return path.parent.stat().st_dev == ASSETS.stat().st_dev


def forget():
    """Clear the caches of all shipped files."""
    saved._folder().cleanup()
    st.cache_resource.clear()
    bases._read_sheet.cache_clear()


def spoil(path, way):
    content = path.read_bytes()
    path.unlink()
    if way == "changed":
        middle = len(content) // 2
        path.write_bytes(content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :])


@pytest.mark.parametrize("way", ["missing", "changed"])
@pytest.mark.parametrize("name", NEEDED)
def test_pages_report_a_missing_or_changed_file_that_they_need_in_one_message(assets, name, way):
    spoil(assets / name, way)
    for page in sorted(NEEDED[name]):
        app = open_page(ROOT / "pages" / f"{page}.py")
        assert not app.exception, page
        assert sentences(app) == [name], page


@pytest.mark.parametrize("way", ["missing", "changed"])
def test_pages_open_without_error_if_files_that_they_do_not_need_are_missing_or_changed(
    assets, way
):
    for name in NEEDED:
        if name != "drawings.png":
            spoil(assets / name, way)
    for page in ("data", "manifolds", "runs"):
        app = open_page(ROOT / "pages" / f"{page}.py")
        assert not app.exception, page
        assert not app.error, page


@pytest.mark.parametrize("way", ["missing", "changed"])
@pytest.mark.parametrize(
    ("name", "page", "address"),
    [
        ("networks/p4.safetensors", "equivariance", {"view": "Answers"}),
        ("fashion.npz", "data", {"data": "fashion"}),
        ("icons.png", "data", {"data": ICONS}),
        ("lessons/lesson-beta-1.zip", "iterations", {"lesson": "beta.1"}),
    ],
)
def test_views_report_a_missing_or_changed_file_that_they_need(assets, name, page, address, way):
    spoil(assets / name, way)
    app = open_page(ROOT / "pages" / f"{page}.py", **address)
    assert not app.exception
    assert name in sentences(app)


@pytest.mark.parametrize("way", ["missing", "changed"])
def test_every_shipped_file_is_checked_when_the_app_looks_it_up(assets, way):
    for name in read_checksums():
        assert find_shipped(name).is_file()
        spoil(assets / name, way)
        with pytest.raises(ia_engine.files.EngineError, match=f"assets/{name} is missing or was"):
            find_shipped(name)


def test_the_overview_opens_without_error_if_the_list_of_checksums_is_missing(assets):
    (assets / CHECKSUMS).unlink()
    app = open_page(ROOT / "pages" / "overview.py")
    assert not app.exception
    assert not app.error


def sentences(app):
    """Names of the shipped files that the page reports as missing or changed."""
    texts = [error.value.replace("\\", "") for error in app.error]
    return [text.split(" ")[0].removeprefix("assets/") for text in texts if "restore" in text]
