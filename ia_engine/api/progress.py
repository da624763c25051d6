"""Progress of long calls: a callback, or a progress bar in a terminal and in a notebook."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from importlib import import_module
from typing import TypeVar

import numpy as np

T = TypeVar("T")

Progress = Callable[[int, int, str], bool | None]
"""Receives the number of finished parts, their total number and a message. It returns False
(or another value that is false, except None) to stop the call, which then returns the finished
parts."""


def silent(done: int, total: int, message: str) -> None:
    """Show nothing, whatever the output is."""


def follow(
    items: Iterable[T],
    total: int,
    describe: Callable[[T], str],
    progress: Progress | None = None,
    count: Callable[[T], int] | None = None,
) -> Iterator[T]:
    """Yield the items, and report each of them; end early if the callback requests it.

    `count` returns the number of finished parts after an item; by default, each item is one part.

    >>> stopped = follow("abc", 3, str, lambda done, total, message: done < 2)
    >>> list(stopped)
    ['a', 'b']
    """
    with ExitStack() as stack:
        report = progress or _choose(stack)
        for at, item in enumerate(items, 1):
            yield item
            answer = report(at if count is None else count(item), total, describe(item))
            if isinstance(answer, bool | np.bool_) and not answer:
                return


def _choose(stack: ExitStack) -> Progress:
    """Return a progress bar if the output is interactive."""
    if not (sys.stderr.isatty() or _in_notebook()):
        return silent
    tqdm = import_module("tqdm.auto").tqdm  # here because most calls show no bar
    bar = stack.enter_context(tqdm(total=0))

    def show(done: int, total: int, message: str) -> None:
        bar.total = total
        bar.n = done
        bar.set_description_str(message, refresh=False)
        bar.refresh()

    return show


def _in_notebook() -> bool:
    """Return True if a Jupyter kernel runs this process."""
    return "ipykernel" in sys.modules
