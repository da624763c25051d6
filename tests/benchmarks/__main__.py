"""Runs all benchmarks that have no fresh result, the cheapest first, and prints all results.

python -m tests.benchmarks [--only NAME] [--again] [--list]. Every result is stored in results/ and
quoted in docs/benchmarks.md as soon as it is available. The exit code is 1 if a claim does not hold
or a benchmark fails.
"""

import argparse
import math
import signal
import sys
import traceback

from ia_engine.errors import EngineError
from ia_engine.runs.tables.pause import hold_lock
from tests.benchmarks.catalogue import CATALOGUE
from tests.benchmarks.report import describe, tabulate, write
from tests.benchmarks.results import Benchmark, Missing, is_fresh, read, run


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument(
        "--only",
        metavar="NAME",
        default="",
        help="run only benchmarks whose names contain NAME",
    )
    parser.add_argument(
        "--again", action="store_true", help="also measure results again that are fresh"
    )
    parser.add_argument(
        "--list", action="store_true", help="print the names without measuring anything"
    )
    options = parser.parse_args()
    wanted = choose(options.only)
    if not wanted:
        parser.error(f"no benchmark is called {options.only}; --list prints all names")
    if options.list:
        print(*(one.name for one in wanted), sep="\n")
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped; finished results are stored"))
    with hold_lock():  # `make tables` pauses meanwhile
        problems = {
            one.name: problem
            for one in sorted(wanted, key=estimate_seconds)
            if (options.again or not is_fresh(read(one.name))) and (problem := measure(one))
        }
    print(*tabulate(wanted, problems), sep="\n")
    missed = any(result.missed for one in wanted if (result := read(one.name)))
    failed = any(problem.startswith("failed") for problem in problems.values())
    sys.exit(1 if missed or failed else 0)


def choose(name: str) -> list[Benchmark]:
    """The benchmark of this name, or all benchmarks whose names contain it."""
    exact = [one for one in CATALOGUE if one.name == name]
    return exact or [one for one in CATALOGUE if name.lower() in one.name.lower()]


def estimate_seconds(benchmark: Benchmark) -> float:
    """CPU time of the stored result; infinite for benchmarks without a result."""
    result = read(benchmark.name)
    return result.cpu_seconds if result else math.inf


def measure(benchmark: Benchmark) -> str:
    """Run one benchmark; return the reason if there is no result."""
    print(benchmark.name, flush=True)
    try:
        result = run(benchmark)
    except Exception as error:
        absent = isinstance(error, EngineError) and "IA_DATA" in str(error)
        if absent or isinstance(error, Missing):
            problem = f"not measured: {error}"
        else:
            traceback.print_exc()
            problem = f"failed: {error}"
        print(f"    {problem}", flush=True)
        return problem
    print(*describe(result), sep="\n", flush=True)
    write()
    return ""


if __name__ == "__main__":
    main()
