"""`cluster`: its exit codes, and its keys and arrays, which may be added to but not changed."""

import json
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from ia_engine.clustering.recipes import PUBLISHED
from ia_engine.clustering.seeds import train_seeds
from ia_engine.shell import cluster

KEYS = ["seed", "iteration", "seconds", "loss", "acc", "nmi", "ari", "stage"]
LAST = ["best_seed", "loss", "acc", "nmi", "ari", "rule", "sizes"]
MODELS = ["kmeans", "gmm", "ti", "dti-kmeans", "dti-gmm"]
SHORT = ("--k", 2, "--iterations", 20, "--batch", 6)


def rows(ended):
    assert ended.code == 0
    return [json.loads(line) for line in ended.out]


@pytest.mark.parametrize("model", MODELS)
def test_every_seed_has_output_lines_and_the_last_line_names_the_best_seed(shell, npz, model):
    argv = ("--model", model, "--sequence", "affine", "--seeds", 2, "--json")
    *lines, last = rows(shell("cluster", "--data", npz, *SHORT, *argv))
    assert [list(line) for line in lines] == [KEYS] * len(lines)
    assert list(last) == LAST
    assert list(dict.fromkeys(line["seed"] for line in lines)) == [0, 1]
    ends = [max((x for x in lines if x["seed"] == s), key=lambda x: x["iteration"]) for s in (0, 1)]
    best = min(ends, key=lambda line: line["loss"])
    assert (last["best_seed"], last["loss"]) == (best["seed"], best["loss"])
    assert last["rule"] == "Hungarian"
    assert sum(last["sizes"]) == 6
    assert lines[0]["iteration"] == 0


def test_without_labels_the_values_that_need_them_are_null(shell, unlabelled):
    *lines, last = rows(shell("cluster", "--data", unlabelled, *SHORT, "--json"))
    for line in (*lines, last):
        assert line["acc"] is line["nmi"] is line["ari"] is None
        assert isinstance(line["loss"], float)


def test_the_stated_rule_is_purity_if_there_are_more_clusters_than_classes(shell, npz):
    argv = ("--data", npz, "--k", 3, "--iterations", 5, "--json")
    assert rows(shell("cluster", *argv))[-1]["rule"] == "purity"


@pytest.fixture
def folder(tmp_path, drawings):
    """The drawings as pictures in a folder."""
    path = tmp_path / "pictures"
    path.mkdir()
    for at, drawing in enumerate(drawings):
        values = (255 * np.asarray(drawing) / np.max(drawing)).astype(np.uint8)
        Image.fromarray(values).resize((64, 64)).save(path / f"drawing {at}.png")
    return path


@pytest.mark.parametrize("model", ["ia", "ka"])
def test_attention_clusters_in_one_line_with_the_sizes(shell, npz, tmp_path, model):
    out = tmp_path / "x.npz"
    argv = ("--data", npz, "--model", model, "--k", 2, "--out", out, "--json")
    (line,) = rows(shell("cluster", *argv))
    assert (line["model"], line["clusters"], sum(line["sizes"])) == (model, 2, 6)
    with np.load(out) as kept:
        assert kept["assignments"].shape == (6,)
        assert kept["prototypes"].shape == (2, 1, 16, 16)
        assert "names" not in kept


@pytest.mark.parametrize("model", ["ia", "kmeans"])
def test_arrays_of_pictures_have_the_names_of_their_files(shell, folder, tmp_path, model):
    out = tmp_path / "x.npz"
    argv = ("--data", folder, "--model", model, "--k", 2, "--out", out, "--json")
    rows(shell("cluster", *argv))
    with np.load(out) as kept:
        assert kept["names"].tolist() == [f"drawing {at}.png" for at in range(6)]


@pytest.mark.parametrize("command", ["align", "attend"])
def test_other_commands_write_the_names_of_files_too(shell, folder, tmp_path, command):
    out = tmp_path / "x.npz"
    assert shell(command, "--data", folder, "--out", out).code == 0
    with np.load(out) as kept:
        assert len(kept["names"]) == 6


def test_the_help_says_what_the_models_are(shell):
    text = " ".join(" ".join(shell("cluster", "--help").out).split())
    assert "ia, invariant attention (as ia_engine.cluster" in text


def test_attention_refuses_what_only_training_can_do(shell, npz):
    ended = shell("cluster", "--data", npz, "--model", "ia", "--keep")
    assert (ended.code, len(ended.err)) == (2, 1)
    assert "attend --method ia --k K --keep" in ended.err[0]


def test_the_best_result_is_saved(shell, npz, tmp_path):
    out = tmp_path / "x.npz"
    rows(shell("cluster", "--data", npz, *SHORT, "--out", out, "--json"))
    with np.load(out) as kept:
        shapes = {name: kept[name].shape for name in kept}
    assert shapes == {
        "prototypes": (2, 1, 16, 16), "assignments": (6,), "aligned": (6, 1, 16, 16),
    }  # fmt: skip


def test_photographs_in_a_folder_are_read_in_colour_at_128_pixels(shell, tmp_path):
    for at, size in enumerate([(60, 40), (40, 60), (50, 50), (45, 70)]):
        Image.new("RGB", size, (40 * at, 120, 200 - 30 * at)).save(tmp_path / f"{at}.png")
    out = tmp_path / "x.npz"
    argv = ("--photographs", "--sequence", "color,projective", "--k", 2, "--iterations", 2)
    rows(shell("cluster", "--data", tmp_path, *argv, "--out", out, "--json"))
    with np.load(out) as kept:
        assert kept["prototypes"].shape == (2, 3, 128, 128)


def test_training_ends_soon_after_its_time_budget(shell, npz):
    lines = rows(shell("cluster", "--data", npz, "--k", 2, "--budget", 0.3, "--json"))
    assert 0.3 <= lines[-2]["seconds"] < 3


def test_the_stage_lists_the_active_modules(shell, npz):
    lines = rows(shell("cluster", "--data", npz, *SHORT, "--sequence", "affine,tps", "--json"))
    assert lines[0]["stage"] == "identity"
    assert lines[-2]["stage"] == "affine,tps"


def test_results_so_far_are_saved_after_an_interruption(shell, npz, tmp_path, monkeypatch):
    def stop(*arguments, **named):
        steps = train_seeds(*arguments, **named)
        yield next(steps)
        raise KeyboardInterrupt

    monkeypatch.setattr(cluster, "train_seeds", stop)
    out = tmp_path / "x.npz"
    ended = shell("cluster", "--data", npz, *SHORT, "--out", out, "--json")
    assert (ended.code, len(ended.out)) == (130, 1)
    with np.load(out) as kept:
        assert kept["prototypes"].shape == (2, 1, 16, 16)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("--model deep", "model must be one of"),
        ("--sequence affine,bend", "at most 8 names from"),
        ("--budget -1", "--budget must be above 0 seconds"),
        ("--seeds 0", "--seeds must be between 1"),
        ("--data blobs", "the data for 'cluster' must be images; got points"),
        ("--k 100", "k must be at most the number of images, 18; got 100"),
    ],
)
def test_wrong_usage_exits_with_code_2_and_prints_one_line(shell, line, message):
    ended = shell("cluster", *line.split())
    assert (ended.code, ended.out, len(ended.err)) == (2, [], 1)
    assert message in ended.err[0]


def test_more_clusters_than_images_are_refused_with_one_line(shell, npz):
    ended = shell("cluster", "--data", npz, "--k", 7)
    assert (ended.code, ended.out, len(ended.err)) == (2, [], 1)
    assert "6; got 7" in ended.err[0]


@pytest.mark.parametrize("start", ["sample", "kmeans", "random"])
@pytest.mark.parametrize("model", MODELS)
def test_a_single_image_forms_its_own_cluster(shell, drawings, tmp_path, model, start):
    np.savez(tmp_path / "one.npz", images=drawings[:1], labels=[4])
    out = tmp_path / "x.npz"
    argv = ("--model", model, "--start", start, "--k", 1, "--iterations", 4, "--out", out)
    *lines, last = rows(shell("cluster", "--data", tmp_path / "one.npz", *argv, "--json"))
    assert all(isinstance(line["loss"], float) for line in (*lines, last))
    assert last["acc"] == 1
    with np.load(out) as kept:
        assert kept["assignments"].tolist() == [0]
        if not model.startswith("dti"):  # predictors must be trained first
            np.testing.assert_allclose(kept["prototypes"], drawings[:1, None], atol=1e-6)


@pytest.mark.parametrize("start", ["sample", "kmeans"])
@pytest.mark.parametrize("model", MODELS)
def test_identical_images_are_clustered_without_a_warning(shell, drawings, tmp_path, model, start):
    np.savez(tmp_path / "equal.npz", images=drawings[[0, 0, 0]])
    argv = ("--model", model, "--start", start, "--k", 2, "--iterations", 4, "--json")
    rows(shell("cluster", "--data", tmp_path / "equal.npz", *argv))


def test_a_loss_that_is_never_finite_is_reported(shell, npz, monkeypatch):
    def never(*arguments, **named):
        for step in train_seeds(*arguments, **named):
            yield replace(step, best=False)

    monkeypatch.setattr(cluster, "train_seeds", never)
    ended = shell("cluster", "--data", npz, *SHORT, "--json")
    assert ended.code == 2
    assert "no seed ended with a finite loss" in ended.err[-1]


def test_an_interruption_before_the_first_step_is_reported(shell, npz, monkeypatch):
    def stop(*arguments, **named):
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(cluster, "train_seeds", stop)
    ended = shell("cluster", "--data", npz, *SHORT)
    assert (ended.code, ended.err) == (130, ["no step was finished", "interrupted"])


def test_a_published_recipe_refuses_options_that_contradict_it(shell, npz):
    argv = ("--data", npz, "--recipe", "mnist-1k", "--as-published", "--model", "kmeans", "--json")
    found = shell("cluster", *argv, "--k", 2)
    assert found.code == 2
    assert "k 2 instead of 10" in " ".join(found.err)
    found = shell("cluster", *argv, "--budget", 5)
    assert "leave out --budget" in " ".join(found.err)
    found = shell("cluster", "--as-published")
    assert "must be used with --recipe" in " ".join(found.err)


def test_our_version_of_a_recipe_prints_its_differences_from_the_published_one(shell, npz):
    argv = ("--data", npz, "--recipe", "mnist-test", "--k", 2, "--iterations", 3, "--batch", 6)
    found = shell("cluster", *argv, "--json")
    assert found.code == 0
    assert "encoder 'quick' instead of 'resnet20'" in " ".join(found.err)
    assert "k 2 instead of 10" in " ".join(found.err)


def test_a_published_recipe_keeps_the_schedule_of_the_paper(monkeypatch, shell, npz):
    seen = []
    small = replace(PUBLISHED["mnist-1k"], config=replace(PUBLISHED["mnist-1k"].config, k=2))
    monkeypatch.setitem(PUBLISHED, "mnist-1k", small)

    def stop(config, images, *_, **__):
        seen.append(config)
        return iter(())

    monkeypatch.setattr(cluster, "train_seeds", stop)
    shell("cluster", "--data", npz, "--recipe", "mnist-1k", "--as-published")
    assert seen == [small.schedule(6)]


def test_a_recipe_without_data_uses_the_data_set_that_it_is_named_after(
    monkeypatch, shell, tmp_path
):
    monkeypatch.setenv("IA_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert "no public source" in " ".join(shell("cluster", "--recipe", "frgc").err)
    published = shell("cluster", "--recipe", "mnist-color", "--as-published")
    assert "MNIST, train, is missing" in " ".join(published.err)
    argv = ("--limit", 20, "--iterations", 2, "--batch", 4, "--k", 2, "--json")
    assert shell("cluster", "--recipe", "mnist-color", *argv).code == 0
