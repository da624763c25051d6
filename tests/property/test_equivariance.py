"""Laws of layers and networks for any image, weights and group element."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from ia_engine.equivariant.groups import P4, P4M, act
from ia_engine.equivariant.measures import check_theorem, relative_error
from tests.unit.equivariant.scenes import builder, features

few_examples = settings(max_examples=12, derandomize=True, deadline=None, database=None)
seeds = st.integers(0, 2**16)
groups = st.sampled_from([P4, P4M])
attentions = st.sampled_from(["none", "rh", "ch", "sp", "f", "full"])


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


@few_examples
@given(seed=seeds, group=groups, attention=attentions, h=st.integers(0, 7), side=st.integers(3, 8))
def test_rotating_before_a_layer_equals_rotating_after_it(seed, group, attention, h, side):
    layer = builder(group, attention, seed=seed).convolve(3, 2, 3, padding=1)
    f, h = features(group, n=1, side=side, seed=seed), h % len(group)
    with torch.no_grad():
        wanted = act(group, h, layer(f))
        assert relative_error(layer(act(group, h, f)), wanted) <= 1e-13


@few_examples
@given(seed=seeds, group=groups, attention=attentions, h=st.integers(0, 7))
def test_attention_depends_only_on_relative_poses(seed, group, attention, h):
    layer = builder(group, attention, seed=seed).convolve(3, 2, 3)
    f = features(group, n=1, side=7, seed=seed)
    assert check_theorem(layer, f, group, h % len(group)) <= 1e-13


@few_examples
@given(seed=seeds, attention=attentions, shift=st.integers(-2, 2))
def test_translating_before_a_layer_equals_translating_after_it(seed, attention, shift):
    """This holds away from the border: the features are 0 outside a small central area."""
    layer = builder(P4, attention, seed=seed).convolve(2, 2, 3, padding=1)
    f = torch.zeros(1, 2, 4, 25, 25, dtype=torch.float64)
    f[..., 10:15, 10:15] = features(P4, n=1, channels=2, side=5, seed=seed)
    with torch.no_grad():
        found = layer(f.roll(shift, -1))[..., 6:19, 6:19]
        wanted = layer(f).roll(shift, -1)[..., 6:19, 6:19]
    assert relative_error(found, wanted) <= 1e-13
