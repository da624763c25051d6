"""The command line, `python -m ia_engine COMMAND [options]` or `ia-engine COMMAND [options]`: the
computations of the pages, run from a shell."""

import sys

from ia_engine.shell.interrupts import listen
from ia_engine.shell.main import main


def start() -> int:
    """Run the command that the command line names, and return the exit code."""
    listen()
    return main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(start())
