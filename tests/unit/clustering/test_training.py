"""Training: exact resumption, curriculum, reassignment, and K-means as a special case."""

from dataclasses import replace
from itertools import count, islice, pairwise

import pytest
import torch
from sklearn.cluster import KMeans

from ia_engine.clustering import training
from ia_engine.clustering.reading import read
from ia_engine.clustering.seeds import train_seeds
from ia_engine.clustering.state import Pace, advance, end_period, load_state, save_state
from ia_engine.clustering.ti import INNER, POSE_RATE
from ia_engine.clustering.training import begin, restore, resume, train
from ia_engine.errors import EngineError
from tests.unit.clustering.scenes import apart, config, shapes

MODELS = pytest.mark.parametrize("model", ["dti-kmeans", "dti-gmm", "ti", "kmeans", "gmm"])


def last(steps):
    *_, step = steps
    return step


def assert_equal(a, b):
    assert a.tensors.keys() == b.tensors.keys()
    for name, x in a.tensors.items():
        assert torch.equal(x, b.tensors[name]), name
    assert a.pace == b.pace
    assert replace(a.counters, seconds=0) == replace(b.counters, seconds=0)


@pytest.mark.cpu_only("files would be read onto the default device")
@MODELS
@pytest.mark.parametrize("stop", [1, 5, 8])
def test_a_run_resumed_from_a_file_ends_with_bit_identical_results(model, stop, tmp_path):
    images, _ = shapes()
    chosen = config(model=model, sequence="affine,tps", shares=(0.1, 0.5, 0.9), reassign=0.9)
    steps = list(train(chosen, images, seed=3, rhythm=0))
    stop = min(stop, len(steps) - 1)
    save_state(tmp_path / "run.safetensors", steps[stop].state)
    state = load_state(tmp_path / "run.safetensors")
    assert state.pace == steps[stop].state.pace
    assert_equal(last(resume(state, images)).state, steps[-1].state)


def test_reading_intermediate_states_does_not_affect_training():
    images, _ = shapes()
    seldom = last(train(config(), images, rhythm=1e9)).state
    assert_equal(seldom, last(train(config(), images, rhythm=0)).state)


def test_training_does_not_use_the_global_generator():
    images, _ = shapes()
    before = torch.get_rng_state()
    first = last(train(config(), images, seed=1)).state
    assert torch.equal(torch.get_rng_state(), before)
    assert_equal(first, last(train(config(), images, seed=1)).state)
    assert not torch.equal(first.prototypes, last(train(config(), images, seed=2)).state.prototypes)


@pytest.mark.parametrize("model", ["dti-kmeans", "ti"])
def test_without_modules_training_is_plain_k_means(model):
    images, _ = apart()
    chosen = config(model=model, sequence="identity", k=3, rate=0.02, iterations=150, batch=18)
    begun = begin(chosen, images, seed=0)
    points = images.flatten(1).numpy()
    start = begun.prototypes.flatten(1).numpy()
    expected = KMeans(3, init=start, n_init=1).fit(points)
    state = last(resume(begun, images)).state
    found = read(state, images, state.rows)
    assert found.loss == pytest.approx(expected.inertia_ / points.size, rel=0.02)
    assert found.assignments.tolist() == expected.labels_.tolist()


def test_the_first_step_moves_prototypes_towards_the_means_of_their_clusters():
    images, _ = apart()
    learner = restore(begin(config(sequence="identity", k=3), images, 0))
    learner.model.loss(images, 0).value.backward()
    prototypes = learner.comparison.prototypes
    owner = (images[:, None] - prototypes).square().flatten(2).sum(2).argmin(1)
    for k in range(3):
        pull = (prototypes[k] - images[owner == k]).sum(0) * 2 / images.numel()
        torch.testing.assert_close(prototypes.grad[k], pull)


def test_modules_start_at_their_shares_and_the_rate_drops_at_the_last_share():
    images, _ = shapes()
    chosen = config(sequence="affine,tps", shares=(0.25, 0.5, 0.75), iterations=8)
    steps = [step.progress for step in train(chosen, images, rhythm=0)]
    assert [len(step.stage) for step in steps] == [0, 0, 0, 1, 1, 2, 2, 2, 2]
    assert [step.cooling for step in steps] == [False] * 7 + [True] * 2
    assert steps[-1].stage == ("affine", "tps")
    assert steps[-1].share == 1


def test_without_a_curriculum_all_modules_are_active_from_the_start():
    images, _ = shapes()
    step = next(train(config(sequence="affine,tps", curriculum="off"), images))
    assert step.progress.stage == ("affine", "tps")


def test_a_module_starts_when_the_loss_has_converged():
    chosen = config(sequence="affine,tps", curriculum="convergence")
    pace = end_period(Pace(), chosen, 1.0)
    for loss, stage in [(0.5, 0), (0.499, 0), (0.499, 1), (0.4, 1), (0.4, 1), (0.4, 2)]:
        pace = end_period(pace, chosen, loss)
        assert pace.stage == stage
    for loss in (0.3, 0.3, 0.3):
        pace = end_period(pace, chosen, loss)
    assert pace.cooling
    assert end_period(Pace(), config(curriculum="shares"), 1.0) == Pace()


def test_a_module_starts_at_its_share_even_if_the_loss_does_not_converge():
    chosen = config(sequence="affine,tps", curriculum="convergence", shares=(0.1, 0.5, 0.9))
    assert [advance(Pace(), chosen, share).stage for share in (0, 0.1, 0.5)] == [0, 1, 2]
    assert advance(Pace(1), chosen, 0.2) == Pace(1)


def test_after_a_reassignment_no_optimiser_state_is_shared():
    images, _ = shapes()
    learner = restore(last(train(config(k=3, iterations=4), images)).state)
    learner.copy(0, 2, torch.Generator(device="cpu").manual_seed(0))
    for name, first in learner.adam.first.items():
        if name.startswith("encoder."):
            continue
        second, x = learner.adam.second[name], learner.adam.parameters[name]
        assert not first[0].any()
        assert torch.equal(second[0], second[2])
        assert second[0].data_ptr() != second[2].data_ptr()
        assert (x[0] - x[2]).abs().max() <= 0.1 * x[2].abs().max() + 1e-12
    before = learner.adam.first["comparison.prototypes"][2].clone()
    learner.adam.first["comparison.prototypes"][0] += 1
    assert torch.equal(before, learner.adam.first["comparison.prototypes"][2])


def test_the_search_for_a_module_that_starts_late_takes_steps_of_at_most_the_rate():
    images, _ = shapes()
    learner = restore(begin(config(model="ti", sequence="affine,tps"), images, 0))
    rows, rate = torch.arange(24, device="cpu"), 1e-5
    for _ in range(50):
        learner.step(images, rows, 1, rate)
    assert not learner.poses[..., 6:].any()
    learner.step(images, rows, 2, rate)
    late = learner.poses[..., 6:].abs().max()
    assert 0 < late <= 1.01 * INNER * POSE_RATE * rate
    assert learner.steps[0].tolist() == [51 * INNER, INNER]


@pytest.mark.parametrize("model", ["dti-kmeans", "dti-gmm", "ti"])
def test_an_unused_cluster_becomes_a_copy_of_the_largest(model):
    images, _ = shapes()
    chosen = config(model=model, k=3, period=2, iterations=60, reassign=0.2, curriculum="off")
    begun = begin(replace(chosen, sequence="identity"), images, 0)
    far = begun.prototypes.clone()
    far[1] = 50
    tensors = {**begun.tensors, "model.comparison.prototypes": far}
    steps = [s.progress for s in resume(replace(begun, tensors=tensors), images, rhythm=0)]
    changed = [pair for step in steps for pair in step.reassigned]
    assert changed[0][0] == 1
    assert steps[-1].prototypes.abs().max() < 5


def test_reassignment_can_be_disabled():
    images, _ = shapes()
    steps = train(config(k=8, reassign=0, iterations=20), images, rhythm=0)
    assert not any(step.progress.reassigned for step in steps)


@MODELS
def test_the_loss_decreases(model):
    images, _ = shapes()
    chosen = config(model=model, sequence="affine", iterations=40, rate=0.01)
    steps = list(train(chosen, images, rhythm=0))
    first, end = (read(s.state, images, s.state.rows).loss for s in (steps[0], steps[-1]))
    assert end < first
    assert all(step.progress.prototypes.isfinite().all() for step in steps)


def test_a_budget_ends_the_run_and_scales_the_curriculum(monkeypatch):
    """Uses a fake clock on which a training step takes 10 ms."""
    monkeypatch.setattr(training, "cpu_seconds", count(0, 0.01).__next__)
    images, _ = shapes()
    chosen = config(sequence="affine", iterations=1_000_000)
    steps = list(train(chosen, images, budget=0.3, rhythm=0))
    assert steps[-1].progress.share == 1
    assert steps[-1].progress.cooling
    assert not steps[len(steps) // 2].progress.cooling
    assert steps[-1].progress.seconds == pytest.approx(0.3)
    assert all(a.progress.share <= b.progress.share for a, b in pairwise(steps))


def test_a_budget_is_measured_in_cpu_time():
    images, _ = shapes()
    steps = list(train(config(iterations=1_000_000), images, budget=0.5, rhythm=0.1))
    assert steps[-1].progress.share == 1
    assert steps[-1].progress.seconds >= 0.5


def test_steps_contain_copies_of_the_prototypes():
    images, _ = shapes()
    first, *_, end = train(config(rate=0.005), images, rhythm=0)
    assert not torch.equal(first.progress.prototypes, end.progress.prototypes)
    assert first.progress.iteration == 0
    assert first.progress.loss != first.progress.loss
    torch.testing.assert_close(end.progress.sizes.sum(), images.new_tensor(1.0))


@pytest.mark.parametrize("start", ["sample", "kmeans", "random"])
def test_prototypes_are_initially_images_only_if_they_are_sampled(start):
    images, _ = apart()
    found = begin(config(k=3, start=start), images, 0).prototypes
    among = (found[:, None] == images).flatten(2).all(2).any(1)
    assert among.all() == (start == "sample")
    if start == "kmeans":
        assert (found[:, None] - images).square().mean((2, 3, 4)).amin(1).max() < 1e-3


def test_the_best_of_several_seeds_has_the_lowest_loss():
    images, _ = shapes()
    steps = list(train_seeds(config(iterations=4), images, 3, seed=7))
    ends = [step for step in steps if step.final is not None]
    assert [step.seed for step in ends] == [7, 8, 9]
    losses = [step.final.loss for step in ends]
    best = [step.final.loss for step in ends if step.best][-1]
    assert best == min(losses)


@pytest.mark.parametrize(
    ("images", "message"),
    [
        (torch.zeros(1, 1, 4, 4, device="cpu"), "at most the number of images, 1; got 2"),
        (torch.full((4, 1, 4, 4), torch.nan, device="cpu"), "images must be finite"),
        (torch.zeros(4, 4, 4, device="cpu"), r"images must have the axes \[n c h w\]"),
    ],
)
def test_images_that_cannot_be_clustered_are_refused(images, message):
    with pytest.raises(EngineError, match=message):
        next(train(config(), images))


def test_training_stops_when_its_iterator_is_no_longer_advanced():
    images, _ = shapes()
    few = list(islice(train(config(iterations=1_000_000), images, rhythm=0), 3))
    assert few[-1].progress.iteration == 2


def test_a_run_can_be_resumed_only_with_its_own_images():
    images, _ = shapes()
    state = begin(config(), images, 0)
    with pytest.raises(
        EngineError, match=r"the images that the run started with, of shape \(24, 1, 12, 12\)"
    ):
        next(resume(state, images[:20]))


def test_states_that_are_expensive_to_read_are_yielded_less_often(monkeypatch):
    """Uses a fake clock on which a training step and reading a state take 10 ms each."""
    monkeypatch.setattr(training, "cpu_seconds", count(0, 0.01).__next__)
    images, _ = shapes()
    chosen = config(sequence="identity", iterations=61, reassign=0)
    steps = list(train(chosen, images, rhythm=0.01))
    assert [step.progress.iteration for step in steps] == [0, 20, 40, 60, 61]
