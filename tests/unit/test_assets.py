"""Every file in assets is listed, verified and up to date."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from assets import make_component_values
from assets.check_bundles import find_stale
from assets.make_checksums import sum_files
from ia_engine.files import read_checksums

ASSETS = Path(__file__).parents[2] / "assets"
README = (ASSETS / "README.md").read_text("utf-8")


def test_every_file_is_listed_with_its_author():
    names = [path.name + "/" * path.is_dir() for path in ASSETS.iterdir()]
    own = [name for name in names if name not in ("README.md", "__pycache__/")]
    makers = [name for name in own if name.startswith("make_") and name.endswith(".py")]
    assert {name for name in own if name not in makers and f"`{name}" not in README} == set()
    assert {name for name in makers if name.removesuffix(".py") not in README} == set()


def test_every_listed_file_exists():
    named = re.findall(r"`([a-z_]+(?:/|\.(?:py|png|npz|json|svg|gif)))`", README)
    elsewhere = {"ia_engine/", "icons.npz", "fashion.npz"}
    assert {name for name in named if not (ASSETS / name).exists()} <= elsewhere


def test_every_licence_and_script_named_in_the_readme_exists():
    for name in re.findall(r"LICENSES/[\w.-]+", README):
        assert (ASSETS / name.rstrip(".")).is_file()
    for name in re.findall(r"assets\.(make_\w+)", README):
        assert (ASSETS / f"{name}.py").is_file()


def test_the_checksums_match_the_files():
    assert read_checksums() == sum_files(), "run python -m assets.make_checksums"
    assert len(sum_files()) > 25


def test_git_never_changes_the_bytes_of_a_shipped_file():
    """git may convert line endings to those of Windows, which would change the checksums."""
    paths = [str(ASSETS / name) for name in sum_files()]
    command = ["git", "check-attr", "text", "--", *paths]
    found = subprocess.run(command, cwd=ASSETS, capture_output=True, text=True, check=True).stdout
    assert [line for line in found.splitlines() if not line.endswith(": text: unset")] == []


def test_bundles_are_built_from_the_current_sources():
    assert find_stale() == [], "run make bundles"


@pytest.mark.parametrize(
    "change", ["components/pad/index.js", "bundles/pad.js", "components/a.css"]
)
def test_a_changed_or_new_source_or_a_changed_bundle_is_detected(tmp_path, change):
    for folder in ("components", "bundles"):
        shutil.copytree(ASSETS / folder, tmp_path / folder)
    with (tmp_path / change).open("a", encoding="utf-8") as file:
        file.write("\n")
    assert find_stale(tmp_path) == [change]


def test_a_deleted_source_is_detected(tmp_path):
    for folder in ("components", "bundles"):
        shutil.copytree(ASSETS / folder, tmp_path / folder)
    (tmp_path / "components/pad/pad.css").unlink()
    assert find_stale(tmp_path) == ["components/pad/pad.css"]


def test_reference_values_of_the_browser_code_agree_with_the_engine():
    stored = json.loads(make_component_values.PATH.read_text("utf-8"))
    found = make_component_values.compute_values()
    hint = "run python -m assets.make_component_values"
    assert make_component_values.find_difference(found, stored) is None, hint


def test_a_wrong_stored_weight_is_detected():
    found = make_component_values.compute_values()
    stored = json.loads(make_component_values.PATH.read_text("utf-8"))
    stored["weights"]["results"][1]["W"][7] *= 1 + 1e-9
    path = make_component_values.find_difference(found, stored)
    assert path == ".weights.results[1].W[7]"
