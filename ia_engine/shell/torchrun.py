"""Under torchrun: all processes compute, the first prints and writes, one reports how it ends."""

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
    """Run with the processes that torchrun has started, then end; alone, return the exit code."""
    heard = sys.stderr
    try:
        ranks = join()
    except EngineError as error:
        say(str(error))
        return WRONG

    def speak(text: str) -> None:
        ignore()  # if a process ended earlier, torchrun would interrupt this message
        if ranks.takes_the_word():
            with redirect_stderr(heard):
                say(text)

    with ExitStack() as muted:
        if not ranks.first:
            nowhere = muted.enter_context(Path(os.devnull).open("w", encoding="utf-8"))
            muted.enter_context(redirect_stdout(nowhere))
            muted.enter_context(redirect_stderr(nowhere))
        code = run(ranks, speak)
    if code == 0:
        leave()  # not after an error: the other processes may have ended
    return finish(code)


def add_blocks(parser: Parser) -> None:
    """Add the option of commands that compare all pairs."""
    about = (
        "store finished blocks of pairs in this folder and compute only the others (default: "
        "OUT.blocks under torchrun, removed after OUT is written; otherwise none are stored)"
    )
    parser.add_argument("--blocks", type=Path, metavar="FOLDER", help=about)


def open_workshop(ranks: Ranks, blocks: Path | None, out: Path | None) -> Workshop:
    """The processes that compute pairs, and the folder for finished blocks."""
    return Workshop(ranks, blocks or _beside(ranks, out), say)


def sweep(workshop: Workshop, blocks: Path | None) -> None:
    """Remove the blocks after OUT is written, except in a folder that the user has given."""
    workshop.ranks.wait()  # wait until no process reads them
    if workshop.folder is not None and blocks is None and workshop.ranks.first:
        clear(workshop.folder)


def _beside(ranks: Ranks, out: Path | None) -> Path | None:
    return None if out is None or ranks.size == 1 else out.with_name(f"{out.name}.blocks")
