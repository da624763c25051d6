"""The command line, `python -m ia_engine COMMAND [options]`: the computations of the pages, run
from a shell."""

import sys

from ia_engine.shell.interrupts import listen
from ia_engine.shell.main import main

if __name__ == "__main__":
    listen()
    sys.exit(main(sys.argv[1:]))
