"""Formats results as tables: for the terminal, and for docs/benchmarks.md.

python -m tests.benchmarks.report rewrites docs/benchmarks.md, as does every new result.
"""

from collections.abc import Iterable, Mapping, Sequence

from tests.benchmarks.results import Benchmark, Result, find_path, is_fresh, read, read_all
from tests.benchmarks.sources import ROOT

DOCUMENT = ROOT / "docs" / "benchmarks.md"
WIDTH = 110
QUOTED, MISSED = 4, 24
"""Maximum number of quoted values, per benchmark and per benchmark with a missed claim."""
INTRODUCTION = """# Benchmarks

`make bench` measures quality, memory and speed, and writes this page from the files in
`tests/benchmarks/results`, which contain all values, the processor, and a digest of the measured
sources. `make check` lists the results whose sources have changed since. Speed is CPU time in units
of a bare operation of the same run (a *floor* is all pairs × 8 passes of `grid_sample`), the
minimum of several runs. On a busy machine these ratios are higher, since other processes use
the cache; each file states the load average.
"""


def tabulate(benchmarks: Iterable[Benchmark], problems: Mapping[str, str]) -> Iterable[str]:
    """One line per benchmark, followed by its values and its missed claims."""
    yield f"\n{'benchmark':58}{'claims held':>12}{'CPU s':>8}  {'state':16}processor"
    for one in benchmarks:
        result = read(one.name)
        if result is None:
            yield f"{one.name:58}{'':20}  {problems.get(one.name, 'not measured')}"
            continue
        state = "fresh" if is_fresh(result) else "stale" if result.stale else "other processor"
        yield (
            f"{one.name:58}{count_held(result):>12}{result.cpu_seconds:8.0f}"
            f"  {state:16}{result.processor}"
        )
        yield from describe(result)
        if one.name in problems:
            yield f"    {problems[one.name]}"


def describe(result: Result) -> Iterable[str]:
    """The values in one line, truncated to the width of the table, and the missed claims."""
    line = "; ".join(f"{name}: {x}" for name, x in result.content["figures"].items())
    yield f"    {line if len(line) <= WIDTH else f'{line[: WIDTH - 1]}…'}"
    yield from (f"    MISSED: {claim}" for claim in result.missed)


def count_held(result: Result) -> str:
    claims = len(result.content["claims"])
    return f"{claims - len(result.missed)} of {claims}" if claims else "none made"


def document(results: Sequence[Result]) -> str:
    """The page in Markdown: the missed claims first, then every benchmark."""
    missed = [
        f"| {result.name} | {claim} | {_quote(result, MISSED)} |"
        for result in results
        for claim in result.missed
    ]
    rows = [
        f"| [{result.name}](../tests/benchmarks/results/{find_path(result.name).name}) "
        f"| {_list_claims(result)} | {_quote(result)} | {result.cpu_seconds:.0f} "
        f"| {result.processor} | {result.content['date']} |"
        for result in results
    ]
    claims = sum(len(result.content["claims"]) for result in results)
    return "\n".join(
        [
            INTRODUCTION,
            "## Missed claims",
            "",
            f"{len(missed)} of {claims} claims are missed.",
            "",
            "| benchmark | missed claim | values |",
            "|---|---|---|",
            *missed,
            "",
            "## All results",
            "",
            "| benchmark | claims | values | CPU s | processor | measured |",
            "|---|---|---|---|---|---|",
            *rows,
            "",
        ]
    )


def _list_claims(result: Result) -> str:
    claims = result.content["claims"].items()
    return "<br>".join(f"{'held' if held else '**missed**'}: {claim}" for claim, held in claims)


def _quote(result: Result, most: int = QUOTED) -> str:
    lines = list(_flatten(result.content["figures"]))
    more = [f"and {len(lines) - most} more"] if len(lines) > most + 1 else []
    return "<br>".join(lines[:most] + (more or lines[most:])).replace("|", "\\|")


def _flatten(figures: Mapping[str, object], prefix: str = "") -> Iterable[str]:
    """One line per value; the names of values in nested tables are joined."""
    for name, x in figures.items():
        if isinstance(x, Mapping):
            yield from _flatten(x, f"{prefix}{name}, ")
        else:
            yield f"{prefix}{name}: {x}"


def write() -> None:
    """Write the document from the stored results."""
    DOCUMENT.write_text(document(read_all()), "utf-8")


if __name__ == "__main__":
    write()
