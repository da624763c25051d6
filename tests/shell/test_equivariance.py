"""`equivariance`: one row for each combination of layer, map and group element."""

import json
from itertools import islice

import numpy as np
import pytest

from ia_engine.equivariant.measures import measure_network
from ia_engine.shell import equivariance

KEYS = ["layer", "element", "error"]


def rows(ended):
    assert ended.code == 0, ended.err
    return [json.loads(line) for line in ended.out]


@pytest.mark.parametrize(("dtype", "limit"), [("float32", 1e-6), ("float64", 1e-13)])
def test_an_attentive_network_is_equivariant(shell, npz, dtype, limit):
    argv = ("--network", "alpha-rh-p4", "--dtype", dtype, "--data", npz, "--json")
    found = rows(shell("equivariance", *argv))
    assert all(list(row) == KEYS for row in found)
    assert {row["element"] for row in found} == {"90°", "180°", "270°"}
    names = {row["layer"] for row in found}
    assert {"layer 1", "layer 7, spatial attention", "logits"} <= names
    assert max(row["error"] for row in found) <= limit


def test_the_rows_are_saved_to_the_output_file(shell, npz, tmp_path):
    out = tmp_path / "x.npz"
    found = rows(shell("equivariance", "--network", "p4", "--data", npz, "--json", "--out", out))
    with np.load(out) as kept:
        assert set(kept) == set(KEYS)
        for key in KEYS:
            assert kept[key].tolist() == [row[key] for row in found]


def test_the_rows_so_far_are_saved_after_an_interruption(shell, npz, tmp_path, monkeypatch):
    def stop_after_two(*arguments):
        yield from islice(measure_network(*arguments), 2)
        raise KeyboardInterrupt

    monkeypatch.setattr(equivariance, "measure_network", stop_after_two)
    out = tmp_path / "x.npz"
    ended = shell("equivariance", "--network", "p4", "--data", npz, "--json", "--out", out)
    assert (ended.code, len(ended.out)) == (130, 2)
    with np.load(out) as kept:
        assert len(kept["error"]) == 2


def test_the_plain_network_is_not_equivariant(shell, npz):
    found = rows(shell("equivariance", "--network", "z2", "--data", npz, "--json"))
    assert max(row["error"] for row in found) > 0.1


def test_the_elements_of_p4m_include_mirrors(shell, npz):
    argv = ("--network", "all-cnn-p4m", "--dtype", "float64", "--limit", 2, "--data", npz, "--json")
    assert "mirror, 90°" in {row["element"] for row in rows(shell("equivariance", *argv))}


def test_a_network_can_be_trained_first(shell, npz):
    argv = ("--network", "p4", "--iterations", 3, "--data", npz, "--json")
    assert max(row["error"] for row in rows(shell("equivariance", *argv))) <= 2e-6


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--network p6", "got 'p6'"),
        ("--dtype float16", "float16"),
        ("--data blobs", "points, which have no poses"),
    ],
)
def test_wrong_usage_exits_with_code_2_and_prints_one_line(shell, line, message):
    ended = shell("equivariance", *line.split())
    assert (ended.code, ended.out, len(ended.err)) == (2, [], 1)
    assert message in ended.err[0]


def worst(shell, npz, *argv):
    found = rows(shell("equivariance", *argv, "--data", npz, "--limit", 2, "--json"))
    return max(row["error"] for row in found)


def test_strided_pooling_has_larger_errors_than_exact_pooling(shell, npz):
    argv = ("--network", "all-cnn-p4", "--pooling")
    assert worst(shell, npz, *argv, "exact") < 1e-5
    assert worst(shell, npz, *argv, "strided") > 0.01


def test_a_message_explains_that_strided_pooling_has_no_effect_without_strides(shell, npz):
    argv = ("--network", "p4", "--pooling", "strided", "--data", npz, "--json")
    ended = shell("equivariance", *argv)
    assert ended.code == 0
    assert any("p4 has no strides" in line for line in ended.err)


def test_with_a_seed_the_network_has_random_weights_instead_of_the_bundled_ones(shell, npz):
    argv = ("--network", "z2")
    given, *drawn = (worst(shell, npz, *argv, *seed) for seed in ((), ("--seed", 0), ("--seed", 1)))
    assert len({given, *drawn}) == 3
    assert worst(shell, npz, *argv, "--seed", 1) == drawn[1]
