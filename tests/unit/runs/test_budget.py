from dataclasses import dataclass

from ia_engine.runs.job import too_many, weight


@dataclass(frozen=True)
class Heavy:
    nbytes: int


@dataclass(frozen=True)
class Run:
    history: tuple


def runs(*weights):
    return [Run((Heavy(weight // 2), Heavy(weight - weight // 2), "a word")) for weight in weights]


def test_a_run_weighs_what_its_items_say():
    assert weight(runs(7)[0]) == 7


def test_the_oldest_are_let_go_until_the_rest_is_light_enough():
    assert too_many(runs(5, 5, 5), most=15) == 0
    assert too_many(runs(5, 5, 5), most=14) == 1
    assert too_many(runs(1, 9, 5, 5), most=10) == 2


def test_the_newest_stays_whatever_it_weighs():
    assert too_many(runs(1, 99), most=10) == 1
    assert too_many(runs(99), most=10) == 0
    assert too_many([], most=10) == 0
