"""Training runs can be stopped, saved and resumed, with bit-identical results."""

from dataclasses import replace
from itertools import pairwise

import pytest
import torch

from ia_engine.equivariant.checkpoint import (
    NetworkRecord,
    load_checkpoint,
    load_network,
    save_checkpoint,
    save_network,
)
from ia_engine.equivariant.recipes import TrainingConfig
from ia_engine.equivariant.training import train
from ia_engine.errors import EngineError
from tests.unit.equivariant.scenes import splits

pytestmark = pytest.mark.cpu_only("torch's optimisers count their steps on the default device")

CONFIG = TrainingConfig(network="p4", iterations=8, batch=8, every=3)


def record(config=CONFIG):
    return NetworkRecord(config.network, config.to_json(), "strokes", "0", 0, 8, 0.1, 0.1, "none")


def test_a_simple_task_is_learned_without_errors():
    *_, last = train(replace(CONFIG, iterations=60, every=60), splits())
    assert last.last
    assert last.iteration == 60
    assert last.loss < 0.2
    assert last.test_error == 0


def test_errors_are_recorded_at_the_iterations_at_which_they_are_measured():
    steps = list(train(CONFIG, splits()))
    assert [step.iteration for step in steps] == list(range(1, 9))
    assert [step.iteration for step in steps if step.validation_error is not None] == [3, 6, 8]
    assert [step.iteration for step in steps if step.test_error is not None] == [8]
    assert all(a.seconds < b.seconds for a, b in pairwise(steps))


@pytest.mark.parametrize("optimiser", ["adam", "sgd"])
@pytest.mark.parametrize("network", ["alpha-f-p4", "z2"])
def test_a_resumed_run_is_bit_identical(tmp_path, network, optimiser):
    config = replace(CONFIG, network=network, optimiser=optimiser, augment="shift-flip", patience=1)
    data, path = splits(16), tmp_path / "run.safetensors"
    whole = list(train(config, data, seed=3))
    for step in train(config, data, seed=3):
        if step.iteration == 4:
            save_checkpoint(path, step.keep())
            break
    rest = list(train(config, data, 3, load_checkpoint(path)))
    assert [step.loss for step in rest] == [step.loss for step in whole[4:]]
    first, second = whole[-1].network.state_dict(), rest[-1].network.state_dict()
    assert all(torch.equal(first[name], second[name]) for name in first)
    assert (rest[-1].test_error, rest[-1].best_error) == (
        whole[-1].test_error,
        whole[-1].best_error,
    )


def test_a_finished_run_that_is_resumed_ends_immediately():
    data = splits()
    *_, last = train(CONFIG, data)
    (again,) = train(CONFIG, data, 0, last.keep())
    assert again.last
    for name in ("iteration", "seconds", "loss", "validation_error", "test_error", "best_error"):
        assert getattr(again, name) == getattr(last, name), name
    wanted = last.network.state_dict()
    assert all(torch.equal(x, wanted[name]) for name, x in again.network.state_dict().items())
    assert again.keep().numbers == last.keep().numbers


def test_a_run_whose_budget_is_used_up_ends_immediately():
    first = next(iter(train(CONFIG, splits())))
    (again,) = train(CONFIG, splits(), 0, first.keep(), budget=first.seconds / 2)
    assert (again.iteration, again.last) == (1, True)
    assert again.test_error is not None


@pytest.mark.parametrize("network", ["p4", "alpha-ch-p4"])
def test_training_that_diverges_is_reported(network):
    steps = train(replace(CONFIG, network=network), splits())
    first = next(steps)
    with torch.no_grad():
        next(first.network.parameters()).fill_(torch.nan)
    with pytest.raises(
        EngineError, match=r"diverged at iteration 2.* choose a lower learning rate"
    ):
        next(steps)


def test_the_learning_rate_is_halved_when_the_loss_stagnates_even_if_the_error_falls(monkeypatch):
    found = iter([(0.5, 2.0), (0.5, 1.5), (0.5, 1.0), (0.4, 1.0), (0.3, 1.0), (0.2, 1.0)])
    monkeypatch.setattr("ia_engine.equivariant.training._Run._measure", lambda *_: next(found))
    config = replace(CONFIG, schedule="constant", every=1, patience=1, iterations=5)
    rates = [step.rate / config.rate for step in train(config, splits())]
    assert rates == [1, 1, 1, 1, 0.5]


def test_different_seeds_give_different_runs():
    first, other = (next(iter(train(CONFIG, splits(), seed))).loss for seed in (0, 1))
    assert first != other
    assert first == next(iter(train(CONFIG, splits(), 0))).loss


def test_a_run_can_be_resumed_only_with_its_own_settings():
    kept = next(iter(train(CONFIG, splits()))).keep()
    for config, data, seed in (
        (replace(CONFIG, rate=0.02), splits(), 0), (CONFIG, splits(), 1), (CONFIG, splits(24), 0),
    ):  # fmt: skip
        with pytest.raises(EngineError, match="it was started"):
            next(iter(train(config, data, seed, kept)))


def test_a_budget_ends_a_run_and_scales_its_rate_schedule():
    config = replace(CONFIG, iterations=100_000, every=10_000)
    steps = list(train(config, splits(), budget=0.4))
    assert steps[-1].last
    assert 0.4 <= steps[-1].seconds < 2
    assert len(steps) < 1000


def test_the_best_error_is_at_most_the_last_validation_error():
    *_, last = train(replace(CONFIG, rate=1e-6), splits())
    assert last.best_error <= last.validation_error


def test_a_network_loaded_from_a_file_gives_the_same_predictions(tmp_path):
    path = tmp_path / "net.safetensors"
    *_, last = train(CONFIG, splits())
    save_network(path, last.network, record())
    trained = load_network(path)
    assert trained.record == record()
    assert not trained.network.training
    v = splits().test.images
    with torch.no_grad():
        found, wanted = trained.network(v), last.network.eval()(v)
    torch.testing.assert_close(found, wanted, atol=0.02, rtol=0.02)
