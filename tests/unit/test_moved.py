"""Modules that have moved can still be imported from their old paths."""

from importlib import import_module
from pathlib import Path

import pytest

from ia_engine.moved import MOVED

ENGINE = Path(__file__).parents[2] / "ia_engine"


@pytest.mark.parametrize(("old", "new"), MOVED.items())
def test_the_old_path_imports_the_moved_module(old, new):
    assert not (ENGINE / f"{old.replace('.', '/')}.py").exists()
    assert import_module(f"ia_engine.{old}") is import_module(f"ia_engine.{new}")


def test_a_module_that_never_existed_is_not_found():
    with pytest.raises(ModuleNotFoundError, match=r"No module named 'ia_engine\.never'"):
        import_module("ia_engine.never")
