"""Laws of the weights under every kernel and every rule for the bandwidth."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.attention.kernels import KERNELS
from ia_engine.attention.rules import RULES
from tests.tensors import rand

examples = settings(max_examples=30, derandomize=True, deadline=None, database=None)
EVERY_KERNEL = pytest.mark.parametrize("kernel", KERNELS)
EVERY_RULE = pytest.mark.parametrize("bandwidth", RULES)
FREE = pytest.mark.parametrize(
    "bandwidth", [name for name, rule in RULES.items() if not rule.is_fixed]
)


def scene(n, seed):
    """Squared distances of random points, and their square norms."""
    x = rand(n, 3, seed=seed, low=-1, high=1)
    return (x[:, None] - x).square().sum(-1), x.square().sum(-1)


def weights(config, d2, square):
    return config.build().weighting.weigh(d2, square)[0]


@EVERY_KERNEL
@EVERY_RULE
@examples
@given(n=st.integers(1, 12), seed=st.integers(0, 2**16), beta=st.floats(0.1, 200))
def test_weights_are_not_negative_and_each_column_sums_to_one(kernel, bandwidth, n, seed, beta):
    config = AttentionConfig(kernel=kernel, bandwidth=bandwidth, beta=beta)
    W = weights(config, *scene(n, seed))
    assert (W >= 0).all()
    torch.testing.assert_close(W.sum(0), torch.ones_like(W[0]))


@EVERY_KERNEL
@FREE
@examples
@given(n=st.integers(2, 12), seed=st.integers(0, 2**16), factor=st.floats(1e-4, 1e4))
def test_weights_do_not_depend_on_the_scale_of_the_images(kernel, bandwidth, n, seed, factor):
    config = AttentionConfig(kernel=kernel, bandwidth=bandwidth)
    d2, square = scene(n, seed)
    scaled = weights(config, factor * d2, factor * square)
    torch.testing.assert_close(scaled, weights(config, d2, square), atol=1e-6, rtol=1e-6)


@EVERY_KERNEL
@EVERY_RULE
@examples
@given(n=st.integers(2, 12), seed=st.integers(0, 2**16))
def test_permuting_the_images_permutes_the_weights(kernel, bandwidth, n, seed):
    config = AttentionConfig(kernel=kernel, bandwidth=bandwidth)
    d2, square = scene(n, seed)
    order = torch.randperm(n, generator=torch.Generator().manual_seed(seed))
    moved = weights(config, d2[order][:, order], square[order])
    torch.testing.assert_close(moved, weights(config, d2, square)[order][:, order])
