import threading
import time

import pytest

from ia_engine.runs.job import Turns
from tests.waits import MAX_WAIT_S


@pytest.mark.parametrize("at_once", [1, 3])
def test_at_most_the_allowed_number_of_threads_have_a_turn_at_once(at_once):
    turns, inside, most = Turns(at_once), [], []

    def work():
        for _ in range(50):
            with turns.turn():
                inside.append(1)
                most.append(len(inside))
                time.sleep(1e-4)
                inside.pop()

    run([work] * 6)
    assert max(most) == at_once


def test_turns_are_assigned_in_order():
    turns, order = Turns(1), []

    def work(name):
        for _ in range(5):
            with turns.turn():
                order.append(name)
                time.sleep(0.01)

    run([lambda name=name: work(name) for name in "abc"])
    middle = order[3:12]
    assert all(len(set(middle[k : k + 3])) == 3 for k in range(len(middle) - 2))


def test_an_exception_ends_a_turn():
    turns = Turns(1)
    with pytest.raises(ValueError, match="inside"), turns.turn():
        raise ValueError("inside")
    with turns.turn():
        pass


def test_no_thread_waits_once_the_limit_is_lifted():
    turns, passed = Turns(1), threading.Event()

    def wait():
        with turns.turn():
            passed.set()

    with turns.turn():
        thread = threading.Thread(target=wait)
        thread.start()
        assert not passed.wait(0.05)
        turns.open()
        assert passed.wait(MAX_WAIT_S)
        with turns.turn():
            pass
    thread.join(MAX_WAIT_S)


def run(tasks):
    threads = [threading.Thread(target=task) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(MAX_WAIT_S)
