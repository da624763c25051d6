import pytest
import torch

from ia_engine.attention.bandwidth import Fixed, Local, Quantile, Theorem
from ia_engine.attention.kernels import KERNELS
from ia_engine.attention.weights import weigh
from tests.tensors import rand, tensor

RULES = {"local": Local(3), "quantile": Quantile(0.3), "theorem": Theorem(7.0)}
EVERY_RULE = pytest.mark.parametrize("rule", RULES.values(), ids=RULES.keys())


def distances(n=8, seed=0, dtype=torch.float64):
    x = rand(n, 3, seed=seed, low=-1, high=1, dtype=dtype)
    return (x[:, None] - x).square().sum(-1)


def test_a_fixed_bandwidth_is_the_given_beta():
    beta = Fixed(3.5).beta(distances(dtype=torch.float32))
    assert (beta.shape, beta.dtype, float(beta)) == ((), torch.float32, 3.5)


@pytest.mark.parametrize("neighbours", [1, 3, 7])
def test_the_local_rule_sets_beta_to_one_over_the_squared_distance_to_a_neighbour(neighbours):
    d2 = distances()
    wanted = [
        1 / sorted(float(d2[i, j]) for i in range(8) if i != j)[neighbours - 1] for j in range(8)
    ]
    torch.testing.assert_close(Local(neighbours).beta(d2), tensor(wanted))


@pytest.mark.parametrize(("share", "place"), [(0.0, 0), (0.5, 14), (1.0, 27)])
def test_the_quantile_rule_excludes_the_diagonal(share, place):
    d2 = distances()
    pairs = sorted(float(d2[i, j]) for i in range(8) for j in range(i))
    assert float(1 / Quantile(share).beta(d2)) == pytest.approx(pairs[place])


def test_the_theorem_rule_divides_its_constant_by_the_largest_squared_distance():
    d2 = distances()
    assert float(Theorem(7.0).beta(d2)) == pytest.approx(7 / float(d2.max()))


@EVERY_RULE
@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS.keys())
@pytest.mark.parametrize("factor", [1e-3, 0.7, 40.0])
def test_weights_do_not_change_when_all_distances_are_scaled(rule, kernel, factor):
    def weights(scale):
        d2, square = scale * distances(), scale * rand(8, seed=5, low=0.8, high=1.2)
        return weigh(d2, rule.beta(kernel.exponent(d2, square, square)), kernel, square)

    torch.testing.assert_close(weights(factor), weights(1.0))


@EVERY_RULE
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(
    "d2",
    [
        tensor([[0.0]]),
        tensor([[0.0, 0.0], [0.0, 0.0]]),
        tensor([[0.0, 2.0], [2.0, 0.0]]),
        tensor([[0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0]]),
        1e-30 * distances(),
    ],
    ids=["one", "equal", "two", "twins", "tiny"],
)
def test_columns_sum_to_one_however_near_the_images_are(rule, dtype, d2):
    beta = rule.beta(d2.to(dtype))
    W = weigh(d2.to(dtype), beta)
    assert beta.dtype == dtype
    assert beta.isfinite().all()
    torch.testing.assert_close(W.sum(0), torch.ones_like(W[0]))


@EVERY_RULE
def test_inputs_are_not_modified(rule):
    d2 = distances()
    before = d2.clone()
    rule.beta(d2)
    assert torch.equal(d2, before)
