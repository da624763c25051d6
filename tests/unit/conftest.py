"""Unit tests run only once, with torch's meta device as the default device.

A meta tensor has no values. The inputs of the tests are on the CPU (see tests/tensors.py), so if
the engine creates a tensor without naming a device, the tensor cannot be used. Code that would fail
on a GPU therefore fails here. If every call names its device, the results do not depend on the
default device, so a second run with another default is unnecessary. All other tests keep torch's
own default device.
"""

from contextlib import nullcontext

import pytest
import torch


@pytest.fixture(autouse=True)
def default_device(request):
    """Tests with the marker cpu_only("reason") keep torch's own default device, the CPU."""
    plain = request.node.get_closest_marker("cpu_only")
    with nullcontext() if plain else torch.device("meta"):
        yield
