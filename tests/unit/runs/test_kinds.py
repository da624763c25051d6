"""Saved runs of the pages are restored exactly and resume as if they had not been interrupted."""

import errno
import os
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import islice

import numpy as np
import pytest
import torch
from safetensors.numpy import save

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.attention.means.algorithm1 import MeanConfig
from ia_engine.clustering.config import ClusterConfig
from ia_engine.datasets.data import ImageSet, Recipe
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.datasets.uploads.canvas import UploadConfig
from ia_engine.errors import EngineError
from ia_engine.figures.mean import film_mean, plan_mean
from ia_engine.runs.attend import attend, plan
from ia_engine.runs.clustering.run import cluster, plan_clusters, resume_run
from ia_engine.runs.differences import compare_runs
from ia_engine.runs.folder import Record
from ia_engine.runs.kinds import clusterings, iterations
from ia_engine.runs.kinds.clusterings import CLUSTERINGS
from ia_engine.runs.kinds.iterations import ITERATIONS, begin
from ia_engine.runs.kinds.kind import read_data, to_given
from ia_engine.runs.kinds.means import MEANS
from ia_engine.runs.kinds.saving import Destination, save_items
from ia_engine.runs.library import Library
from tests.frames import assert_same_frame, encode_old

pytestmark = pytest.mark.cpu_only("files would be read onto the default device")


@pytest.fixture(scope="module")
def data():
    return make(RECIPES["experiment-1"])


@pytest.fixture
def destination(tmp_path):
    return Destination(Library(tmp_path), "named", "ann")


def about(config, data):
    record = Record(data.recipe.to_json(), config, 0, data.digest, "cpu", "a run")
    return lambda: (record, to_given(data))


def keep_some(destination, codec, make_record, items, count):
    """Save this number of items, and stop."""
    with closing(save_items(destination, codec, make_record, iter(items))) as kept:
        return list(islice(kept, count))


def assert_same_iterations(found, wanted):
    for one, other in zip(found, wanted, strict=True):
        for method, shown in other.shown.items():
            back = one.shown[method]
            assert_same_frame(back.frame, shown.frame)
            assert torch.equal(back.mu, shown.mu)
            assert (back.config, back.beta, back.numbers) == (
                shown.config, shown.beta, shown.numbers,
            )  # fmt: skip


def test_iterations_are_restored_bit_for_bit(destination, data):
    planned = plan((AttentionConfig(steps=2), AttentionConfig(method="ka", steps=2)), data, 6)
    shown = list(
        save_items(destination, ITERATIONS, about(iterations.describe(planned), data),
                   attend(planned, data))
    )  # fmt: skip
    kept = destination.library.find("named")
    assert (kept.state, kept.kind, kept.steps) == ("done", "iterations", 3)
    assert kept.belongs_to("ann")
    assert_same_iterations(ITERATIONS.unpack(kept), shown)


def test_iterations_saved_by_an_earlier_version_can_be_read(destination, data):
    planned = plan((AttentionConfig(steps=1), AttentionConfig(method="ka", steps=1)), data, 6)
    shown = list(
        save_items(destination, ITERATIONS, about(iterations.describe(planned), data),
                   attend(planned, data))
    )  # fmt: skip
    kept = destination.library.find("named")
    for step, item in enumerate(shown, 1):
        arrays = {name: array for name, array in kept.arrays(step).items() if ".frame." not in name}
        for method, one in item.shown.items():
            arrays[f"{method}.frame"] = encode_old(one.frame)
        (kept.folder / f"step-{step:05d}.safetensors").write_bytes(save(arrays))
    assert_same_iterations(ITERATIONS.unpack(kept), shown)


def test_iterations_that_were_stopped_resume_and_reach_the_same_images(destination, data):
    planned = plan((AttentionConfig(steps=3),), data, 6)
    whole = list(attend(planned, data))
    make_record = about(iterations.describe(planned), data)
    assert len(keep_some(destination, ITERATIONS, make_record, attend(planned, data), 2)) == 2
    kept = destination.library.find("named")
    assert (kept.state, kept.steps) == ("cancelled", 2)
    known = ITERATIONS.unpack(kept)
    rest = list(attend(iterations.read_plan(kept), data, partial(begin, planned, known)))
    assert len(rest) == 4
    for one, other in zip(rest, whole, strict=True):
        assert torch.equal(one.shown["ia"].mu, other.shown["ia"].mu)
        assert_same_frame(one.shown["ia"].frame, other.shown["ia"].frame)


def test_a_stopped_clustering_run_resumes_from_its_last_state(destination):
    data = make(RECIPES["digits"])
    config = ClusterConfig(k=3, sequence="affine", batch=32)
    planned = plan_clusters(config, data.first(60), 0, 1.0)
    few = data.first(60)
    make_record = about(clusterings.describe(planned), few)
    seen = keep_some(destination, CLUSTERINGS, make_record, cluster(planned, few), 4)
    kept = destination.library.find("named")
    assert clusterings.read_plan(kept) == planned
    looks = CLUSTERINGS.unpack(kept)
    assert 1 <= len(looks) <= 4
    assert [look.iteration for look in looks] == [look.iteration for look in seen[: len(looks)]]
    again, start = resume_run(looks)
    *_, last = cluster(again, few, start)
    assert last.seconds >= 1.0
    assert last.iteration > looks[-1].iteration


@pytest.fixture
def clustered(destination):
    """A clustering run that was stopped after a few steps."""
    few = make(RECIPES["digits"]).first(40)
    planned = plan_clusters(ClusterConfig(k=2, sequence="affine", batch=20), few, 0, 0.5)
    make_record = about(clusterings.describe(planned), few)
    keep_some(destination, CLUSTERINGS, make_record, cluster(planned, few), 2)
    return destination.library.find("named")


def test_a_clustering_run_killed_before_its_first_step_reports_that_nothing_was_saved(
    destination, clustered
):
    for path in clustered.folder.glob("step-*"):
        path.unlink()
    with pytest.raises(EngineError, match="ended before its first step"):
        CLUSTERINGS.unpack(destination.library.find("named"))


def test_a_clustering_run_without_frames_is_reported_as_damaged(clustered):
    for step in range(1, clustered.steps + 1):
        path = clustered.folder / f"step-{step:05d}.safetensors"
        known = clustered.arrays(step)["known"]
        path.write_bytes(save({"known": known}))
    with pytest.raises(EngineError, match="none of its steps has a picture"):
        CLUSTERINGS.unpack(clustered)


def test_missing_arrays_are_reported_in_one_message(clustered):
    (clustered.folder / "step-00001.safetensors").write_bytes(save({"else": np.zeros(1)}))
    with pytest.raises(EngineError, match=r"is damaged .KeyError: 'known'.: compute it again"):
        CLUSTERINGS.unpack(clustered)


def test_a_mean_is_restored_with_all_its_steps(destination):
    planned, few = plan_mean(MeanConfig(steps=2), make(RECIPES["experiment-2"]))
    films = list(save_items(destination, MEANS, about("{}", make(RECIPES["experiment-2"])),
                            film_mean(planned, few)))  # fmt: skip
    back = MEANS.unpack(destination.library.find("named"))
    assert [len(film.steps) for film in back] == [len(film.steps) for film in films]
    assert back[-1].plan == planned
    assert_same_frame(back[-1].steps[-1].frame, films[-1].steps[-1].frame)


def test_uploaded_images_are_saved_with_the_run(destination):
    images = torch.rand(4, 1, 8, 8, generator=torch.Generator().manual_seed(0))
    recipe = Recipe("upload", UploadConfig())
    data = ImageSet(images, tuple("abcd"), recipe, torch.tensor([0, 0, 1, 1]), ("x", "y"))
    keep_some(destination, MEANS, about("{}", data), [_film(data)], 1)
    back = read_data(destination.library.find("named"))
    assert torch.equal(back.images, images)
    assert (back.names, back.classes, back.digest) == (data.names, data.classes, data.digest)
    assert back.recipe.to_json() == recipe.to_json()


def test_a_recipe_that_generates_data_different_from_the_run_is_refused(destination, data):
    record = Record(data.recipe.to_json(), "{}", 0, make(RECIPES["blobs"]).digest, "cpu", "a run")
    keep_some(destination, MEANS, lambda: (record, {}), [_film(data)], 1)
    with pytest.raises(EngineError, match="different data"):
        read_data(destination.library.find("named"))


def test_the_comparison_of_two_runs_lists_their_differences(destination, data):
    kept = []
    for at, beta in enumerate((2.0, 8.0)):
        planned = plan((AttentionConfig(steps=1, beta=beta),), data, 6)
        make_record = about(iterations.describe(planned), data)
        one = replace(destination, name=f"run{at}")
        list(save_items(one, ITERATIONS, make_record, attend(planned, data)))
        kept.append(destination.library.find(one.name))
    lines = {line.name: line for line in compare_runs(kept)}
    assert lines["beta"].values == ("2", "8")
    assert (lines["beta"].of, lines["beta"].about.symbol) == ("invariant attention", "β")
    assert "group" not in lines
    assert {"ia: clusters", "ia: block_mass"} <= lines.keys()


def test_a_run_without_steps_is_not_saved(destination, data):
    assert list(save_items(destination, MEANS, about("{}", data), iter(()))) == []
    assert destination.library.runs() == ()


@pytest.fixture
def full_disk(monkeypatch):
    """Return a function that fills the disk when it is called."""

    def fill():
        monkeypatch.setattr("os.fsync", refuse)

    def refuse(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    return fill


def test_a_full_disk_ends_saving_but_not_the_run(destination, data, full_disk):
    full_disk()
    films = [_film(data)] * 3
    assert list(save_items(destination, MEANS, about("{}", data), iter(films))) == films


def test_a_run_can_be_cancelled_on_a_full_disk(destination, data, full_disk):
    films = [_film(data)] * 3
    kept = save_items(destination, MEANS, about("{}", data), iter(films))
    assert [next(kept), next(kept)] == films[:2]
    full_disk()
    kept.close()
    found = destination.library.find("named")
    assert (found.state, found.steps) == ("interrupted", 1), (
        "the end of the run could not be written either"
    )


def test_a_run_that_could_not_be_saved_completely_counts_as_cancelled(
    destination, data, monkeypatch
):
    films, written = [_film(data)] * 3, []

    def append(writer, arrays, state=None):
        written.append(arrays)
        raise OSError("no space left")

    monkeypatch.setattr("ia_engine.runs.library.Writer.append", append)
    assert list(save_items(destination, MEANS, about("{}", data), iter(films))) == films
    assert len(written) == 1
    assert destination.library.find("named").state == "cancelled"


def _film(data):
    planned, few = plan_mean(MeanConfig(steps=1), data)
    return next(iter(film_mean(planned, few)))
