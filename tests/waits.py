"""Waits for a state. The limit is long, because it only ends tests that hang."""

import time

MAX_WAIT_S = 240.0
"""Below the time limit of pytest, so that the message shows which state was not reached."""


def wait_until(reached, what):
    """The first true result of `reached`; the test fails if there is none."""
    until = time.monotonic() + MAX_WAIT_S
    while not (answer := reached()):
        assert time.monotonic() < until, f"{what}: not within {MAX_WAIT_S:.0f} s"
        time.sleep(0.02)
    return answer
