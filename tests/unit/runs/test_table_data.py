"""Tables of paper 2 use the published data of the paper or state that they are missing."""

import pytest

from ia_engine.datasets.named import ALL
from ia_engine.errors import EngineError
from ia_engine.runs.papers import dti_tables, find_entry
from ia_engine.runs.papers.entry import NEEDS_DATA, Effort, describe_missing, run_entry, status
from ia_engine.runs.papers.needs import is_split_here


@pytest.fixture(autouse=True)
def no_files(monkeypatch, tmp_path):
    monkeypatch.setenv("IA_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("IA_DATA", raising=False)


def sets_of(table, budget=20.0):
    return {cell.recipe for cell in table._cells(budget)}


def test_affnist_is_the_published_set_instead_of_a_substitute():
    assert dti_tables.DATA["affnist"].config.set == "affnist-original"
    assert sets_of(find_entry("dti-table-2").compute) == {"mnist-1k", "mnist-color"}
    assert sets_of(find_entry("dti-table-2-affnist").compute) == {"affnist"}


def test_the_entry_on_affnist_names_the_missing_file():
    entry = find_entry("dti-table-2-affnist")
    assert status(entry, None) == NEEDS_DATA
    assert "test_batches.zip" in describe_missing(entry)
    with pytest.raises(EngineError, match=r"test_batches\.zip"):
        list(run_entry(entry, Effort(0.2)))


def loaded(monkeypatch, name, *, here):
    """The config with which a table loads a set whose splits are available or not."""
    seen = []

    def stop(recipe):
        seen.append(recipe.config)
        raise EngineError("enough")

    monkeypatch.setattr(dti_tables, "is_split_here", lambda *_: here)
    monkeypatch.setattr(dti_tables, "make", stop)
    with pytest.raises(EngineError, match="enough"):
        dti_tables._load(dti_tables.DATA[name], dti_tables.MOST, 0)
    return seen[0]


def test_a_long_budget_uses_all_70_000_images_of_the_paper(monkeypatch):
    config = loaded(monkeypatch, "mnist", here=True)
    assert (config.split, config.count) == (ALL, 70_000)
    assert loaded(monkeypatch, "mnist", here=False).split != ALL
    assert not is_split_here(dti_tables.NAMED["mnist"], "train")
