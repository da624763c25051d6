"""`compare`: runs several methods on the same images, each for the same CPU time."""

import argparse
from collections.abc import Sequence

from ia_engine.datasets.data import PointSet
from ia_engine.errors import EngineError
from ia_engine.runs.comparison.compare import Result, compare, to_arrays, to_row
from ia_engine.runs.comparison.config import FEWEST, TITLES, ComparisonConfig, plan_comparison
from ia_engine.runs.kinds.comparisons import COMPARISONS
from ia_engine.shell.lines import say
from ia_engine.shell.loading import load
from ia_engine.shell.main import COMMANDS
from ia_engine.shell.options import Common, make_parser, read_common
from ia_engine.shell.output_files import keep, regret
from ia_engine.shell.runs import add_keep, compute_saved

MOST = 1000
"""Maximum number of images."""


def run(argv: Sequence[str]) -> None:
    """Run the command: print the result of each method, and write finished results even if an error
    occurs."""
    values = _parse(argv)
    common = read_common(values)
    config, data = _read(values, common), load(common)
    if isinstance(data, PointSet):
        raise EngineError(
            "the data for 'compare' must be images; got points: choose image data with --data"
        )
    plan = plan_comparison(config, data)
    if plan.size < plan.total:
        say(f"{plan.size:,} of {plan.total:,} images, evenly spread over the classes")
    if values.keep:
        compute_saved(
            COMPARISONS, lambda images: plan_comparison(config, images), "compare", data, common
        )
        return
    found: list[Result] = []
    try:
        for moment in compare(plan, data):
            if moment.result is not None:
                found.append(moment.result)
                common.printer.row(to_row(moment.result))
    finally:
        _keep(common, found)


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = make_parser("compare", COMMANDS["compare"])
    add = parser.add_argument
    names = f"methods, separated by commas, from {','.join(TITLES)} (default: all)"
    add("--methods", default=",".join(TITLES), metavar="A,B,C", help=names)
    add("--k", type=int, metavar="K", help="number of clusters (default: estimated)")
    about = f"maximum CPU seconds of each method (default {ComparisonConfig.budget:g})"
    add("--budget", type=float, default=ComparisonConfig.budget, metavar="SECONDS", help=about)
    add_keep(parser)
    return parser.parse_args(argv)


def _read(values: argparse.Namespace, common: Common) -> ComparisonConfig:
    if values.k is not None and values.k < 1:
        raise EngineError(f"--k must be at least 1; got {values.k}")
    if common.limit is not None and common.limit < FEWEST:
        raise EngineError(f"--limit must be at least {FEWEST} for 'compare'; got {common.limit}")
    if common.device.type != "cpu":
        raise EngineError(
            f"--device must be cpu, because each method runs on one core; got {common.device}"
        )
    return ComparisonConfig(
        methods=tuple(name.strip() for name in values.methods.split(",")),
        k=values.k or 0,
        budget=values.budget,
        images=min(common.limit or MOST, MOST),
        seed=common.seed or 0,
    )


def _keep(common: Common, found: Sequence[Result]) -> None:
    if not found:
        regret("method")
        return
    keep(common.out, to_arrays(found))
