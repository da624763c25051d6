import errno
import json
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import torch

from ia_engine.attention.iteration import AttentionConfig, iterate
from ia_engine.errors import EngineError
from ia_engine.runs.folder import Record
from ia_engine.runs.kinds.attention import (
    ATTENTION,
    read_steps,
    resume_steps,
    to_arrays,
)
from ia_engine.runs.kinds.saving import write_items
from ia_engine.runs.library import FOLDER, Library, Note
from tests.tensors import rand

RECORD = Record("{}", "{}", 3, "abc", "cpu", "Krabben, μ = Ø")
GIVEN = {"v": np.arange(6, dtype=np.float32)}
CPU = torch.device("cpu")
CONFIG = AttentionConfig(method="ka", steps=6)
LOCKS = pytest.mark.skipif(sys.platform == "win32", reason="Windows does not have these locks")


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path / "runs")


@pytest.fixture
def images():
    return rand(5, 1, 6, 6) / 6


def test_a_run_is_restored_with_its_record_and_every_step(library):
    writer = library.begin("attention", RECORD, GIVEN, owner="ann")
    steps = [{"mu": np.full((2, 3), k, np.float32), "seconds": np.array(0.5)} for k in range(3)]
    for arrays in steps:
        writer.append(arrays)
    writer.end("done")
    (kept,) = library.runs()
    assert (kept.id, kept.record, kept.kind) == (writer.id, RECORD, "attention")
    assert kept.belongs_to("ann")
    assert (kept.steps, kept.state, kept.title) == (3, "done", RECORD.title)
    np.testing.assert_array_equal(kept.given()["v"], GIVEN["v"])
    for k, arrays in enumerate(steps, start=1):
        found = kept.arrays(k)
        assert found.keys() == arrays.keys()
        assert all((found[name] == arrays[name]).all() for name in arrays)


def test_runs_are_listed_by_owner_and_with_the_newest_first(library):
    ids = [library.begin("mean", RECORD, GIVEN, owner=name).id for name in ("ann", "bob", "ann")]
    assert [kept.id for kept in library.runs()] == ids[::-1]
    assert [kept.id for kept in library.runs("ann")] == [ids[2], ids[0]]


def test_an_active_run_is_running_and_a_killed_run_is_interrupted(library):
    writer = library.begin("mean", RECORD, GIVEN)
    assert library.open(writer.id).state == "running"
    with pytest.raises(EngineError, match="still running"):
        library.go_on(writer.id)
    with pytest.raises(EngineError, match="still running"):
        library.delete(writer.id)
    del writer
    assert library.runs()[0].state == "interrupted"


@pytest.fixture
def interrupted(library):
    """The id of a run whose process has ended."""
    return library.begin("mean", RECORD, GIVEN).id


def look(library, count):
    """The states found by listing the runs this number of times."""
    return {kept.state for _ in range(count) for kept in library.runs()}


@pytest.mark.usefixtures("interrupted")
def test_listing_an_interrupted_run_in_two_threads_does_not_make_it_look_active(library):
    with ThreadPoolExecutor(2) as both:
        found = [both.submit(look, library, 300) for _ in range(2)]
        assert [states.result() for states in found] == [{"interrupted"}] * 2


@LOCKS
def test_a_process_that_reads_a_run_is_not_mistaken_for_its_writer(library, interrupted):
    import fcntl

    lock = library.folder / interrupted / "lock"
    with lock.open("rb") as looked:
        fcntl.flock(looked, fcntl.LOCK_SH)
        assert library.open(interrupted).state == "interrupted"
        soon = threading.Timer(0.02, fcntl.flock, (looked, fcntl.LOCK_UN))
        soon.start()
        assert library.go_on(interrupted).done == 0
        soon.join()


@LOCKS
@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP])
def test_runs_are_saved_on_a_file_system_without_locks(library, monkeypatch, number):
    def refuse(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("fcntl.flock", refuse)
    writer = library.begin("mean", RECORD, GIVEN)
    writer.append(GIVEN)
    assert library.open(writer.id).state == "interrupted"
    writer = library.go_on(writer.id)
    writer.end("done")
    assert [(kept.state, kept.steps) for kept in library.runs()] == [("done", 1)]


def test_an_inaccessible_run_of_a_different_user_is_listed_but_not_resumed(
    library, interrupted, monkeypatch
):
    opened = os.open

    def refuse(path, *rest, **named):
        if os.fspath(path).endswith("lock"):
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(path, *rest, **named)

    monkeypatch.setattr(os, "open", refuse)
    assert [kept.state for kept in library.runs()] == ["interrupted"]
    with pytest.raises(EngineError, match="belongs to another user"):
        library.go_on(interrupted)


def test_a_manually_renamed_folder_is_reported(library, interrupted):
    (library.folder / interrupted).rename(library.folder / "my best run")
    assert library.runs() == ()
    (reason,) = library.unreadable().values()
    assert "my best run was renamed" in reason
    with pytest.raises(EngineError, match="restore the old name"):
        library.open("my best run")


def test_a_deleted_run_can_be_restored_until_it_is_purged(library):
    writer = library.begin("mean", RECORD, GIVEN)
    writer.end("done")
    library.delete(writer.id)
    assert library.runs() == ()
    library.restore(writer.id)
    assert [kept.id for kept in library.runs()] == [writer.id]
    library.delete(writer.id)
    library.remove(library.deleted_folders())
    with pytest.raises(EngineError, match="expected the ID of a deleted run"):
        library.restore(writer.id)


def test_names_and_tags_are_saved(library):
    writer = library.begin("mean", RECORD, GIVEN)
    library.write_note(writer.id, Note("threes", ("class", " class ", "", "β = 15")))
    kept = library.open(writer.id)
    assert kept.title == "threes"
    assert kept.note.tags == ("class", "β = 15")


def test_an_id_may_be_shortened_as_long_as_it_is_unique(library):
    writer = library.begin("mean", RECORD, GIVEN)
    assert library.open(writer.id[:12]).id == writer.id
    library.begin("mean", RECORD, GIVEN)
    for wrong, why in (
        (writer.id[:4], "several"),
        ("nothing-like-it", "no run has this ID"),
        ("", "got none: give an ID"),
    ):
        with pytest.raises(EngineError, match=why):
            library.open(wrong)


def test_steps_after_a_missing_one_are_ignored(library):
    writer = library.begin("mean", RECORD, GIVEN)
    for _ in range(3):
        writer.append(GIVEN)
    (library.open(writer.id).folder / "step-00002.safetensors").unlink()
    kept = library.open(writer.id)
    assert kept.steps == 1
    with pytest.raises(EngineError, match="from 1 to 1; got"):
        kept.arrays(2)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("{", "damaged run.json"),
        ("[]", "damaged run.json"),
        ('{"format": "other"}', "not a run"),
        ('{"format": "ia-runs", "version": 99}', "version 99"),
        ('{"format": "ia-runs", "version": 1}', "damaged record"),
    ],
)
def test_an_unreadable_run_is_reported_and_hides_no_other_run(library, content, why):
    good = library.begin("mean", RECORD, GIVEN)
    bad = library.begin("mean", RECORD, GIVEN)
    (library.folder / bad.id / "run.json").write_text(content)
    assert [kept.id for kept in library.runs()] == [good.id]
    (reason,) = library.unreadable().values()
    assert why in reason


@pytest.mark.parametrize("name", ["config", "recipe", "digest", "versions", "seed"])
def test_a_record_with_fields_of_the_wrong_type_is_damaged(library, name):
    run = library.begin("mean", RECORD, GIVEN).id
    path = library.folder / run / "run.json"
    values = json.loads(path.read_text())
    values["record"][name] = [5]
    path.write_text(json.dumps(values))
    with pytest.raises(EngineError, match="damaged record"):
        library.open(run)


def test_a_run_that_cannot_begin_leaves_no_files(library, monkeypatch):
    def refuse(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as full:
        full.setattr("ia_engine.runs.library.write_arrays", refuse)
        with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
            library.begin("mean", RECORD, GIVEN)
    assert list(library.folder.iterdir()) == []
    library.begin("mean", RECORD, GIVEN)


def test_only_temporary_folders_of_processes_killed_long_ago_are_removed(library):
    known = [
        ".20200101-000000-000000-dead", ".deleted", ".2020-my-own", ".99991231-235959-000000-new",
        "20200101-000000-000000-old",
    ]  # fmt: skip
    for name in known:
        (library.folder / name).mkdir(parents=True)
        (library.folder / name / "run.json").touch()
    new = library.begin("mean", RECORD, GIVEN).id
    assert {path.name for path in library.folder.iterdir()} == {*known[1:], new}


@pytest.mark.parametrize("number", [errno.EROFS, errno.ENOENT, errno.EACCES])
def test_a_run_whose_lock_cannot_be_opened_is_not_resumed(
    library, interrupted, monkeypatch, number
):
    def refuse(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("ia_engine.runs.library.take_lock", refuse)
    with pytest.raises(EngineError, match=os.strerror(number)):
        library.go_on(interrupted)


def test_a_resumed_run_keeps_its_end_until_it_has_a_new_step(library):
    writer = library.begin("mean", RECORD, GIVEN)
    writer.end("done")
    again = library.go_on(writer.id)
    assert library.open(writer.id).state == "running"
    del again
    assert library.open(writer.id).state == "done"
    library.go_on(writer.id).append(GIVEN)
    assert library.open(writer.id).state == "interrupted"


def test_a_damaged_step_is_reported(library):
    writer = library.begin("mean", RECORD, GIVEN)
    writer.append(GIVEN)
    kept = library.open(writer.id)
    (kept.folder / "step-00001.safetensors").write_bytes(b"no")
    with pytest.raises(EngineError, match="damaged"):
        kept.arrays(1)


def test_the_environment_variable_sets_the_folder(monkeypatch, tmp_path):
    monkeypatch.setenv(FOLDER, str(tmp_path / "elsewhere"))
    assert Library().folder == tmp_path / "elsewhere"
    assert Library().runs() == ()


def test_a_resumed_attention_run_ends_with_bit_identical_results(library, images):
    whole = list(iterate(CONFIG, images))
    record = Record("{}", CONFIG.to_json(), 0, "", "cpu", "")
    writer = library.begin(ATTENTION.id, record, {"v": images.numpy()})
    steps = write_items(writer, ATTENTION, iterate(CONFIG, images))
    for _ in range(2):
        next(steps)
    steps.close()
    assert library.open(writer.id).state == "cancelled"
    rest = list(resume_steps(library, writer.id, CPU))
    assert [step.k for step in rest] == [3, 4, 5, 6]
    kept = library.open(writer.id)
    assert kept.state == "done"
    for step, expected in zip(read_steps(kept, CPU), whole, strict=True):
        assert step.k == expected.k
        for name in ("v", "d2", "W", "beta", "mu"):
            torch.testing.assert_close(getattr(step, name), getattr(expected, name), rtol=0, atol=0)


def test_an_error_ends_the_run_and_is_saved_with_it(library, images):
    def wrong():
        yield from iterate(AttentionConfig(method="ka", steps=1), images)
        raise EngineError("expected this, that came")

    writer = library.begin(ATTENTION.id, RECORD, {"v": images.numpy()})
    with pytest.raises(EngineError, match="that came"):
        list(write_items(writer, ATTENTION, wrong()))
    kept = library.open(writer.id)
    assert (kept.state, kept.error, kept.steps) == ("failed", "expected this, that came", 1)


def test_runs_are_stored_as_plain_json_and_safetensors(library, images):
    writer = library.begin(ATTENTION.id, RECORD, {"v": images.numpy()})
    writer.append(to_arrays(next(iter(iterate(CONFIG, images)))))
    writer.end("done")
    names = {path.name for path in (library.folder / writer.id).iterdir()}
    assert names == {
        "run.json", "given.safetensors", "step-00001.safetensors", "ended.json", "lock",
    }  # fmt: skip
    assert json.loads((library.folder / writer.id / "run.json").read_text())["version"] == 1
