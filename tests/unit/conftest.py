"""Every unit test runs twice: plainly, and with the meta device as torch's default.

A meta tensor holds no numbers. Inputs are on the CPU (see tests/tensors.py), so whatever the engine
makes without saying where, it makes on the wrong device: what would fail on a GPU fails here.
"""

import pytest
import torch


def pytest_generate_tests(metafunc):
    """The marker cpu_only("why") leaves the second run out."""
    plain = metafunc.definition.get_closest_marker("cpu_only")
    devices = ["cpu"] if plain else ["cpu", "meta"]
    metafunc.parametrize("default_device", devices, indirect=True)


@pytest.fixture(autouse=True)
def default_device(request):
    with torch.device(request.param):
        yield request.param
