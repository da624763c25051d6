"""Every figure and table has an entry, and every possible entry can be computed."""

import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from ia_engine.datasets.experiments import EXPERIMENT_1, Experiment2Config
from ia_engine.errors import EngineError
from ia_engine.figures.papers.drawing import (
    draw_diagram,
    draw_pictures,
    plot_curves,
    plot_points,
    plot_seeds,
)
from ia_engine.figures.papers.files import draw_png
from ia_engine.figures.papers.panels import Curves, Diagram, Pictures, Points, Seeds, show, tile
from ia_engine.runs.papers import ENTRIES, PAPERS, find_entry
from ia_engine.runs.papers import invariant_iterations as iterations
from ia_engine.runs.papers import invariant_questions as questions
from ia_engine.runs.papers import invariant_theorems as theorems
from ia_engine.runs.papers.entry import (
    DIRECTION,
    FAILED,
    ILLUSTRATED,
    IMPOSSIBLE,
    NEEDS_DATA,
    REPRODUCED,
    VERDICTS,
    Claim,
    Effort,
    Entry,
    Need,
    Number,
    Outcome,
    Progress,
    describe_missing,
    run_entry,
    status,
)
from ia_engine.runs.papers.judge import TABLES as SEEDED
from ia_engine.runs.papers.program import digest_program
from ia_engine.runs.papers.report import BEGIN, insert, tabulate
from ia_engine.runs.papers.shipped import FOLDER, ShippedResult, load_results, save_results
from tests.tensors import rand

pytestmark = pytest.mark.cpu_only("computations begin with data on the CPU")

ROOT = Path(__file__).parents[3]
FIGURES = {"ia": range(1, 6), "dti": range(1, 4), "gcnn": range(1, 12)}
TABLES = {"ia": range(0), "dti": range(1, 4), "gcnn": range(1, 4)}
ALWAYS = [
    *(f"ia-figure-{k}" for k in range(1, 6)),
    "ia-theorem-31", "ia-theorem-41",
    *(f"ia-question-{name}" for name in ("baselines", "groups", "harm", "learned", "cost")),
    "dti-figure-1a", "dti-figure-1b", "dti-figure-2a", "dti-figure-2b",
    *(f"dti-table-{k}" for k in range(1, 4)),
    *(f"gcnn-figure-{k}" for k in (1, 2, 4, 5, 6, 7, 9, 10, 11)),
    *(f"gcnn-table-{k}" for k in range(1, 4)),
    "gcnn-theorem-1a", "gcnn-theorem-1b",
]  # fmt: skip
"""Entries that need no files other than the project's."""
WAITING = [
    *("dti-figure-3a", "dti-figure-3b", "dti-table-1-fashion", "dti-table-1-others"),
    *("dti-table-2-affnist", "gcnn-figure-8"),
]

FILE = r"\.(npz|zip|gz|bz2|mat)"


@pytest.fixture(autouse=True)
def no_files(monkeypatch, tmp_path):
    monkeypatch.setenv("IA_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("IA_DATA", raising=False)


@pytest.fixture
def small_data(monkeypatch):
    """Smaller images, fewer copies and fewer epochs for entries that exceed a small budget."""
    drawings = replace(EXPERIMENT_1, copies=3, size=32)
    monkeypatch.setattr(iterations, "EXPERIMENT_1", drawings)
    monkeypatch.setitem(theorems.OFFLINE, "experiment-1", drawings)
    monkeypatch.setitem(theorems.OFFLINE, "experiment-2", Experiment2Config("digits", copies=4))
    monkeypatch.setattr(questions, "train_all", partial(questions.train_all, epochs=1))


def compute(entry, budget=0.2, **given):
    *_, last = run_entry(entry, Effort(budget, **given))
    return last.outcome


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("kind", "numbers"), [("figure", FIGURES), ("table", TABLES)])
def test_every_figure_and_table_has_an_entry(paper, kind, numbers):
    labels = {entry.label.rstrip("abc") for entry in ENTRIES.values() if entry.paper == paper}
    assert labels >= {f"{kind.capitalize()} {k}" for k in numbers[paper]}


@pytest.mark.parametrize("entry", ENTRIES.values(), ids=lambda entry: entry.id)
def test_every_entry_has_a_kind_and_a_statement_and_states_a_reason_unless_it_is_reproduced(entry):
    assert entry.kind in VERDICTS
    assert (entry.compute is None) == (entry.kind == IMPOSSIBLE)
    assert entry.why or entry.kind == REPRODUCED
    assert entry.says.endswith(".")
    assert entry.budget <= 20


def test_every_entry_either_can_be_computed_or_is_known_to_be_impossible():
    impossible = [entry.id for entry in ENTRIES.values() if entry.kind == IMPOSSIBLE]
    assert impossible == ["dti-figure-1c", "gcnn-figure-3"]
    assert sorted([*ALWAYS, *WAITING, *impossible]) == sorted(ENTRIES)


@pytest.mark.usefixtures("small_data")
@pytest.mark.parametrize("name", ALWAYS)
def test_entries_that_need_no_missing_file_can_be_computed(name):
    outcome = compute(find_entry(name))
    assert outcome.numbers
    assert bool(outcome.claims) == (find_entry(name).kind != ILLUSTRATED and name not in SEEDED)
    assert all(isinstance(claim.holds, bool) for claim in outcome.claims)
    assert outcome.data
    for panel in outcome.panels:
        draw(panel)


@pytest.mark.parametrize("name", WAITING)
def test_entries_whose_data_are_missing_name_the_file(name):
    entry = find_entry(name)
    assert status(entry, None) == NEEDS_DATA
    assert re.search(FILE, describe_missing(entry))
    with pytest.raises(EngineError, match=FILE):
        list(run_entry(entry, Effort(1)))


@pytest.mark.parametrize("name", ["dti-figure-1c", "gcnn-figure-3"])
def test_impossible_entries_state_the_reason(name):
    with pytest.raises(EngineError, match="not possible here: "):
        list(run_entry(find_entry(name), Effort(1)))
    assert status(find_entry(name), None) == IMPOSSIBLE


def test_the_entry_on_photographs_is_computed_if_its_file_exists(monkeypatch, tmp_path):
    monkeypatch.setenv("IA_DATA", str(tmp_path))
    entry = find_entry("dti-figure-3b")
    images = np.random.default_rng(0).integers(0, 255, (20, 40, 40, 3), np.uint8)
    np.savez(tmp_path / "florence_cathedral.npz", images=images)
    assert not entry.missing()
    assert compute(entry).panels


def test_the_entry_on_tissue_is_computed_if_its_folder_exists(monkeypatch, tmp_path):
    monkeypatch.setenv("IA_DATA", str(tmp_path))
    (tmp_path / "pcam").mkdir()
    chance = np.random.default_rng(0)
    for split in ("train", "validation", "test"):
        images = chance.integers(0, 255, (8, 96, 96, 3), np.uint8)
        np.savez(tmp_path / "pcam" / f"{split}.npz", images=images, labels=np.arange(8) % 2)
    outcome = compute(find_entry("gcnn-figure-8"), 0.05)
    assert outcome.claims[0].holds, "the maps must rotate with the image, even without training"


@pytest.mark.parametrize("stand_in", ["others", ""])
def test_a_result_computed_without_its_data_never_counts_as_reproduced(stand_in):
    good = Outcome(claims=(Claim("it holds", True),), seeds=10, beyond_spread=True)
    absent = Need("a set", "put it there", lambda: False, uploadable=True)
    steps = Progress("half"), Progress("done", good)
    entry = Entry("x", "ia", "X", "", "", REPRODUCED, needs=(absent,), stand_in=stand_in,
                  compute=lambda _: iter(steps))  # fmt: skip
    *_, last = run_entry(entry, Effort(1, given=object()))
    assert status(entry, last.outcome) == DIRECTION


def test_an_uploaded_file_replaces_a_missing_one():
    entry = find_entry("dti-figure-3b")
    assert entry.missing()
    assert not entry.missing(given=object())


def test_an_unknown_entry_is_refused_and_named():
    with pytest.raises(EngineError, match="got 'ia-figure-9'"):
        find_entry("ia-figure-9")


def test_saved_outcomes_are_restored_exactly(tmp_path):
    panels = (
        show("one", rand(2, 4, 4, seed=0), ("a", "b"), look="ramp", framed=(1,)),
        Curves("two", "x", "y", ("z",), np.arange(3.0), np.ones((1, 3))),
        Seeds("seeds", "y", ("z",), np.ones((1, 3)), (1.0,), (0.5,)),
        Points("three", ("then",), np.zeros((1, 2, 2)), (0, 1)),
        Diagram("four", ("n",), ("w",), ((0, 0),), (), tile(rand(3, 5, 5, seed=1))[0][None],
                (0.0,), (1.0,)),
    )  # fmt: skip
    outcome = Outcome(
        (Number("n", 1.0, 2.0, spread=0.1, paper_spread=0.2, least_loss=3.0, values=(0.9, 1.1)),),
        (Claim("c", True, DIRECTION),), panels, "d", stand_in=True, seeds=3,
        schedule="2 of 300 epochs", beyond_spread=True, answers=(True,),
    )  # fmt: skip
    kept = ShippedResult(
        outcome, 1.0, 2.0, 0, "2026-11-18", "a command", "0123abc", "a processor, AVX2"
    )
    save_results(tmp_path, {"ia-figure-1": kept})
    again = load_results(tmp_path)["ia-figure-1"]
    assert replace(again, outcome=outcome) == replace(kept, outcome=outcome)
    for name in ("numbers", "claims", "data", "stand_in", "seeds", "schedule", "beyond_spread",
                 "answers"):  # fmt: skip
        assert getattr(again.outcome, name) == getattr(outcome, name)
    assert again.outcome.numbers[0].difference == -1
    assert [type(panel) for panel in again.outcome.panels] == [type(panel) for panel in panels]
    assert again.outcome.panels[0].framed == (1,)
    np.testing.assert_array_equal(again.outcome.panels[0].values, panels[0].values)
    save_results(tmp_path / "twice", {"ia-figure-1": again})
    first, second = ((at / "papers.json").read_bytes() for at in (tmp_path, tmp_path / "twice"))
    assert first == second


def test_results_of_older_versions_have_the_defaults_of_newer_fields(tmp_path):
    kept = ShippedResult(Outcome((Number("n", 1.0),), (Claim("c", True),)), 1.0, 2.0, 0, "", "")
    save_results(tmp_path, {"ia-figure-1": kept})
    stored = json.loads((tmp_path / "papers.json").read_text("utf-8"))
    values = stored["results"]["ia-figure-1"]
    for name in ("seeds", "schedule", "beyond_spread", "program", "machine"):
        del values[name]
    for name in ("spread", "paper_spread", "least_loss", "paper_least_loss", "values"):
        del values["numbers"][0][name]
    del values["claims"][0]["verdict"]
    values["status"] = "direction only"
    (tmp_path / "papers.json").write_text(json.dumps(stored), "utf-8")
    again = load_results(tmp_path)["ia-figure-1"]
    assert (again.program, again.outcome.seeds) == ("", 1)
    assert again.outcome.numbers == kept.outcome.numbers
    assert again.outcome.claims == kept.outcome.claims


def test_shipped_results_are_small_and_state_how_they_were_computed():
    results = load_results()
    assert set(results) <= set(ENTRIES)
    assert set(results) >= set(ALWAYS) - set(SEEDED)
    assert not set(results) & set(SEEDED), "`make tables` computes these at the authors' schedule"
    total = sum(path.stat().st_size for path in FOLDER.iterdir() if path.is_file())
    assert total < 12_000 * len(ENTRIES)
    for name, kept in results.items():
        assert name in kept.command
        assert kept.program == digest_program(name), "its program has changed: run make papers"
        assert kept.machine
        assert kept.date
        for panel in kept.outcome.panels:
            draw(panel)


def test_a_result_that_is_not_reproduced_states_the_reason():
    for name, kept in load_results().items():
        entry = find_entry(name)
        if status(entry, kept.outcome) == FAILED:
            assert entry.why
            assert entry.why in (ROOT / "README.md").read_text("utf-8")


def test_the_readme_names_the_program_and_the_machine_of_every_result():
    readme = (ROOT / "README.md").read_text("utf-8")
    for name, kept in load_results().items():
        (row,) = (line for line in readme.splitlines() if line.startswith(f"| `{name}` "))
        assert f"`{kept.program}`" in row
        assert kept.machine in row


def test_the_table_in_the_readme_agrees_with_the_results():
    readme = (ROOT / "README.md").read_text("utf-8")
    assert BEGIN in readme
    assert insert(readme, tabulate(load_results())) == readme


def draw(panel):
    assert draw_png(panel).startswith(b"\x89PNG")
    if isinstance(panel, Pictures):
        assert draw_pictures(panel).startswith("<svg")
    elif isinstance(panel, Diagram):
        assert "<image" in draw_diagram(panel)
    elif isinstance(panel, Seeds):
        assert len(plot_seeds(panel).data) == 1 + any(mean is not None for mean in panel.means)
    elif isinstance(panel, Curves):
        assert len(plot_curves(panel).data) == len(panel.names)
    else:
        assert len(plot_points(panel).data) == len(panel.moments) * len(set(panel.labels))
