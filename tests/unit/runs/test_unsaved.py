"""A run that cannot be saved is computed nevertheless, and the problem is reported once."""

import errno
import os
from contextlib import closing, suppress
from dataclasses import replace

import numpy as np
import pytest

from ia_engine.runs.catalogue import RUN_KINDS
from ia_engine.runs.folder import Record
from ia_engine.runs.kinds.saving import Destination, save_items
from ia_engine.runs.library import Library
from tests.full_disks import FAILURES, fill_disk

pytestmark = pytest.mark.cpu_only("written files do not depend on the default device")
SAVED = [kind.id for kind in RUN_KINDS.values() if kind.saved]
RECORD = Record("{}", "{}", 0, "", "cpu", "a run")
STEPS = 3


def keep(folder, kind, items, reports, name="named"):
    codec = replace(RUN_KINDS[kind], pack=lambda k: {"k": np.array(k)}, state=_state)
    destination = Destination(Library(folder), name, "ann")
    return save_items(destination, codec, lambda: (RECORD, {}), items, reports.append)


def _state(k):
    from safetensors.numpy import save

    return save({"k": np.array(k)})


@pytest.mark.parametrize("kind", SAVED)
@pytest.mark.parametrize("failure", FAILURES)
def test_before_their_first_item_twenty_runs_report_that_the_folder_is_not_writable(
    tmp_path, monkeypatch, kind, failure
):
    fill_disk(monkeypatch, tmp_path, failure)
    for _ in range(20):
        reports = []

        def items(reports=reports):
            assert len(reports) == 1, "the report must precede the first item"
            yield from range(STEPS)

        assert list(keep(tmp_path, kind, items(), reports)) == [*range(STEPS)]
        (sentence,) = reports
        assert sentence.startswith(f"This run cannot be saved ({os.strerror(FAILURES[failure])})")
        assert str(tmp_path) not in sentence
    monkeypatch.undo()
    assert Library(tmp_path).runs() == ()


@pytest.mark.parametrize("after", range(20))
def test_a_disk_that_fills_during_a_run_is_reported_once(tmp_path, monkeypatch, after):
    whole = count_writes(tmp_path / "whole", monkeypatch)
    reports, written = [], 0
    fsync = os.fsync

    def fill(handle):
        nonlocal written
        written += 1
        if written > after:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(handle)

    monkeypatch.setattr(os, "fsync", fill)
    assert list(keep(tmp_path / "full", "mean", iter(range(STEPS)), reports)) == [*range(STEPS)]
    assert len(reports) == (1 if after < whole else 0)
    monkeypatch.undo()
    for kept in Library(tmp_path / "full").runs():
        assert (kept.state == "done") == (after >= whole)


def count_writes(folder, monkeypatch):
    """The number of files that a run writes without errors."""
    written, fsync = [], os.fsync
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda handle: written.append(fsync(handle)))
        list(keep(folder, "mean", iter(range(STEPS)), []))
    return len(written)


def test_a_run_that_is_saved_reports_nothing(tmp_path):
    reports = []
    assert list(keep(tmp_path, "mean", iter(range(STEPS)), reports)) == [*range(STEPS)]
    assert reports == []
    assert [kept.state for kept in Library(tmp_path).runs()] == ["done"]


def test_a_file_in_place_of_the_folder_of_runs_is_reported(tmp_path):
    (tmp_path / "runs").write_text("not a folder")
    reports = []
    assert list(keep(tmp_path / "runs", "mean", iter(range(STEPS)), reports)) == [*range(STEPS)]
    assert len(reports) == 1


def test_a_run_stopped_on_a_full_disk_also_reports_that_it_was_not_saved(tmp_path, monkeypatch):
    reports = []
    with closing(keep(tmp_path, "mean", iter(range(STEPS)), reports)) as items:
        next(items)
        fill_disk(monkeypatch, tmp_path, "full")
    assert len(reports) == 1
    monkeypatch.undo()
    with suppress(OSError):
        assert Library(tmp_path).runs() == ()
