"""The statements in the glossary agree with the engine's computations."""

import pytest
import torch

from ia_engine.attention.bandwidth import Quantile, Theorem
from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.weights import block_mass, weigh
from ia_engine.clustering.state import TRIAL_PERIODS, Usage
from ia_engine.equivariant.groups import P4, P4M
from ia_engine.metrics import score_clusters
from ia_engine.transforms import GROUPS
from ia_engine.transforms.tps import POINTS, ThinPlateSpline
from pages._ui.wording import GLOSSARY
from tests.tensors import rand

pytestmark = pytest.mark.cpu_only("images are drawn on the CPU")


@pytest.fixture
def disc():
    """A smooth spot with norm 1, far from the border."""
    p = torch.linspace(-1, 1, 41, dtype=torch.float64, device="cpu")
    v = torch.exp(-(p[:, None].square() + 0.5 * p.square()) / 0.08)[None, None]
    return v / v.norm()


@pytest.fixture
def d2():
    points = rand(6, 3, seed=0).double()
    return torch.cdist(points, points).square()


def test_the_factor_for_transformations_that_change_areas_preserves_the_norm(disc):
    assert "√|det Dτ|" in GLOSSARY["U"]
    similarity = GROUPS["similarity"]
    scaled = torch.diag(torch.tensor([1.5, 1.5, 1.0], dtype=torch.float64, device="cpu"))[None]
    tau = similarity.pose(scaled)
    assert float(similarity.unitary(disc, tau).norm()) == pytest.approx(1, abs=0.01)
    factor = float(torch.linalg.det(scaled).abs().sqrt())
    plain = similarity.unitary(disc, tau) / factor
    assert float(plain.norm()) == pytest.approx(1 / factor, abs=0.01)


def test_the_distance_includes_the_factor_for_areas(disc):
    assert "√|det Dτ| vᵢ∘τ − vⱼ" in GLOSSARY["d"]
    similarity = GROUPS["similarity"]
    scaled = torch.diag(torch.tensor([1.2, 1.2, 1.0], dtype=torch.float64, device="cpu"))[None]
    tau = similarity.pose(scaled)
    larger = similarity.unitary(disc, tau)
    found = GlobalSearch(similarity).align(torch.cat([disc, larger]).float())
    assert float(found.d2[0, 1]) < 0.01
    without = larger / float(torch.linalg.det(scaled).abs().sqrt()) - larger
    assert float(without.square().sum()) > 0.02, (
        "without the factor, the same pose must have a larger distance"
    )


def test_the_theorem_rule_sets_beta_to_its_constant_divided_by_the_largest_squared_distance(d2):
    assert "sets β = c′/R²" in GLOSSARY["c′"]
    assert "requires β < c′/R² and R < c·ρ_min" in GLOSSARY["c′"]
    assert float(Theorem(7.0).beta(d2) * d2.max()) == pytest.approx(7)


def test_with_the_quantile_rule_the_given_share_of_pairs_has_beta_d2_of_at_most_one(d2):
    beta = Quantile(0.5).beta(d2)
    pairs = d2[~torch.eye(6, dtype=torch.bool, device="cpu")]
    assert float((beta * pairs <= 1 + 1e-9).double().mean()) == pytest.approx(0.5, abs=0.1)


def test_weights_are_the_shares_of_images_in_a_mean(d2):
    assert "every column adds up to 1" in GLOSSARY["W"]
    W = weigh(d2, 2.0)
    assert torch.allclose(W.sum(0), torch.ones_like(W[0]))
    gamma = torch.exp(-2.0 * d2)
    assert torch.allclose(gamma / gamma.sum(0), W)
    assert torch.allclose(gamma.diagonal(), torch.ones_like(gamma[0])), "κ is 1 at distance 0"


def test_block_mass_is_the_share_of_the_weight_off_the_diagonal_that_is_within_classes():
    W = torch.tensor([[0.5, 0.1, 0.1], [0.3, 0.6, 0.1], [0.2, 0.3, 0.8]], device="cpu")
    labels = torch.tensor([0, 0, 1], device="cpu")
    assert block_mass(W, labels) == pytest.approx((0.1 + 0.3) / (0.1 + 0.1 + 0.3 + 0.1 + 0.2 + 0.3))


def test_scores_are_one_for_clusters_that_equal_the_classes_and_low_for_independent_ones():
    labels = torch.arange(4, device="cpu").repeat_interleave(4)
    equal = score_clusters(labels, (labels + 1) % 4)
    assert (equal.ari, equal.nmi, equal.acc) == pytest.approx((1, 1, 1))
    independent = score_clusters(labels, torch.arange(4, device="cpu").repeat(4))
    assert independent.nmi == pytest.approx(0, abs=1e-9)
    assert independent.acc == pytest.approx(0.25)
    generator = torch.Generator(device="cpu").manual_seed(0)
    drawn = [torch.randint(4, (16,), generator=generator, device="cpu") for _ in range(400)]
    average = sum(score_clusters(labels, one).ari for one in drawn) / len(drawn)
    assert average == pytest.approx(0, abs=0.03)


def test_h_contains_the_four_rotations_of_p4_and_p4m_also_has_mirror_images():
    assert "the four rotations by multiples of 90°" in GLOSSARY["h"]
    turn = torch.tensor([[0, -1], [1, 0]], device="cpu")
    powers = {tuple(map(tuple, turn.matrix_power(k).tolist())) for k in range(4)}
    assert {tuple(map(tuple, m)) for m in P4.matrices} == powers
    mirrored = [m for m in P4M.matrices if m[0][0] * m[1][1] - m[0][1] * m[1][0] == -1]
    assert (len(P4M), len(mirrored)) == (8, 4)


@pytest.fixture
def usage():
    """Four clusters of 200 images: 2, 58, 60 and 80, of which the first adds the least error."""
    share = torch.tensor([0.01, 0.29, 0.3, 0.4], device="cpu")
    error = torch.tensor([0.1, 1.0, 1.0, 2.0], device="cpu")
    loss = torch.tensor([0.05, 0.8, 0.9, 1.5], device="cpu")
    return Usage(share, error, loss, torch.full((4,), float(TRIAL_PERIODS), device="cpu"))


def test_a_prototype_is_reassigned_below_the_share_rho_of_n_over_k_images(usage):
    assert "reassigned if its cluster has less than this share of n/K images" in GLOSSARY["ρ"]
    K, share = len(usage.share), float(usage.share[0])
    assert usage.small((share * K + 0.01) / K) == [0]
    assert usage.small((share * K - 0.01) / K) == []


def test_a_prototype_is_replaced_if_removing_it_adds_less_than_epsilon_of_the_largest_error(usage):
    assert "adds less than this share of the largest cluster's error" in GLOSSARY["ε"]
    share = float(usage.loss[0] / usage.error[3])
    assert usage.needless(share + 0.001) == (0, 3)
    assert usage.needless(share - 0.001) is None


def test_a_thin_plate_spline_has_two_displacements_for_each_of_16_points():
    (bend,) = ThinPlateSpline().coordinates()
    assert (POINTS**2, bend.count) == (16, 32)
