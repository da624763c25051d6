"""Every module is the identity at 0 and has a gradient there; all except morphology have an
inverse.
"""

import pytest
import torch
from kornia.morphology import dilation, erosion

from ia_engine.clustering.modules import MODULES, Canvas, Modules, parse
from ia_engine.errors import EngineError
from tests.tensors import blobs, rand, tensor
from tests.unit.clustering.scenes import digit, dilated

EVERY = pytest.mark.parametrize("name", MODULES)
MORPHOLOGIES = ("morphology", "morphology-signed")
INVERTIBLE = [name for name in MODULES if name not in MORPHOLOGIES]
PARTS = {
    "affine": 6, "projective": 8, "tps": 32, "color": 2, "color-full": 2, "morphology": 50,
    "morphology-signed": 50,
}  # fmt: skip


def build(name, v, outside="border"):
    return MODULES[name](name, Canvas(*v.shape[1:], outside), v)


def params(part, n, size=0.05, seed=0, dtype=torch.float64):
    return rand(n, part.count, low=-size, high=size, seed=seed, dtype=dtype)


@EVERY
@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("outside", ["border", "zeros"])
@pytest.mark.parametrize("size", [(28, 28), (7, 40), (1, 5), (128, 128)])
def test_with_parameters_of_zero_every_module_is_the_identity_to_a_millionth(
    name, channels, outside, size
):
    v = rand(2, channels, *size, dtype=torch.float32)
    part = build(name, v, outside)
    for same in (part.act, part.undo):
        found = same(v, v.new_zeros(2, part.count))
        torch.testing.assert_close(found, v, atol=1e-6, rtol=0)


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("channels", [1, 3])
def test_the_gradient_at_parameters_of_zero_does_not_vanish(name, channels):
    v = blobs(1, channels, size=15)
    part = build(name, v)
    at = v.new_zeros(1, part.count).requires_grad_()
    weights = rand(*v.shape, seed=8)
    (part.act(v, at) * weights).sum().backward()
    flat = at.grad.abs() < 1e-6
    # α and the centre of the window have no effect while a is 0 elsewhere. Of the other weights,
    # only those that a step would move into [0, 1] learn (tests/property/test_morphology.py).
    least, most = {"morphology": (2, 40), "morphology-signed": (2, 2)}.get(name, (0, 0))
    assert least <= flat.sum() <= most


def test_the_numbers_of_parameters_are_those_in_the_paper():
    v = rand(1, 1, 8, 8)
    assert {name: build(name, v).count for name in PARTS} == PARTS
    colourful = rand(1, 3, 8, 8)
    assert [build(name, colourful).count for name in ("color", "color-full")] == [6, 12]


@pytest.mark.parametrize("name", INVERTIBLE)
def test_undoing_a_module_restores_the_image(name):
    v = blobs(3, 3, size=64, sigma=9, reach=0.1)
    part = build(name, v, "zeros")
    at = params(part, 3)
    inside = (..., slice(12, -12), slice(12, -12))
    for there, back in ((part.act, part.undo), (part.undo, part.act)):
        error = (back(there(v, at), at) - v)[inside]
        assert error.abs().max() < 0.02
    if name != "identity":
        assert (part.act(v, at) - v)[inside].abs().max() > 0.05


@pytest.mark.parametrize("name", MORPHOLOGIES)
def test_morphology_is_not_undone(name):
    v = rand(1, 1, 8, 8)
    part = build(name, v)
    assert part.undo(v, params(part, 1)) is v


def test_sequences_are_undone_in_reverse_order():
    v = blobs(2, 1, size=41, sigma=4, reach=0.15)
    modules = Modules.build(("color", "affine", "projective"), Canvas(1, 41, 41, "border"), v)
    at = [params(part, 2, 0.15, seed=k) for k, part in enumerate(modules.parts)]
    at[1][:, 4:] += 0.2
    moved = modules.transform(v, at)
    right = (modules.undo(moved, at) - v).abs().mean()
    wrong = moved
    for part, values in zip(modules.parts, at, strict=True):
        wrong = part.undo(wrong, values)
    assert right < 0.01
    assert (wrong - v).abs().mean() > 3 * right


def test_each_module_acts_on_the_result_of_the_previous_one():
    v = rand(2, 1, 9, 9)
    modules = Modules.build(("affine", "morphology", "tps"), Canvas(1, 9, 9), v)
    at = [params(part, 2) for part in modules.parts]
    steps = list(modules.unfold(v, at))
    assert [name for name, _ in steps] == ["affine", "morphology", "tps"]
    torch.testing.assert_close(steps[-1][1], modules.transform(v, at))
    torch.testing.assert_close(modules.parts[1].act(steps[0][1], at[1]), steps[1][1])


def test_modules_that_have_not_started_are_skipped():
    v = rand(2, 1, 9, 9)
    modules = Modules.build(("affine", "tps"), Canvas(1, 9, 9), v)
    at = [params(modules.parts[0], 2)]
    torch.testing.assert_close(modules.transform(v, at), modules.parts[0].act(v, at[0]))


def test_only_warps_are_applied_to_variances():
    v = rand(2, 3, 9, 9)
    modules = Modules.build(("color", "affine", "morphology"), Canvas(3, 9, 9), v)
    at = [params(part, 2) for part in modules.parts]
    torch.testing.assert_close(modules.move(v, at), modules.parts[1].act(v, at[1]))


@pytest.mark.parametrize("name", MORPHOLOGIES)
@pytest.mark.parametrize(("alpha", "extreme"), [(60.0, dilation), (-60.0, erosion)])
def test_morphology_tends_to_dilation_and_erosion(name, alpha, extreme):
    v = torch.nn.functional.pad((rand(1, 1, 12, 12) > 0.7).double(), (3, 3, 3, 3))
    part = build(name, v)
    region = v.new_zeros(7, 7)
    region[2:5, 3] = region[3, 2:5] = 1
    added = region.clone()
    added[3, 3] -= 1
    at = torch.cat([tensor([alpha / 10]), added.flatten()])[None]
    expected = extreme(v, region, border_type="constant", border_value=0.0)
    torch.testing.assert_close(part.act(v, at), expected, atol=1e-5, rtol=0)


@pytest.mark.parametrize("name", MORPHOLOGIES)
def test_fitting_morphology_to_a_dilated_digit_halves_its_error_in_200_steps(name):
    v = digit()
    target = dilated(v)
    part = build(name, v)
    at = v.new_zeros(1, part.count).requires_grad_()
    first, second = (v.new_zeros(1, part.count) for _ in range(2))
    errors = []
    for step in range(1, 201):
        error = (part.act(v, at) - target).square().mean()
        (slope,) = torch.autograd.grad(error, at)
        errors.append(float(error.detach()))
        first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope.square()
        scale = (second / (1 - 0.999**step)).sqrt() + 1e-8
        at = (at - 0.01 * first / (1 - 0.9**step) / scale).detach().requires_grad_()
    assert errors[-1] < 0.5 * errors[0]


@pytest.mark.parametrize("text", ["affine,morph", "tps;affine", ",".join(["affine"] * 9)])
def test_an_invalid_sequence_is_refused_with_one_message(text):
    with pytest.raises(
        EngineError,
        match=r"^sequence must be a comma-separated list of at most 8 names from identity, affine",
    ):
        parse(text)


def test_an_empty_sequence_is_the_identity():
    assert parse("") == parse("identity") == parse(" , ") == ()
    assert parse(" affine , tps ") == ("affine", "tps")
