"""Figures 2, 4, 5 and 6 of Attentive G-CNN show the arrays inside one layer."""

import pytest
import torch

from ia_engine.runs.papers.attentive_maps import EXACT
from ia_engine.runs.papers.attentive_parts import NETWORKS, follow_branch
from tests.tensors import rand


@pytest.mark.cpu_only("one of the networks is created on the default device")
@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("layer", [1, 2])
def test_the_arrays_in_the_figure_add_up_to_the_result_of_the_layer(name, layer):
    assert follow_branch(name, rand(1, 1, 28, 28, dtype=torch.float32), layer).error < EXACT
