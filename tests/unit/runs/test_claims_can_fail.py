"""Every claim of every entry fails for some altered input or model.

The alterations for each paper are in `claims_PAPER.py`, those for the tables in `claims_tables.py`.
In each file, `ROWS` is a tuple of `Altered`.
"""

from importlib import import_module
from pathlib import Path

import pytest

from ia_engine.runs.papers import ENTRIES
from ia_engine.runs.papers.judge import TABLES
from ia_engine.runs.papers.shipped import load_results

pytestmark = pytest.mark.cpu_only("computations begin with data on the CPU")

FILES = {
    path.stem.removeprefix("claims_"): path for path in Path(__file__).parent.glob("claims_*.py")
}
ROWS = [
    row for name in sorted(FILES) for row in import_module(f"tests.unit.runs.claims_{name}").ROWS
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_claim_fails_for_this_alteration(row):
    claims = row.compute()
    assert not claims[row.claim].holds, claims[row.claim].text


PLAIN = [name for name, entry in ENTRIES.items() if entry.paper in FILES and name not in TABLES]
"""Entries of these papers, except those that are judged from seed files (`test_judge.py`)."""


@pytest.mark.parametrize("name", PLAIN)
def test_every_claim_of_the_entry_has_an_alteration(name):
    kept = load_results().get(name)
    claims = kept.outcome.claims if kept else ()
    tested = {row.claim for row in ROWS if row.entry == name}
    assert set(range(len(claims))) <= tested
