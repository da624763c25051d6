"""Waiting for a state: the limit only ends a test that hangs, since a machine may be busy."""

import time

MAX_WAIT_S = 240.0
"""Below pytest's own limit for a test, so that the message says what never happened."""


def wait_until(reached, what):
    """The first true answer of `reached`; the test fails if there is none."""
    until = time.monotonic() + MAX_WAIT_S
    while not (answer := reached()):
        assert time.monotonic() < until, f"{what}: not within {MAX_WAIT_S:.0f} s"
        time.sleep(0.02)
    return answer
