"""Shipped files: a checkout has them beside the package, an installed package inside."""

import pytest

from ia_engine import files
from ia_engine.errors import EngineError
from ia_engine.figures.page import read_bundle


def test_an_installed_package_reads_its_own_folder(tmp_path, monkeypatch):
    package = tmp_path / "ia_engine"
    package.mkdir()
    monkeypatch.setattr(files, "__file__", str(package / "files.py"))
    assert files.find_mapped("_assets", "assets") == tmp_path / "assets"
    (package / "_assets").mkdir()
    assert files.find_mapped("_assets", "assets") == package / "_assets"


@pytest.mark.parametrize(("checkout", "remedy"), [
    (True, "git checkout assets/"),
    (False, "install invariant-attention-explorer again"),
])  # fmt: skip
def test_the_remedy_for_a_missing_file_depends_on_the_installation(
    tmp_path, monkeypatch, checkout, remedy
):
    monkeypatch.setattr(files, "ASSETS", tmp_path / "assets")
    monkeypatch.setattr(files, "APP", tmp_path)
    if checkout:
        (tmp_path / "pyproject.toml").touch()
    for read in (files.find_shipped, read_bundle):
        with pytest.raises(EngineError) as raised:
            read("nothing.js")
        assert remedy in str(raised.value)
