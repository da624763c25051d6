"""Runs a command under torchrun: all processes compute, but only the first prints and writes."""

import os
import sys
from collections.abc import Callable
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from pathlib import Path

from ia_engine.distributed.ranks import Ranks, Workshop, clear, finish, join, leave
from ia_engine.errors import EngineError
from ia_engine.shell.interrupts import ignore
from ia_engine.shell.lines import say
from ia_engine.shell.main import WRONG
from ia_engine.shell.options import Parser

Speak = Callable[[str], None]


def run_together(run: Callable[[Ranks, Speak], int]) -> int:
    """Run a command with the processes that torchrun has started, if any, and return the exit
    code."""
    heard = sys.stderr
    try:
        ranks = join()
    except EngineError as error:
        say(str(error))
        return WRONG

    def speak(text: str) -> None:
        ignore()  # if a process ended before, torchrun would interrupt this message
        if ranks.claims_report():
            with redirect_stderr(heard):
                say(text)

    with ExitStack() as muted:
        if not ranks.first:
            nowhere = muted.enter_context(Path(os.devnull).open("w", encoding="utf-8"))
            muted.enter_context(redirect_stdout(nowhere))
            muted.enter_context(redirect_stderr(nowhere))
        code = run(ranks, speak)
    if code == 0:
        leave()  # only after success: after an error, the other processes may have ended
    return finish(code)


def add_blocks(parser: Parser) -> None:
    """Add the option for the folder of finished blocks of pairs."""
    about = (
        "store finished blocks of pairs in this folder and compute only the others (default: "
        "OUT.blocks under torchrun, removed after OUT is written; otherwise none are stored)"
    )
    parser.add_argument("--blocks", type=Path, metavar="FOLDER", help=about)


def open_workshop(ranks: Ranks, blocks: Path | None, out: Path | None) -> Workshop:
    """Return the processes that compute pairs, and the folder for finished blocks."""
    return Workshop(ranks, blocks or _beside(ranks, out), say)


def sweep(workshop: Workshop, blocks: Path | None) -> None:
    """Remove the blocks after OUT has been written, unless the user has named their folder."""
    workshop.ranks.wait()  # no process may still be reading the blocks
    if workshop.folder is not None and blocks is None and workshop.ranks.first:
        clear(workshop.folder)


def _beside(ranks: Ranks, out: Path | None) -> Path | None:
    return None if out is None or ranks.size == 1 else out.with_name(f"{out.name}.blocks")
