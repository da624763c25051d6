"""Tables of the papers: the order of seeds, checkpoints, pauses, and rejection of stale results."""

import json
import signal
import subprocess
import sys
from dataclasses import asdict, replace

import pytest

from assets import make_tables
from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.recipes import PUBLISHED, list_differences
from ia_engine.errors import EngineError
from ia_engine.runs.tables import pause, rows, work
from ia_engine.runs.tables.compute import LARGEST, Computation, Stop
from ia_engine.runs.tables.pause import hold_lock, is_measuring
from ia_engine.runs.tables.results import (
    FOLDER,
    Moment,
    digest_recipe,
    load_result,
    make_result,
    save_result,
)
from ia_engine.runs.tables.rows import ROWS, Task, find_tasks, list_tasks
from tests.waits import MAX_WAIT_S

pytestmark = pytest.mark.cpu_only("seeds are computed on the CPU")
TASK = Task(ROWS[0], 0)
POINTS = ((1.0, 0.5), (2.0, 0.25))


def moment(iteration=2, figures=None, total=2):
    return Moment(
        iteration, total, 60.0, POINTS, ("epoch", "validation error"),
        lambda path, note: path.write_bytes(b"x" * (LARGEST + 1)), "about", figures,
    )  # fmt: skip


def finished():
    return make_result(TASK, moment(figures={"test error": 0.02}))


def computation(folder, **changes):
    values = {"results": folder / "results", "checkpoints": folder / "checkpoints", "poll": 0.0,
              "report": lambda text: None, "measuring": bool}  # fmt: skip
    return Computation(**values | changes)


def test_every_row_lists_the_modules_and_data_on_which_its_numbers_depend():
    for row in ROWS:
        assert set(row.versions) <= set(rows.VERSIONS)
        assert row.data in {**work.SPLITS, **work.IMAGES}
        sequence = getattr(row.config, "modules", ())
        assert set(sequence) <= set(row.modules)
    assert len({(row.table, row.name) for row in ROWS}) == len(ROWS)
    counts = {order: sum(row.seeds for row in ROWS if row.order == order) for order in "abcdef"}
    assert counts == {"a": 20, "b": 40, "c": 60, "d": 80, "e": 25, "f": 1}


def test_rows_of_clustering_differ_from_the_paper_only_in_the_named_encoder_and_the_model():
    for row in ROWS:
        if isinstance(row.config, ClusterConfig) and row.table != "table-3":
            published = PUBLISHED[row.table].config
            changed = list_differences(row.config, published)
            assert {text.split()[0] for text in changed} <= {"encoder", "model"}
            assert row.config.encoder in row.title


def test_seed_0_of_every_row_comes_before_seed_1_of_any_row():
    names = [(task.row.name, task.seed) for task in list_tasks() if task.row.order == "a"]
    first = ["p4", "alpha-f-p4", "alpha-rh-p4", "big11-p4"]
    assert names == [(name, seed) for seed in range(5) for name in first]
    orders = [task.row.order for task in list_tasks()]
    assert orders == sorted(orders)
    assert [task.name for task in find_tasks("rot-mnist/p4-seed-3")] == ["rot-mnist/p4-seed-3"]
    with pytest.raises(EngineError, match="must be a batch"):
        find_tasks("p5")


def test_every_shipped_result_is_up_to_date():
    known = {f"{task.name}.json": task for task in list_tasks()}
    shipped = [path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*.json")]
    assert set(shipped) <= set(known)
    for name in shipped:
        assert load_result(known[name]) is not None


def test_every_shipped_checkpoint_is_at_most_two_megabytes_large():
    assert all(path.stat().st_size <= LARGEST for path in FOLDER.rglob("*.safetensors"))


def test_a_result_is_read_exactly_as_it_was_written(tmp_path):
    save_result(finished(), TASK, tmp_path)
    assert load_result(TASK, tmp_path) == finished()
    assert load_result(replace(TASK, seed=1), tmp_path) is None


def test_a_result_stays_up_to_date_when_its_config_gains_a_field(tmp_path):
    recipe = dict(finished().recipe)
    del recipe["pooling"]
    digest = digest_recipe(recipe, TASK.row.versions, TASK.seed)
    save_result(replace(finished(), recipe=recipe, digest=digest), TASK, tmp_path)
    assert load_result(TASK, tmp_path) is not None


def test_a_result_is_stale_if_the_version_of_a_module_differs(tmp_path, monkeypatch):
    save_result(finished(), TASK, tmp_path)
    monkeypatch.setattr(rows, "VERSIONS", {**rows.VERSIONS, "training": 99})
    with pytest.raises(EngineError, match=r"stale \(these modules have changed: training"):
        load_result(TASK, tmp_path)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"recipe": {**finished().recipe, "batch": 64}}, "recipe differs"),
        ({"digest": "0" * 64}, "digest does not match"),
        ({"seed": 3}, "digest does not match"),
        ({"recipe": {**finished().recipe, "unknown": 1}}, "cannot be read|unknown"),
    ],
)
def test_a_result_of_a_different_computation_is_rejected(tmp_path, changes, why):
    save_result(replace(finished(), **changes), TASK, tmp_path)
    with pytest.raises(EngineError, match=why):
        load_result(TASK, tmp_path)


def test_the_error_about_a_damaged_result_names_the_file(tmp_path):
    path = save_result(finished(), TASK, tmp_path)
    path.write_text(json.dumps({"format": 1, **asdict(finished()), "curve": 3}))
    with pytest.raises(EngineError, match=r"p4-seed-0\.json cannot be read"):
        load_result(TASK, tmp_path)


def test_a_finished_seed_is_not_computed_again(tmp_path):
    folder = tmp_path / "results"
    save_result(finished(), TASK, folder)
    computation(tmp_path, work=lambda *_: pytest.fail("computed again")).run([TASK])


def test_a_stale_result_is_reported_and_replaced(tmp_path):
    save_result(replace(finished(), digest="0"), TASK, tmp_path / "results")
    lines = []
    computation(tmp_path, report=lines.append, work=lambda *_: [
        moment(figures={"test error": 0.02})]).run([TASK])  # fmt: skip
    assert "stale" in lines[0]
    assert load_result(TASK, tmp_path / "results") is not None


def test_a_seed_that_another_worker_computes_is_skipped(tmp_path):
    def first(task, resume, curve):
        second = computation(tmp_path, work=lambda *_: pytest.fail("computed twice"))
        assert second.run_task(task) is None
        yield moment(figures={"test error": 0.02})

    assert computation(tmp_path, work=first).run_task(TASK) is not None


def test_no_seed_is_computed_during_a_measurement(tmp_path):
    answers, iterations = iter([False, True, True, True, False]), []

    def count(task, resume, curve):
        for k in range(1, 4):
            iterations.append(k)
            yield moment(k, {"test error": 0.02} if k == 3 else None, 3)

    seen = []

    def measuring():
        seen.append(len(iterations))
        return next(answers)

    computation(tmp_path, work=count, measuring=measuring).run([TASK])
    assert seen == [1, 2, 2, 2, 2]


def test_a_seed_without_its_data_is_reported_and_the_next_one_is_computed(tmp_path):
    second, lines = replace(TASK, seed=1), []

    def compute(task, resume, curve):
        if task == TASK:
            raise EngineError("MNIST, train, is not here")
        return [moment(figures={"test error": 0.02})]

    computation(tmp_path, report=lines.append, work=compute).run([TASK, second])
    assert f"{TASK.name}: MNIST, train, is not here" in lines
    assert load_result(second, tmp_path / "results") is not None


def test_a_worker_saves_its_state_before_it_stops(tmp_path):
    saved = []

    def compute(task, resume, curve):
        for k in range(1, 9):
            if k == 3:
                worker.stop()
            last = moment(k, total=8)
            yield replace(last, save=lambda path, note, k=k: saved.append((k, json.loads(note))))

    worker = computation(tmp_path, work=compute)
    with pytest.raises(Stop):
        worker.run([TASK, replace(TASK, seed=1)])
    ((k, note),) = saved
    assert (k, note["iteration"], note["curve"]) == (3, 3, [list(point) for point in POINTS])


def test_a_checkpoint_that_is_too_large_is_not_committed(tmp_path):
    worker = computation(tmp_path)
    assert worker.share(TASK) is None
    draft = tmp_path / "checkpoints" / f"{TASK.name}.safetensors"
    draft.parent.mkdir(parents=True)
    moment().save(draft, "")
    with pytest.raises(EngineError, match="at most 2,097,152 bytes"):
        worker.share(TASK)


def test_a_checkpoint_that_is_too_large_does_not_prevent_others_from_being_committed(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(make_tables, "Computation", lambda: computation(tmp_path))
    folder = tmp_path / "checkpoints" / "rot-mnist"
    folder.mkdir(parents=True)
    moment().save(folder / "p4-seed-0.safetensors", "")
    (folder / "p4-seed-1.safetensors").write_bytes(b"small")
    assert make_tables.main(["--share", "--only", "rot-mnist/p4"]) == 2
    shared = [path.name for path in (tmp_path / "results").rglob("*") if path.is_file()]
    assert shared == ["p4-seed-1.safetensors"]
    printed = capsys.readouterr()
    assert "rot-mnist/p4-seed-0: a checkpoint must be at most" in printed.err
    assert "rot-mnist/p4-seed-2: no checkpoint" in printed.out


def test_measurements_may_overlap(tmp_path):
    path = tmp_path / "lock"
    assert not is_measuring(path)
    with hold_lock(path):
        with hold_lock(path):
            assert is_measuring(path)
        assert is_measuring(path)
    assert not is_measuring(path)


def test_a_killed_measurement_releases_its_lock(tmp_path):
    code = (
        "import sys; from pathlib import Path; from ia_engine.runs.tables.pause import hold_lock\n"
        "with hold_lock(Path(sys.argv[1])): print('held', flush=True); sys.stdin.read()"
    )
    path = tmp_path / "lock"
    command = [sys.executable, "-c", code, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout.readline() == b"held\n"
        assert is_measuring(path)
        holder.send_signal(signal.SIGKILL)
        holder.wait(MAX_WAIT_S)
    assert not is_measuring(path)


def test_a_folder_that_cannot_be_written_does_not_prevent_a_measurement(tmp_path):
    path = tmp_path / "absent" / "lock"
    with hold_lock(path):
        assert not is_measuring(path)


@pytest.mark.parametrize("command", ["make test", "make bench"])
def test_commands_that_measure_hold_the_lock(tmp_path, monkeypatch, command):
    from tests.benchmarks import __main__ as bench
    from tests.runner import full

    path, held = tmp_path / "lock", []
    monkeypatch.setattr(pause, "find_lock", lambda: path)

    def look(*_):
        held.append(is_measuring(path))

    if command == "make test":
        monkeypatch.setattr(full, "run_all", lambda parts: look() or [])
        monkeypatch.setattr(full, "record", look)
        assert full.main() == 0
    else:
        monkeypatch.setattr(sys, "argv", ["bench", "--again", "--only", "equivariance after"])
        monkeypatch.setattr(bench, "measure", look)
        monkeypatch.setattr(bench.signal, "signal", lambda *_: None)
        with pytest.raises(SystemExit):
            bench.main()
    assert held[0]
    assert not is_measuring(path)


def test_the_command_can_list_seeds_and_refuses_unknown_names(capsys):
    assert make_tables.main(["--list", "--only", "rot-mnist/p4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines] == [f"rot-mnist/p4-seed-{k}" for k in range(5)]
    assert make_tables.main(["--only", "p5"]) == 2
    assert "must be a batch" in capsys.readouterr().err
