import numpy as np
import pytest
import torch

from ia_engine.attention.distances.alignment import Euclidean, GlobalSearch
from ia_engine.attention.distances.bounds import SCALES
from ia_engine.attention.distances.descent import CANVAS, Descent
from ia_engine.attention.distances.schedules import Annealed, Constant, Greedy
from ia_engine.attention.iteration import normalise
from ia_engine.images import blur
from ia_engine.transforms import GROUPS
from tests.tensors import blobs, rand, tensor
from tests.unit.attention.reference import turn
from tests.unit.attention.scenes import corner_error, drawing, experiment_1, near, turned

EVERY_GROUP = pytest.mark.parametrize("group", GROUPS.values(), ids=GROUPS.keys())
SE2 = GROUPS["se2"]
PLAIN = Constant()
WRONG = 0.1
"""Lower bound of d² for two copies of one drawing that were not aligned."""
READING = 2e-3
"""Error of d² caused by linear interpolation between the values of the lattice."""


def smooth(n=2, seed=0):
    return normalise(blobs(n, size=41, sigma=3.0, reach=0.15, seed=seed))


def states(v, **options):
    return list(Descent(SE2, **options).descend(v))


def test_states_are_numbered_starting_with_the_identity_and_are_never_modified():
    v = smooth(4)
    held = [
        (state, state.tau.clone(), state.objective.clone(), state.sigma.clone())
        for state in Descent(SE2, steps=6).descend(v)
    ]
    assert [state.k for state, *_ in held] == list(range(7))
    for state, *copies in held:
        assert all(map(torch.equal, (state.tau, state.objective, state.sigma), copies))
    first = held[0][0]
    assert (first.tau == 0).all()
    assert (first.sigma == 0).all()
    euclid = Euclidean().align(v).d2
    for j, row in enumerate(first.index.tolist()):
        torch.testing.assert_close(first.objective[j], euclid[row, j])


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_the_descent_aligns_every_pair(n):
    first = states(smooth(n), steps=1)[0]
    found = {frozenset((i, j)) for j, row in enumerate(first.index.tolist()) for i in row}
    assert found == {frozenset((i, j)) for i in range(n) for j in range(i)}


def test_the_first_step_is_the_numerical_gradient_in_the_metric_of_the_edges():
    v = smooth(2, seed=3)
    state = states(v, schedule=PLAIN, steps=1, rate=0.5)[1]
    source, target = (v[k, 0].numpy() for k in (state.index[0, 0], 0))

    def objective(pose):
        return (source**2).sum() + (target**2).sum() - 2 * (turn(source, *pose) * target).sum()

    nudges = 1e-4 * np.eye(3)
    slope = np.array([(objective(x) - objective(-x)) / 2e-4 for x in nudges])
    p, q = np.meshgrid(*[np.arange(41) - 20.0] * 2, indexing="ij")
    power = sum(d**2 for d in np.gradient(target))
    motions = np.stack(
        [np.stack([q, -p]), np.stack([p * 0 + 1, p * 0]), np.stack([p * 0, p * 0 + 1])]
    )
    metric = 2 * np.einsum("hw,axhw,bxhw->ab", power, motions, motions)
    wanted = -0.5 * np.linalg.solve(metric, slope)
    np.testing.assert_allclose(state.tau[0, 0].numpy(), wanted, rtol=0.06, atol=0.005)


def test_the_greedy_schedule_chooses_the_level_whose_step_lowers_the_unsmoothed_objective_most():
    v, levels = turned(drawing(), (0, 0, 0), (25, 2, -3), (60, -3, 1)), (1 / 6, 1 / 24, 0.0)
    chosen = states(v, schedule=Greedy(levels), steps=1)[1]
    single = [states(v, schedule=Constant(level), steps=1)[1] for level in levels]
    for j, row in enumerate(chosen.index.tolist()):
        for k in range(len(row)):
            objectives = [float(one.objective[j, k]) for one in single]
            best = objectives.index(min(objectives))
            assert float(chosen.sigma[j, k]) == pytest.approx(48 * levels[best])
            assert torch.equal(chosen.tau[j, k], single[best].tau[j, k])
    assert len(chosen.sigma.unique()) > 1


def test_the_annealed_schedule_passes_through_the_levels_in_order():
    v, levels = smooth(2), (0.1, 0.0)
    found = states(v, schedule=Annealed(levels), steps=4)
    assert [float(state.sigma[0, 0]) for state in found] == pytest.approx([0, 4.1, 4.1, 0, 0])
    only = states(v, schedule=Constant(0.1), steps=4)
    assert torch.equal(found[2].tau, only[2].tau)


@EVERY_GROUP
def test_steps_at_a_rate_of_one_descend_to_a_nearby_copy(group):
    v = smooth(1, seed=6)
    truth = near(group, 2, part=0.5)
    pair = torch.cat([group.unitary(v, truth), v])
    solver = Descent(group, schedule=PLAIN, steps=100)
    objective = torch.stack([state.objective[0, 0] for state in solver.descend(pair)])
    assert (objective.diff() < READING).all()
    found = solver.align(pair)
    assert found.d2[0, 1] < 0.01 * objective[0] + 1e-3
    assert corner_error(group, found.tau[1, 0], truth[0], 20) < 1


@EVERY_GROUP
@pytest.mark.parametrize("objective", [Descent.objective, CANVAS], ids=["d2", "canvas"])
@pytest.mark.parametrize("shape", [(1, 1, 8, 8), (2, 3, 9, 14), (3, 1, 13, 7)])
def test_distances_are_symmetric_and_at_most_the_euclidean_distance(group, objective, shape):
    v = rand(*shape, seed=2)
    found = Descent(group, steps=5, objective=objective).align(v)
    assert found.tau.shape == (shape[0], shape[0], group.dimension())
    assert torch.equal(found.d2, found.d2.T)
    assert (found.d2.diagonal() == 0).all()
    assert (found.d2 >= 0).all()
    assert (found.d2 <= Euclidean().align(v).d2 + 1e-9).all()
    assert (found.tau.diagonal() == 0).all()


@EVERY_GROUP
def test_a_blank_image_is_not_near_any_image_with_content(group):
    v = torch.cat([smooth(2), torch.zeros_like(smooth(2))])
    found = Descent(group, steps=5).align(v)
    torch.testing.assert_close(found.d2[:2, 2:], torch.ones_like(found.d2[:2, 2:]))
    assert found.d2[2, 3] == 0
    assert found.tau.isfinite().all()


def test_the_pose_warps_the_first_image_onto_the_second():
    v = turned(drawing(), (0, 0, 0), (20, 2, -1), (-15, -2, 1))
    found = Descent(SE2).align(v)
    for i in range(3):
        for j in range(3):
            moved = SE2.act(v[i : i + 1], found.tau[i, j][None])
            assert (moved - v[j]).square().sum() < 0.05


def test_smoothing_of_the_objective_compares_smoothed_images():
    v = smooth(3)
    found = Descent(SE2, sigma=1.5, steps=5).align(v)
    torch.testing.assert_close(found.d2, Descent(SE2, steps=5).align(blur(v, 1.5)).d2)


def test_smoothing_commutes_with_transformations():
    v, tau = drawing(), tensor([[0.7, 2.3, -1.6]])
    torch.testing.assert_close(
        SE2.act(blur(v, 3), tau), blur(SE2.act(v, tau), 3), atol=2e-3, rtol=0
    )


@pytest.mark.parametrize("name", ["similarity", "affine", "projective"])
def test_images_are_not_scaled_beyond_the_bounds(name):
    group, v = GROUPS[name], torch.cat([drawing("crab", fill=0.3), drawing("crab", fill=0.9)])
    for state in Descent(group, rate=4.0, steps=30).descend(v):
        matrix = group.matrix(state.tau)
        linear = matrix[..., :2, :2] - matrix[..., :2, 2:] * matrix[..., 2:, :2]
        size = torch.linalg.svdvals(linear)
        assert size.min() > SCALES[0] - 1e-6
        assert size.max() < SCALES[1] + 1e-6
        assert group.contains(matrix)


def test_smoothing_avoids_wrong_basins_and_the_global_search_never_ends_in_one():
    v, labels = experiment_1(seed=1)
    v, labels = v[::2], labels[::2]
    same = (labels[:, None] == labels).triu(1)
    within = {
        name: solver.align(v).d2[same]
        for name, solver in {
            "none": Descent(SE2, schedule=PLAIN),
            "annealed": Descent(SE2),
            "greedy": Descent(SE2, schedule=Greedy(), steps=30),
            "global": GlobalSearch(SE2),
        }.items()
    }
    wrong = {name: int((d2 > WRONG).sum()) for name, d2 in within.items()}
    assert wrong["none"] > wrong["greedy"] >= wrong["annealed"] > wrong["global"] == 0
    assert within["none"].mean() > 2 * within["annealed"].mean()
    assert within["annealed"].mean() > 2 * within["global"].mean()
