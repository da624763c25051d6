"""The verdicts on the papers' tables follow from the results of the seeds."""

from dataclasses import replace

import pytest

from ia_engine.runs.papers import find_entry
from ia_engine.runs.papers.entry import DIRECTION, FAILED, OTHER_NETWORK, UNDECIDED, status
from ia_engine.runs.papers.judge import TABLES, judge, list_rows, list_statements
from ia_engine.runs.papers.quoted import QUOTED, find_competitors, find_quoted
from ia_engine.runs.tables.rows import ROWS
from tests.unit.runs.claims_tables import ROWS as ALTERED
from tests.unit.runs.seed_files import CHANCE, make_results, make_seed

pytestmark = pytest.mark.cpu_only("no tensor is made")
ENTRY = pytest.mark.parametrize("entry", TABLES)


def verdict(entry, results):
    kind = DIRECTION if entry == "gcnn-table-1" else OTHER_NETWORK
    return status(replace(find_entry(entry), kind=kind), judge(entry, results).outcome)


@ENTRY
def test_values_like_those_in_the_paper_give_the_best_verdict(entry):
    results = make_results(entry)
    judgement = judge(entry, results)
    assert not judgement.undecided
    assert all(claim.holds for claim in judgement.outcome.claims)
    assert verdict(entry, results) == (DIRECTION if entry == "gcnn-table-1" else OTHER_NETWORK)


@ENTRY
def test_every_claim_of_a_complete_table_has_an_alteration_that_makes_it_fail(entry):
    count = len(judge(entry, make_results(entry)).outcome.claims)
    assert {row.claim for row in ALTERED if row.entry == entry} == set(range(count))


@pytest.mark.parametrize("row", ALTERED, ids=lambda row: row.name)
def test_with_an_altered_model_the_verdict_is_that_the_table_is_not_reproduced(row):
    _, values = row.compute.args
    assert verdict(row.entry, make_results(row.entry, values)) == FAILED


@ENTRY
@pytest.mark.parametrize("seeds", [0, 1])
def test_with_fewer_than_two_seeds_nothing_is_decided(entry, seeds):
    results = make_results(entry, seeds=seeds)
    judgement = judge(entry, results)
    assert not judgement.outcome.claims
    assert len(judgement.undecided) == len(list(list_statements(entry)))
    assert verdict(entry, results) == UNDECIDED


@ENTRY
def test_two_seeds_can_show_only_an_order(entry):
    results = make_results(entry, seeds=2)
    assert verdict(entry, results) == DIRECTION
    for claim in judge(entry, results).outcome.claims:
        assert "reaches" not in claim.text


def test_one_unfinished_row_leaves_the_table_undecided():
    results = make_results("dti-table-1")
    for row in results:
        if row.name != "dti-kmeans-resnet20":
            assert verdict("dti-table-1", {**results, row: results[row][:1]}) == UNDECIDED


def test_an_additional_row_is_not_needed_for_the_verdict():
    results = make_results("dti-table-1")
    (row,) = (row for row in results if row.name == "dti-kmeans-resnet20")
    assert verdict("dti-table-1", {**results, row: []}) == OTHER_NETWORK


def test_an_order_is_judged_by_comparing_methods_with_the_same_seed():
    attentive, plain = (next(row for row in ROWS if row.name == name)
                        for name in ("alpha-f-p4", "p4"))  # fmt: skip
    results = make_results("gcnn-table-1", seeds=0)
    results[attentive] = [make_seed(attentive, seed, 2.0 + seed) for seed in (0, 1, 2)]
    results[plain] = [make_seed(plain, seed, 2.1 + seed) for seed in (2, 1)]
    (claim,) = judge("gcnn-table-1", results).outcome.claims
    assert claim.holds, (
        "each plain network is 0.1 % worse than the attentive one with the same seed"
    )
    results[plain] = [make_seed(plain, seed, 2.1) for seed in (2, 1)]
    (claim,) = judge("gcnn-table-1", results).outcome.claims
    assert not claim.holds


def test_numbers_include_their_spread_the_value_at_the_lowest_loss_and_the_values_of_the_paper():
    row = next(row for row in ROWS if (row.table, row.name) == ("mnist-1k", "dti-kmeans-quick"))
    results = make_results("dti-table-2", {row: CHANCE})
    acc = next(n for n in judge("dti-table-2", results).outcome.numbers if row.title in n.name)
    assert acc.ours == pytest.approx(CHANCE + 0.0045)
    assert acc.spread == pytest.approx(0.003, abs=1e-4)
    assert acc.least_loss == pytest.approx(CHANCE + 0.009)
    assert (acc.paper, acc.paper_spread, acc.note) == (79.8, 6.9, "10 of 10 seeds")


def test_every_row_has_a_value_from_the_paper():
    for entry in TABLES:
        for row in list_rows(entry):
            quoted = find_quoted(row)
            assert row.paper.startswith(f"{quoted.value:.3f}" if quoted.runs == 5
                                        else f"{quoted.value}")  # fmt: skip


def test_competitors_are_quoted_with_the_kind_of_their_average():
    methods = {quoted.method for quoted in find_competitors("mnist")}
    assert {"DEC", "JULE", "IIC", "K-means", "GMM"} <= methods
    assert not any(method.startswith("DTI") for method in methods)
    best = next(q for q in QUOTED if (q.table, q.method) == ("mnist", "DEC"))
    assert (best.value, best.nmi, best.runs, best.how) == (86.3, 83.4, 9, "best run")


def test_quoted_values_are_percentages():
    for quoted in QUOTED:
        for value in (quoted.value, quoted.nmi, quoted.least, quoted.least_nmi, quoted.spread):
            assert value is None or 0 <= value <= 100
