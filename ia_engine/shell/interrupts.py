"""Handles interruptions: immediately during work, but never during an import or while a file is
written."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def listen() -> None:
    """Accept interruptions, even if the shell started this process so that it ignores them."""
    for number in SIGNALS:
        signal.signal(number, _stop)


def ignore() -> None:
    """Ignore interruptions from now on, because the process is about to end."""
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Delay interruptions until the end of this block."""
    if (
        threading.current_thread() is not threading.main_thread()
    ):  # only the main thread receives interruptions
        yield
        return
    received: list[int] = []
    before = [signal.signal(number, lambda got, _: received.append(got)) for number in SIGNALS]
    try:
        yield
    finally:
        for number, handler in zip(SIGNALS, before, strict=True):
            signal.signal(number, handler)
    if received:
        raise KeyboardInterrupt(received[0])


def _stop(number: int, _: FrameType | None) -> None:
    """Raise an error with the number of the signal. torchrun sends SIGTERM after a rank has
    died."""
    raise KeyboardInterrupt(number)
