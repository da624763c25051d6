"""What the README says in Python is true."""

import re
from pathlib import Path

import pytest
import torch

from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.iteration import normalise
from tests.tensors import blobs, rand

README = Path(__file__).parents[2] / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)


def run(marker):
    """Run the block that holds the marker; return its names."""
    names: dict[str, object] = {"__name__": "readme"}
    block = next(block for block in BLOCKS if marker in block)
    exec(compile(block, "README.md", "exec"), names)
    return names


@pytest.mark.cpu_only("the catalogue's data are on the CPU")
def test_example_prints_three_clusters_at_every_step(capsys):
    run("RECIPES")
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[:3] for line in lines] == [[str(k), "3", "1.0"] for k in (1, 2, 3)]


def test_group_of_the_guide_obeys_the_laws_and_has_a_solver():
    group = run("class Zoom")["Zoom"]()
    a, b = (rand(4, 1, seed=seed, low=-0.3, high=0.3) for seed in (1, 2))
    torch.testing.assert_close(group.compose(a, b), a + b)
    torch.testing.assert_close(group.compose(a, group.inverse(a)), group.identity(4, a))
    v = normalise(blobs(1, size=31, sigma=2.5, reach=0.2))
    zoomed = group.unitary(v, a[:1])
    found = GlobalSearch(group).align(torch.cat([v, zoomed]))
    assert found.d2[0, 1] < 1e-2
    torch.testing.assert_close(found.tau[0, 1], a[0], atol=0.02, rtol=0)


@pytest.mark.cpu_only("the block makes its images where torch's default device is")
def test_layer_of_the_example_gives_a_row_of_features_for_every_patch():
    features = run("InvariantAttention(")["features"]
    assert features.shape[0] == 2
    assert features.shape[-1] == 32
