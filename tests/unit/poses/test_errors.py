"""Pose errors: independent of the pose of each class, and equal to a reference in plain Python."""

import cmath
import math

import pytest
import torch

from ia_engine.poses.errors import ANY, compare_poses
from tests.tensors import rand

WIDTH = 64
CLASSES = (0, 0, 0, 0, 1, 1, 1, 2)


def rigid(theta, down, right):
    """The matrix of τ(p, q) = A(θ)(p, q)ᵀ + b, as a list of rows."""
    cos, sin = math.cos(theta), math.sin(theta)
    return [[cos, sin, down], [-sin, cos, right], [0.0, 0.0, 1.0]]


def matrices(poses):
    return torch.tensor([rigid(*pose) for pose in poses], device="cpu", dtype=torch.float64)


def draw_poses(n, seed, angle=3.0, shift=8.0):
    scale = torch.tensor([angle, shift, shift], device="cpu", dtype=torch.float64)
    return (rand(n, 3, seed=seed, low=-1.0, high=1.0) * scale).tolist()


def relative(true, errors=None):
    """F_ij = M_i⁻¹ E_i M_j: the matrices that warp copy i onto copy j, with an error E_i."""
    n = len(true)
    errors = (
        torch.eye(3, device="cpu", dtype=torch.float64).expand(n, 3, 3)
        if errors is None
        else errors
    )
    return torch.linalg.inv(true)[:, None] @ errors[:, None] @ true[None]


def distances(n, centre):
    """Distances under which the given copy of each class is the most central one."""
    d2 = torch.ones(n, n, device="cpu")
    d2[:, centre] = d2[centre, :] = 0.1
    return d2.fill_diagonal_(0)


def labels(values=CLASSES):
    return torch.tensor(values, device="cpu")


def test_correct_poses_have_no_error_whatever_the_true_poses_are():
    true = matrices(draw_poses(8, 0))
    found = compare_poses(true, relative(true), distances(8, [1, 5]), labels(), width=WIDTH)
    assert found.rows.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert found.skipped == 1
    assert found.angle.abs().max() < 1e-9
    assert found.shift.abs().max() < 1e-9


def test_a_common_pose_of_each_class_is_not_an_error():
    poses, turn = draw_poses(8, 1), matrices([(1.2, 5.0, -4.0)])
    true = matrices(poses)
    moved = torch.cat([turn @ true[:4], true[4:]])
    d2 = distances(8, [0, 4])
    one = compare_poses(true, relative(true), d2, labels(), width=WIDTH)
    other = compare_poses(moved, relative(true), d2, labels(), width=WIDTH)
    torch.testing.assert_close(one.angle, other.angle, atol=1e-9, rtol=0)
    torch.testing.assert_close(one.shift, other.shift, atol=1e-9, rtol=0)
    assert other.absolute[:4].abs().max() > 1, "before the common pose is removed"


def reference_errors(true, found, reference, common):
    """The errors of one class, with rigid motions as pairs of complex numbers (rotation, shift)."""

    def to_pair(matrix):
        (a, b, p), (_, _, q), _ = matrix.tolist()
        return complex(a, -b), complex(p, q)  # the point (p, q) is p + iq

    def compose(one, other):
        return one[0] * other[0], one[0] * other[1] + one[1]

    def invert(one):
        return 1 / one[0], -one[1] / one[0]

    both = [compose(to_pair(m), to_pair(f[reference])) for m, f in zip(true, found, strict=True)]
    errors = [compose(invert(both[common]), one) for one in both]
    return [(-math.degrees(cmath.phase(r)), b.real, b.imag) for r, b in errors]


def test_the_errors_equal_those_of_a_reference_with_complex_numbers():
    true = matrices(draw_poses(7, 2))
    noise = matrices(draw_poses(7, 3, angle=0.3, shift=2.0))
    F = relative(true, noise)
    found = compare_poses(true, F, distances(7, [2]), labels((0,) * 7), width=WIDTH)
    common = int((found.angle.abs() + found.shift.norm(dim=1)).argmin())
    wanted = torch.tensor(reference_errors(true, F, 2, common), device="cpu", dtype=torch.float64)
    torch.testing.assert_close(found.angle, wanted[:, 0], atol=1e-9, rtol=0)
    torch.testing.assert_close(found.shift, wanted[:, 1:], atol=1e-9, rtol=0)
    assert found.median_angle == pytest.approx(float(wanted[:, 0].abs().median()))


def test_a_wrong_pose_does_not_cause_errors_for_other_copies():
    true = matrices(draw_poses(6, 4))
    errors = matrices([(0, 0, 0)] * 3 + [(math.radians(40), 0, 0)] + [(0, 0, 0)] * 2)
    found = compare_poses(
        true, relative(true, errors), distances(6, [0]), labels((0,) * 6), width=WIDTH
    )
    assert found.angle.abs().sort().values.tolist() == pytest.approx([0] * 5 + [40], abs=1e-9)
    assert abs(float(found.angle[3])) == pytest.approx(40)


@pytest.mark.parametrize(("order", "left"), [(1, 95.0), (2, 85.0), (4, 5.0)])
def test_a_rotation_that_the_symmetry_of_the_shape_allows_is_not_an_error(order, left):
    true = matrices(draw_poses(5, 5))
    errors = matrices([(0, 0, 0)] * 4 + [(math.radians(95), 0, 0)])
    found = compare_poses(
        true,
        relative(true, errors),
        distances(5, [1]),
        labels((0,) * 5),
        width=WIDTH,
        orders=[order],
    )
    assert abs(float(found.angle[4])) == pytest.approx(left)


def test_the_angle_of_a_disc_is_unknown_but_its_translation_is_not():
    true = matrices(draw_poses(3, 6))
    found = compare_poses(
        true, relative(true), distances(3, [0]), labels((0,) * 3), width=WIDTH, orders=[ANY]
    )
    assert found.angle.isnan().all()
    assert found.median_angle is None
    assert found.median_shift == pytest.approx(0, abs=1e-9)


def test_poses_of_pairs_that_were_not_compared_exactly_are_omitted():
    """Copy 3 is the most central one by its rough distances, and its poses are wrong."""
    true = matrices(draw_poses(8, 8))
    found, d2 = relative(true), distances(8, [0, 5])
    d2[3] = d2[:, 3] = 0.01
    rough = torch.zeros(8, 8, dtype=torch.bool, device="cpu")
    for other in (0, 1, 2):
        rough[3, other] = rough[other, 3] = True
        found[3, other] = found[other, 3] = matrices([(2.0, 9.0, 9.0)])[0]
    rough[4:7, 4:7] = True
    shown = compare_poses(true, found, d2.fill_diagonal_(0), labels(), width=WIDTH, rough=rough)
    assert shown.rows.tolist() == [0, 1, 2]
    assert (shown.skipped, shown.unknown) == (1, 4)
    assert shown.angle.abs().max() < 1e-9
    assert shown.shift.abs().max() < 1e-9


def test_a_single_image_per_class_has_no_errors():
    true = matrices(draw_poses(2, 7))
    found = compare_poses(true, relative(true), distances(2, [0]), labels((0, 1)), width=WIDTH)
    assert (len(found.rows), found.skipped) == (0, 2)
    assert found.median_angle is found.median_shift is None
