"""Split, merge, reseed and fork each return a new state from which training continues."""

from dataclasses import replace

import pytest
import torch

from ia_engine.clustering import training
from ia_engine.clustering.editing import fork, merge, reseed, split
from ia_engine.clustering.training import resume, train
from ia_engine.errors import EngineError
from tests.unit.clustering.scenes import config, shapes

MODELS = pytest.mark.parametrize("model", ["dti-kmeans", "dti-gmm", "ti", "kmeans", "gmm"])


def trained(model="dti-kmeans", k=4):
    images, _ = shapes()
    *_, step = train(config(model=model, k=k, sequence="affine", curriculum="off"), images)
    return step.state, images


def close(a, b):
    return bool((a - b).abs().max() < 0.1 * b.abs().max())


@MODELS
def test_every_edit_returns_a_new_state_that_can_be_trained_further(model):
    state, images = trained(model)
    before = {name: x.clone() for name, x in state.tensors.items()}
    for edited in (split(state, 0), merge(state, 1, 2), reseed(state, 3, images[0])):
        longer = fork(edited, replace(state.config, iterations=state.iteration + 3))
        *_, step = resume(longer, images)
        assert step.progress.prototypes.isfinite().all()
        assert edited.tensors["usage.share"].sum() == pytest.approx(1)
    assert all(torch.equal(x, before[name]) for name, x in state.tensors.items())


def test_splitting_a_cluster_copies_it_over_the_least_used_one():
    state, _ = trained()
    usage = state.prototypes.new_tensor([0.5, 0.3, 0.05, 0.15])
    state = replace(state, tensors={**state.tensors, "usage.share": usage})
    after = split(state, 0)
    assert close(after.prototypes[2], state.prototypes[0])
    assert torch.equal(after.prototypes[[0, 1, 3]], state.prototypes[[0, 1, 3]])
    assert after.tensors["usage.share"].tolist() == pytest.approx(
        [0.263, 0.316, 0.263, 0.158], abs=1e-3
    )


def test_a_merged_prototype_is_the_mean_by_usage_and_the_freed_one_splits_the_largest_cluster():
    state, _ = trained()
    usage = state.prototypes.new_tensor([0.2, 0.1, 0.1, 0.6])
    state = replace(state, tensors={**state.tensors, "usage.share": usage})
    after = merge(state, 0, 1)
    mean = (2 * state.prototypes[0] + state.prototypes[1]) / 3
    torch.testing.assert_close(after.prototypes[0], mean)
    assert close(after.prototypes[1], state.prototypes[3])


def test_two_unused_clusters_contribute_equally_to_the_merged_prototype():
    state, _ = trained()
    usage = state.prototypes.new_tensor([0.0, 0.0, 0.4, 0.6])
    after = merge(replace(state, tensors={**state.tensors, "usage.share": usage}), 0, 1)
    torch.testing.assert_close(after.prototypes[0], state.prototypes[:2].mean(0))


def test_a_reseeded_prototype_is_the_image_without_transformation():
    state, images = trained()
    after = reseed(state, 1, images[5])
    assert torch.equal(after.prototypes[1], images[5])
    assert not after.tensors["model.heads.0.weights.2"][1].any()
    assert not after.tensors["model.heads.0.biases.2"][1].any()
    assert after.tensors["model.heads.0.weights.2"][0].any()


def test_a_fork_changes_the_training_settings_but_not_the_model():
    state, images = trained()
    forked = fork(state, replace(state.config, rate=0.003, iterations=20))
    *_, step = resume(forked, images)
    assert step.progress.iteration == 20
    with pytest.raises(
        EngineError, match=r"a fork must keep .*; got different values for k, sequence"
    ):
        fork(state, replace(state.config, k=5, sequence="tps"))


def test_a_fork_with_a_different_period_averages_over_all_steps_since_the_last_period(monkeypatch):
    images, _ = shapes()
    chosen = config(curriculum="convergence", period=10, iterations=6)
    *_, step = train(chosen, images)
    assert step.state.counters.steps == 6
    heard = []
    monkeypatch.setattr(training, "end_period", lambda pace, _, loss: (heard.append(loss), pace)[1])
    steps = list(
        resume(fork(step.state, replace(chosen, period=4, iterations=8)), images, rhythm=0)
    )
    losses = [step.progress.loss for step in steps[1:]]
    assert heard == [pytest.approx((step.state.counters.loss + sum(losses)) / 8)]


def test_a_single_cluster_cannot_be_split():
    state, _ = trained(k=1)
    with pytest.raises(EngineError, match="start a run with a larger K"):
        split(state, 0)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda state: split(state, 4), "cluster must be between 0 and 3; got 4"),
        (lambda state: merge(state, 1, 1), "clusters to merge must differ; got 1 twice"),
        (
            lambda state: reseed(state, 0, torch.zeros(1, 3, 3, device="cpu")),
            "image must have the shape",
        ),
    ],
)
def test_invalid_edits_are_refused_with_the_reason(edit, message):
    state, _ = trained()
    with pytest.raises(EngineError, match=message):
        edit(state)
