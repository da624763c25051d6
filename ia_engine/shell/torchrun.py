"""Under torchrun: all processes compute, the first one prints and writes, one says why it ends."""

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
    """Run among the processes that torchrun has started, and end; the exit code without them."""
    heard = sys.stderr
    try:
        ranks = join()
    except EngineError as error:
        say(str(error))
        return WRONG

    def speak(text: str) -> None:
        ignore()  # of what ends by itself torchrun would interrupt the last word
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
        leave()  # not after an error: the others may be gone
    return finish(code)


def add_blocks(parser: Parser) -> None:
    """The option of commands that compare all pairs."""
    about = (
        "keep finished blocks of pairs there, and compute only those that are not (default: "
        "OUT.blocks under torchrun, removed once OUT is written; otherwise none are kept)"
    )
    parser.add_argument("--blocks", type=Path, metavar="FOLDER", help=about)


def open_workshop(ranks: Ranks, blocks: Path | None, out: Path | None) -> Workshop:
    """Who computes pairs, and where they are kept."""
    return Workshop(ranks, blocks or _beside(ranks, out), say)


def sweep(workshop: Workshop, blocks: Path | None) -> None:
    """What is in OUT needs no blocks; a folder that was told is left as it is."""
    workshop.ranks.wait()  # until nobody reads them any more
    if workshop.folder is not None and blocks is None and workshop.ranks.first:
        clear(workshop.folder)


def _beside(ranks: Ranks, out: Path | None) -> Path | None:
    return None if out is None or ranks.size == 1 else out.with_name(f"{out.name}.blocks")
