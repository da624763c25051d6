"""Attention computed during the convolution agrees with its formulas for stored responses."""

import pytest
import torch

from ia_engine.equivariant import responses
from ia_engine.equivariant.groups import P4, P4M
from ia_engine.equivariant.responses import Window, mean_patch, pool_over_channels
from tests.tensors import rand
from tests.unit.equivariant import reference
from tests.unit.equivariant.scenes import builder, features

KINDS = pytest.mark.parametrize("attention", ["ch", "sp", "full"])


def make(group, attention, lifts, dtype=torch.float64):
    build = builder(group, attention, dtype=dtype)
    layer = build.lift(2, 3, 3, padding=1) if lifts else build.convolve(2, 3, 3, padding=1)
    return layer, features(None if lifts else group, channels=2, side=6, dtype=dtype)


@KINDS
@pytest.mark.parametrize("lifts", [True, False])
@pytest.mark.parametrize("group", [P4, P4M], ids=["p4", "p4m"])
def test_results_and_attention_maps_agree_with_the_formulas(group, attention, lifts):
    for dtype, limit in ((torch.float32, 1e-6), (torch.float64, 1e-13)):
        layer, f = make(group, attention, lifts, dtype)
        wanted, alpha_c, alpha_x = reference.attend(layer, f)
        assert (layer(f) - wanted).abs().max() <= limit * wanted.abs().max()
        maps = layer.maps(f)
        if maps.channel is not None:
            torch.testing.assert_close(maps.channel, alpha_c.permute(0, 3, 4, 1, 2))
        if maps.spatial is not None:
            torch.testing.assert_close(maps.spatial, alpha_x.permute(0, 3, 1, 2, 4, 5))


@KINDS
@pytest.mark.parametrize("lifts", [True, False])
def test_gradients_agree_with_the_formulas(attention, lifts):
    layer, f = make(P4, attention, lifts)
    inputs = [f.requires_grad_(), *layer.parameters()]
    found, wanted = layer(f), reference.attend(layer, f)[0]
    g = rand(*found.shape, seed=5, low=-1)
    pairs = zip(
        torch.autograd.grad(found, inputs, g), torch.autograd.grad(wanted, inputs, g), strict=True
    )
    for got, due in pairs:
        assert due.norm() > 0
        assert (got - due).norm() <= 1e-9 * due.norm()


@pytest.mark.parametrize("attention", ["f", "rh"])
@pytest.mark.parametrize("lifts", [True, False])
@pytest.mark.parametrize("group", [P4, P4M], ids=["p4", "p4m"])
def test_attention_to_the_input_and_its_gradients_agree_with_the_formulas(group, attention, lifts):
    for dtype, limit in ((torch.float32, 1e-6), (torch.float64, 1e-13)):
        layer, f = make(group, attention, lifts, dtype)
        inputs = [f.requires_grad_(), *layer.parameters()]
        found, wanted = layer(f), reference.attend_input(layer, f)
        assert (found - wanted).abs().max() <= limit * wanted.abs().max()
        g = rand(*found.shape, seed=5, low=-1, dtype=dtype)
        for got, due in zip(
            torch.autograd.grad(found, inputs, g),
            torch.autograd.grad(wanted, inputs, g),
            strict=True,
        ):
            assert due.norm() > 0
            assert (got - due).norm() <= 1e-4 * due.norm()


@pytest.mark.parametrize("chunk", [1, 700, 3000])
def test_the_size_of_the_chunks_does_not_change_results_or_gradients(monkeypatch, chunk):
    layer, f = make(P4, "full", lifts=False)
    inputs = [f.requires_grad_(), *layer.parameters()]

    def both():
        out = layer(f)
        return [out, *torch.autograd.grad(out.square().sum(), inputs)]

    whole = both()
    monkeypatch.setattr(responses, "CHUNK", chunk)
    for got, due in zip(both(), whole, strict=True):
        torch.testing.assert_close(got, due)


@pytest.mark.parametrize("chunk", [1, 1_000_000])
def test_channels_with_the_same_maximum_share_its_gradient(monkeypatch, chunk):
    monkeypatch.setattr(responses, "CHUNK", chunk)
    window = Window(3, 1, 1)
    f = rand(2, 1, 2, 5, 5, seed=3).repeat(1, 4, 1, 1, 1)
    filters = rand(1, 2, 3, 9, seed=4).repeat(4, 1, 1, 1)
    inputs = [f, filters, rand(2, 1, 2, 3, seed=5).repeat(1, 4, 1, 1)]
    inputs[0][:, 2] *= 0.5  # three of the four channels are the same
    inputs = [x.requires_grad_() for x in inputs]
    R = torch.einsum("nitkp,itok->nitop", window.unfold(f), filters) * inputs[2][..., None]
    g = rand(*R.shape[:1], *R.shape[2:], seed=6)
    _, top = pool_over_channels(*inputs, window)
    got = torch.autograd.grad(top, inputs, g)
    for found, due in zip(got, torch.autograd.grad(R.amax(1), inputs, g), strict=True):
        torch.testing.assert_close(found, due)


@pytest.mark.parametrize(
    ("kernel", "stride", "padding"), [(1, 1, 0), (3, 1, 0), (3, 2, 1), (2, 2, 1)]
)
def test_patches_equal_those_of_torch_and_folding_is_the_transpose_of_unfolding(
    kernel, stride, padding
):
    window, f = Window(kernel, stride, padding), rand(2, 3, 2, 7, 7)
    patches = window.unfold(f)
    wanted = torch.nn.functional.unfold(f.flatten(1, 2), kernel, 1, padding, stride)
    assert torch.equal(patches, wanted.view_as(patches))
    other = rand(*patches.shape, seed=1)
    torch.testing.assert_close((patches * other).sum(), (f * window.fold(other, f)).sum())
    torch.testing.assert_close(mean_patch(f, window), patches.mean(-1))


def test_the_tensor_of_all_responses_is_never_stored_for_the_gradient():
    layer, f = make(P4, "full", lifts=False)
    kept = []
    with torch.autograd.graph.saved_tensors_hooks(
        lambda x: kept.append(x.numel()) or x, lambda x: x
    ):
        layer(f.requires_grad_())
    everything = reference.all_responses(layer, f).numel()
    assert max(kept) <= everything / f.shape[1]
