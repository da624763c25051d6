"""The structure of the app that no import contract states."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    path.relative_to(ROOT).as_posix() for path in (ROOT / "app.py", *(ROOT / "pages").rglob("*.py"))
)
REMAINING: tuple[str, ...] = (
    "pages/_ui/clustering/actions.py",
    "pages/_ui/clustering/controls.py",
    "pages/_ui/clustering/prototype.py",
    "pages/_ui/compare/controls.py",
    "pages/_ui/compare/table.py",
    "pages/_ui/data/catalogue.py",
    "pages/_ui/data/generate.py",
    "pages/_ui/data/upload.py",
    "pages/_ui/data/view.py",
    "pages/_ui/equivariance/convolution.py",
    "pages/_ui/equivariance/networks.py",
    "pages/_ui/equivariance/turning.py",
    "pages/_ui/equivariance/view.py",
    "pages/_ui/iterations/actions.py",
    "pages/_ui/iterations/controls.py",
    "pages/_ui/iterations/next_run.py",
    "pages/_ui/iterations/plots.py",
    "pages/_ui/iterations/presets.py",
    "pages/_ui/iterations/view.py",
    "pages/_ui/manifolds/landscape.py",
    "pages/_ui/manifolds/pair.py",
    "pages/_ui/mean/controls.py",
    "pages/clustering.py",
    "pages/compare.py",
    "pages/mean.py",
)
"""Files that still use the session or the address themselves."""


def uses_streamlits_state(path):
    return re.search(r"\bsession_state\b|\bst\.query_params\b", (ROOT / path).read_text("utf-8"))


@pytest.mark.parametrize("path", SOURCES)
def test_only_the_folder_state_uses_the_session_and_the_address(path):
    in_state = path.startswith("pages/_ui/state/")
    assert in_state or path in REMAINING or not uses_streamlits_state(path), (
        "use the fields of pages/_ui/state"
    )


@pytest.mark.parametrize("path", REMAINING)
def test_a_file_that_no_longer_uses_them_is_not_listed(path):
    assert uses_streamlits_state(path)
