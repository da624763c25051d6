"""The public names of the library: what they are, what importing them loads, and their examples."""

import doctest
import subprocess
import sys
from importlib import import_module

import pytest

import ia_engine

NAMES = {
    "load", "align", "attend", "invariant_mean", "cluster", "evaluate", "GROUPS",
    "InvariantAttention", "GroupConv", "AttentiveGroupConv", "__version__",
}  # fmt: skip
MODULES = (
    "ia_engine",
    "ia_engine.api.alignment",
    "ia_engine.api.arguments",
    "ia_engine.api.attention",
    "ia_engine.api.clustering",
    "ia_engine.api.inputs",
    "ia_engine.api.originals",
    "ia_engine.api.progress",
    "ia_engine.api.base_result",
    "ia_engine.api.result_classes",
    "ia_engine.attention.distances.across",
    "ia_engine.attention.layer.layer",
    "ia_engine.equivariant.modules",
    "ia_engine.estimators.attention",
    "ia_engine.estimators.mean",
    "ia_engine.estimators.prototypes",
    "ia_engine.poses",
    "ia_engine.poses.pixels",
    "ia_engine.poses.placement",
)
LOADED = """
import sys, ia_engine
print(ia_engine.__version__, *sorted({"torch", "kornia", "numpy", "streamlit"} & set(sys.modules)))
"""


def test_the_public_names_are_those_of_the_documentation():
    assert set(ia_engine.__all__) == NAMES
    assert all(getattr(ia_engine, name) is not None for name in NAMES)
    assert set(ia_engine.__all__) <= set(dir(ia_engine))


def test_importing_the_package_loads_neither_torch_nor_kornia_nor_numpy():
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [ia_engine.__version__]


def test_a_name_that_does_not_exist_raises_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'never'"):
        _ = ia_engine.never


def test_every_public_name_has_an_example():
    for name in NAMES - {"GROUPS", "__version__"}:
        assert ">>>" in getattr(ia_engine, name).__doc__, name
    assert "GROUPS" in ia_engine.__doc__


@pytest.mark.cpu_only("examples create their data on the default device")
@pytest.mark.parametrize("module", MODULES)
def test_the_examples_in_docstrings_are_right(module):
    found = doctest.testmod(import_module(module))
    assert found.attempted > 0
    assert found.failed == 0
