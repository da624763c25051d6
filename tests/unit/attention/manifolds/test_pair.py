import math

import pytest
import torch

from ia_engine.attention.distances.alignment import Euclidean, GlobalSearch
from ia_engine.attention.manifolds.pair import SE2, PairConfig, align, solve
from ia_engine.attention.manifolds.rotation import make_sevens, measure_all, measure_row, rotate_one
from ia_engine.attention.manifolds.sample import MAX_SIDE, gather
from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.recipes import RECIPES
from tests.tensors import rand, tensor
from tests.unit.attention.scenes import drawing, experiment_1, turned


def crabs():
    return turned(drawing("crab"), (0, 0, 0), (50, 2, -3), (-20, -1, 2))


def test_both_solvers_move_the_first_image_onto_the_second():
    source, target = crabs()[:1], crabs()[1:2]
    solved = solve(source, target, PairConfig(sigma=1.5))
    assert solved.outcome == "found"
    assert solved.best.degrees == pytest.approx(50, abs=1)
    assert (align(source, solved.best) - target).square().sum() < 0.05
    assert float(solved.descent.theta[0]) == 0
    assert float(solved.descent.d2[0]) == pytest.approx(solved.euclid, rel=1e-4)


def test_the_snail_of_experiment_1_ends_in_a_wrong_basin_unless_it_is_smoothed():
    v, _ = experiment_1(seed=0)
    outcomes = [solve(v[17:18], v[12:13], PairConfig(sigma=sigma)).outcome for sigma in (0.0, 2.0)]
    assert outcomes == ["wrong", "found"]


def test_a_descent_that_has_not_converged_is_reported_as_still_moving():
    v, _ = experiment_1(seed=0)
    assert solve(v[1:2], v[:1], PairConfig(updates=60)).outcome == "moving"


def test_a_row_measured_alone_equals_the_same_row_of_all_distances():
    v = torch.cat([crabs(), drawing("snail"), drawing("seven")])
    row = measure_row(v, v[1:2])
    torch.testing.assert_close(row, GlobalSearch(SE2).align(v).d2[1], atol=0.03, rtol=0)


def test_rotating_an_image_keeps_its_invariant_row_and_changes_its_euclidean_row():
    v = torch.cat([crabs(), drawing("snail"), drawing("seven")])
    known = measure_all(v)
    still, now = (
        rotate_one(v, known, 0, degrees, beta=15, kernel_beta=2) for degrees in (0.0, 90.0)
    )
    assert float((still.ia - now.ia).abs().max()) < 0.03
    assert float(now.ka[0]) < 0.5 * float(still.ka[0])
    torch.testing.assert_close(known.ka, Euclidean().align(v).d2)
    assert still.lost == 0
    assert 0 <= now.lost < 0.03, "a rotation by 90° maps pixels to pixels"


def test_two_sevens_are_closer_to_each_other_than_to_the_three():
    v, known = make_sevens()
    d = known.ia.sqrt()
    assert v.shape == (3, 1, MAX_SIDE, MAX_SIDE)
    assert d[0, 1] < 0.7 * min(d[0, 2], d[1, 2])
    assert known.ka.sqrt()[0, 1] > d[0, 2], "pixel distances must give a different order"


def test_the_sample_is_ordered_by_class_and_its_images_are_small():
    names = tuple("abcdef")
    labels = tensor([1, 0, 1, 0, 1, 0], torch.int64)
    data = ImageSet(rand(6, 1, 100, 50), names, RECIPES["digits"], labels, ("x", "y"))
    few = gather(data)
    assert few.names == ("b", "d", "f", "a", "c", "e")
    assert few.labels == (0, 0, 0, 1, 1, 1)
    assert few.images.shape == (6, 1, MAX_SIDE, MAX_SIDE // 2)
    assert few.reduced
    assert (len(gather(data, 4).names), gather(data, 4).total) == (4, 6)
    norms = few.v.flatten(1).norm(dim=1)
    assert all(math.isclose(norm, 1, rel_tol=1e-5) for norm in norms.tolist())
