"""A damaged or missing file of a saved run is reported in one message and hides no other run."""

import json
import random
import shutil
import stat

import numpy as np
import pytest
from safetensors.numpy import load, save

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.attention.means.algorithm1 import MeanConfig
from ia_engine.clustering.config import ClusterConfig
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.errors import EngineError
from ia_engine.figures.mean import film_mean, plan_mean
from ia_engine.runs.attend import attend, plan
from ia_engine.runs.catalogue import RUN_KINDS, count_done
from ia_engine.runs.clustering.run import cluster, plan_clusters
from ia_engine.runs.differences import compare_runs
from ia_engine.runs.folder import Record, read_run, step_name
from ia_engine.runs.kinds import clusterings, iterations
from ia_engine.runs.kinds.clusterings import CLUSTERINGS
from ia_engine.runs.kinds.iterations import ITERATIONS
from ia_engine.runs.kinds.kind import read_data, to_given
from ia_engine.runs.kinds.means import MEANS
from ia_engine.runs.kinds.saving import Destination, save_items
from ia_engine.runs.library import Library

pytestmark = pytest.mark.cpu_only("files would be read onto the default device")
DAMAGED = (ITERATIONS.id, MEANS.id, CLUSTERINGS.id)
OPTIONAL = {"lock", "note.json", "ended.json"}
"""Files that a run does not need."""
CASES = 200


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A complete run of each kind, in one library."""
    folder, data = tmp_path_factory.mktemp("runs"), make(RECIPES["experiment-1"])
    attended = plan((AttentionConfig(steps=2),), data, 6)
    planned, few = plan_mean(MeanConfig(steps=2), data)
    learned = plan_clusters(ClusterConfig(k=2, sequence="affine", batch=9), data, 0, 0.2)
    keep(folder, ITERATIONS, iterations.describe(attended), data, attend(attended, data))
    keep(folder, MEANS, "{}", data, film_mean(planned, few))
    keep(folder, CLUSTERINGS, clusterings.describe(learned), data, cluster(learned, data))
    return Library(folder)


def keep(folder, codec, config, data, items):
    record = Record(data.recipe.to_json(), config, 0, data.digest, "cpu", "a run")
    destination = Destination(Library(folder), codec.id, "ann")
    list(save_items(destination, codec, lambda: (record, to_given(data)), items))


def damage(path, chance):
    """Damage one file in a random way; return the name of the way."""
    content = path.read_bytes()
    way = chance.choice(("missing", "empty", "cut", "flipped", "noise"))
    if way == "missing":
        path.unlink()
    elif way == "empty":
        path.write_bytes(b"")
    elif way == "cut":
        path.write_bytes(content[: chance.randrange(1, len(content))])
    elif way == "flipped":
        at = chance.randrange(len(content))
        flipped = content[at] ^ (1 << chance.randrange(8))
        path.write_bytes(content[:at] + bytes([flipped]) + content[at + 1 :])
    else:
        path.write_bytes(chance.randbytes(len(content)))
    return way


def complaints(library, run):
    """All messages about the run, from every place where it is read."""
    if run in library.unreadable():
        return [library.unreadable()[run]]
    kept = library.open(run)
    found = [kept.damage] if kept.damage else []
    for look in (RUN_KINDS[kept.kind].unpack, count_done, read_data):
        try:
            look(kept)
        except EngineError as error:
            found.append(str(error))
    return list(dict.fromkeys(found))


@pytest.mark.parametrize("part", range(4))
def test_damaged_and_missing_files_are_reported_and_hide_no_other_run(runs, tmp_path, part):
    chance = random.Random(part)
    for case in range(CASES // 4):
        folder = tmp_path / str(case)
        shutil.copytree(runs.folder, folder)
        library = Library(folder)
        victim = chance.choice(library.runs())
        files = [path for path in victim.folder.iterdir() if path.name not in OPTIONAL]
        path = chance.choice(sorted(files))
        what = f"{damage(path, chance)}: {victim.kind}, {path.name}"
        found = complaints(library, victim.id)
        assert found, what
        for sentence in found:
            assert len(sentence) < 400, what
            assert "\n" not in sentence, what
            assert "Traceback" not in sentence, what
        others = [kept for kept in library.runs() if kept.id != victim.id]
        assert len(others) == len(DAMAGED) - 1
        if case % 10 == 0:
            assert all(complaints(library, kept.id) == [] for kept in others)
        shutil.rmtree(folder)


def test_every_run_is_intact_before_it_is_damaged(runs):
    assert {run.kind: complaints(runs, run.id) for run in runs.runs()} == {
        kind: [] for kind in DAMAGED
    }


def test_every_flipped_bit_of_a_file_without_arrays_is_detected(runs, tmp_path):
    library, run = copy(runs, tmp_path, "mean")
    path = library.folder / run / "given.safetensors"
    content = path.read_bytes()
    unnoticed = []
    for bit in range(8 * len(content)):
        at, flip = bit // 8, 1 << bit % 8
        path.write_bytes(content[:at] + bytes([content[at] ^ flip]) + content[at + 1 :])
        try:
            library.open(run).given()
        except EngineError:
            continue
        unnoticed.append(bit)
    assert not unnoticed


@pytest.mark.parametrize("date", ["yesterday", "", "2026-13-45T99:00:00", 5])
def test_a_record_with_an_invalid_date_is_damaged(runs, tmp_path, date):
    library, run = copy(runs, tmp_path)
    change_record(library.folder / run, created=date)
    with pytest.raises(EngineError, match="damaged record"):
        library.open(run)


@pytest.mark.parametrize("kind", DAMAGED)
def test_settings_that_are_not_json_are_reported_when_runs_are_compared(runs, tmp_path, kind):
    library, run = copy(runs, tmp_path, kind)
    change_record(library.folder / run, config="{")
    (other,) = [kept for kept in library.runs() if kept.kind == "mean"][:1]
    with pytest.raises(EngineError, match=r"is damaged .*compute it again, or delete it"):
        compare_runs([library.open(run), library.open(other.id)])


def test_damaged_compressed_bytes_of_an_earlier_version_are_reported_in_a_message(runs, tmp_path):
    library, run = copy(runs, tmp_path, "mean")
    path = library.folder / run / "step-00001.safetensors"
    arrays = {name: np.array(array) for name, array in load(path.read_bytes()).items()}
    arrays["plain"] = np.zeros(9, np.uint8)
    path.write_bytes(save(arrays))
    with pytest.raises(EngineError, match=r"is damaged \(error: .*delete it"):
        MEANS.unpack(library.open(run))


def test_a_run_of_an_older_version_without_checksums_can_be_read(runs, tmp_path):
    library, run = copy(runs, tmp_path, "iterations")
    for path in (library.folder / run).glob("*.safetensors"):
        path.write_bytes(save(load(path.read_bytes()), {"about": "a state has its own message"}))
    change_record(library.folder / run)
    assert complaints(library, run) == []


def test_a_missing_step_is_reported(runs, tmp_path):
    library, run = copy(runs, tmp_path, "iterations")
    (library.folder / run / "step-00002.safetensors").unlink()
    assert "A file is missing (step 2)" in library.open(run).damage


def test_an_unreadable_run_can_be_deleted_and_restored(runs, tmp_path):
    library, run = copy(runs, tmp_path)
    (library.folder / run / "run.json").write_text("{")
    library.delete(run)
    assert run not in library.unreadable()
    library.restore(run)
    assert run in library.unreadable()


def test_damaged_runs_of_other_users_are_not_listed(runs, tmp_path):
    library, run = copy(runs, tmp_path)
    change_record(library.folder / run, created="yesterday")
    assert run in library.unreadable("ann")
    assert run not in library.unreadable("bob")
    (library.folder / run / "run.json").write_text("{")
    assert run in library.unreadable("bob"), "the owner of this run is unknown"


def test_no_file_contains_the_owner_and_files_are_private(runs):
    for kept in runs.runs():
        assert kept.belongs_to("ann")
        assert not kept.belongs_to("bob")
        assert '"ann"' not in (kept.folder / "run.json").read_text()
        assert mode(kept.folder) == 0o700
        assert {mode(path) for path in kept.folder.iterdir()} == {0o600}


def test_the_folder_of_runs_is_private_and_old_runs_become_private(tmp_path):
    library = Library(tmp_path / "runs")
    record = Record("{}", "{}", 0, "", "cpu", "a run")
    run = library.begin("mean", record, {}).folder
    run.chmod(0o755)
    library.begin("mean", record, {})
    assert (mode(library.folder), mode(run)) == (0o700, 0o700)


def test_a_run_that_stores_the_cookie_itself_still_belongs_to_its_owner(runs, tmp_path):
    library, run = copy(runs, tmp_path)
    path = library.folder / run / "run.json"
    values = json.loads(path.read_text())
    path.write_text(
        json.dumps({k: x for k, x in values.items() if k != "sha256"} | {"owner": "bob"})
    )
    assert [kept.id for kept in library.runs("bob")] == [run]


def test_a_run_without_an_owner_belongs_to_no_viewer(tmp_path):
    library = Library(tmp_path)
    library.begin("mean", Record("{}", "{}", 0, "", "cpu", "a run"), {})
    (kept,) = library.runs()
    assert kept.owner == ""
    assert not kept.belongs_to("")


def copy(runs, folder, kind="iterations"):
    shutil.copytree(runs.folder, folder / "copy")
    library = Library(folder / "copy")
    return library, next(kept.id for kept in library.runs() if kept.kind == kind)


def change_record(folder, **changes):
    """Change the record and write it as an older version did, without a checksum."""
    values = json.loads((folder / "run.json").read_text())
    values.pop("sha256", None)
    values["record"] |= changes
    (folder / "run.json").write_text(json.dumps(values))


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_step_that_is_written_while_a_run_is_read_is_not_reported_as_damage(
    runs, tmp_path, monkeypatch
):
    """The Runs page may read a run while a step is being written."""
    library, run = copy(runs, tmp_path)
    folder = library.folder / run
    (folder / "ended.json").unlink()
    last = folder / step_name(library.open(run).steps)
    content = last.read_bytes()
    last.unlink()

    def write_meanwhile(_):
        last.write_bytes(content)
        return True

    monkeypatch.setattr("ia_engine.runs.folder.is_locked", write_meanwhile)
    assert read_run(folder).damage == ""
