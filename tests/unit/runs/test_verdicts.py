"""Verdicts follow from their definitions: from kind, claims, data, seeds and spread."""

import pytest

from ia_engine.runs.papers.entry import (
    DEFINITIONS,
    DIRECTION,
    FAILED,
    ILLUSTRATED,
    IMPOSSIBLE,
    NEEDS_DATA,
    OTHER_NETWORK,
    PARAMETERS,
    REPRODUCED,
    UNDECIDED,
    VERDICTS,
    Claim,
    Entry,
    Need,
    Outcome,
    choose_weakest,
    exceeds,
    status,
    summarise,
)

ABSENT = Need("a set", "put it there", lambda: False)
HOLDS, FAILS = Claim("it holds", True), Claim("it fails", False)


def entry(kind=REPRODUCED, **values):
    return Entry("x", "ia", "X", "", "", kind, **values)


def outcome(*claims, seeds=10, **values):
    return Outcome(claims=claims, seeds=seeds, **{"beyond_spread": True, **values})


def test_every_verdict_has_a_definition_of_one_sentence():
    assert VERDICTS[0] == REPRODUCED
    assert VERDICTS[-1] == IMPOSSIBLE
    for text in DEFINITIONS.values():
        assert text.count(".") == 1
        assert text.endswith(".")


@pytest.mark.parametrize("kind", VERDICTS)
def test_an_entry_has_at_most_the_verdict_of_its_kind(kind):
    assert status(entry(kind), outcome(HOLDS)) == kind


@pytest.mark.parametrize("verdict", VERDICTS)
def test_an_entry_has_the_weakest_verdict_of_its_claims(verdict):
    assert status(entry(), outcome(HOLDS, Claim("weaker", True, verdict))) == verdict


def test_a_claim_that_fails_makes_the_entry_fail():
    assert status(entry(), outcome(HOLDS, FAILS)) == FAILED
    assert status(entry(ILLUSTRATED), outcome(FAILS, seeds=1)) == FAILED


@pytest.mark.parametrize(
    ("kind", "found"),
    [(REPRODUCED, DIRECTION), (OTHER_NETWORK, DIRECTION), (ILLUSTRATED, ILLUSTRATED)],
)
def test_results_on_different_data_can_show_at_most_the_direction(kind, found):
    assert status(entry(kind), outcome(HOLDS, stand_in=True)) == found


@pytest.mark.parametrize(("kind", "seeds"), [(REPRODUCED, 10), (DIRECTION, 10), (ILLUSTRATED, 1),
                                             (PARAMETERS, 1)])  # fmt: skip
def test_the_required_number_of_seeds_depends_on_the_kind(kind, seeds):
    assert entry(kind).min_seeds == seeds
    assert entry(kind, seeds_needed=5).min_seeds == 5


def test_too_few_seeds_can_show_at_most_the_direction():
    above = {"seeds": 4, "beyond_spread": True}
    assert status(entry(), outcome(HOLDS, seeds=9, beyond_spread=False)) == UNDECIDED
    assert status(entry(seeds_needed=5), outcome(HOLDS, seeds=5)) == REPRODUCED
    assert status(entry(), outcome(HOLDS, **above)) == DIRECTION
    assert status(entry(), outcome(HOLDS, seeds=1, beyond_spread=True)) == UNDECIDED
    assert status(entry(), outcome(FAILS, **above)) == UNDECIDED
    assert status(entry(NEEDS_DATA), outcome(HOLDS, seeds=1)) == NEEDS_DATA


@pytest.mark.parametrize("values", [{}, {"stand_in": True}, {"seeds": 3}])
def test_a_direction_requires_that_the_order_holds_by_more_than_the_spread(values):
    kind = entry(REPRODUCED if values else DIRECTION)
    assert status(kind, outcome(HOLDS, **values)) == DIRECTION
    assert status(kind, outcome(HOLDS, beyond_spread=False, **values)) == UNDECIDED


def test_a_result_without_claims_decides_nothing():
    assert status(entry(), outcome()) == UNDECIDED
    assert status(entry(NEEDS_DATA), outcome()) == NEEDS_DATA
    assert status(entry(ILLUSTRATED), outcome(seeds=1)) == ILLUSTRATED


def test_without_a_result_the_verdict_states_what_is_missing():
    assert status(entry(), None) == UNDECIDED
    assert status(entry(IMPOSSIBLE), None) == IMPOSSIBLE
    assert status(entry(needs=(ABSENT,)), None) == NEEDS_DATA
    assert status(entry(needs=(ABSENT,), stand_in="others"), None) == UNDECIDED


def test_a_result_that_was_computed_with_the_data_keeps_its_verdict_when_they_are_missing():
    assert status(entry(needs=(ABSENT,), stand_in="others"), outcome(HOLDS)) == REPRODUCED


def test_the_weakest_verdict_is_the_last_in_the_list():
    assert choose_weakest([UNDECIDED, REPRODUCED, ILLUSTRATED]) == UNDECIDED


@pytest.mark.parametrize(
    ("larger", "smaller", "above"),
    [
        ((3, 4, 5), (1, 2, 3), True),
        ((3, 4, 5), (3, 4, 5), False),
        ((3, 9, 5), (2.9, 2, 7), False),  # the differences are 0.1, 7 and -2
        ((3,), (1,), False),  # a single seed has no spread
    ],
)
def test_a_method_is_above_another_if_the_mean_difference_exceeds_its_spread(
    larger, smaller, above
):
    assert exceeds(larger, smaller) is above
    assert not exceeds(smaller, larger)


def test_a_number_has_a_mean_a_spread_and_the_value_at_the_lowest_loss():
    number = summarise("ACC", [90.0, 94.0, 98.0], 97.3, 0.5, unit="%", losses=[3, 1, 2])
    assert (number.ours, number.spread, number.least_loss) == (94.0, 4.0, 94.0)
    assert (number.paper, number.paper_spread) == (97.3, 0.5)
    assert number.values == (90.0, 94.0, 98.0)
    assert summarise("ACC", [90.0]).spread is None
    assert summarise("ACC", []).ours is None
