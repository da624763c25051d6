"""Waits until a state is reached. The time limit is long, because its only purpose is to end tests
that hang.
"""

import time
from urllib.error import URLError
from urllib.request import ProxyHandler, build_opener

MAX_WAIT_S = 240.0
"""Shorter than pytest's time limit, so that the message names the state that was not reached."""


def wait_until(reached, what):
    """Return the first true result of `reached`; fail if there is none within the limit."""
    until = time.monotonic() + MAX_WAIT_S
    while not (answer := reached()):
        assert time.monotonic() < until, f"{what}: not within {MAX_WAIT_S:.0f} s"
        time.sleep(0.02)
    return answer


def read_local(address):
    """Return the answer of a server on this machine, without a proxy; b"" if there is none yet."""
    try:
        with build_opener(ProxyHandler({})).open(address, timeout=MAX_WAIT_S) as answer:
            return answer.read()
    except (URLError, ConnectionError, TimeoutError):
        return b""
