import threading

import pytest

from ia_engine.datasets import published
from ia_engine.datasets.published import PARTS, STRIDE, Fetched, count_steps, fetch_steps
from ia_engine.errors import EngineError
from tests.waits import MAX_WAIT_S


def fake(monkeypatch, work):
    monkeypatch.setattr(published, "fetch", lambda name, progress, host: work(progress))


def test_the_progress_of_a_file_has_a_bounded_number_of_steps(monkeypatch):
    fake(monkeypatch, lambda progress: [progress("a.gz", i, 1000) for i in range(1001)])
    steps = list(fetch_steps("mnist"))
    assert len(steps) == PARTS + 1
    assert steps[-1] == Fetched("a.gz", 1000, 1000)


def test_if_the_length_is_unknown_each_step_is_a_fixed_number_of_bytes(monkeypatch):
    fake(monkeypatch, lambda progress: [progress("a", i * STRIDE // 2, None) for i in range(7)])
    assert [step.done for step in fetch_steps("mnist")] == [0, STRIDE, 2 * STRIDE, 3 * STRIDE]


def test_a_failure_is_raised_by_the_iterator(monkeypatch):
    def fail(progress):
        progress("a", 0, 2)
        raise EngineError("the host is silent")

    fake(monkeypatch, fail)
    steps = fetch_steps("mnist")
    assert next(steps) == Fetched("a", 0, 2)
    with pytest.raises(EngineError, match="silent"):
        next(steps)


def test_closing_the_iterator_stops_the_fetch(monkeypatch):
    stopped = threading.Event()

    def endless(progress):
        try:
            for i in range(10**9):
                progress("a", i * STRIDE, None)
        finally:
            stopped.set()

    fake(monkeypatch, endless)
    steps = fetch_steps("mnist")
    next(steps)
    steps.close()
    assert stopped.wait(MAX_WAIT_S)


def test_the_expected_number_of_steps_covers_all_files():
    assert count_steps("mnist") == 4 * PARTS
    assert count_steps("cifar-10") == PARTS
