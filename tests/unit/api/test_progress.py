"""Progress: each part is reported, a callback can stop, and a bar appears only where it is seen."""

import sys
from functools import partial
from types import ModuleType

import numpy as np
import pytest

from ia_engine.api.progress import follow, silent


def test_every_item_is_reported_after_it_was_used():
    seen = []
    items = follow("ab", 2, str.upper, lambda *report: seen.append(report))
    assert next(items) == "a"
    assert seen == []
    assert next(items) == "b"
    assert seen == [(1, 2, "A")]
    assert list(items) == []
    assert seen == [(1, 2, "A"), (2, 2, "B")]


def test_false_stops_and_none_continues():
    assert list(follow("abc", 3, str, lambda done, total, message: done != 2)) == ["a", "b"]
    assert list(follow("abc", 3, str, lambda *_: np.False_)) == ["a"]
    assert list(follow("abc", 3, str, lambda *_: 0)) == ["a", "b", "c"]
    assert list(follow("abc", 3, str, silent)) == ["a", "b", "c"]
    assert list(follow("abc", 3, str, lambda done, *_: np.less(done, 2))) == ["a", "b"]


def test_parts_are_counted_by_the_items_if_they_can_tell():
    counts = []
    assert list(follow([10, 40], 50, str, lambda done, *_: counts.append(done), int)) == [10, 40]
    assert counts == [10, 40]


class Bar:
    """A fake of tqdm's bar that records what it shows."""

    def __init__(self, shown, total):
        self.shown, self.total, self.n = shown, total, 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.shown.append("closed")

    def set_description_str(self, text, refresh):
        self.text = text

    def refresh(self):
        self.shown.append((self.n, self.total, self.text))


@pytest.fixture
def tqdm(monkeypatch):
    module = ModuleType("tqdm.auto")
    shown = []
    module.tqdm = partial(Bar, shown)
    monkeypatch.setitem(sys.modules, "tqdm", ModuleType("tqdm"))
    monkeypatch.setitem(sys.modules, "tqdm.auto", module)
    return shown


def test_a_terminal_and_a_notebook_show_a_bar(tqdm, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert list(follow("ab", 2, str)) == ["a", "b"]
    assert tqdm == [(1, 2, "a"), (2, 2, "b"), "closed"]
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    monkeypatch.setitem(sys.modules, "ipykernel", ModuleType("ipykernel"))
    assert list(follow("a", 1, str)) == ["a"]
    assert tqdm[3:] == [(1, 1, "a"), "closed"]


def test_other_output_shows_no_bar(tqdm, monkeypatch):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    monkeypatch.delitem(sys.modules, "ipykernel", raising=False)
    assert list(follow("ab", 2, str)) == ["a", "b"]
    assert tqdm == []
