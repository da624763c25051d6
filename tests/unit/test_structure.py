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


def classes_of(folder):
    """The names of the classes that are defined in a folder."""
    texts = (path.read_text("utf-8") for path in (ROOT / folder).rglob("*.py"))
    return {name for text in texts for name in re.findall(r"^class (\w+)", text, re.MULTILINE)}


def test_no_class_of_the_site_has_the_name_of_a_class_of_the_engine_or_of_a_page():
    own = classes_of("assets/site")
    assert own
    assert not own & (classes_of("ia_engine") | classes_of("pages"))
