"""Equation (6) with a in [0, 1], for every parameter that training can reach."""

import math

import numpy as np
import torch
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ia_engine.clustering.model import LARGEST
from ia_engine.clustering.modules import MODULES, Canvas
from ia_engine.transforms.morphology import LEAST, WINDOW, clamp_weights
from tests.tensors import rand

REACH = WINDOW // 2
MIDDLE = WINDOW**2 // 2

sizes = st.tuples(st.integers(1, 2), st.integers(1, 9), st.integers(1, 9))
exponents = st.floats(-3, math.log10(LARGEST) - 0.01)
seeds = st.integers(0, 10_000)
spreads = st.sampled_from([0.01, 1.0, 8.0])


def draw(size, seed, spread, sharp, wide):
    """The module, an image and parameters of these orders of magnitude, in float32."""
    v = spread * rand(1, *size, seed=seed, low=-0.2, dtype=torch.float32)
    params = rand(1, 1 + WINDOW**2, seed=seed + 1, low=-1, dtype=torch.float32)
    params[:, 0] *= 10**sharp
    params[:, 1:] *= 10**wide
    part = MODULES["morphology"]("morphology", Canvas(*size), v)
    return part, v, params


def reference(v, params):
    """Equation (6) in float64, computed pixel by pixel with numpy alone."""
    x = v[0].numpy().astype(np.float64)
    alpha = 10 * float(params[0, 0])
    t = params[0, 1:].numpy().astype(np.float64)
    t[MIDDLE] += 1
    a = np.minimum(np.maximum(t, 0), 1).reshape(WINDOW, WINDOW)
    result = np.empty_like(x)
    channels, height, width = x.shape
    places = [(p, q) for p in range(-REACH, REACH + 1) for q in range(-REACH, REACH + 1)]
    for c in range(channels):
        for p in range(height):
            for q in range(width):
                values, weights = [], []
                for dp, dq in places:
                    row = min(max(p + dp, 0), height - 1)
                    column = min(max(q + dq, 0), width - 1)
                    values.append(x[c, row, column])
                    weights.append(a[dp + REACH, dq + REACH])
                values, weights = np.array(values), np.array(weights)
                known = weights > 0
                if not known.any():
                    result[c, p, q] = x[c, p, q]
                    continue
                e = np.exp(alpha * values[known] - (alpha * values[known]).max())
                full = (weights[known] * e * values[known]).sum() / (weights[known] * e).sum()
                share = min(1.0, weights.sum() / LEAST)
                result[c, p, q] = x[c, p, q] + share * (full - x[c, p, q])
    return torch.from_numpy(result)


@given(sizes, seeds, spreads, exponents, exponents)
@settings(deadline=None, max_examples=40)
def test_the_module_computes_equation_6(size, seed, spread, sharp, wide):
    part, v, params = draw(size, seed, spread, sharp, wide)
    found = part.act(v, params)[0].double()
    torch.testing.assert_close(found, reference(v, params), atol=5e-3 * spread, rtol=0)


@given(sizes, seeds, spreads, exponents, exponents)
@settings(deadline=None, max_examples=60)
def test_results_stay_between_the_minimum_and_maximum_of_each_channel(
    size, seed, spread, sharp, wide
):
    part, v, params = draw(size, seed, spread, sharp, wide)
    low, high = v.flatten(2).aminmax(dim=2)
    found = part.act(v, params).flatten(2)
    assert bool((found >= low[..., None]).all())
    assert bool((found <= high[..., None]).all())


@given(sizes, seeds, spreads, exponents)
@settings(deadline=None, max_examples=40)
@example((1, 4, 4), 0, 1.0, -math.inf)
def test_a_window_with_only_its_centre_is_exactly_the_identity(size, seed, spread, sharp):
    part, v, params = draw(size, seed, spread, sharp, -math.inf)
    assert torch.equal(part.act(v, params), v)


@given(sizes, seeds, spreads, exponents, exponents)
@settings(deadline=None, max_examples=40)
def test_a_window_of_zeros_leaves_the_input_unchanged(size, seed, spread, sharp, wide):
    part, v, params = draw(size, seed, spread, sharp, wide)
    params[:, 1:] = -params[:, 1:].abs()
    params[:, 1 + MIDDLE] -= 1
    assert torch.equal(part.act(v, params), v)


@given(sizes, seeds, spreads, exponents, exponents)
@settings(deadline=None, max_examples=60)
def test_gradients_are_finite(size, seed, spread, sharp, wide):
    part, v, params = draw(size, seed, spread, sharp, wide)
    v, params = v.requires_grad_(), params.requires_grad_()
    part.act(v, params).square().mean().backward()
    assert bool(v.grad.isfinite().all())
    assert bool(params.grad.isfinite().all())


@given(seeds, st.floats(-3, 3))
@settings(deadline=None, max_examples=40)
def test_the_gradient_of_a_weight_is_zero_exactly_if_descent_would_leave_the_range_0_to_1(
    seed, wide
):
    t = (rand(200, seed=seed, low=-1) * 10**wide).requires_grad_()
    slope = rand(200, seed=seed + 1, low=-1)
    clamp_weights(t).backward(slope)
    leaves = ((t <= 0) & (slope > 0)) | ((t >= 1) & (slope < 0))
    assert torch.equal(t.grad, slope.masked_fill(leaves, 0))


@given(seeds)
@settings(deadline=None, max_examples=20)
def test_at_zero_every_weight_except_the_centre_learns_from_exactly_one_of_two_opposite_slopes(
    seed,
):
    part, v, params = draw((1, 9, 9), seed, 1.0, -math.inf, -math.inf)
    slopes = []
    for sign in (1, -1):
        at = params.clone().requires_grad_()
        (sign * part.act(v, at)[0, 0, 4, 4]).backward()
        slopes.append(at.grad[0, 1:])
    assert not bool((slopes[0] * slopes[1]).any()), (
        "a step along one of the two slopes would leave [0, 1]"
    )
    learned = (slopes[0] + slopes[1]).ne(0)
    assert learned.sum() == WINDOW**2 - 1
    assert not learned[MIDDLE]
