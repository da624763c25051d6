"""Which commands there are, and how each way of ending becomes an exit code."""

import importlib
import os
import signal
import sys
from collections.abc import Callable, Sequence
from typing import Final

from ia_engine.errors import EngineError, Lost
from ia_engine.shell.interrupts import undisturbed
from ia_engine.shell.lines import say

DONE: Final = 0
WRONG: Final = 2
INTERRUPTED: Final = 130

COMMANDS: Final = {
    "data": "what a data set holds, and its images as arrays",
    "align": "the distances of all pairs of images, and the poses that lay them on one another",
    "attend": "kernel or invariant attention, iterated: a line for every step",
    "cluster": "K-means, mixtures and transformation-invariant clustering, seed after seed",
    "equivariance": "how exactly the layers of a network turn with a picture",
    "train": "an equivariant network, trained: a line for every validation",
    "mean": "the invariant mean of all images: a line for the first mean and one for every step",
    "compare": "any methods on the same images, each for the same CPU time: a line for each",
    "papers": "figures and tables of the three papers, theirs and ours: a line for each",
    "runs": "the runs that were kept: list, show ID, resume ID, export ID",
}

SHARED: Final = ("align", "attend", "cluster", "train")
"""What several processes run together."""

USAGE: Final = "python -m ia_engine COMMAND [options]"


def main(argv: Sequence[str]) -> int:
    """Run the command that argv names; return the exit code."""
    name = argv[0] if argv else ""
    if name in ("-h", "--help"):
        print(_overview())
        return DONE
    if not _is_shared():
        return _run(name, argv[1:], say)
    together = importlib.import_module("ia_engine.shell.torchrun")  # needs torch as well
    return together.run_together(lambda ranks, speak: _run(name, argv[1:], speak, ranks))


def _run(name: str, argv: Sequence[str], speak: Callable[[str], None], *ranks: object) -> int:
    """Run the command, among those ranks if there are several; how it ends as a code."""
    try:
        _check(name, alone=not ranks)
        with undisturbed():  # only now, since it needs torch: help is answered at once
            command = importlib.import_module(f"ia_engine.shell.{name}")
        command.run(argv, *ranks)
    except EngineError as error:
        speak(f"{name}: {error}" if name in COMMANDS else str(error))
        return INTERRUPTED if isinstance(error, Lost) else WRONG
    except KeyboardInterrupt as stop:
        ended = bool(ranks) and stop.args == (signal.SIGTERM,)  # by torchrun
        speak(f"{name}: {Lost()}" if ended else "interrupted")
        return INTERRUPTED
    except BrokenPipeError:  # the reader of the lines has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return INTERRUPTED
    except OSError as error:  # of a place that is looked at only when it is needed
        speak(f"{name}: {error}")
        return WRONG
    except SystemExit as leave:  # after a command's own help
        return int(leave.code or DONE)
    return DONE


def _is_shared() -> bool:
    """Whether torchrun has started this process, and others."""
    return int(os.environ.get("WORLD_SIZE", "1")) > 1


def _check(name: str, alone: bool) -> None:
    if name not in COMMANDS:
        got = repr(name) if name else "nothing"
        raise EngineError(
            f"a command is one of {', '.join(COMMANDS)}; got {got}: see python -m ia_engine --help"
        )
    if not alone and name not in SHARED:
        raise EngineError(
            f"several processes run {', '.join(SHARED)}; got {name}: start it without torchrun"
        )


def _overview() -> str:
    lines = [f"  {name:8} {about}" for name, about in COMMANDS.items()]
    more = "Options of a command: python -m ia_engine COMMAND --help"
    return "\n".join([f"usage: {USAGE}", "", *lines, "", more])
