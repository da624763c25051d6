"""Laws of every kernel in the catalogue."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from ia_engine.attention.kernels import KERNELS
from ia_engine.attention.kernels.base import nodes, squared_distance, tabulate
from ia_engine.attention.weights import weigh
from tests.tensors import rand, tensor

EVERY_KERNEL = pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS.keys())
OF_D2 = {name: one for name, one in KERNELS.items() if one.exponent is squared_distance}
examples = settings(max_examples=30, derandomize=True, deadline=None, database=None)
seeds = st.integers(0, 2**16)


def distances(n, seed=0):
    x = rand(n, 3, seed=seed, low=-1, high=1)
    return (x[:, None] - x).square().sum(-1)


@EVERY_KERNEL
def test_a_kernel_is_one_at_zero_and_decreases_without_becoming_negative(kernel):
    kappa = kernel.profile(torch.cat([tensor([0.0]), nodes()]))
    assert kappa[0] == 1
    assert (kappa.diff() <= 0).all()
    assert 0 <= kappa[-1] < 0.5


@EVERY_KERNEL
@examples
@given(seed=seeds, beta=st.floats(0.1, 200))
def test_a_more_distant_image_never_has_more_weight(kernel, seed, beta):
    d2 = torch.cat([tensor([0.0]), rand(9, seed=seed, high=4).sort().values])[:, None]
    W = weigh(d2, beta, kernel, columns=tensor([1.0]))
    assert (W.diff(dim=0) <= 1e-12).all()


@EVERY_KERNEL
@examples
@given(seed=seeds, beta=st.floats(0.1, 200))
def test_the_gradient_of_the_weights_is_finite(kernel, seed, beta):
    d2 = rand(6, 6, seed=seed, low=0.01, high=4).fill_diagonal_(1e-6).requires_grad_()
    W = weigh(d2, beta, kernel)
    (slope,) = torch.autograd.grad((W * rand(6, 6, seed=seed + 1)).sum(), d2)
    assert slope.isfinite().all()


@EVERY_KERNEL
def test_the_slope_of_the_profile_is_finite_and_not_positive(kernel):
    u = torch.cat([tensor([0.0]), nodes()]).requires_grad_()
    (slope,) = torch.autograd.grad(kernel.profile(u).sum(), u)
    assert slope.isfinite().all()
    assert (slope <= 0).all()


@EVERY_KERNEL
@examples
@given(seed=seeds, beta=st.floats(0.1, 200))
def test_single_precision_gives_the_weights_of_double_precision(kernel, seed, beta):
    d2 = distances(8, seed)
    single = weigh(d2.float(), beta, kernel).double()
    # β d² is at most 2400; rounding changes it by 2400 · 2⁻²³, and W by as much if κ = exp(-β d²).
    torch.testing.assert_close(single, weigh(d2, beta, kernel), atol=1e-3, rtol=0)


@pytest.mark.parametrize("kernel", OF_D2.values(), ids=OF_D2.keys())
def test_the_formula_on_the_screen_is_the_function_that_is_computed(kernel):
    text = kernel.formula.replace("β d²", "u").replace("²", "**2").replace("-u", "-1*u")
    known = {name: getattr(math, name) for name in ("exp", "sqrt", "log", "cosh", "cos", "pi")}
    for u in (0.0, 0.1, 0.7, 1.0, 1.5, 4.0, 20.0):
        wanted = eval(text, {"__builtins__": {}}, {**known, "max": max, "min": min, "u": u})
        assert float(kernel.profile(tensor([u]))[0]) == pytest.approx(wanted, abs=1e-12)


@EVERY_KERNEL
@examples
@given(seed=seeds)
def test_the_table_for_the_browser_differs_from_the_kernel_by_at_most_the_drop_between_two_nodes(
    kernel, seed
):
    u = rand(200, seed=seed, low=-14, high=23).exp2()
    places, kappa = np.array([0, *nodes().tolist()]), np.array([1, *tabulate(kernel)])
    found = np.interp(u.numpy(), places, kappa)
    cell = np.searchsorted(places, u.numpy()) - 1
    drop = kappa[cell] - kappa[cell + 1]
    assert (np.abs(found - kernel.profile(u).numpy()) <= drop + 1e-8).all()


@EVERY_KERNEL
@examples
@given(seed=seeds, n=st.integers(2, 12), beta=st.floats(0.1, 200))
def test_weights_from_the_table_differ_by_at_most_n_plus_one_times_the_error_of_the_kernel(
    kernel, seed, n, beta
):
    u = beta * distances(n, seed)
    exact = kernel.profile(u)
    table = np.interp(u, [0, *nodes().tolist()], [1, *tabulate(kernel)])
    error = np.abs(table - exact.numpy()).max()
    W = exact / exact.sum(0)
    assert np.abs(table / table.sum(0) - W.numpy()).max() <= (n + 1) * error + 1e-12
