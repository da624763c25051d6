"""`mean`: computes the invariant mean of all images with equal weights."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ia_engine.attention.means.algorithm1 import MeanConfig, MeanStep, find_mean
from ia_engine.datasets.data import ImageSet, PointSet
from ia_engine.errors import EngineError
from ia_engine.figures.mean import MOST, plan_mean
from ia_engine.runs.kinds.means import MEANS
from ia_engine.shell.loading import load_vectors
from ia_engine.shell.main import COMMANDS
from ia_engine.shell.memory import check_memory
from ia_engine.shell.options import (
    Common,
    Parser,
    add_config,
    make_parser,
    read_common,
    read_config,
)
from ia_engine.shell.output_files import keep, regret, to_array
from ia_engine.shell.runs import add_keep, compute_saved

OPTIONS = ("group", "sigma", "schedule", "rate", "steps")
SOLVERS = {"global": "pairwise", "descent": "identity"}


def run(argv: Sequence[str]) -> None:
    """Run the command: print each step, with the first mean as step 0, and write the finished steps
    even if an error occurs."""
    values = _parse(argv)
    common, config = read_common(values), read_config(values, MeanConfig)
    data, v, _ = load_vectors(common, least=1)
    if isinstance(data, PointSet):
        raise EngineError(
            "the data for 'mean' must be images; got points, which have no poses: choose images"
        )
    if values.keep:
        _save(config, data, common)
        return
    if config.start == "pairwise":
        check_memory(len(v), steps=1)
    finished: list[MeanStep] = []
    try:
        for step in find_mean(config, v, torch.ones_like(v[:, 0, 0, 0])):
            finished.append(step)
            common.printer.row(
                {
                    "step": step.k,
                    "iteration": step.k,
                    "seconds": step.seconds,
                    "objective": step.objective,
                    "sigma": step.sigma,
                }
            )
    finally:
        _keep_steps(common.out, finished)


def _save(config: MeanConfig, data: ImageSet, common: Common) -> None:
    """Compute the mean and save it in the format of the Mean page."""
    if len(data.images) > MOST:
        raise EngineError(
            f"--keep works with at most {MOST} images; got {len(data.images)}: lower --limit"
        )
    title = f"mean, {config.group}"
    compute_saved(MEANS, lambda images: plan_mean(config, images)[0], title, data, common)


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = make_parser("mean", COMMANDS["mean"])
    _add_solver(parser)
    add_config(parser, MeanConfig, OPTIONS)
    add_keep(parser)
    return parser.parse_args(argv)


def _add_solver(parser: Parser) -> None:
    """Add the option that selects the initial poses and the solver that improves them."""
    about = "global: second-order steps from the poses of all pairs; descent: from the identity"
    parser.add_argument(
        "--solver",
        dest="start",
        type=_read_solver,
        default="global",
        metavar="SOLVER",
        help=f"{about} (default global)",
    )


def _read_solver(name: str) -> str:
    if name not in SOLVERS:
        raise argparse.ArgumentTypeError(f"must be one of {', '.join(SOLVERS)}; got {name!r}")
    return SOLVERS[name]


def _keep_steps(path: Path | None, finished: Sequence[MeanStep]) -> None:
    if not finished:
        regret("step")
    elif path is not None:
        keep(path, _arrays(finished))


def _arrays(steps: Sequence[MeanStep]) -> dict[str, NDArray[Any]]:
    return {
        "mu": np.stack([to_array(step.mu) for step in steps]),
        "aligned": to_array(steps[-1].aligned),
        "tau": to_array(steps[-1].tau),
    }
