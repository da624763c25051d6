"""The claims of the tables, judged by results of seeds of altered models.

The program of `make tables` computes them (`altered_seeds`). The other rows are made up, with
values like those of the papers.
"""

from functools import partial

from ia_engine.runs.papers.judge import TABLES, Order, Similar, judge, list_statements
from tests.unit.runs.altered import Altered
from tests.unit.runs.altered_seeds import compute_row
from tests.unit.runs.seed_files import make_results


def alter_results(entry, statement):
    """Return the results of an entry in which the rows of a statement are altered."""
    results = make_results(entry)
    if isinstance(statement, Order):
        same = compute_row(statement.worse)
        return {**results, statement.better: same, statement.worse: same}
    return {**results, _row_of(statement): compute_row(_row_of(statement))}


def judge_altered(entry, statement):
    return judge(entry, alter_results(entry, statement)).outcome.claims


def _row_of(statement):
    return statement.other if isinstance(statement, Similar) else statement.row


def _describe(statement):
    if isinstance(statement, Order):
        return f"{statement.worse.name} in place of {statement.better.name}"
    return f"blank images, {_row_of(statement).name}"


ROWS = tuple(
    Altered(entry, at, _describe(statement), partial(judge_altered, entry, statement))
    for entry in TABLES
    for at, statement in enumerate(list_statements(entry))
)
