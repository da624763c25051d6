"""The first of equal values is chosen regardless of rounding errors."""

import pytest
import torch

from ia_engine.ties import STEP, bottom, first_max, first_min, top
from tests.tensors import rand

FLOAT32_SUM = 3e-7
"""Relative error of the compared sums."""


def shaken(x, seed):
    """The values as a different processor would round them."""
    noise = rand(*x.shape, seed=seed, low=-1, high=1).to(x)
    return x + FLOAT32_SUM * x.abs().amax() * noise


def levels(*shape, seed=0):
    """Random values with few levels, so that nearly every value occurs several times."""
    return rand(*shape, seed=seed, low=0, high=5).floor().float() / 5


@pytest.mark.parametrize("n", [1, 7, 64])
def test_the_first_of_equal_values_is_chosen_despite_rounding_errors(n):
    x = levels(20, n)
    wanted = torch.tensor([row.index(max(row)) for row in x.tolist()], device="cpu")
    least = torch.tensor([row.index(min(row)) for row in x.tolist()], device="cpu")
    for seed in range(1, 5):
        assert torch.equal(first_max(shaken(x, seed)), wanted)
        assert torch.equal(first_max(shaken(x, seed).T, 0), wanted)
        assert torch.equal(first_min(shaken(x, seed)), least)


@pytest.mark.parametrize(("n", "k"), [(1, 1), (12, 12), (36, 14)])
def test_equal_values_are_ranked_by_index_despite_rounding_errors(n, k):
    x = levels(20, n)
    wanted = [sorted(range(n), key=lambda i: (-row[i], i))[:k] for row in x.tolist()]
    for seed in range(1, 5):
        assert top(shaken(x, seed), k).tolist() == wanted


@pytest.mark.parametrize(("n", "k"), [(1, 1), (12, 12), (36, 14)])
def test_equal_values_are_also_ranked_by_index_in_ascending_order_of_the_values(n, k):
    """The minimum is often 0, which is the distance between an image and its copy."""
    x = levels(20, n)
    wanted = [sorted(range(n), key=lambda i: (row[i], i))[:k] for row in x.tolist()]
    for seed in range(1, 5):
        assert bottom(shaken(x, seed), k).tolist() == wanted


def test_a_few_of_many_values_may_be_equal():
    x = rand(10, 500, low=0, high=0.9).float()
    x[:, [400, 17, 230, 88]] = 1.0
    for seed in range(1, 5):
        assert top(shaken(x, seed), 2).tolist() == [[17, 88]] * 10


def test_different_values_are_ranked_by_their_size():
    x = rand(60, seed=3)
    assert torch.equal(top(x, 60), x.argsort(descending=True))
    assert first_max(x) == x.argmax()
    assert first_min(x) == x.argmin()
    assert first_max(torch.tensor([1 - 3 * STEP, 1.0], device="cpu")) == 1


def test_excluded_indices_are_chosen_last():
    x = torch.tensor([[-torch.inf, 0.5, 0.5, 0.1]], device="cpu")
    assert top(x, 4).tolist() == [[1, 2, 3, 0]]
