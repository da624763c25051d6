"""Runs the command that the command line names, and sets the exit code."""

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
    "data": "describe a data set and export its images as arrays",
    "align": "compute the distances between all pairs of images and the poses that align them",
    "attend": "run iterated kernel or invariant attention: one line per step",
    "cluster": "run K-means, mixtures or transformation-invariant clustering, seed by seed",
    "equivariance": "measure the equivariance errors of the layers of a network",
    "train": "train an equivariant network: one line per validation",
    "mean": "compute the invariant mean of all images: one line per step, from step 0",
    "compare": "run several methods on the same images, each for the same CPU time: one line each",
    "predict": "assign new images to the clusters of a saved run, and align them: one line each",
    "papers": "compute figures and tables of the three papers: one line each",
    "runs": "manage the saved runs: list, show ID, describe ID, resume ID, export ID",
    "project": "save runs, names and notes in one file, or open such a file: one line per run",
    "app": "open the app in the browser; needs streamlit",
}

SHARED: Final = ("align", "attend", "cluster", "train")
"""Commands that can run in several processes."""

USAGE: Final = "python -m ia_engine COMMAND [options]"


def main(argv: Sequence[str]) -> int:
    """Run the command that `argv` names, and return the exit code."""
    name = argv[0] if argv else ""
    if name in ("-h", "--help"):
        print(_overview())
        return DONE
    if not _is_shared():
        return _run(name, argv[1:], say)
    together = importlib.import_module("ia_engine.shell.torchrun")  # needs torch, too
    return together.run_together(lambda ranks, speak: _run(name, argv[1:], speak, ranks))


def _run(name: str, argv: Sequence[str], speak: Callable[[str], None], *ranks: object) -> int:
    """Run a command in this process, with the given ranks, and return the exit code."""
    try:
        _check(name, alone=not ranks)
        with undisturbed():  # imported here because it needs torch, which would slow down --help
            command = importlib.import_module(f"ia_engine.shell.{name}")
        command.run(argv, *ranks)
    except EngineError as error:
        speak(f"{name}: {error}" if name in COMMANDS else str(error))
        return INTERRUPTED if isinstance(error, Lost) else WRONG
    except KeyboardInterrupt as stop:
        ended = bool(ranks) and stop.args == (signal.SIGTERM,)  # interrupted by torchrun
        speak(f"{name}: {Lost()}" if ended else "interrupted")
        return INTERRUPTED
    except BrokenPipeError:  # the reader has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return INTERRUPTED
    except OSError as error:  # a system error on a path that was not checked in advance
        speak(f"{name}: {error}")
        return WRONG
    except SystemExit as leave:  # after a command's own help
        return int(leave.code or DONE)
    return DONE


def _is_shared() -> bool:
    """Return True if torchrun has started this process, together with others."""
    return int(os.environ.get("WORLD_SIZE", "1")) > 1


def _check(name: str, alone: bool) -> None:
    if name not in COMMANDS:
        got = repr(name) if name else "nothing"
        raise EngineError(
            f"the command must be one of {', '.join(COMMANDS)}; got {got}: "
            "run 'python -m ia_engine --help'"
        )
    if not alone and name not in SHARED:
        raise EngineError(
            f"only {', '.join(SHARED)} can use several processes; got {name}: start it without "
            "torchrun"
        )


def _overview() -> str:
    lines = [f"  {name:8} {about}" for name, about in COMMANDS.items()]
    more = "Options of a command: python -m ia_engine COMMAND --help"
    return "\n".join([f"usage: {USAGE}", "", *lines, "", more])
