import math

import numpy as np
import pytest
import torch
from scipy.special import softmax as scipy_softmax

from ia_engine.attention.kernels import KERNELS
from ia_engine.attention.kernels.exponential import LAPLACE, RBF, SOFTMAX
from ia_engine.attention.weights import block_mass, weigh
from tests.tensors import rand, tensor


def distances(n=6, seed=0):
    x = rand(n, 3, seed=seed, low=-1, high=1)
    return (x[:, None] - x).square().sum(-1)


def weights_by_hand(d2, log_kernel):
    """γ_ij / Σ_k γ_kj, entry by entry in double precision."""
    n = len(d2)
    gamma = [[math.exp(log_kernel(float(d2[i, j]))) for j in range(n)] for i in range(n)]
    total = [sum(gamma[k][j] for k in range(n)) for j in range(n)]
    return tensor([[gamma[i][j] / total[j] for j in range(n)] for i in range(n)])


@pytest.mark.parametrize("beta", [0.1, 2.0, 50.0])
def test_weights_are_kernel_values_divided_by_the_sum_of_their_column(beta):
    d2 = distances()
    torch.testing.assert_close(weigh(d2, beta), weights_by_hand(d2, lambda x: -beta * x))
    by_hand = weights_by_hand(d2, lambda x: -beta * math.sqrt(x))
    torch.testing.assert_close(weigh(d2, beta, LAPLACE), by_hand)


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS.keys())
@pytest.mark.parametrize("beta", [1e-3, 200.0, 1e6])
def test_columns_sum_to_one_at_every_bandwidth(kernel, beta):
    W = weigh(30 * distances(), beta, kernel)
    torch.testing.assert_close(W.sum(0), torch.ones_like(W[0]))
    assert (W >= 0).all()


def test_the_exponents_of_the_kernels_are_the_squared_distance_and_the_distance():
    d2, square = tensor([[0.0, 0.5, 1.0, 4.0]]), tensor([1.0])
    assert RBF.exponent(d2, square, square).tolist() == [[0, 0.5, 1, 4]]
    assert np.allclose(LAPLACE.exponent(d2, square, square), [[0, 0.5**0.5, 1, 2]])


@pytest.mark.parametrize("beta", [0.1, 5.0, 300.0])
def test_the_softmax_kernel_is_the_softmax_of_the_inner_products(beta):
    x = rand(6, 4, seed=1, low=-1, high=1)
    d2, square = (x[:, None] - x).square().sum(-1), x.square().sum(-1)
    logits = beta * (x @ x.T).numpy()
    torch.testing.assert_close(weigh(d2, beta, SOFTMAX, square), tensor(scipy_softmax(logits, 0)))
    unit = x / x.norm(dim=1, keepdim=True)
    d2 = (unit[:, None] - unit).square().sum(-1)
    torch.testing.assert_close(weigh(d2, beta, SOFTMAX), weigh(d2, beta / 2, RBF))


def test_each_column_may_have_its_own_bandwidth():
    d2, beta = distances(), tensor([0.1, 1, 2, 5, 20, 100])
    W = weigh(d2, beta)
    for j in range(6):
        torch.testing.assert_close(W[:, j], weigh(d2, float(beta[j]))[:, j])


@pytest.mark.parametrize("most", [1, 3, 6, 50])
def test_only_the_largest_weights_in_a_column_are_kept(most):
    d2 = distances()
    W, every = weigh(d2, 2.0, most=most), weigh(d2, 2.0)
    for j in range(6):
        kept = every[:, j].argsort(descending=True)[:most].tolist()
        share = [float(every[i, j]) if i in kept else 0.0 for i in range(6)]
        assert W[:, j].tolist() == pytest.approx([x / sum(share) for x in share])


def test_equally_near_images_are_kept_or_dropped_together():
    d2 = tensor([[0, 1, 1, 3], [1, 0, 1, 3], [1, 1, 0, 3], [3, 3, 3, 0]])
    W = weigh(d2, 1.0, most=2)
    assert W[3, :3].tolist() == [0, 0, 0]
    assert (W[:3, :3] > 0).all()
    torch.testing.assert_close(W.sum(0), torch.ones_like(W[0]))


def test_images_that_are_equally_near_up_to_rounding_errors_are_kept_together():
    d2 = tensor([[0, 1, 1, 3], [1, 0, 1, 3], [1, 1, 0, 3], [3, 3, 3, 0]], dtype=torch.float32)
    for seed in range(4):
        shaken = d2 * (1 + 1e-7 * rand(4, 4, seed=seed, low=-1, high=1).float())
        assert torch.equal(weigh(shaken, 20.0, most=2) > 0, weigh(d2, 20.0, most=2) > 0)


def test_block_mass_excludes_the_diagonal():
    W, labels = weigh(distances(7, seed=2), 1.5), torch.tensor([0, 0, 0, 1, 1, 2, 2], device="cpu")
    own = total = 0.0
    for i in range(7):
        for j in range(7):
            total += float(W[i, j]) * (i != j)
            own += float(W[i, j]) * (i != j and bool(labels[i] == labels[j]))
    assert block_mass(W, labels) == pytest.approx(own / total)


def test_block_mass_is_one_for_perfect_weights_and_the_expected_share_for_uniform_weights():
    labels = torch.tensor([0, 0, 1, 1], device="cpu")
    perfect = torch.block_diag(*[torch.full((2, 2), 0.5, device="cpu")] * 2)
    assert block_mass(perfect, labels) == 1
    even = torch.full((4, 4), 0.25, device="cpu")
    assert block_mass(even, labels) == pytest.approx(1 / 3)
    assert block_mass(torch.eye(4, device="cpu"), labels) == 0
