"""Being interrupted: at once while work goes on, but never in the middle of an import or a file."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def listen() -> None:
    """Be interruptible, also where a shell has told its background jobs to ignore it."""
    for number in SIGNALS:
        signal.signal(number, _stop)


def ignore() -> None:
    """From now on nothing interrupts this process, which is about to end."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def undisturbed() -> Iterator[None]:
    """An interruption waits for the end of this block."""
    if threading.current_thread() is not threading.main_thread():  # no other is ever interrupted
        yield
        return
    came: list[int] = []
    before = [signal.signal(number, lambda got, _: came.append(got)) for number in SIGNALS]
    try:
        yield
    finally:
        for number, handler in zip(SIGNALS, before, strict=True):
            signal.signal(number, handler)
    if came:
        raise KeyboardInterrupt(came[0])


def _stop(number: int, _: FrameType | None) -> None:
    """The error knows which signal it was: torchrun ends with SIGTERM what a dead rank left."""
    raise KeyboardInterrupt(number)
