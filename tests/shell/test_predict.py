"""`predict` assigns new images to the clusters of a saved run."""

import json

import numpy as np
import pytest
from PIL import Image

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.runs.attend import plan
from ia_engine.runs.kinds.iterations import ITERATIONS
from ia_engine.runs.kinds.saving import Destination, save_items
from ia_engine.runs.library import FOLDER, Library

KEYS = ["image", "cluster", "distance", "weight", "far"]


@pytest.fixture(autouse=True)
def library(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER, str(tmp_path / "runs"))
    return Library()


@pytest.fixture
def rotated(tmp_path, drawings):
    """The drawings, rotated by 90° in the opposite order, and a picture of neither."""
    cross = np.maximum(drawings[0], drawings[0].T)
    images = [*np.rot90(drawings, axes=(1, 2))[::-1], cross]
    path = tmp_path / "new.npz"
    np.savez(path, images=np.stack(images))
    return path


def predict(shell, *argv):
    ended = shell("predict", "--json", *argv)
    assert ended.code == 0, ended.err
    return [json.loads(line) for line in ended.out], ended


def test_new_images_join_the_clusters_of_a_run_of_attend(shell, npz, rotated, library, tmp_path):
    assert shell("attend", "--data", npz, "--steps", 2, "--keep").code == 0
    (kept,) = library.runs()
    out = tmp_path / "out.npz"
    rows, ended = predict(shell, "--run", kept.id, "--data", rotated, "--out", out)
    assert [list(row) for row in rows] == [KEYS] * 7
    assert [row["image"] for row in rows] == [*range(7)]
    assert [row["cluster"] for row in rows[:6]] == [1, 1, 1, 0, 0, 0]
    assert all(row["weight"] > 0.99 for row in rows[:6])
    assert rows[6]["far"]
    assert "of 7 images are far from every cluster of the run (distance above" in ended.err[-1]
    with np.load(out) as arrays:
        assert arrays["assignments"].tolist() == [row["cluster"] for row in rows]
        assert arrays["d2"].shape == (7, 2)
        assert arrays["aligned"].shape == (7, 1, 16, 16)
        assert arrays["tau"].shape == (7, 3)
        np.testing.assert_allclose(arrays["distance"], [row["distance"] for row in rows])


def test_a_run_is_named_by_its_folder_too(shell, npz, library):
    assert shell("attend", "--data", npz, "--steps", 1, "--method", "ka", "--keep").code == 0
    (kept,) = library.runs()
    by_id, _ = predict(shell, "--run", kept.id, "--data", npz)
    by_folder, _ = predict(shell, "--run", kept.folder, "--data", npz)
    assert by_id == by_folder


def test_the_images_of_a_run_keep_their_clusters(shell, npz, library, tmp_path):
    attended = tmp_path / "attended.npz"
    argv = ("--data", npz, "--steps", 1, "--k", 2, "--keep", "--out", attended)
    assert shell("attend", *argv).code == 0
    rows, _ = predict(shell, "--run", library.runs()[0].id, "--data", npz)
    with np.load(attended) as arrays:
        assert arrays["assignments"].tolist() == [row["cluster"] for row in rows]
    assert not any(row["far"] for row in rows)


def test_new_images_join_the_prototypes_of_a_run_of_cluster(shell, npz, library, tmp_path):
    settings = ("--k", 2, "--sequence", "affine", "--budget", 0.5, "--start", "kmeans")
    assert shell("cluster", "--data", npz, *settings, "--keep").code == 0
    out = tmp_path / "out.npz"
    rows, _ = predict(shell, "--run", library.runs()[0].id, "--data", npz, "--out", out)
    shown = shell("runs", "export", library.runs()[0].id, "--out", tmp_path / "run.npz")
    assert shown.code == 0
    with np.load(tmp_path / "run.npz") as run, np.load(out) as new:
        assert new["assignments"].tolist() == run["assignments"].tolist()
        assert new["tau"].shape == (6, 6)
    assert [row["weight"] for row in rows] == [None] * 6


@pytest.mark.parametrize("method", ["ia", "ka"])
def test_a_run_of_the_page_predicts_with_each_of_its_methods(shell, library, method):
    data = make(RECIPES["experiment-1"])
    planned = plan([AttentionConfig("ia", steps=1), AttentionConfig("ka", steps=1)], data, 6)
    origin = ITERATIONS.begin_record("a run", planned, data)
    place = Destination(library, "a", "me")
    for _ in save_items(place, ITERATIONS, lambda: origin, ITERATIONS.work(planned, data, None)):
        pass
    rows, _ = predict(
        shell, "--run", library.runs()[0].id, "--data", "experiment-1", "--method", method
    )
    assert len(rows) == 18
    assert min(row["cluster"] for row in rows) == 0


def test_runs_without_clusters_and_unsuitable_data_are_refused(shell, npz, library, tmp_path):
    assert shell("mean", "--data", npz, "--steps", 1, "--keep").code == 0
    run = library.runs()[0].id
    ended = shell("predict", "--run", run, "--data", npz)
    assert ended.code == 2
    assert ended.err == [f"predict: run {run} is of kind mean, which cannot assign new images"]
    assert shell("attend", "--data", npz, "--steps", 1, "--keep").code == 0
    run = library.runs()[0].id
    ended = shell("predict", "--run", run, "--data", "blobs")
    assert ended.code == 2
    assert "must be images; got points" in ended.err[-1]
    small = tmp_path / "small.npz"
    np.savez(small, images=np.ones((2, 8, 8), np.float32))
    ended = shell("predict", "--run", run, "--data", small)
    assert ended.code == 2
    assert "[n 1 16 16]; got [2, 1, 8, 8]" in ended.err[-1]
    assert shell("predict", "--data", npz).code == 2


def test_a_run_without_a_finished_step_has_no_clusters(shell, npz, library):
    assert shell("attend", "--data", npz, "--steps", 1, "--keep").code == 0
    (kept,) = library.runs()
    (kept.folder / "step-00001.safetensors").unlink()
    ended = shell("predict", "--run", kept.id, "--data", npz)
    assert ended.code == 2
    assert "has no finished step" in ended.err[-1]


def test_a_run_whose_data_cannot_be_generated_here_says_so(shell, library, monkeypatch):
    settings = ("--k", 2, "--sequence", "affine", "--budget", 0.3)
    assert shell("cluster", "--data", "experiment-1", *settings, "--keep").code == 0
    monkeypatch.setattr("ia_engine.runs.kinds.kind.is_of", lambda *_: False)
    ended = shell("predict", "--run", library.runs()[0].id, "--data", "experiment-1")
    assert ended.code == 2
    assert "cannot be resumed or assign new images" in ended.err[-1]


def test_pictures_have_the_names_of_their_files(shell, npz, drawings, library, tmp_path):
    assert shell("attend", "--data", npz, "--steps", 1, "--keep").code == 0
    (kept,) = library.runs()
    folder, out = tmp_path / "new", tmp_path / "out.npz"
    folder.mkdir()
    values = (255 * np.asarray(drawings[0]) / np.max(drawings[0])).astype(np.uint8)
    Image.fromarray(values).resize((64, 64)).save(folder / "one.png")
    (row,), _ = predict(shell, "--run", kept.id, "--data", folder, "--out", out)
    assert list(row) == [*KEYS, "name"]
    assert row["name"] == "one.png"
    with np.load(out) as arrays:
        assert arrays["names"].tolist() == ["one.png"]


def test_a_kept_run_is_described_with_its_number_of_clusters(shell, npz, library):
    assert shell("attend", "--data", npz, "--steps", 1, "--k", 2, "--keep").code == 0
    (kept,) = library.runs()
    assert any("K = 2 clusters" in line for line in shell("runs", "describe", kept.id).out)


def test_pictures_and_arrays_are_read_like_the_images_of_the_run(shell, library, tmp_path):
    drawn = np.zeros((2, 16, 16), np.float32)
    drawn[0, 1:15, 7:9] = drawn[1, 4:12, 4:12] = 3000
    drawn[:, 15] = -1000
    np.savez(tmp_path / "run.npz", images=drawn.repeat(3, axis=0))
    settings = ("--method", "ka", "--steps", 1, "--k", 2, "--keep")
    assert shell("attend", "--data", tmp_path / "run.npz", *settings).code == 0
    (kept,) = library.runs()
    dark = np.where(drawn == -1000, 0, drawn)[:1] / 3
    np.savez(tmp_path / "dark.npz", images=dark)
    out = tmp_path / "out.npz"
    predict(shell, "--run", kept.id, "--data", tmp_path / "dark.npz", "--out", out)
    with np.load(out) as arrays:
        assert arrays["aligned"].max() == pytest.approx(0.5), "1000 between -1000 and 3000"
    (tmp_path / "pictures").mkdir()
    levels = np.where(drawn == 3000, 255, 0).astype(np.uint8)
    for at, image in enumerate(levels):
        Image.fromarray(image).save(tmp_path / "pictures" / f"{at}.png")
    predict(shell, "--run", kept.id, "--data", tmp_path / "pictures", "--out", out)
    with np.load(out) as arrays:
        np.testing.assert_array_equal(arrays["aligned"][:, 0], levels / 255)
    ended = shell("predict", "--run", kept.id, "--data", "experiment-1", "--scale", "image")
    assert ended.code == 2
    assert "leave out --scale" in ended.err[-1]
