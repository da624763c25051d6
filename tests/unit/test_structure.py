"""Rules for the structure of the app that import contracts cannot express."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted(
    path.relative_to(ROOT).as_posix() for path in (ROOT / "app.py", *(ROOT / "pages").rglob("*.py"))
)


def uses_streamlits_state(path):
    return re.search(r"\bsession_state\b|\bst\.query_params\b", (ROOT / path).read_text("utf-8"))


@pytest.mark.parametrize("path", SOURCES)
def test_only_the_state_folder_uses_the_session_and_the_address(path):
    in_state = path.startswith("pages/_ui/state/")
    assert in_state or not uses_streamlits_state(path), "use the fields of pages/_ui/state"
