"""Unit tests run once, with torch's meta device as the default device.

A meta tensor holds no numbers. The tests' inputs are on the CPU (see tests/tensors.py), so a
factory call of the engine that does not name its device makes a tensor that cannot be used: what
would fail on a GPU fails here. If every call names its device, the engine computes the same as
without the meta device; a second run without it could not find anything more. The tests of the
shell, the app, the properties and the pages keep torch's own default device.
"""

from contextlib import nullcontext

import pytest
import torch


@pytest.fixture(autouse=True)
def default_device(request):
    """The marker cpu_only("reason") keeps torch's own default device, the CPU."""
    plain = request.node.get_closest_marker("cpu_only")
    with nullcontext() if plain else torch.device("meta"):
        yield
