"""Attention maps of a network, layer by layer and composed."""

import pytest
import torch

from ia_engine.equivariant.groups import P4, act, act_plane
from ia_engine.equivariant.maps import compose, name_layers, picture_convolution, trace
from ia_engine.equivariant.measures import compare_strides
from ia_engine.equivariant.networks import build_network, calibrate_batch_norm
from ia_engine.errors import EngineError
from tests.tensors import rand
from tests.unit.equivariant.reference import all_responses
from tests.unit.equivariant.scenes import builder, generator

V = rand(2, 1, 28, 28)
ATTENTIVE = pytest.mark.parametrize(
    "name", ["alpha-f-p4", "alpha-rh-p4", "alpha-ch-p4", "alpha-sp-p4", "alpha-p4"]
)


def make(name):
    return calibrate_batch_norm(
        build_network(name, generator(), device="cpu", dtype=torch.float64), V
    )


@ATTENTIVE
def test_every_layer_has_maps_between_0_and_1_for_every_pose(name):
    found = trace(make(name), V[:2])
    assert [layer.name for layer in found.maps] == [f"layer {k}" for k in range(1, 8)]
    for layer in found.maps:
        assert layer.spatial.shape[:2] == (2, 4)
        assert layer.channel.shape[::2] == (2, 4)
        assert layer.minus.shape == (*layer.channel.shape, *layer.spatial.shape[2:])
        assert 0 <= layer.minus.min() <= layer.minus.max() <= 1
        torch.testing.assert_close(layer.plus + layer.minus, torch.ones_like(layer.plus))
    torch.testing.assert_close(found.probabilities.sum(1), torch.ones_like(V[:2, 0, 0, 0]))


def test_the_attenuation_of_the_input_is_the_product_of_its_maps():
    network = make("alpha-f-p4")
    found = trace(network, V[:1])
    layer = name_layers(network)["layer 2"]
    f = rand(1, 10, 4, 26, 26)
    maps = layer.maps(f)
    wanted = f - (maps.spatial[:, None] * maps.channel[..., None, None]) * f
    torch.testing.assert_close(layer.attention(f), wanted)
    assert found.maps[1].spatial.shape == (1, 4, 26, 26)


def test_composed_maps_rotate_with_the_image():
    network = make("alpha-f-p4")
    upright, turned = (
        compose(trace(network, v).maps, P4, 28, "removed", cells=7)
        for v in (V, act_plane(P4, 1, V))
    )
    torch.testing.assert_close(turned.heat, act_plane(P4, 1, upright.heat))
    torch.testing.assert_close(turned.by_element, act(P4, 1, upright.by_element[:, None])[:, 0])
    p, q = act_plane(P4, 1, upright.quiver.movedim(-1, 1)).unbind(1)
    torch.testing.assert_close(turned.quiver, torch.stack([-q, p], -1))


def test_maps_are_multiplied_over_layers_and_summed_over_poses():
    maps = trace(make("alpha-f-p4"), V[:1]).maps[:1]
    composed = compose(maps, P4, 28)
    torch.testing.assert_close(composed.by_element, 1 - maps[0].spatial)
    torch.testing.assert_close(composed.heat, (1 - maps[0].spatial).sum(1))


def test_missing_maps_and_an_unknown_polarity_are_refused():
    with pytest.raises(EngineError, match="attention"):
        compose(trace(make("p4"), V).maps, P4, 28)
    with pytest.raises(EngineError, match="one of kept, removed"):
        compose(trace(make("alpha-rh-p4"), V).maps, P4, 28, "both")


def test_tracing_does_not_change_the_network():
    network = make("alpha-f-p4").train()
    trace(network, V)
    assert network.training
    assert not any(module._forward_hooks for module in network.modules())


@pytest.mark.parametrize("layer", [1, 4])
@pytest.mark.parametrize("name", ["p4", "alpha-f-p4", "alpha-p4", "alpha-ch-p4", "alpha-sp-p4"])
def test_a_picture_of_a_convolution_contains_its_parts(name, layer):
    network = make(name)
    found = picture_convolution(network, V[:1], layer, output=1)
    depth = 1 if layer == 1 else 4
    assert found.filters.shape == (4, depth, 3, 3)
    assert found.responses.shape[:2] == (4, depth)
    assert found.circulant.shape == (4, depth)
    assert (found.attention is None) == (name == "p4")
    if found.attention is not None:
        assert found.attention.shape[:2] == (4, depth)
    chosen = name_layers(network)[f"layer {layer}"]
    if layer == 1:
        R = all_responses(chosen, V[:1, :, None])
        torch.testing.assert_close(found.responses, R[0, 1, :, 0])


class Two(torch.nn.Module):
    """A lifting convolution and a group convolution, both with attention."""

    def __init__(self):
        super().__init__()
        build = builder(P4, "full")
        self.first, self.second = build.lift(1, 3, 3), build.convolve(3, 2, 3)

    def forward(self, v):
        return self.second(self.first(v[:, :, None]))


def test_weighted_responses_of_all_channels_add_up_to_the_result():
    parts = [picture_convolution(Two(), V[:1, :, :9, :9], 2, 1, i) for i in range(3)]
    total = sum((part.attention * part.responses).sum(1) for part in parts)
    torch.testing.assert_close(total, parts[0].result)


def test_missing_layers_and_channels_are_refused():
    for layer, output in ((9, 0), (1, 10)):
        with pytest.raises(EngineError):
            picture_convolution(make("p4"), V[:1], layer, output)


@pytest.mark.parametrize(
    ("side", "stride", "pooled", "exact"),
    [
        (8, 2, False, False),
        (9, 2, False, True),
        (8, 1, True, True),
        (9, 1, True, False),
        (8, 1, False, True),
    ],
)
def test_the_exactness_of_a_stride_depends_on_parity(side, stride, pooled, exact):
    found = compare_strides(side, stride, pooled=pooled)
    assert found.exact == exact
    assert found.error <= 1e-6 if exact else found.error > 0.1
    torch.testing.assert_close(found.difference, found.turned_back - found.response)
