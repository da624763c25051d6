import pytest
import torch

from ia_engine.attention.beta import exponents, nominal
from ia_engine.attention.iteration import AttentionConfig, iterate
from ia_engine.attention.kernels import KERNELS
from ia_engine.attention.rules import RULES
from tests.tensors import rand


def run(**values):
    config = AttentionConfig(method="ka", steps=2, **values)
    return config, list(iterate(config, rand(12, 2, seed=4)))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("bandwidth", RULES)
def test_one_beta_and_the_exponents_give_the_weights_of_every_rule(kernel, bandwidth):
    config, steps = run(kernel=kernel, bandwidth=bandwidth, neighbours=4, beta=3.0)
    beta = nominal(steps[0], config)
    for step in steps:
        x = exponents(step, config, beta)
        x = step.d2 if x is None else x
        torch.testing.assert_close(KERNELS[kernel].weigh(beta * x), step.W)


def test_exponents_are_the_squared_distances_if_beta_is_fixed():
    config, (step, _) = run(beta=3.0)
    assert nominal(step, config) == 3
    assert exponents(step, config, 3.0) is None
    assert exponents(step, config, 6.0) is not None
