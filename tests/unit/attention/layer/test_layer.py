import math

import pytest
import torch
from torch.func import functional_call

from ia_engine.attention.layer import layer
from ia_engine.attention.layer.layer import InvariantAttention, attend_turned, unit
from ia_engine.attention.layer.views import PatchViews, cut_patches, orbit, turning
from ia_engine.attention.weights import weigh
from ia_engine.errors import EngineError
from ia_engine.transforms import GROUPS
from tests.tensors import blobs, rand, tensor

SIZE, TURNS, FEATURES = 9, 8, 6


def network(turns=TURNS, channels=2, dtype=torch.float64):
    """The views and the layer, with the same parameters on every default device."""
    views = PatchViews(channels, SIZE, FEATURES, turns, device="cpu", dtype=dtype)
    attend = InvariantAttention(FEATURES, heads=2, device="cpu", dtype=dtype)
    parameters = [*views.parameters(), *attend.parameters()]
    with torch.no_grad():
        for seed, parameter in enumerate(parameters):
            parameter.copy_(rand(*parameter.shape, seed=seed, low=-1, high=1))
    return views, attend


def some_patches(b=2, n=5, channels=2, seed=0, dtype=torch.float64):
    return rand(b, n, channels, SIZE, SIZE, seed=seed, dtype=dtype)


def turn_each(x, quarters):
    return torch.stack(
        [x[:, i].rot90(k, (-2, -1)) for i, k in zip(range(x.shape[1]), quarters, strict=True)], 1
    )


def features(views, attend, x):
    return attend(views(x)).amax(2)


def test_invariant_features_do_not_change_when_patches_rotate_by_90_degrees():
    views, attend = network()
    x = some_patches()
    turned = features(views, attend, turn_each(x, (1, 0, 3, 2, 1)))
    torch.testing.assert_close(turned, features(views, attend, x))


def test_the_output_rotates_with_its_own_patch_and_with_no_other_patch():
    views, attend = network()
    x = some_patches()
    before = attend(views(x))
    after = attend(views(turn_each(x, (1, 0, 0, 0, 0))))
    torch.testing.assert_close(after[:, 0], before[:, 0].roll(-TURNS // 4, 1))
    torch.testing.assert_close(after[:, 1:], before[:, 1:])


def test_features_of_smooth_patches_change_little_under_any_rotation():
    views, attend = network(turns=32, channels=1)
    smooth = blobs(6, size=SIZE, sigma=1.6, reach=0.12)
    angles = rand(6, 1, seed=3, low=-math.pi, high=math.pi)
    turned = GROUPS["rotation"].act(smooth, angles)
    before, after = (features(views, attend, v[None]) for v in (smooth, turned))
    floor = (after - before).abs().max() / before.std()
    print(f"\nrandom rotations change the features by {floor:.4f} of their spread")
    assert floor < 0.05


def test_gradients_agree_with_finite_differences():
    views, attend = network(turns=4, channels=1)
    x = some_patches(1, 3, 1).requires_grad_()
    assert torch.autograd.gradcheck(lambda x: features(views, attend, x), (x,))
    parameters = dict(attend.named_parameters())
    viewed = views(x).detach()

    def run(*values):
        return functional_call(attend, dict(zip(parameters, values, strict=True)), (viewed,))

    assert torch.autograd.gradcheck(run, tuple(parameters.values()))


def attend_by_loops(k, q, beta):
    """Section 2, pair by pair: the distance over all rotations, W, and the aligned mean."""
    n, turns = k.shape[:2]
    d2, mean = tensor([[0.0] * n] * n), torch.zeros_like(q)
    best = [[0] * n for _ in range(n)]
    for i in range(n):
        for j in range(n):
            at = tensor([float((k[i].roll(-s, 0) - q[j]).square().sum()) for s in range(turns)])
            d2[i, j], best[i][j] = at.min(), int(at.argmin())
    W = weigh(d2, beta)
    for j in range(n):
        mean[j] = sum(W[i, j] * k[i].roll(-best[i][j], 0) for i in range(n))
    return mean


def test_without_learned_maps_the_layer_computes_the_kernel_and_the_aligned_mean_of_the_paper():
    x = unit(orbit(some_patches(1, 4), TURNS))
    found = attend_turned(x, x, x, tensor([7.0]))[0]
    torch.testing.assert_close(found, attend_by_loops(x[0], x[0], 7.0))


def test_patches_that_differ_by_a_rotation_become_equal():
    x = some_patches(1, 1).repeat(1, 3, 1, 1, 1)
    x = turn_each(x, (0, 1, 2))
    views = unit(orbit(x, TURNS))
    torch.testing.assert_close(attend_turned(views, views, views, tensor([3.0])), views)


def test_blocks_of_queries_give_the_same_output_and_gradient(monkeypatch):
    views, attend = network()
    x = some_patches()

    def run():
        y = attend(views(x))
        (y * rand(*y.shape, seed=9)).sum().backward()
        found = [y.detach(), *(p.grad.clone() for p in attend.parameters())]
        attend.zero_grad()
        return found

    whole = run()
    monkeypatch.setattr(layer, "LARGEST", 2 * 2 * TURNS * 5 * 2)
    for ours, expected in zip(run(), whole, strict=True):
        torch.testing.assert_close(ours, expected)


def test_views_are_inner_products_of_the_templates_with_the_rotated_patch():
    views, _ = network()
    x = some_patches()
    by_hand = orbit(x, TURNS) @ views.templates.flatten(1).mT + views.bias
    torch.testing.assert_close(views(x), by_hand)


def test_a_rotation_by_90_degrees_is_exact_within_the_disc():
    x = some_patches(1, 1)
    views = orbit(x, 4)[0, 0].unflatten(-1, x.shape[2:])
    torch.testing.assert_close(views[1], views[0].rot90(1, (-2, -1)))
    assert turning(SIZE, 4, x).shape == (4, SIZE**2, SIZE**2)


def test_patches_are_cut_row_by_row():
    v = rand(2, 3, 8, 8)
    patches = cut_patches(v, 4, 2)
    assert patches.shape == (2, 9, 3, 4, 4)
    torch.testing.assert_close(patches[:, 5], v[..., 2:6, 4:8])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_output_has_the_device_and_data_type_of_the_input(dtype):
    views, attend = network(dtype=dtype)
    y = attend(views(some_patches(dtype=dtype)))
    assert y.dtype == dtype
    assert y.device.type == "cpu"
    assert y.shape == (2, 5, TURNS, FEATURES)


def test_an_error_names_the_wrong_argument():
    with pytest.raises(EngineError, match="multiple of heads"):
        InvariantAttention(6, heads=4, device="cpu")
    for heads, beta in ((0, 10.0), (-2, 10.0), (2, 0.0), (2, math.inf), (2, math.nan)):
        with pytest.raises(EngineError, match="heads must be positive"):
            InvariantAttention(6, heads, beta, device="cpu")
    with pytest.raises(EngineError, match="turns must be at least 1"):
        PatchViews(1, 4, 6, 0, device="cpu")
    with pytest.raises(EngineError, match="b n t 6"):
        InvariantAttention(6, device="cpu")(rand(2, 3, 6))
