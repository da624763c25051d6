"""`runs` lists, shows, resumes and exports runs that `--keep` or a page has saved."""

import errno
import json
from contextlib import closing
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.numpy import load, save

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.runs.attend import plan
from ia_engine.runs.catalogue import RUN_KINDS, count_done, last_numbers
from ia_engine.runs.kinds.iterations import ITERATIONS
from ia_engine.runs.kinds.kind import find_data
from ia_engine.runs.kinds.saving import Destination, save_items
from ia_engine.runs.library import FOLDER, Library, Note, Writer
from ia_engine.shell import runs
from ia_engine.shell.lines import Printer
from ia_engine.shell.options import Common
from tests.frames import assert_same_frame


@pytest.fixture(autouse=True)
def library(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER, str(tmp_path / "runs"))
    return Library()


@pytest.fixture
def attend(shell, npz):
    def run(*more):
        argv = ("attend", "--data", npz, "--steps", 3, "--json", "--keep", *more)
        ended = shell(*argv)
        assert ended.code == 0, ended.err
        return ended

    return run


def test_without_keep_no_run_is_saved(shell, npz, library):
    assert shell("attend", "--data", npz, "--steps", 1).code == 0
    assert library.runs() == ()
    assert shell("runs", "list").out == []


def test_a_saved_run_is_listed_and_shown(shell, attend, library):
    said = attend().err
    (kept,) = library.runs()
    assert any(kept.id in line for line in said)
    (line,) = shell("runs", "list", "--json").out
    listed = json.loads(line)
    assert (listed["id"], listed["state"], listed["steps"]) == (kept.id, "done", 3)
    shown = json.loads(shell("runs", "show", kept.id, "--json").out[0])
    assert shown["record"]["config"] == kept.record.config
    assert shown["record"]["digest"]


@pytest.mark.parametrize("options", [(), ("--k", 3)])
def test_a_resumed_run_prints_the_missing_lines(shell, attend, library, tmp_path, options):
    first, out = tmp_path / "first.npz", tmp_path / "out.npz"
    whole = [json.loads(line) for line in attend(*options, "--out", first).out]
    folder = library.runs()[0].folder
    cut_off(folder)
    ended = shell("runs", "resume", folder.name, "--json", "--out", out)
    assert ended.code == 0, ended.err
    (line,) = [json.loads(line) for line in ended.out]
    assert line | {"seconds": 0} == whole[2] | {"seconds": 0}
    assert library.runs()[0].state == "done"
    with np.load(out) as file, np.load(first) as expected:
        assert file["v"].shape == (4, 6, 1, 16, 16)
        np.testing.assert_array_equal(file["assignments"], expected["assignments"])


def test_labels_of_a_resumed_run_are_moved_to_its_device(attend, library, monkeypatch):
    attend()
    cut_off(library.runs()[0].folder)
    seen = []

    def measure(steps, labels, k):
        seen.append(labels.device.type)
        return iter(())

    monkeypatch.setattr(runs, "resume_steps", lambda *_: iter(()))
    monkeypatch.setattr("ia_engine.runs.kinds.attention.measure_in_clusters", measure)
    there = Common("", None, None, torch.device("meta"), None, Printer(True))
    runs.ACTIONS["resume"](library, library.runs()[0].id, there)
    assert seen == ["meta"]


def test_a_run_is_described_with_its_settings_and_citations(shell, attend, library):
    attend("--beta", 7.5)
    (kept,) = library.runs()
    ended = shell("runs", "describe", kept.id)
    assert ended.code == 0, ended.err
    text = "\n".join(ended.out)
    for part in ("β = 7.5", kept.record.digest, f"torch {torch.__version__}", "@unpublished{"):
        assert part in text
    found = json.loads(shell("runs", "describe", kept.id, "--json").out[0])
    assert found["text"].splitlines()[0] == ended.out[0]
    assert "| beta (β) | 7.5 | 15 |" in found["markdown"]
    assert found["bibtex"].startswith("@unpublished{")


def test_an_unfinished_run_is_described_as_incomplete(shell, attend, library):
    attend()
    folder = library.runs()[0].folder
    cut_off(folder)
    text = " ".join(shell("runs", "describe", folder.name).out)
    assert "the run is incomplete (2 iterations, interrupted)." in text


def cut_off(folder):
    """Simulate a process that was killed during the third step."""
    (folder / "ended.json").unlink()
    (folder / "step-00003.safetensors").unlink()


def test_an_exported_run_equals_the_output_file_of_the_attend_command(
    shell, attend, library, tmp_path
):
    first, second = tmp_path / "first.npz", tmp_path / "second.npz"
    attend("--out", first)
    assert shell("runs", "export", library.runs()[0].id, "--out", second).code == 0
    with np.load(first) as a, np.load(second) as b:
        assert set(b.files) == set(a.files)
        for name in b.files:
            np.testing.assert_array_equal(a[name], b[name])


@pytest.mark.parametrize("action", [("list",), ("show", "x"), ("export", "x", "--out", "x.npz")])
def test_a_folder_of_runs_that_cannot_be_read_is_reported(shell, monkeypatch, tmp_path, action):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    monkeypatch.setattr(Path, "iterdir", refuse)
    ended = shell("runs", *action)
    assert (ended.code, ended.out, len(ended.err)) == (2, [], 1)
    assert "Permission denied" in ended.err[0]


def test_a_folder_of_runs_that_cannot_be_created_is_reported_before_any_work(
    shell, npz, monkeypatch, tmp_path
):
    (tmp_path / "file").touch()
    monkeypatch.setenv(FOLDER, str(tmp_path / "file" / "runs"))
    ended = shell("attend", "--data", npz, "--keep", "--json")
    assert (ended.code, ended.out) == (2, [])
    assert "runs could not be written" in ended.err[-1]


def test_if_the_disk_becomes_full_the_run_ends_with_one_message_and_keeps_its_steps(
    shell, npz, library, monkeypatch, tmp_path
):
    append, out = Writer.append, tmp_path / "out.npz"

    def fill(writer, arrays, state=None):
        if writer.done == 1:
            raise OSError(errno.EFBIG, "File too large")
        append(writer, arrays, state)

    monkeypatch.setattr(Writer, "append", fill)
    ended = shell("attend", "--data", npz, "--steps", 3, "--keep", "--json", "--out", out)
    assert (ended.code, len(ended.out)) == (2, 1)
    assert "could not be written (File too large)" in ended.err[-1]
    (kept,) = library.runs()
    assert (kept.state, kept.steps) == ("failed", 1)
    with np.load(out) as file:
        assert len(file["W"]) == 1


def test_a_damaged_run_that_cannot_be_resumed_stays_finished(shell, attend, library):
    attend()
    folder = library.runs()[0].folder
    (folder / "step-00001.safetensors").write_bytes(b"no")
    ended = shell("runs", "resume", folder.name)
    assert (ended.code, ended.out, len(ended.err)) == (2, [], 1)
    assert library.runs()[0].state == "done"


def test_a_step_without_its_weights_is_reported_as_damaged(shell, attend, library, tmp_path):
    attend()
    folder = library.runs()[0].folder
    path = folder / "step-00002.safetensors"
    arrays = load(path.read_bytes())
    del arrays["W"]
    path.write_bytes(save(arrays))
    for argv in (("resume", folder.name), ("export", folder.name, "--out", tmp_path / "x.npz")):
        ended = shell("runs", *argv)
        assert (ended.code, ended.out, len(ended.err)) == (2, [], 1)
        assert "is damaged" in ended.err[0]
    assert library.runs()[0].state == "done"


@pytest.mark.parametrize("config", ["[]", "{}x", '{"beta": "sharp"}'])
def test_an_invalid_config_is_reported_and_the_run_does_not_change(shell, attend, library, config):
    attend()
    folder = library.runs()[0].folder
    record = json.loads((folder / "run.json").read_text())
    record["record"]["config"] = config
    del record["sha256"]  # older versions wrote the file in this way
    (folder / "run.json").write_text(json.dumps(record))
    ended = shell("runs", "resume", folder.name)
    assert (ended.code, ended.out, len(ended.err)) == (2, [], 1)
    assert library.runs()[0].state == "done"


def test_an_export_needs_an_output_file_and_a_finished_step(shell, attend, library, tmp_path):
    attend()
    folder = library.runs()[0].folder
    ended = shell("runs", "export", folder.name)
    assert (ended.code, ended.out, len(ended.err)) == (2, [], 1)
    assert "--out" in ended.err[0]
    (folder / "step-00001.safetensors").unlink()
    ended = shell("runs", "export", folder.name, "--out", tmp_path / "x.npz")
    assert (ended.code, ended.out, len(ended.err)) == (2, [], 1)
    assert "no finished step" in ended.err[0]


def test_tags_are_printed_as_a_json_list(shell, attend, library):
    attend()
    kept = library.runs()[0]
    library.write_note(kept.id, Note("mine", ("klasse", "β")))
    for action in (("list",), ("show", kept.id)):
        (line,) = shell("runs", *action, "--json").out
        assert json.loads(line)["tags"] == ["klasse", "β"]
    assert any('["klasse", "β"]' in line for line in shell("runs", "show", kept.id).out)


@pytest.fixture
def page_run(library):
    """A run of both methods on the Iterations page that was stopped after iteration 1 of 2, and all
    its items.
    """
    data = make(RECIPES["experiment-1"])
    planned = plan((AttentionConfig(steps=2), AttentionConfig(method="ka", steps=2)), data, 6)
    whole = list(ITERATIONS.work(planned, data, None))
    record, given = ITERATIONS.begin_record("a run", planned, data)
    items = save_items(
        Destination(library, "paged", "ann"), ITERATIONS, lambda: (record, given), iter(whole)
    )
    with closing(items):
        list(islice(items, 2))
    return library.find("paged"), whole


def test_a_run_from_a_page_can_be_resumed_on_the_command_line(shell, library, page_run):
    kept, whole = page_run
    assert (kept.state, kept.steps) == ("cancelled", 2)
    ended = shell("runs", "resume", kept.id, "--json")
    assert ended.code == 0, ended.err
    rows = [json.loads(line) for line in ended.out]
    assert [(row["method"], row["step"], row["iteration"]) for row in rows] == [
        ("ia", 3, 2), ("ka", 3, 2),
    ]  # fmt: skip
    again = library.find("paged")
    assert (again.state, again.steps) == ("done", 3)
    for one, other in zip(ITERATIONS.unpack(again), whole, strict=True):
        for method, shown in other.shown.items():
            assert_same_frame(one.shown[method].frame, shown.frame)
    assert rows[0]["clusters"] == whole[2].shown["ia"].numbers.clusters


@pytest.mark.parametrize("method", ["ia", "ka", ""])
def test_a_run_from_a_page_is_exported_in_the_format_of_the_attend_command(
    shell, library, page_run, tmp_path, method
):
    kept, whole = page_run
    out = tmp_path / "out.npz"
    more = ("--method", method) if method else ()
    ended = shell("runs", "export", kept.id, "--out", out, *more)
    assert ended.code == 0, ended.err
    with np.load(out) as file:
        assert file["v"].shape == (3, 6, 1, 64, 64)
        assert file["W"].shape == file["d2"].shape == (2, 6, 6)
        np.testing.assert_allclose(file["W"].sum(1), 1, atol=1e-6)
        for step, item in enumerate(whole[:2]):
            np.testing.assert_array_equal(file["v"][step + 1], item.shown[method or "ia"].mu)
        assert ("tau" in file.files) == (method != "ka")
        last = whole[1].shown[method or "ia"].numbers.assignments
        assert file["assignments"].tolist() == list(last)


def test_a_method_that_the_run_does_not_contain_is_refused(shell, attend, library, tmp_path):
    attend()
    run, out = library.runs()[0].id, tmp_path / "x.npz"
    ended = shell("runs", "export", run, "--out", out, "--method", "ka")
    assert (ended.code, ended.out, len(ended.err)) == (2, [], 1)
    assert "must be ia; got" in ended.err[0]


def test_a_mean_cannot_be_resumed(shell, library):
    writer = library.begin("mean", library_record(), {})
    writer.end("done")
    ended = shell("runs", "resume", writer.id)
    assert ended.code == 2
    assert "cannot be resumed" in ended.err[-1]


def library_record():
    from ia_engine.runs.folder import Record

    return Record("{}", "{}", 0, "", "cpu", "a mean")


@pytest.mark.parametrize(
    ("kind", "argv"),
    [
        ("mean", ("mean", "--steps", 1)),
        ("mean", ("mean", "--steps", 1, "--limit", 5)),
        ("comparison", ("compare", "--methods", "kmeans", "--k", 2, "--budget", 5)),
        ("clustering", ("cluster", "--k", 2, "--sequence", "identity", "--budget", 0.2)),
    ],
)
@pytest.mark.usefixtures("reused_helpers")
def test_a_saved_run_of_any_command_opens_on_its_page_and_can_be_exported(
    shell, library, npz, kind, argv
):
    first, second = npz.with_name("first.npz"), npz.with_name("second.npz")
    data = () if "--limit" in argv else ("--data", npz)
    ended = shell(*argv, *data, "--keep", "--json", "--out", first)
    assert ended.code == 0, ended.err
    (kept,) = library.runs()
    assert (kept.kind, kept.state) == (kind, "done")
    assert len(RUN_KINDS[kind].open(kept)) == kept.steps
    assert find_data(kept)[1] is not None, (
        "no recipe generates these images, so the run must contain them"
    )
    shown = json.loads(shell("runs", "show", kept.id, "--json").out[0])
    assert (shown["done"], shown["unit"]) == count_done(kept)
    assert shown["numbers"] == last_numbers(kept)
    assert shell("runs", "export", kept.id, "--out", second).code == 0
    with np.load(first) as a, np.load(second) as b:
        assert set(a.files) == set(b.files)
        assert len(b["assignments" if kind == "clustering" else b.files[0]])


@pytest.mark.usefixtures("reused_helpers")
def test_an_interrupted_comparison_can_be_resumed_on_the_command_line(shell, library, npz):
    argv = ("compare", "--data", npz, "--methods", "kmeans,ka", "--k", 2, "--budget", 5)
    assert shell(*argv, "--keep").code == 0
    (kept,) = library.runs()
    (kept.folder / "ended.json").unlink()
    (kept.folder / "step-00002.safetensors").unlink()
    ended = shell("runs", "resume", kept.id, "--json")
    assert ended.code == 0, ended.err
    assert [json.loads(line)["method"] for line in ended.out] == ["ka"]
    (kept,) = library.runs()
    assert (kept.state, kept.steps) == ("done", 2)
    assert shell("runs", "resume", kept.id, "--json").out == []


def test_a_clustering_run_can_be_saved_only_with_a_budget_and_one_seed(shell, npz):
    for more in ((), ("--budget", 1, "--seeds", 2)):
        ended = shell("cluster", "--data", npz, "--k", 2, "--keep", *more)
        assert (ended.code, ended.out, len(ended.err)) == (2, [], 1)
        assert "--keep" in ended.err[0]


@pytest.mark.parametrize("kind", [kind.id for kind in RUN_KINDS.values() if kind.resumable])
def test_a_run_without_a_finished_step_reports_that_it_cannot_be_resumed(kind, library, shell):
    data = make(RECIPES["experiment-1"])
    record, given = ITERATIONS.begin_record(
        "empty", plan((AttentionConfig(),), data, len(data.images)), data
    )
    writer = library.begin(kind, record, given)
    writer.end("cancelled", "")
    ended = shell("runs", "resume", writer.id)
    assert ended.code == 2
    assert "compute it again" in " ".join(ended.err)
