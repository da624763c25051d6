"""Made-up results of seeds, with values like those of the papers."""

from ia_engine.clustering.config import ClusterConfig
from ia_engine.runs.papers.judge import list_rows
from ia_engine.runs.papers.quoted import find_quoted
from ia_engine.runs.tables.results import Moment, make_result
from ia_engine.runs.tables.rows import Task

CHANCE = 11.0
"""ACC near that of random clusters [%]."""


def make_seed(row, seed, value):
    """Return a result with this ACC or test error [%]; the last seed has the lowest loss."""
    figures = {"test error": value / 100, "iterations": row.config.iterations}
    curve, columns = ((1.0, 0.5), (2.0, 0.25)), ("epoch", "validation error")
    if isinstance(row.config, ClusterConfig):
        figures = {"ACC": value / 100, "NMI": value / 110, "loss": -float(seed)}
        figures["iterations"] = row.config.iterations
        curve, columns = ((0.0, 0.9, 0.1), (10.0, 0.5, 0.8)), ("epoch", "loss", "ACC")
    last = Moment(9, 9, 90.0, curve, columns, lambda *_: None, "some digits", figures)
    return make_result(Task(row, seed), last)


def like_the_paper(row):
    """Return a value at which every claim about the row holds [%]."""
    quoted = find_quoted(row)
    if row.table == "table-3":
        return quoted.value
    return max(quoted.value, quoted.least or 0.0)


def make_results(entry, values=None, seeds=None):
    """Return results of all rows of an entry; `values` replaces those of the paper by row name."""
    found = {}
    for row in list_rows(entry):
        value = (values or {}).get(row, like_the_paper(row))
        count = row.seeds if seeds is None else seeds
        found[row] = [make_seed(row, seed, value + 1e-3 * seed) for seed in range(count)]
        if row.table == "table-3" and row not in (values or {}) and seeds is None:
            found[row][-1] = make_seed(row, count - 1, find_quoted(row).least)
    return found
