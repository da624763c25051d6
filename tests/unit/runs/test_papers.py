"""Entries of the papers: all are there, and whatever can be computed is."""

from pathlib import Path

import numpy as np
import pytest

from ia_engine.errors import EngineError
from ia_engine.figures.papers.drawing import draw_diagram, draw_pictures, plot_curves, plot_points
from ia_engine.figures.papers.panels import Curves, Diagram, Pictures, Points, show, tile
from ia_engine.runs.papers import ENTRIES, PAPERS, find_entry
from ia_engine.runs.papers.entry import (
    DIRECTION,
    FAILED,
    IMPOSSIBLE,
    KINDS,
    NEEDS_DATA,
    OPEN,
    REPRODUCED,
    Claim,
    Effort,
    Entry,
    Need,
    Number,
    Outcome,
    Progress,
    run_entry,
    status,
    tell_missing,
)
from ia_engine.runs.papers.report import BEGIN, insert, tabulate
from ia_engine.runs.papers.shipped import FOLDER, ShippedResult, load_results, save_results
from tests.tensors import rand

pytestmark = pytest.mark.cpu_only("what is computed begins with data on the CPU")

ROOT = Path(__file__).parents[3]
FIGURES = {"ia": range(1, 6), "dti": range(1, 4), "gcnn": range(1, 12)}
TABLES = {"ia": range(0), "dti": range(1, 4), "gcnn": range(1, 4)}
ALWAYS = [
    *(f"ia-figure-{k}" for k in range(1, 6)),
    "dti-figure-1a", "dti-figure-1b", "dti-figure-2a", "dti-figure-2b",
    *(f"dti-table-{k}" for k in range(1, 4)),
    *(f"gcnn-figure-{k}" for k in (1, 2, 4, 5, 6, 7, 9, 10, 11)),
    *(f"gcnn-table-{k}" for k in range(1, 4)),
]  # fmt: skip
"""What needs no file that does not come with the project."""
WAITING = ["dti-figure-3a", "dti-figure-3b", "gcnn-figure-8"]


@pytest.fixture(autouse=True)
def no_files(monkeypatch, tmp_path):
    monkeypatch.setenv("IA_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("IA_DATA", raising=False)


def compute(entry, budget=0.2, **given):
    *_, last = run_entry(entry, Effort(budget, **given))
    return last.outcome


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("kind", "numbers"), [("figure", FIGURES), ("table", TABLES)])
def test_every_figure_and_table_has_an_entry(paper, kind, numbers):
    labels = {entry.label.rstrip("abc") for entry in ENTRIES.values() if entry.paper == paper}
    assert labels >= {f"{kind.capitalize()} {k}" for k in numbers[paper]}


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=lambda entry: entry.id)
def test_an_entry_says_what_it_is_and_why(entry):
    assert entry.kind in KINDS
    assert (entry.compute is None) == (entry.kind == IMPOSSIBLE)
    assert bool(entry.why) == (entry.kind != REPRODUCED)
    assert entry.says.endswith(".")
    assert entry.budget <= 20


def test_nothing_is_forgotten():
    impossible = [entry.id for entry in ENTRIES.values() if entry.kind == IMPOSSIBLE]
    assert impossible == ["dti-figure-1c", "gcnn-figure-3"]
    assert sorted([*ALWAYS, *WAITING, *impossible]) == sorted(ENTRIES)


@pytest.mark.parametrize("name", ALWAYS)
def test_whatever_needs_no_missing_file_is_computed(name):
    outcome = compute(find_entry(name))
    assert outcome.numbers
    assert outcome.claims
    assert all(isinstance(claim.holds, bool) for claim in outcome.claims)
    assert outcome.data
    for panel in outcome.panels:
        draw(panel)


@pytest.mark.parametrize("name", WAITING)
def test_what_lacks_its_data_names_the_file(name):
    entry = find_entry(name)
    assert status(entry, None) == NEEDS_DATA
    assert ".npz" in tell_missing(entry)
    with pytest.raises(EngineError, match=r"\.npz"):
        list(run_entry(entry, Effort(1)))


@pytest.mark.parametrize("name", ["dti-figure-1c", "gcnn-figure-3"])
def test_what_is_not_possible_says_why(name):
    with pytest.raises(EngineError, match="not possible here: "):
        list(run_entry(find_entry(name), Effort(1)))
    assert status(find_entry(name), None) == IMPOSSIBLE


def test_photographs_run_when_their_file_is_there(monkeypatch, tmp_path):
    monkeypatch.setenv("IA_DATA", str(tmp_path))
    entry = find_entry("dti-figure-3b")
    images = np.random.default_rng(0).integers(0, 255, (20, 40, 40, 3), np.uint8)
    np.savez(tmp_path / "florence_cathedral.npz", images=images)
    assert not entry.missing()
    assert compute(entry).panels


def test_tissue_runs_when_its_folder_is_there(monkeypatch, tmp_path):
    monkeypatch.setenv("IA_DATA", str(tmp_path))
    (tmp_path / "pcam").mkdir()
    chance = np.random.default_rng(0)
    for split in ("train", "validation", "test"):
        images = chance.integers(0, 255, (8, 96, 96, 3), np.uint8)
        np.savez(tmp_path / "pcam" / f"{split}.npz", images=images, labels=np.arange(8) % 2)
    outcome = compute(find_entry("gcnn-figure-8"), 0.05)
    assert outcome.claims[0].holds, "maps turn along, trained or not"


def test_a_verdict_belongs_to_what_was_computed_not_to_what_is_here_now():
    good = Outcome(claims=(Claim("it holds", True),))
    absent = Need("a set", "put it there", lambda: False)
    alone = Entry("x", "ia", "X", "", "", REPRODUCED)
    lacking = Entry("x", "ia", "X", "", "", REPRODUCED, needs=(absent,), stand_in="others")
    assert status(alone, good) == REPRODUCED
    assert status(lacking, good) == REPRODUCED, "made where the data were"
    assert status(lacking, None) == OPEN
    assert status(Entry("x", "ia", "X", "", "", REPRODUCED, needs=(absent,)), None) == NEEDS_DATA
    assert status(alone, Outcome(claims=(Claim("it fails", False),))) == FAILED
    assert status(alone, Outcome(stand_in=True)) == DIRECTION


@pytest.mark.parametrize("stand_in", ["others", ""])
def test_what_is_computed_without_its_data_never_counts_as_reproduced(stand_in):
    good = Outcome(claims=(Claim("it holds", True),))
    absent = Need("a set", "put it there", lambda: False, uploadable=True)
    steps = Progress("half"), Progress("done", good)
    entry = Entry("x", "ia", "X", "", "", REPRODUCED, needs=(absent,), stand_in=stand_in,
                  compute=lambda _: iter(steps))  # fmt: skip
    *_, last = run_entry(entry, Effort(1, given=object()))
    assert status(entry, last.outcome) == DIRECTION


@pytest.mark.parametrize("name", ALWAYS)
def test_kept_results_keep_their_verdict_where_the_data_are_not_here(name):
    kept = load_results()[name]
    assert status(find_entry(name), kept.outcome) == kept.status


def test_a_file_brought_takes_the_place_of_one_that_is_uploadable():
    entry = find_entry("dti-figure-3b")
    assert entry.missing()
    assert not entry.missing(given=object())


def test_an_unknown_entry_is_named():
    with pytest.raises(EngineError, match="got 'ia-figure-9'"):
        find_entry("ia-figure-9")


def test_kept_outcomes_come_back_as_they_were(tmp_path):
    panels = (
        show("one", rand(2, 4, 4, seed=0), ("a", "b"), look="ramp", framed=(1,)),
        Curves("two", "x", "y", ("z",), np.arange(3.0), np.ones((1, 3))),
        Points("three", ("then",), np.zeros((1, 2, 2)), (0, 1)),
        Diagram("four", ("n",), ("w",), ((0, 0),), (), tile(rand(3, 5, 5, seed=1))[0][None],
                (0.0,), (1.0,)),
    )  # fmt: skip
    outcome = Outcome((Number("n", 1.0, 2.0),), (Claim("c", True),), panels, "d", True, (True,))
    kept = ShippedResult(outcome, DIRECTION, 1.0, 2.0, 0, "2026-11-18", "a command")
    save_results(tmp_path, {"ia-figure-1": kept})
    again = load_results(tmp_path)["ia-figure-1"]
    assert (again.command, again.status, again.outcome.answers) == ("a command", DIRECTION, (True,))
    assert again.outcome.numbers == outcome.numbers
    assert again.outcome.numbers[0].difference == -1
    assert [type(panel) for panel in again.outcome.panels] == [type(panel) for panel in panels]
    assert again.outcome.panels[0].framed == (1,)
    np.testing.assert_array_equal(again.outcome.panels[0].values, panels[0].values)
    save_results(tmp_path / "twice", {"ia-figure-1": again})
    first, second = ((at / "papers.json").read_bytes() for at in (tmp_path, tmp_path / "twice"))
    assert first == second


def test_shipped_results_are_small_and_say_how_they_were_made():
    results = load_results()
    assert set(results) <= set(ENTRIES)
    assert set(results) >= set(ALWAYS)
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 400_000
    for name, kept in results.items():
        assert name in kept.command
        assert kept.date
        for panel in kept.outcome.panels:
            draw(panel)


def test_the_table_of_the_readme_is_that_of_the_results():
    readme = (ROOT / "README.md").read_text("utf-8")
    assert BEGIN in readme
    assert insert(readme, tabulate(load_results())) == readme


def draw(panel):
    if isinstance(panel, Pictures):
        assert draw_pictures(panel).startswith("<svg")
    elif isinstance(panel, Diagram):
        assert "<image" in draw_diagram(panel)
    elif isinstance(panel, Curves):
        assert len(plot_curves(panel).data) == len(panel.names)
    else:
        assert len(plot_points(panel).data) == len(panel.moments) * len(set(panel.labels))
