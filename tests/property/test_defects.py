"""Defects are placed only in executable code, and leave a file that parses."""

import ast
from pathlib import Path

import pytest

from tests.defects.javascript_sites import blank, find_javascript_sites
from tests.defects.python_sites import find_python_sites
from tests.defects.sites import make_defect

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", ["ia_engine/params.py", "pages/_ui/components/player.py"])
def test_every_python_defect_parses_and_changes_the_syntax_tree(name):
    source = (ROOT / name).read_bytes()
    original = ast.dump(ast.parse(source))
    for site in find_python_sites(source):
        changed = make_defect(name, source, site).patch(source.decode())
        assert ast.dump(ast.parse(changed)) != original


def test_in_python_only_executable_code_is_a_site_for_defects():
    source = '''
"""1 + 1"""
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from a import b
Kind = int | str
def f(x: "Literal[1, 2]" = None) -> tuple[int | None, str]:
    """2 < 3"""
    return False  # 4 < 5
class C:
    def __repr__(self):
        return str(1 + 1)
'''
    assert [site.operator for site in find_python_sites(source.encode())] == ["flipped constant"]


def test_in_javascript_comments_and_literals_are_not_sites_for_defects():
    source = """// 1 === 2
/* 1 === 2 */
const a = "1 === 2 // no comment", b = '!x', c = /[0-9/"]{2}/, d = `${1 + `${2}`} !x`;
"""
    assert find_javascript_sites(source.encode()) == []
    assert len(blank(source)) == len(source)


def test_a_defect_finds_its_lines_after_other_lines_have_moved():
    source = b"x = 1\nif x:\n    y = 2\n\ny = 3\n    y = 2\n"
    site = next(s for s in find_javascript_sites(source) if s.start == source.rindex(b"2"))
    defect = make_defect("a", source, site)
    assert (defect.line, defect.occurrence) == (6, 1)
    assert defect.patch("z = 0\n" + source.decode()).endswith("y = 3\n    y = 3\n")


def test_a_defect_whose_lines_have_been_rewritten_cannot_be_applied():
    source = b"y = 2\n"
    defect = make_defect("a", source, find_python_sites(source)[0])
    with pytest.raises(ValueError, match="must contain the lines of the defect"):
        defect.patch("y = 22\n")
