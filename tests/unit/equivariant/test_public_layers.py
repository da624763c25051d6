"""GroupConv and AttentiveGroupConv: equivariant, seeded, and equal to the layers of the paper."""

import pytest
import torch

from ia_engine import AttentiveGroupConv, GroupConv
from ia_engine.equivariant.architectures import ATTENTIONS
from ia_engine.equivariant.groups import P4, P4M, act
from ia_engine.equivariant.layers import Convolution
from ia_engine.errors import EngineError
from tests.tensors import rand

CPU = {"device": "cpu", "dtype": torch.float64}
GROUPS = {"p4": P4, "p4m": P4M}


def make(attention, lifts, group, seed=0):
    source = 1 if lifts else 2
    if attention == "none":
        return GroupConv(source, 2, 3, group, lifts=lifts, seed=seed, **CPU).eval()
    own = {"attention": attention, "window": 3, "lifts": lifts, "seed": seed}
    return AttentiveGroupConv(source, 2, 3, group, **own, **CPU).eval()


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("lifts", [True, False])
@pytest.mark.parametrize("attention", ATTENTIONS)
def test_transforming_the_input_transforms_the_output(attention, lifts, group):
    acting, layer = GROUPS[group], make(attention, lifts, group)
    f = rand(2, 1, 7, 7) if lifts else rand(2, 2, len(acting), 7, 7)
    for element in range(len(acting)):
        moved = layer(act(acting, element, f))
        torch.testing.assert_close(moved, act(acting, element, layer(f)), atol=1e-9, rtol=0)


def test_a_plain_layer_equals_the_convolution_of_the_paper():
    generator = torch.Generator("cpu").manual_seed(3)
    expected = Convolution(P4, 2, 5, 3, lifts=False, padding=1, generator=generator, **CPU)
    layer = GroupConv(2, 5, 3, padding=1, seed=3, **CPU)
    f = rand(1, 2, 4, 6, 6)
    torch.testing.assert_close(layer(f), expected(f))


def test_layers_can_be_trained_and_restored():
    layer, other = (make("f", True, "p4", seed) for seed in (1, 2))
    layer(rand(1, 1, 7, 7)).sum().backward()
    assert all(weight.grad is not None for weight in layer.parameters())
    other.load_state_dict(layer.state_dict())
    v = rand(1, 1, 7, 7, seed=9)
    torch.testing.assert_close(other(v), layer(v), rtol=0, atol=0)


def test_hidden_sets_the_channels_of_channel_attention():
    small, large = (AttentiveGroupConv(8, 4, 3, hidden=hidden, seed=0, **CPU) for hidden in (1, 8))
    counts = [sum(p.numel() for p in layer.parameters()) for layer in (small, large)]
    assert counts[0] < counts[1]


@pytest.mark.parametrize(("call", "words"), [
    (lambda: GroupConv(1, 2, 3, "c8", **CPU), "group must be one of z2, p4, p4m; got 'c8'"),
    (lambda: GroupConv(0, 2, 3, **CPU), "source must be at least 1; got 0"),
    (lambda: GroupConv(1, 2, 3, lifts=True, stride=2, **CPU), "stride must be 1"),
    (lambda: AttentiveGroupConv(1, 2, 3, attention="none", **CPU), "use GroupConv"),
    (lambda: make("none", True, "p4")(rand(1, 1, 4, 7, 7)), "needs pictures"),
    (lambda: make("f", False, "p4")(rand(1, 2, 7, 7)), "of a lifting layer"),
])  # fmt: skip
def test_an_illegal_setting_or_shape_is_refused(call, words):
    with pytest.raises(EngineError, match=words):
        call()
