import logging
import re
import threading
import time
from types import SimpleNamespace

import pytest
import torch

from ia_engine.errors import EngineError
from ia_engine.runs import job as job_module
from ia_engine.runs.job import Jobs, State, new_name
from tests.waits import MAX_WAIT_S


class Steps:
    """Work that yields one number each time it is released, which makes delays unnecessary."""

    def __init__(self, count):
        self.count = count
        self.gate, self.reached = threading.Semaphore(0), threading.Semaphore(0)
        self.closed = threading.Event()

    def __call__(self):
        try:
            for k in range(self.count):
                self.reached.release()
                assert self.gate.acquire(timeout=MAX_WAIT_S)
                yield k
        finally:
            self.closed.set()

    def step(self):
        assert self.reached.acquire(timeout=MAX_WAIT_S)
        self.gate.release()

    def wait_inside(self):
        assert self.reached.acquire(timeout=MAX_WAIT_S)
        self.reached.release()


@pytest.fixture
def jobs():
    pool = Jobs(1)
    yield pool
    pool.close()


@pytest.fixture
def gated():
    """Return a function that creates `Steps`; all of them are released after the test."""
    made = []

    def make(count):
        made.append(Steps(count))
        return made[-1]

    yield make
    for steps in made:
        steps.gate.release(1000)


def count_to(n):
    return lambda: iter(range(n))


def test_a_job_keeps_all_items_that_its_work_yields(jobs):
    job = jobs.submit("ann", "counting", count_to(3), expected=3)
    assert job.wait(MAX_WAIT_S)
    assert (job.state, job.history, job.progress) == (State.DONE, (0, 1, 2), 1.0)
    assert job.submitted <= job.started <= job.ended


def test_the_history_is_readable_while_the_job_runs(jobs, gated):
    steps = gated(4)
    job = jobs.submit("ann", "counting", steps, expected=4)
    steps.step()
    steps.wait_inside()
    before = job.history
    assert (job.state, before, job.progress) == (State.RUNNING, (0,), 0.25)
    assert job.time_left() >= 0
    steps.step()
    steps.wait_inside()
    assert (before, job.history) == ((0,), (0, 1))


def test_items_are_shared_instead_of_copied(jobs):
    item = object()
    job = jobs.submit("ann", "one", lambda: iter([item]), expected=1)
    assert job.wait(MAX_WAIT_S)
    assert job.history[0] is item


def test_cancelling_a_job_ends_it_within_a_step_and_keeps_its_finished_items(jobs, gated):
    steps = gated(100)
    job = jobs.submit("ann", "long", steps, expected=100)
    steps.step()
    steps.wait_inside()
    job.cancel()
    assert job.cancelling
    steps.step()
    assert job.wait(MAX_WAIT_S)
    assert (job.state, job.history, job.cancelling) == (State.CANCELLED, (0, 1), False)
    assert steps.closed.is_set(), "the finally blocks of a cancelled generator must run"


def test_a_job_cancelled_while_it_waits_for_its_turn_computes_no_further_steps(jobs, gated):
    steps, others = gated(100), gated(1)
    job = jobs.submit("ann", "long", steps, expected=100)
    steps.wait_inside()
    other = jobs.submit("bob", "other", others, expected=1)
    steps.step()
    others.wait_inside()
    job.cancel()
    others.step()
    assert job.wait(MAX_WAIT_S)
    assert other.wait(MAX_WAIT_S)
    assert (job.state, job.history) == (State.CANCELLED, (0,))
    assert not steps.reached.acquire(blocking=False)
    assert steps.closed.is_set()


def test_a_queued_job_is_cancelled_at_once_and_never_runs(jobs, gated):
    first, second = gated(1), gated(1)
    jobs.submit("ann", "first", first, expected=1)
    first.wait_inside()
    waiting = jobs.submit("ann", "second", second, expected=1)
    waiting.cancel()
    assert (waiting.state, waiting.finished, waiting.started) == (State.CANCELLED, True, None)
    first.step()
    assert jobs.submit("ann", "third", count_to(1), expected=1).wait(MAX_WAIT_S)
    assert not second.reached.acquire(blocking=False)


def test_no_more_jobs_run_than_there_are_workers(gated):
    pool, several = Jobs(2), [gated(1) for _ in range(3)]
    mine = [pool.submit("ann", "job", steps, expected=1) for steps in several]
    several[0].wait_inside()
    several[1].wait_inside()
    assert [job.state for job in mine] == [State.RUNNING, State.RUNNING, State.QUEUED]
    several[0].step()
    several[2].wait_inside()
    assert mine[2].state is State.RUNNING
    several[1].step()
    several[2].step()
    assert all(job.wait(MAX_WAIT_S) for job in mine)
    pool.close()


def test_a_short_job_does_not_wait_for_the_end_of_a_long_one(jobs, gated):
    steps = gated(1000)
    long = jobs.submit("ann", "long", steps, expected=1000)
    steps.wait_inside()
    short = jobs.submit("bob", "short", count_to(3), expected=3)
    for _ in range(6):
        steps.step()
    assert short.wait(MAX_WAIT_S)
    assert short.history == (0, 1, 2)
    assert not long.finished
    assert len(long.history) <= 6


def test_the_pool_still_works_after_jobs_were_cancelled_at_arbitrary_moments(jobs):
    for k in range(200):
        job = jobs.submit("ann", "short", count_to(50), expected=50)
        if k % 3:
            time.sleep(1e-4 * (k % 7))
        job.cancel()
        assert job.wait(MAX_WAIT_S)
        assert job.state in (State.CANCELLED, State.DONE)
    last = jobs.submit("ann", "last", count_to(3), expected=3)
    assert last.wait(MAX_WAIT_S)
    assert last.history == (0, 1, 2)


@pytest.mark.parametrize(
    ("sizes", "limit", "left"),
    [
        ((5, 5, 5), 15, 3),
        ((5, 5, 5), 14, 2),
        ((1, 9, 5, 5), 10, 2),
        ((1, 99), 10, 1),
        ((99,), 10, 1),
    ],
)
def test_the_oldest_finished_jobs_are_dropped_above_the_memory_limit(
    jobs, monkeypatch, sizes, limit, left
):
    monkeypatch.setattr("ia_engine.runs.job.MAX_BYTES", limit)
    for size in sizes:
        items = [SimpleNamespace(nbytes=size - 1), SimpleNamespace(nbytes=1), "a word"]
        assert jobs.submit("ann", "job", lambda items=items: iter(items), 1).wait(MAX_WAIT_S)
    last = jobs.submit("ann", "last", lambda: iter(()), expected=1)
    assert len(jobs.list("ann")) == left + 1
    assert last.wait(MAX_WAIT_S)


def test_the_torch_settings_of_a_job_do_not_affect_other_jobs(jobs, gated):
    steps = gated(3)

    def without_gradients():
        with torch.no_grad():
            yield from steps()

    jobs.submit("ann", "no gradients", without_gradients, expected=3)
    steps.wait_inside()
    other = jobs.submit("bob", "other", lambda: iter([torch.is_grad_enabled()]), expected=1)
    for _ in range(3):
        steps.step()
    assert other.wait(MAX_WAIT_S)
    assert other.history == (True,)


def test_an_engine_error_is_shown_unchanged(jobs):
    def work():
        yield 1
        raise EngineError("beta must be between 0.1 and 100; got 0")

    job = jobs.submit("ann", "wrong", work, expected=5)
    assert job.wait(MAX_WAIT_S)
    assert (job.state, job.history) == (State.FAILED, (1,))
    assert job.error == "beta must be between 0.1 and 100; got 0"


@pytest.mark.parametrize("cause", [RuntimeError("out of\nluck"), SystemExit(3), MemoryError()])
def test_an_unexpected_error_shows_a_short_message_and_logs_its_traceback(jobs, caplog, cause):
    def work():
        raise cause
        yield

    with caplog.at_level(logging.ERROR):
        job = jobs.submit("ann", "wrong", work, expected=1)
        assert job.wait(MAX_WAIT_S)
    assert job.state is State.FAILED
    assert type(cause).__name__ in job.error
    assert "\n" not in job.error
    reference = re.search(r"reference ([0-9a-f]{8})", job.error)
    assert reference
    assert reference[1] in caplog.text, "the log must contain the traceback under the reference"
    assert "luck" not in job.error, "a message may contain server paths"
    assert caplog.records[0].exc_info[1] is cause


def test_a_worker_continues_after_a_failed_job(jobs):
    failed = jobs.submit("ann", "wrong", lambda: iter(1 / 0 for _ in range(1)), expected=1)
    after = jobs.submit("ann", "right", count_to(1), expected=1)
    assert failed.wait(MAX_WAIT_S)
    assert after.wait(MAX_WAIT_S)
    assert (failed.state, after.state) == (State.FAILED, State.DONE)


def test_an_owner_does_not_see_the_jobs_of_other_owners(jobs):
    hers = jobs.submit("ann", "hers", count_to(1), expected=1)
    his = jobs.submit("bob", "his", count_to(1), expected=1)
    assert jobs.list("ann") == (hers,)
    assert jobs.get("bob", his.id) is his
    assert jobs.get("bob", hers.id) is None


def test_the_number_of_finished_jobs_is_limited_per_owner_and_in_total():
    pool = Jobs(1, kept=2, kept_in_all=3)
    for owner in ("ann", "ann", "ann", "bob", "bob"):
        assert pool.submit(owner, "job", count_to(1), expected=1).wait(MAX_WAIT_S)
    last = pool.submit("bob", "last", count_to(1), expected=1)
    assert last.wait(MAX_WAIT_S)
    assert len(pool.list("ann")) == 1
    assert len(pool.list("bob")) == 3, "two finished jobs and the last one"
    pool.close()


def test_one_owner_cannot_fill_the_queue(jobs, gated):
    steps = gated(1)
    for _ in range(20):
        jobs.submit("ann", "job", steps, expected=1)
    with pytest.raises(EngineError, match="cancel one"):
        jobs.submit("ann", "one more", steps, expected=1)
    jobs.submit("bob", "his first", count_to(1), expected=1)
    for waiting in jobs.list("ann"):
        waiting.cancel()


def test_the_remaining_time_is_estimated_after_the_first_step(jobs, gated):
    steps = gated(10)
    job = jobs.submit("ann", "long", steps, expected=10)
    steps.wait_inside()
    assert job.time_left() is None
    time.sleep(0.05)
    steps.step()
    steps.wait_inside()
    assert 0.2 < job.time_left() < 60


def test_many_threads_can_submit_jobs_at_once():
    pool = Jobs(3)

    def submit(owner):
        for _ in range(10):
            pool.submit(owner, "job", count_to(5), expected=5)

    threads = [threading.Thread(target=submit, args=(f"owner {k}",)) for k in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k in range(5):
        own = pool.list(f"owner {k}")
        assert all(job.wait(MAX_WAIT_S) for job in own)
        assert [job.history for job in own] == [(0, 1, 2, 3, 4)] * 10
    pool.close()


@pytest.mark.parametrize(("cores", "spare"), [(1, 1), (2, 1), (8, 7)])
def test_one_core_is_left_free_if_there_are_several(monkeypatch, cores, spare):
    monkeypatch.setattr(job_module.os, "sched_getaffinity", lambda pid: set(range(cores)))
    assert job_module.spare_cores() == spare


@pytest.mark.parametrize(
    ("wanted", "niceness"), [(None, job_module.NICENESS), ("3", 3), ("low", None)]
)
def test_the_environment_sets_the_priority_of_a_worker(monkeypatch, wanted, niceness):
    asked = []
    monkeypatch.setattr(
        job_module.os, "setpriority", lambda *args: asked.append(args[2]), raising=False
    )
    monkeypatch.delenv("IA_NICENESS", raising=False)
    if wanted is not None:
        monkeypatch.setenv("IA_NICENESS", wanted)
    job_module.lower_priority(torch.get_num_threads())
    assert asked == ([] if niceness is None else [niceness])


def test_ids_of_jobs_are_unique_and_consist_of_letters_and_digits():
    names = {new_name() for _ in range(1000)}
    assert len(names) == 1000
    assert all(name.isalnum() for name in names)
