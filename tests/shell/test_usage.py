"""Wrong usage ends with code 2 and one clear line; human-readable output is short."""

import errno
import os
import subprocess
import sys

import pytest

from tests.waits import MAX_WAIT_S

TOO_LONG = os.strerror(errno.ENAMETOOLONG)  # the message is in the language of the locale
WRONG = {
    "": "got nothing",
    "dance": "got 'dance'",
    "attend --dance": "--dance",
    "attend --beta": "--beta",
    "attend --beta sharp": "'sharp'",
    "attend --beta 1e9": "beta must be between",
    "attend --beta nan": "beta must be between",
    "attend --steps 2.5": "'2.5'",
    "attend --group circle": "got 'circle'",
    "attend --budget 3": "--budget",
    "attend --kernel cosine": "got 'cosine'",
    "attend --bandwidth wide": "got 'wide'",
    "attend --neighbours 0": "neighbours must be between",
    "attend --updates many": "'many'",
    "attend --k 0": "--k must be between 1 and 18",
    "attend --k few": "'few'",
    "align --solver guess": "got 'guess'",
    "align --schedule slow": "got 'slow'",
    "align --rate 0": "rate must be between",
    "attend --data blobs": "--method ka",
    "align --data blobs": "points",
    "align --limit 1": "at least 2",
    "data --limit 0": "--limit",
    "data --limit few": "'few'",
    "data --seed -1": "--seed must be between",
    "train --seed -1": "--seed must be between",
    f"cluster --seed {10**30}": "--seed must be between",
    f"train --seed {10**30}": "--seed must be between",
    f"equivariance --seed {10**30}": "--seed must be between",
    f"compare --seed {10**400}": "--seed must be between",
    "data --device meta": "--device",
    "data --data nowhere": "'nowhere'",
    "data --out nowhere/x.npz": "the folder of --out must exist",
    "data --out x.txt": "ends in .npz",
    "data extra": "extra",
    "papers --only dance": "got 'dance'",
    "papers --only ia-figure-2 --budget 0": "--budget",
    "papers --only dti-figure-1c": "none of",
    "runs": "action",
    "runs dance": "'dance'",
    "runs list 3": "takes no ID",
    "runs show": "got none: give an ID",
    "runs show 3": "no run has this ID",
}
PRINTED_BEFORE = {
    "align --limit 1": "the first 1 of 18",
    "papers --only dti-figure-1c": "Instagram",
}
"""Messages printed before the error: notes on the data, or why an entry is impossible."""


@pytest.mark.parametrize("line", WRONG)
def test_wrong_usage_exits_with_code_2_and_prints_one_line(shell, line, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    ended = shell(*line.split())
    *before, reason = ended.err
    assert (ended.code, ended.out, len(before)) == (2, [], line in PRINTED_BEFORE)
    assert PRINTED_BEFORE.get(line, "") in "".join(before)
    assert WRONG[line] in reason


def test_the_path_of_the_output_file_is_checked_before_any_work(shell, monkeypatch, tmp_path):
    monkeypatch.setattr(
        "ia_engine.datasets.loading.make", None
    )  # any work would raise an exception
    assert shell("data", "--out", tmp_path / "no" / "x.npz").code == 2
    assert shell("data", "--out", tmp_path).code == 2
    assert shell("data", "--out", tmp_path / f"{'x' * 300}.npz").code == 2


def test_images_that_would_not_fit_into_memory_are_refused(shell, npz, monkeypatch):
    monkeypatch.setattr("ia_engine.shell.memory._memory", lambda: 1000)
    ended = shell("attend", "--data", npz)
    assert ended.code == 2
    assert "--limit" in ended.err[-1]


@pytest.mark.parametrize("command", ["data", "align", "attend"])
def test_a_command_explains_its_options(shell, command):
    ended = shell(command, "--help")
    assert (ended.code, ended.err) == (0, [])
    assert any("--limit N" in line for line in ended.out)


def test_the_human_readable_output_of_the_attend_command_has_one_row_for_each_step(shell, npz):
    ended = shell("attend", "--data", npz, "--steps", 2)
    assert len(ended.out) == 3
    assert ended.out[0].split()[:3] == ["step", "iteration", "seconds"]
    assert len({len(line) for line in ended.out}) == 1


def test_the_human_readable_output_of_the_align_command_has_one_line_for_each_key(shell, npz):
    ended = shell("align", "--data", npz)
    assert [line.split()[0] for line in ended.out][:2] == ["n", "pairs"]


def test_help_and_usage_errors_do_not_import_torch():
    code = (
        "import sys; from ia_engine.shell.main import main\n"
        "assert main(['--help']) == 0 and main(['dance']) == 2 and 'torch' not in sys.modules"
    )
    command = [sys.executable, "-c", code]
    subprocess.run(command, check=True, capture_output=True, timeout=MAX_WAIT_S)


@pytest.mark.parametrize("command", ["data", "train", "equivariance"])
@pytest.mark.parametrize(("name", "why"), [("", "an empty string"), ("x" * 300, TOO_LONG)])
def test_an_empty_or_too_long_file_name_is_refused(shell, command, name, why):
    ended = shell(command, "--data", name)
    assert (ended.code, ended.out, len(ended.err)) == (2, [], 1)
    assert why in ended.err[0]
