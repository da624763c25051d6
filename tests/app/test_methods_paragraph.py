"""Every page that shows a finished run offers its methods paragraph."""

from pathlib import Path

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from ia_engine.attention.iteration import AttentionConfig, normalise
from ia_engine.attention.means.algorithm1 import MeanConfig
from ia_engine.clustering.config import ClusterConfig
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.describe import describe_saved
from ia_engine.equivariant.race import RaceConfig
from ia_engine.errors import EngineError
from ia_engine.figures.mean import plan_mean
from ia_engine.runs.attend import plan
from ia_engine.runs.catalogue import RUN_KINDS
from ia_engine.runs.clustering.run import plan_clusters
from ia_engine.runs.comparison.config import ComparisonConfig, plan_comparison
from ia_engine.runs.comparison.sweep import SweepConfig, SweepPlan
from ia_engine.runs.kinds.saving import Destination, save_items
from ia_engine.runs.library import Library
from pages._ui.runs.current import library, page_of
from tests.app.driving import open_section
from tests.waits import MAX_WAIT_S, wait_until

pytestmark = pytest.mark.usefixtures("reused_helpers", "short_races")
ROOT = Path(__file__).parents[2]
METHODS = ComparisonConfig(methods=("kmeans", "ka"), k=3, budget=5.0)
PLANS = {
    "iterations": lambda data: plan((AttentionConfig(steps=1, beta=7.5),), data, 6),
    "attention": lambda data: AttentionConfig(steps=1, beta=7.5),
    "mean": lambda data: plan_mean(MeanConfig(steps=2), data)[0],
    "clustering": lambda data: plan_clusters(ClusterConfig(k=2, batch=9), data, 0, 0.2),
    "comparison": lambda data: plan_comparison(METHODS, data),
    "sweep": lambda data: SweepPlan(SweepConfig(strengths=2, copies=3), METHODS),
    "race": lambda data: RaceConfig(iterations=10, digits=200),
}


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: {}))
    monkeypatch.setenv("IA_RUNS", str(tmp_path))
    library.cache_clear()
    yield tmp_path
    library.cache_clear()


def save_run(kind, items=None):
    """Compute a small run and save it, or only its first items."""
    data = make(RECIPES["experiment-1"])
    planned, own = PLANS[kind.id](data), None if kind.id in ("sweep", "race") else data
    record, given = kind.begin_record("a run", planned, own)
    v = normalise(data.images)
    if kind.id == "attention":
        given = {"v": v.numpy(), "labels": data.labels.numpy()}
    work = kind.work(planned, v if kind.id == "attention" else own, None)
    saving = save_items(Destination(Library(), kind.id, ""), kind, lambda: (record, given), work)
    for count, _ in enumerate(saving, start=1):
        if count == items:
            saving.close()
    return Library().find(kind.id)


def open_run(kind):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=MAX_WAIT_S)
    app.session_state["ia_viewer"] = "a_viewer"
    app.query_params["job"] = kind.id
    app.query_params["data"] = "experiment-1"
    if kind.id == "race":
        app.query_params["view"] = "Train"
    app.switch_page(str(ROOT / page_of(kind.id))).run()
    wait_until(lambda: paragraphs(app.run()), f"the section of {kind.id}")
    assert not app.exception
    return app


def sections(app):
    return [part for part in app.expander if part.label == "Methods paragraph"]


def paragraphs(app):
    """The text in each section; None while the section is closed."""
    return [part.code[0].value if part.code else None for part in sections(app)]


def open_paragraph(kind):
    app = open_section(open_run(kind), f"methods-{kind.id}")
    assert not app.exception
    return app


@pytest.mark.parametrize(
    "kind", [kind for kind in RUN_KINDS.values() if kind.saved], ids=lambda kind: kind.id
)
def test_the_page_of_a_finished_run_shows_its_methods_paragraph(kind):
    kept = save_run(kind)
    app = open_paragraph(kind)
    assert paragraphs(app) == [describe_saved(kept).to_text().rstrip("\n")]
    labels = [button.label for button in app.get("download_button")]
    assert {"Markdown", "Text", "BibTeX"} <= set(labels)


def test_the_paragraph_of_a_cut_off_run_states_that_it_is_incomplete():
    kind = RUN_KINDS["iterations"]
    save_run(kind, items=1)
    (text,) = paragraphs(open_paragraph(kind))
    assert "the run is incomplete (0 iterations, cancelled)." in text


def test_the_paragraph_is_written_only_while_its_section_is_open(monkeypatch):
    kind = RUN_KINDS["mean"]
    saved, described = save_run(kind), []
    monkeypatch.setattr(
        "pages._ui.runs.watch.describe_saved",
        lambda kept: described.append(kept.id) or describe_saved(kept),
    )
    app = open_run(kind)
    assert paragraphs(app) == [None]
    assert described == []
    (text,) = paragraphs(open_section(app, "methods-mean"))
    assert described == [saved.id]
    assert paragraphs(app.run()) == [text], "it stays open when the page is drawn again"
    assert paragraphs(open_section(app, "methods-mean", is_open=False)) == [None]


def test_an_open_section_stays_open_after_a_visit_to_a_different_page():
    kind = RUN_KINDS["mean"]
    save_run(kind)
    app = open_paragraph(kind)
    app.switch_page(str(ROOT / "pages" / "manifolds.py")).run()
    assert sections(app) == []
    app.query_params["job"] = kind.id
    app.switch_page(str(ROOT / page_of(kind.id))).run()
    (text,) = paragraphs(app)
    assert text is not None


def test_a_paragraph_that_cannot_be_written_is_explained_in_its_section(monkeypatch):
    def refuse(_):
        raise EngineError("record.json must be JSON; got nothing: delete the run")

    kind = RUN_KINDS["mean"]
    save_run(kind)
    monkeypatch.setattr("pages._ui.runs.watch.describe_saved", refuse)
    app = open_section(open_run(kind), "methods-mean")
    assert not app.exception
    (part,) = sections(app)
    assert "record\\.json must be JSON" in part.error[0].value


def test_a_page_without_a_run_has_no_methods_paragraph():
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=MAX_WAIT_S)
    app.session_state["ia_viewer"] = "a_viewer"
    app.switch_page(str(ROOT / "pages" / "compare.py")).run()
    assert not app.exception
    assert sections(app) == []
