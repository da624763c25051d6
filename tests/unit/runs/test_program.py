"""The digest of an entry's program changes with its computation, but not with its wording."""

import ast

import pytest

from ia_engine.runs.papers import ENTRIES, program
from ia_engine.runs.papers.program import digest_program

pytestmark = pytest.mark.cpu_only("no tensor is made")
ENTRY = "gcnn-figure-9"
DIGEST = digest_program(ENTRY)


@pytest.fixture
def edit(monkeypatch):
    """Return a function that replaces text in the module of the figure, and digests it again."""
    caches = (program._list_definitions, program._list_imports)
    parse = program._parse.__wrapped__

    def digest(old, new, module="attentive_maps"):
        text = (program.FOLDER / f"{module}.py").read_text("utf-8")
        assert old in text
        changed = ast.parse(text.replace(old, new))
        monkeypatch.setattr(program, "_parse",
                            lambda name: changed if name == module else parse(name))  # fmt: skip
        for cache in caches:
            cache.cache_clear()
        return digest_program.__wrapped__(ENTRY)

    yield digest
    for cache in caches:
        cache.cache_clear()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('stride 1, pooled", 8, 1', 'stride 1, pooled", 10, 1'),
        ("all(one.exact for one in odd)", "any(one.exact for one in odd)"),
        ("SEEDS: Final = 10", "SEEDS: Final = 9"),
        ("cell, rows = 144 // side", "cell, rows = 72 // side"),
    ],
)
def test_a_change_of_the_computation_changes_the_digest(edit, old, new):
    assert edit(old, new) != DIGEST


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a 3×3 filter with stride 2 on an odd side is equivariant", "on odd sides, it is exact"),
        ("Compute Figure 9: positions", "Figure 9, positions"),
        ("VISIBLE: Final = 1e-2", "VISIBLE: Final = 2e-2"),  # Figure 9 does not use it
    ],
)
def test_wording_and_other_definitions_do_not_change_the_digest(edit, old, new):
    assert edit(old, new) == DIGEST


def test_every_entry_that_can_be_computed_has_a_digest():
    named = [name for name, entry in ENTRIES.items() if entry.compute is not None]
    assert all(len(digest_program(name)) == program.LENGTH for name in named)
    assert digest_program("gcnn-figure-10") != digest_program("gcnn-figure-11")
    assert digest_program("dti-table-1") != digest_program("dti-table-2")
