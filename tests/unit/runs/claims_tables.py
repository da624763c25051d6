"""The claims of the tables, judged by made-up results of altered models."""

from functools import partial

from ia_engine.runs.papers.judge import TABLES, Order, judge, list_statements
from tests.unit.runs.altered import Altered
from tests.unit.runs.seed_files import CHANCE, like_the_paper, make_results


def judge_altered(entry, values):
    return judge(entry, make_results(entry, values)).outcome.claims


def _alter(statement):
    """Return the alteration and the values of the rows [%]."""
    if isinstance(statement, Order):
        same = {statement.better: like_the_paper(statement.worse)}
        return f"{statement.better.name} performs like {statement.worse.name}", same
    return "permuted labels", {statement.row: CHANCE}


ROWS = tuple(
    Altered(entry, at, alteration, partial(judge_altered, entry, values))
    for entry in TABLES
    for at, statement in enumerate(list_statements(entry))
    for alteration, values in [_alter(statement)]
)
