"""Compute the papers' tables at the papers' schedules, seed by seed: `make tables`.

`python -m assets.make_tables` continues where it stopped. `--only rot-mnist/p4` selects a batch, a
table, a row or a seed; `--list` prints the state of all seeds; `--workers 2` computes two seeds at
once; `--share` copies the checkpoints of unfinished seeds into the folder of the results, so that
they can be committed. The environment variable IA_TABLES sets the folder of the checkpoints; by
default they are in the cache.
"""

import argparse
import signal
import subprocess
import sys
from datetime import UTC, datetime

from ia_engine.errors import EngineError
from ia_engine.runs.tables.compute import Computation, Stop
from ia_engine.runs.tables.pause import lower_priority
from ia_engine.runs.tables.results import load_result
from ia_engine.runs.tables.rows import Task, find_tasks


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m assets.make_tables", description=__doc__)
    parser.add_argument("--only", metavar="NAME", default="", help="a batch, table, row or seed")
    parser.add_argument(
        "--workers", type=int, choices=(1, 2), default=1, help="number of seeds computed at once"
    )
    parser.add_argument("--list", action="store_true", help="print the state of all seeds")
    parser.add_argument(
        "--share", action="store_true", help="copy checkpoints so that they can be committed"
    )
    options = parser.parse_args(argv)
    try:
        tasks = find_tasks(options.only)
        if options.list:
            for task in tasks:
                print(_describe(task))
            return 0
        if options.share:
            return _share(tasks)
        return _compute(tasks, options.only, options.workers)
    except EngineError as error:
        print(error, file=sys.stderr)
        return 2


def _compute(tasks: list[Task], only: str, workers: int) -> int:
    lower_priority()
    other = [sys.executable, "-m", "assets.make_tables", "--only", only]
    second = subprocess.Popen(other) if workers > 1 else None
    worker = Computation(report=_say)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, worker.stop)
    try:
        worker.run(tasks)
    except Stop:
        if second:
            second.terminate()
    return second.wait() if second else 0


def _say(text: str) -> None:
    print(f"{datetime.now(UTC):%H:%M} {text}", flush=True)


def _describe(task: Task) -> str:
    try:
        result = load_result(task)
    except EngineError as error:
        return f"{task.name}: {error}"
    if result is None:
        return f"{task.name}: open"
    figures = ", ".join(f"{name} {value:.6g}" for name, value in result.figures.items())
    return f"{task.name}: {figures}; {result.seconds / 60:.1f} CPU min"


def _share(tasks: list[Task]) -> int:
    """Copy every checkpoint that may be committed; return 2 if any may not."""
    worker, status = Computation(), 0
    for task in tasks:
        try:
            path = worker.share(task)
        except EngineError as error:
            print(f"{task.name}: {error}", file=sys.stderr)
            status = 2
        else:
            print(f"{task.name}: {'no checkpoint' if path is None else path.name}")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
