import math
from dataclasses import replace

import pytest
import torch

from ia_engine.attention.iteration import AttentionConfig, iterate, normalise
from ia_engine.datasets.data import keep_rows
from ia_engine.datasets.experiments import BlobsConfig, make_blobs
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.runs.attend import (
    attend,
    make_next_frame,
    measure_frames,
    plan,
    restore_step,
    restore_weights,
)


@pytest.fixture(scope="module")
def data():
    with torch.device("cpu"):
        return make(RECIPES["experiment-1"])


@pytest.fixture(scope="module")
def run(data):
    configs = (AttentionConfig(method="ka", beta=2.0, steps=2), AttentionConfig(steps=2))
    with torch.device("cpu"):
        return list(attend(plan(configs, data, 6), data))


def test_a_run_shows_the_data_and_the_result_of_every_iteration(run):
    assert [moment.shown["ia"].numbers.p for moment in run] == [0, 1, 2]
    assert [list(moment.shown) for moment in run] == [["ka", "ia"]] * 3
    assert len(run) == run[0].plan.moments


def test_a_run_gives_the_same_results_as_direct_calls_of_the_engine(run, data):
    v = normalise(data.images)[[0, 3, 6, 9, 12, 15]]
    for moment, step in zip(run, iterate(AttentionConfig(steps=2), v), strict=False):
        shown = moment.shown["ia"]
        torch.testing.assert_close(shown.mu, step.mu)
        torch.testing.assert_close(restore_weights(shown), step.W)


def test_a_step_can_be_restored_from_its_frame(run, data):
    v = normalise(data.images)[[0, 3, 6, 9, 12, 15]]
    step = next(iterate(AttentionConfig(), v))
    back = restore_step(run[0].shown["ia"], v)
    assert torch.equal(back.d2, step.d2)
    for name in ("tau", "W", "mu"):
        torch.testing.assert_close(getattr(back, name), getattr(step, name), atol=1e-4, rtol=1e-4)


@pytest.mark.parametrize("method", ["ia", "ka"])
def test_the_metrics_of_a_run_can_be_computed_from_its_frames_alone(run, data, method):
    steps = [moment.shown[method] for moment in run]
    labels = data.labels[[0, 3, 6, 9, 12, 15]]
    frames = [step.frame for step in steps]
    again = measure_frames(steps[0].config, frames, steps[0].beta, steps[0].white, labels)
    for one, other in zip(again, steps, strict=True):
        assert math.isnan(one.numbers.seconds)
        mine, theirs = (replace(step.numbers, seconds=0.0) for step in (one, other))
        for name, value in vars(theirs).items():
            assert getattr(mine, name) == (
                pytest.approx(value, rel=1e-4, abs=1e-6) if isinstance(value, float) else value
            ), name


def test_metrics_from_frames_alone_use_the_kernel_of_the_run():
    blobs = make_blobs(BlobsConfig(blobs=3, points=4))
    config = AttentionConfig(method="ka", kernel="cauchy", beta=3.0, steps=1)
    steps = [moment.shown["ka"] for moment in attend(plan((config,), blobs, 60), blobs)]
    frames = [step.frame for step in steps]
    again = measure_frames(config, frames, steps[0].beta, steps[0].white, blobs.labels)
    for one, other in zip(again, steps, strict=True):
        assert one.numbers.block_mass == pytest.approx(other.numbers.block_mass, rel=1e-5)


def test_means_are_shown_before_their_distances_are_computed(run):
    ahead = make_next_frame(run[0].shown["ia"])
    after = run[1].shown["ia"].frame
    assert ahead.k == 1
    assert (ahead.arrays["images"] == after.arrays["images"]).all()
    assert torch.from_numpy(ahead.arrays["d2"].copy()).isnan().all()


def test_the_size_of_a_run_is_the_size_of_its_frames_and_means(run):
    shown = run[1].shown["ia"]
    assert shown.nbytes == shown.frame.nbytes + shown.mu.nbytes
    assert run[-1].shown["ia"].mu.nbytes == 0
    assert run[1].nbytes == sum(one.nbytes for one in run[1].shown.values())


def test_points_in_a_subset_keep_their_numbers_in_the_full_set():
    data = make_blobs(BlobsConfig(blobs=3, points=4))
    few = plan((AttentionConfig(method="ka"),), data, 4)
    assert few.names == tuple(f"point {row + 1}" for row in keep_rows(data, 4).tolist())
    assert few.names != tuple(f"point {k}" for k in range(1, 5))


def test_points_have_one_class_for_each_blob():
    data = make_blobs(BlobsConfig(blobs=3, points=4))
    planned = plan((AttentionConfig(method="ka"),), data, 12)
    assert planned.classes == ("blob 1", "blob 2", "blob 3")
    assert set(planned.labels) == {0, 1, 2}


def test_a_few_bright_images_do_not_darken_the_others(data):
    images = data.images[:8].clone()
    images[0] = 0
    images[0, :, 30, 30] = 1  # after normalisation, it is ten times as bright as the others
    few = replace(data, images=images, names=data.names[:8], labels=data.labels[:8], poses=None)
    configs = (AttentionConfig(method="ka", beta=2.0, steps=1),)
    first, last = (moment.shown["ka"] for moment in attend(plan(configs, few, 8), few))
    shown = first.frame.arrays["images"].reshape(8, -1).max(1)
    assert (shown > 170).all()
    assert last.frame.arrays["images"].max() > 100, "the means must be visible"
    assert first.white == last.white, "all steps must have the same scale"


def test_points_are_processed_only_by_kernel_attention():
    data = make_blobs(BlobsConfig(blobs=3, points=4))
    configs = (AttentionConfig(method="ka", beta=2.0, steps=2), AttentionConfig(steps=2))
    run = list(attend(plan(configs, data, 12), data))
    assert [list(moment.shown) for moment in run] == [["ka"]] * 3
    assert "points" in run[-1].shown["ka"].frame.arrays
