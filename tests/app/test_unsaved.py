"""For every kind of run, the page reports if the run cannot be saved."""

import io
from itertools import cycle

import pytest
from PIL import Image
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from pages._ui.runs.current import library
from tests.app.driving import ROOT, open_page, press, runs
from tests.full_disks import FAILURES, fill_disk
from tests.waits import MAX_WAIT_S

pytestmark = pytest.mark.usefixtures("reused_helpers", "short_races")
RACE = {"view": "Train", "race_iterations": "10", "race_digits": "200"}
COMPARED = {"methods": ["kmeans", "ka"], "budget": "20", "data": "experiment-1"}
KINDS = {
    "iterations": ("iterations", "Run", {"data": "blobs", "steps": "2"}),
    "mean": ("mean", "Run", {"data": "experiment-2", "steps": "2"}),
    "clustering": ("clustering", "Run", {"data": "experiment-1", "k": "1", "budget": "1"}),
    "photographs": ("clustering", "Run", {"k": "1", "budget": "1"}),
    "comparison": ("compare", "Run", COMPARED),
    "sweep": ("compare", "Sweep", COMPARED | {"strengths": "2", "copies": "3", "repeats": "1"}),
    "race": ("equivariance", "Run", RACE),
}


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: {}))
    monkeypatch.setenv("IA_RUNS", str(tmp_path / "runs"))
    monkeypatch.setenv("IA_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("IA_DATA", raising=False)
    library.cache_clear()
    yield tmp_path / "runs"
    library.cache_clear()


# Each kind is tested with one failure; the engine's tests combine every kind with every failure.
@pytest.mark.parametrize(("kind", "failure"), [*zip(KINDS, cycle(FAILURES), strict=False)])
def test_the_page_reports_that_its_run_cannot_be_saved(monkeypatch, folder, kind, failure):
    page, button, address = KINDS[kind]
    app = open_page(ROOT / "pages" / f"{page}.py", **address)
    if kind == "photographs":
        app.file_uploader(key="photographs True").set_value([_photograph(k) for k in range(3)])
        app.run()
    assert not reports(app)
    fill_disk(monkeypatch, folder, failure)
    press(app, button)
    job = runs(app)[-1]
    assert job.wait(MAX_WAIT_S), job.state
    assert job.state == "done", job.error
    app.run()
    assert not app.exception
    assert len(reports(app)) == 1
    assert any("not saved" in caption.value for caption in list_of_runs(app).caption)


def list_of_runs(page):
    """Open the app for the viewer of a page; its sidebar lists the viewer's runs."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=MAX_WAIT_S)
    app.session_state["ia_viewer"] = page.session_state["ia_viewer"]
    return app.run()


def reports(app):
    return [error.value for error in app.error if "cannot be saved" in error.value]


def _photograph(k):
    picture = io.BytesIO()
    Image.linear_gradient("L").rotate(90 * k).convert("RGB").resize((140, 140)).save(picture, "PNG")
    return (f"{k}.png", picture.getvalue(), "image/png")
