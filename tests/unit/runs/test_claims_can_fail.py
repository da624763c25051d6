"""Every claim of every entry fails for some altered input or model.

The alterations for each paper are in `claims_PAPER.py`, those for the tables in `claims_tables.py`.
In each file, `ROWS` is a tuple of `Altered`.
"""

from importlib import import_module
from pathlib import Path

import pytest

from ia_engine.runs.papers import ENTRIES
from ia_engine.runs.papers.entry import ILLUSTRATED, NEEDS_DATA
from ia_engine.runs.papers.shipped import load_results

pytestmark = pytest.mark.cpu_only("computations begin with data on the CPU")

FILES = {
    path.stem.removeprefix("claims_"): path for path in Path(__file__).parent.glob("claims_*.py")
}
ROWS = [
    row for name in sorted(FILES) for row in import_module(f"tests.unit.runs.claims_{name}").ROWS
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_claim_fails_for_this_alteration_and_every_claim_of_its_entry_has_one(row):
    claims = row.compute()
    assert not claims[row.claim].holds, claims[row.claim].text
    assert set(range(len(claims))) <= {other.claim for other in ROWS if other.entry == row.entry}


def can_fail(entry):
    return entry.compute is not None and entry.kind not in (ILLUSTRATED, NEEDS_DATA)


@pytest.mark.parametrize("name", [name for name, entry in ENTRIES.items() if can_fail(entry)])
def test_every_entry_with_claims_has_an_alteration(name):
    assert any(row.entry == name for row in ROWS)


def test_every_claim_of_a_shipped_result_has_an_alteration():
    for name, kept in load_results().items():
        tested = {row.claim for row in ROWS if row.entry == name}
        assert set(range(len(kept.outcome.claims))) <= tested
