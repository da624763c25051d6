"""Runs the benchmarks whose results are not fresh, the cheapest first, and prints a table of all.

python -m tests.benchmarks [--only NAME] [--again] [--list]. Every result is stored in results/ as
soon as it is there. Exits with 1 if a claim is missed or a benchmark ends with an error.
"""

import argparse
import math
import signal
import sys
import traceback
from collections.abc import Iterable

from ia_engine.errors import EngineError
from tests.benchmarks.catalogue import CATALOGUE
from tests.benchmarks.results import Benchmark, Missing, Result, describe_processor, read, run

WIDTH = 110


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument(
        "--only", metavar="NAME", default="", help="the one of this name, or those that contain it"
    )
    parser.add_argument("--again", action="store_true", help="measure fresh results again as well")
    parser.add_argument("--list", action="store_true", help="print the names and measure nothing")
    options = parser.parse_args()
    wanted = choose(options.only)
    if not wanted:
        parser.error(f"no benchmark is called {options.only}; --list prints all names")
    if options.list:
        print(*(one.name for one in wanted), sep="\n")
        return
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped; finished results are stored"))
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
    """The one of this name, or all whose names contain it."""
    exact = [one for one in CATALOGUE if one.name == name]
    return exact or [one for one in CATALOGUE if name.lower() in one.name.lower()]


def estimate_seconds(benchmark: Benchmark) -> float:
    """CPU time of the stored result; benchmarks without one come last."""
    result = read(benchmark.name)
    return result.cpu_seconds if result else math.inf


def is_fresh(result: Result | None) -> bool:
    """True if the same sources were measured on the same processor."""
    return bool(result and not result.stale and result.processor == describe_processor())


def measure(benchmark: Benchmark) -> str:
    """Measure one; returns the reason if there is no result."""
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
    print(f"    {summarise(result)}", *_name_missed(result), sep="\n", flush=True)
    return ""


def tabulate(benchmarks: Iterable[Benchmark], problems: dict[str, str]) -> Iterable[str]:
    """A line for each benchmark, and below it its figures and the claims that it misses."""
    yield f"\n{'benchmark':58}{'claims held':>12}{'CPU s':>8}  {'state':16}processor"
    for one in benchmarks:
        result = read(one.name)
        if result is None:
            yield f"{one.name:58}{'':20}  {problems.get(one.name, 'not measured')}"
            continue
        claims = len(result.content["claims"])
        held = f"{claims - len(result.missed)} of {claims}" if claims else "none made"
        state = "fresh" if is_fresh(result) else "stale" if result.stale else "other processor"
        yield (f"{one.name:58}{held:>12}{result.cpu_seconds:8.0f}  {state:16}{result.processor}")
        yield f"    {summarise(result)}"
        yield from _name_missed(result)
        if one.name in problems:
            yield f"    {problems[one.name]}"


def summarise(result: Result) -> str:
    """The figures in one line, cut off at the width of the table."""
    line = "; ".join(f"{name}: {x}" for name, x in result.content["figures"].items())
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…"


def _name_missed(result: Result) -> list[str]:
    return [f"    MISSED: {claim}" for claim in result.missed]


if __name__ == "__main__":
    main()
