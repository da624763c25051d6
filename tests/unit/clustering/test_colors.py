"""Colours that are fitted instead of learned, and predictors with shared parameters."""

from itertools import islice

import pytest
import torch

from ia_engine.clustering.model import fit_colors, forget_colors, pixel_weights, squared_error
from ia_engine.clustering.reading import means, read, unfold
from ia_engine.clustering.training import begin, resume, train
from tests.tensors import rand
from tests.unit.clustering.scenes import config, moved, shapes


def coloured(n=24):
    """Bars and blocks with random non-zero scales and offsets of each channel."""
    v, labels = shapes(n, channels=3, dtype=torch.float64)
    scale = rand(n, 3, 1, 1, low=0.4, seed=1) * (1 - 2 * (rand(n, 3, 1, 1, seed=2) > 0.5).double())
    return scale * v + rand(n, 3, 1, 1, seed=3), labels


def test_an_image_in_different_colours_is_fitted_exactly():
    v, _ = shapes(6, channels=3, dtype=torch.float64)
    found = fit_colors(0.7 - 2 * v, v, pixel_weights(0, 12, 12, v))
    torch.testing.assert_close(found, 0.7 - 2 * v, atol=5e-3, rtol=0)


@pytest.mark.parametrize("focus", [0.0, 3.0])
def test_the_fitted_colours_have_the_smallest_error(focus):
    x, v = rand(4, 3, 8, 8, seed=1), rand(4, 3, 8, 8, seed=2)
    weights = pixel_weights(focus, 8, 8, v)
    found = fit_colors(x, v, weights)
    best = squared_error(x, found, weights)
    for scale, lift in ((1.1, 0.0), (0.9, 0.0), (1.0, 0.05), (1.0, -0.05)):
        assert (squared_error(x, scale * found + lift, weights) > best).all()


def test_the_gradient_of_the_fitted_error_agrees_with_finite_differences():
    x, v = rand(2, 3, 8, 8, seed=1), rand(2, 3, 8, 8, seed=2)
    weights, step = pixel_weights(0, 8, 8, v), 1e-6 * rand(2, 3, 8, 8, low=-1, seed=4)

    def error(at):
        return squared_error(x, fit_colors(x, at, weights), weights).sum()

    (slope,) = torch.autograd.grad(error(v.requires_grad_()), v)
    with torch.no_grad():
        change = error(v + step) - error(v - step)
    torch.testing.assert_close(2 * (slope * step).sum(), change, atol=0, rtol=0.02)


def test_the_input_of_a_predictor_does_not_depend_on_the_colours():
    v, _ = shapes(8, channels=3, dtype=torch.float64)
    torch.testing.assert_close(forget_colors(0.2 - 0.9 * v), forget_colors(v), atol=0.1, rtol=0)


@pytest.mark.parametrize("model", ["dti-kmeans", "dti-gmm", "ti"])
def test_images_are_clustered_by_shape_in_any_colours(model):
    images, labels = coloured()
    chosen = config(model=model, sequence="affine", colors="fitted", iterations=40, rate=3e-3)
    for step in train(chosen, images, 1):
        state = step.state
    found = read(state, images)
    assert found.error.mean() < 0.2 * images.var((2, 3)).mean()
    same = found.assignments == labels.to(images.device)
    assert max(int(same.sum()), int((~same).sum())) >= 20, (
        "at least 20 of 24 images must be in the right cluster"
    )


def test_the_last_image_of_the_chain_is_the_aligned_prototype():
    images, _ = coloured(8)
    state = next(train(config(sequence="affine", colors="fitted", curriculum="off"), images)).state
    chain, found = unfold(state, images), read(state, images)
    assert [name for name, _ in chain] == ["prototype", "affine", "colors"]
    rows = torch.arange(8, device=images.device)
    torch.testing.assert_close(chain[-1][1][rows, found.assignments], found.aligned)


def test_the_aligned_mean_of_a_cluster_is_closer_to_its_prototype_than_the_unaligned_mean():
    images, _ = coloured()
    chosen = config(sequence="affine", colors="fitted")
    state = list(train(chosen, images))[-1].state
    before, after = means(state, images)
    assert (after - state.prototypes).square().mean() < (before - state.prototypes).square().mean()


def test_shared_parameters_of_the_predictors_transform_all_prototypes_equally():
    images, _ = shapes(8)
    chosen = config(sequence="affine", predictors="shared", k=3)
    learner = moved(chosen, images, spread=0.0)
    with torch.no_grad():
        learner.model.common[0].biases[2].fill_(0.1)
    (params,) = learner.model.predict(images, 1)
    assert params.shape == (3, 8, 6)
    torch.testing.assert_close(params, torch.full_like(params, 0.1))
    generator = torch.Generator(device="cpu").manual_seed(0)
    learner.copy(0, 1, generator)
    assert (learner.model.common[0].biases[2] == 0.1).all(), (
        "copying does not change shared parameters"
    )


def test_a_resumed_run_with_shared_predictors_and_fitted_colours_is_bit_identical():
    images, _ = coloured()
    chosen = config(sequence="affine,tps", colors="fitted", predictors="shared")
    whole = list(train(chosen, images, 3, rhythm=0))
    half = next(islice((s for s in whole if s.state.iteration == 6), 1)).state
    again = list(resume(half, images, rhythm=0))
    for name, x in whole[-1].state.tensors.items():
        assert torch.equal(x, again[-1].state.tensors[name]), name


def test_separate_predictors_have_no_shared_parameters():
    images, _ = shapes(8)
    names = begin(config(sequence="affine"), images, 0).tensors
    assert not any(name.startswith("model.common") for name in names)
