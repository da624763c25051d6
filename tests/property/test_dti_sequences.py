"""Laws for every sequence of modules, on images of any size and with one or three channels."""

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from ia_engine.clustering.modules import MODULES, Canvas, Modules
from tests.tensors import blobs, rand

few_examples = settings(max_examples=25, derandomize=True, deadline=None, database=None)
names = st.lists(st.sampled_from(sorted(MODULES)), max_size=4)
undone = st.lists(
    st.sampled_from(sorted(set(MODULES) - {"morphology", "morphology-signed"})), max_size=3
)
sizes = st.tuples(st.integers(1, 40), st.integers(1, 40))
channels = st.sampled_from([1, 3])
outside = st.sampled_from(["border", "zeros"])


def parameters(modules, n, size, seed, dtype=torch.float32):
    return [
        rand(n, part.count, low=-size, high=size, seed=seed + k, dtype=dtype)
        for k, part in enumerate(modules.parts)
    ]


@few_examples
@given(names=names, size=sizes, channels=channels, outside=outside)
def test_every_sequence_is_the_identity_at_zero(names, size, channels, outside):
    v = rand(2, channels, *size, dtype=torch.float32)
    modules = Modules.build(names, Canvas(channels, *size, outside), v)
    found = modules.transform(v, parameters(modules, 2, 0.0, 0))
    torch.testing.assert_close(found, v, atol=1e-6, rtol=0)


@few_examples
@given(names=undone, channels=channels, seed=st.integers(0, 2**16))
def test_every_sequence_of_invertible_modules_is_undone_in_reverse_order(names, channels, seed):
    v = blobs(1, channels, size=64, sigma=9, reach=0.1, seed=seed)
    modules = Modules.build(names, Canvas(channels, 64, 64, "border"), v)
    at = parameters(modules, 1, 0.04, seed, torch.float64)
    inside = (..., slice(14, -14), slice(14, -14))
    back = modules.undo(modules.transform(v, at), at)
    torch.testing.assert_close(back[inside], v[inside], atol=0.03, rtol=0)


@few_examples
@given(names=names, size=sizes, seed=st.integers(0, 2**16))
def test_images_are_transformed_independently(names, size, seed):
    v = rand(3, 1, *size, seed=seed, dtype=torch.float32)
    modules = Modules.build(names, Canvas(1, *size), v)
    at = parameters(modules, 3, 0.1, seed)
    together = modules.transform(v, at)
    alone = [modules.transform(v[i : i + 1], [p[i : i + 1] for p in at]) for i in range(3)]
    torch.testing.assert_close(together, torch.cat(alone), atol=1e-4, rtol=1e-4)
    assert together.isfinite().all()
