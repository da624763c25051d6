"""Gradients of the winning clusters equal those of the full loss; the E-step agrees with
float64.
"""

import itertools
import math

import pytest
import torch
from torch.nn import functional

from ia_engine.clustering.model import (
    LEAST_VARIANCE,
    START_VARIANCE,
    even_density,
    log_joint,
    pixel_weights,
    responsibilities,
)
from ia_engine.errors import EngineError
from tests.tensors import rand
from tests.unit.clustering.scenes import config, moved, shapes

SEQUENCES = ["affine", "affine,morphology,tps", "color,projective"]


def whole_loss(learner, images, stage):
    """Equation (4), or the negative logarithm of (5), per image and pixel, over all pairs."""
    comparison = learner.comparison
    scores = comparison.compare(images, learner.model.predict(images, stage))
    if comparison.eta is None:
        return scores.amin(1).mean()
    return -comparison.joint(scores).logsumexp(1).mean() / comparison.prototypes[0].numel()


def slopes(learner, loss):
    learner.model.zero_grad()
    loss.backward()
    parameters = learner.model.named_parameters()
    return {name: x.grad.clone() for name, x in parameters if x.grad is not None}


@pytest.mark.parametrize("model", ["dti-kmeans", "dti-gmm"])
@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("changes", [{}, {"colors": "fitted", "predictors": "shared"}])
def test_gradients_of_the_winning_clusters_equal_those_of_the_full_loss(model, sequence, changes):
    images, _ = shapes(12, channels=3 if "color" in sequence else 1, dtype=torch.float64)
    chosen = config(model=model, sequence=sequence, k=4, curriculum="off", **changes)
    learner = moved(chosen, images, 0.02)
    stage = len(chosen.modules)
    found = slopes(learner, learner.model.loss(images, stage).value)
    expected = slopes(learner, whole_loss(learner, images, stage))
    assert found.keys() == expected.keys()
    for name, slope in expected.items():
        scale = slope.abs().max()
        assert (found[name] - slope).abs().max() <= 1e-4 * scale, name


def test_the_loss_is_the_mean_squared_error_of_the_winning_clusters():
    images, _ = shapes(12)
    learner = moved(config(sequence="affine", k=3), images)
    loss = learner.model.loss(images, 1)
    torch.testing.assert_close(loss.value, whole_loss(learner, images, 1))
    torch.testing.assert_close(loss.usage.share.sum(), images.new_tensor(1.0))


def test_responsibilities_agree_with_a_loop_in_float64():
    images = rand(4, 1, 5, 5)
    learner = moved(config(model="dti-gmm", sequence="identity", k=3), images)
    comparison = learner.comparison
    with torch.no_grad():
        comparison.eta.copy_(rand(3, low=-1, seed=9))
        comparison.variances.copy_(rand(3, 1, 5, 5, seed=7))
        found = responsibilities(comparison.joint(comparison.compare(images, [])))
    pi = [math.exp(eta) for eta in comparison.eta.tolist()]
    means, variances = comparison.prototypes.tolist(), comparison.variances.tolist()
    for i, image in enumerate(images.tolist()):
        logs = [math.log(part / sum(pi)) for part in pi]
        for k, p, q in itertools.product(range(3), range(5), range(5)):
            variance = variances[k][0][p][q] + 0.0625
            logs[k] -= (image[0][p][q] - means[k][0][p][q]) ** 2 / (2 * variance)
            logs[k] -= 0.5 * math.log(2 * math.pi * variance)
        weights = [math.exp(value - max(logs)) for value in logs]
        expected = [weight / sum(weights) for weight in weights]
        assert found[i].tolist() == pytest.approx(expected, abs=1e-9)


def test_gaussians_have_equal_variances_until_all_modules_are_active():
    images, _ = shapes(8)
    learner = moved(config(model="dti-gmm", k=3, sequence="affine,tps"), images)
    comparison = learner.comparison
    early = comparison.compare(images, learner.model.predict(images, 1))
    late = comparison.compare(images, learner.model.predict(images, 2))
    learner.model.loss(images, 1).value.backward()
    assert comparison.variances.grad is None
    with torch.no_grad():
        comparison.variances[0], comparison.variances[1] = 0.4, 0.6
    found = comparison.compare(images, learner.model.predict(images, 1))
    torch.testing.assert_close(found, early)
    late_now = comparison.compare(images, learner.model.predict(images, 2))
    assert (late_now != late)[:, :2].all()


def test_all_pixels_have_the_variance_of_the_errors_until_all_modules_are_active():
    images, _ = shapes(8)
    learner = moved(config(model="dti-gmm", k=3, sequence="affine,tps"), images)
    comparison = learner.comparison
    for _ in range(200):
        comparison.even_out(images.new_tensor(LEAST_VARIANCE + 0.1))
    found = comparison.variances.data
    torch.testing.assert_close(found, torch.full_like(found, 0.1), atol=2e-3, rtol=0)
    comparison.even_out(images.new_tensor(0.0))
    assert comparison.variances.min() > 0.09, "a single batch must change little"


def test_gaussians_with_equal_variances_are_initialised_as_in_algorithm_1():
    images, _ = shapes(8)
    learner = moved(config(model="dti-gmm", k=3, sequence="affine"), images)
    comparison, params = learner.comparison, learner.model.predict(images, 1)
    _, errors = comparison.compare_twice(images, params)
    found = -even_density(errors, images.new_tensor(START_VARIANCE + LEAST_VARIANCE))
    torch.testing.assert_close(found, comparison.compare(images, params))


def test_mixtures_are_initialised_as_in_algorithm_1():
    images, _ = shapes(8)
    comparison = moved(config(model="dti-gmm", k=3), images).comparison
    assert comparison.variances.eq(0.5).all()
    assert comparison.eta.eq(1).all()
    joint = log_joint(rand(2, 3) * 0, comparison.eta.detach().double(), 25)
    torch.testing.assert_close(joint.exp().sum(1), joint.new_ones(2))


def test_the_number_of_chunks_does_not_change_the_comparison(monkeypatch):
    images, _ = shapes(12)
    learner = moved(config(sequence="affine,tps", k=5), images)
    with torch.no_grad():
        at = learner.model.predict(images, 2)
        whole = learner.comparison.compare(images, at)
        monkeypatch.setattr("ia_engine.clustering.model.CHUNK", 1)
        torch.testing.assert_close(learner.comparison.compare(images, at), whole)


def test_initially_no_image_is_transformed():
    images, _ = shapes(12)
    learner = moved(config(sequence="affine,morphology,tps"), images, spread=0)
    at = learner.model.predict(images, 3)
    assert all(not values.any() for values in at)
    plain = (images[:, None] - learner.comparison.prototypes).square().mean((2, 3, 4))
    found = learner.comparison.compare(images, at)
    torch.testing.assert_close(found, plain, atol=1e-6, rtol=1e-5)


def test_focus_gives_the_centre_more_weight_and_keeps_a_mean_weight_of_one():
    like = rand(1)
    weights = pixel_weights(2.0, 9, 9, like).view(9, 9)
    torch.testing.assert_close(weights.mean(), like.new_tensor(1.0))
    assert weights[4, 4] == weights.max()
    ratio = weights[4, 6] / weights[4, 4]
    torch.testing.assert_close(ratio, like.new_tensor(math.exp(-0.5)))
    assert pixel_weights(0, 9, 9, like).eq(1).all()


@pytest.mark.parametrize("encoder", ["quick", "resnet20", "resnet18"])
@pytest.mark.parametrize(("channels", "size"), [(1, 28), (3, 40)])
def test_every_encoder_accepts_grey_and_colour_images(encoder, channels, size):
    images = rand(4, channels, size, size + 3, dtype=torch.float32)
    learner = moved(config(encoder=encoder, sequence="affine"), images)
    (at,) = learner.model.predict(images, 1)
    assert at.shape == (2, 4, 6)
    assert at.isfinite().all()
    loss = learner.model.loss(images, 1).value
    loss.backward()
    assert functional.relu(loss.detach()) > 0


@pytest.mark.parametrize("size", [1e6, math.inf, math.nan])
def test_divergence_is_reported_before_the_values_are_used_as_positions(size):
    images, _ = shapes(4)
    comparison = moved(config(sequence="affine"), images).comparison
    with pytest.raises(EngineError, match="training diverged"):
        comparison.compare(images, [images.new_full((2, 4, 6), size)])
