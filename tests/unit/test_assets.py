"""What lies in assets is accounted for."""

import re
import subprocess
from pathlib import Path

from assets.make_checksums import sum_files
from ia_engine.files import read_checksums

ASSETS = Path(__file__).parents[2] / "assets"
TOLD = (ASSETS / "README.md").read_text("utf-8")


def test_every_file_is_named_with_its_maker():
    names = [path.name + "/" * path.is_dir() for path in ASSETS.iterdir()]
    own = [name for name in names if name not in ("README.md", "__pycache__/")]
    makers = [name for name in own if name.startswith("make_") and name.endswith(".py")]
    assert {name for name in own if name not in makers and f"`{name}" not in TOLD} == set()
    assert {name for name in makers if name.removesuffix(".py") not in TOLD} == set()


def test_nothing_is_named_that_is_not_there():
    named = re.findall(r"`([a-z_]+(?:/|\.(?:py|png|npz|json|svg|gif)))`", TOLD)
    elsewhere = {"ia_engine/", "icons.npz", "fashion.npz"}
    assert {name for name in named if not (ASSETS / name).exists()} <= elsewhere


def test_every_bundled_run_and_licence_is_there():
    for name in re.findall(r"LICENSES/[\w.-]+", TOLD):
        assert (ASSETS / name.rstrip(".")).is_file()
    for name in re.findall(r"assets\.(make_\w+)", TOLD):
        assert (ASSETS / f"{name}.py").is_file()


def test_the_checksums_are_those_of_the_files():
    assert read_checksums() == sum_files(), "run python -m assets.make_checksums"
    assert len(sum_files()) > 25


def test_no_checkout_changes_the_bytes_of_a_shipped_file():
    """git may turn the ends of lines into those of Windows, which changes the checksums."""
    paths = [str(ASSETS / name) for name in sum_files()]
    command = ["git", "check-attr", "text", "--", *paths]
    found = subprocess.run(command, cwd=ASSETS, capture_output=True, text=True, check=True).stdout
    assert [line for line in found.splitlines() if not line.endswith(": text: unset")] == []
