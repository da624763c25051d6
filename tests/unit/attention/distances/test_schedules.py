from collections import Counter

import pytest

from ia_engine.attention.distances.schedules import LEVELS, SCHEDULES, Annealed, Constant, Greedy


def test_annealing_takes_the_same_number_of_steps_at_every_level_and_ends_without_smoothing():
    tried = [Annealed().tried(k, 100) for k in range(100)]
    assert Counter(tried) == {(level,): 20 for level in LEVELS}
    assert tried == sorted(tried, reverse=True)
    assert tried[-1] == (0.0,)


def test_the_constant_schedule_tries_one_level_and_the_greedy_one_tries_all():
    assert {Constant(0.1).tried(k, 7) for k in range(7)} == {(0.1,)}
    assert {Greedy().tried(k, 7) for k in range(7)} == {LEVELS}


@pytest.mark.parametrize("schedule", SCHEDULES.values(), ids=SCHEDULES.keys())
@pytest.mark.parametrize("steps", [1, 3, 5, 17])
def test_every_step_has_a_level_for_any_number_of_steps(schedule, steps):
    assert all(set(schedule.tried(k, steps)) <= set(LEVELS) for k in range(steps))
    assert all(schedule.tried(k, steps) for k in range(steps))
