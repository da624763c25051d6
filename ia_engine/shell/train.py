"""`train`: trains a network, and prints a line at every validation and at regular intervals."""

import argparse
import math
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ia_engine.distributed.ranks import ALONE, Ranks
from ia_engine.equivariant.checkpoint import (
    NetworkRecord,
    load_checkpoint,
    save_checkpoint,
    save_network,
)
from ia_engine.equivariant.recipes import RECIPES, TrainingConfig
from ia_engine.equivariant.splits import Splits
from ia_engine.equivariant.training import Progress, train
from ia_engine.errors import EngineError
from ia_engine.files import writing
from ia_engine.params import parameters
from ia_engine.shell.interrupts import undisturbed
from ia_engine.shell.lines import Printer, say
from ia_engine.shell.main import COMMANDS
from ia_engine.shell.options import Parser, add_config, make_parser, read_common, read_config
from ia_engine.shell.output_files import check_place, keep
from ia_engine.shell.splitting import load_splits

EVERY: Final = 20
MOST: Final = 1_000_000
KEYS: Final = ("iteration", "seconds", "loss", "validation_error", "test_error")


def run(argv: Sequence[str], ranks: Ranks = ALONE) -> None:
    """Run the command: train one network, and write finished results even after an interruption."""
    values = _parse(argv)
    common, config = read_common(values, ranks), _read_training(values)
    for option, path in (("--save", values.save), ("--checkpoint", values.checkpoint)):
        if path is not None:
            check_place(path, option)
    resume = None if values.resume is None else load_checkpoint(values.resume)
    data = load_splits(common).to(common.device)
    say(f"{data.about}: {len(data.train)} for training, {len(data.validation)} for validation, "
        f"{len(data.test)} for testing")  # fmt: skip
    seed = common.seed or 0
    steps: list[Progress] = []
    try:
        for progress in train(config, data, seed, resume, values.budget, ranks=ranks):
            steps.append(progress)
            _print(common.printer, progress)
            _keep_state(values.checkpoint if ranks.first else None, progress)
    finally:
        if steps:
            keep(common.out, _arrays(steps))
    if values.save is not None and ranks.first and steps[-1].last:
        command = f"python -m ia_engine train {' '.join(argv)}"
        record = describe_run(config, data, seed, steps[-1], command)
        with undisturbed(), writing(values.save):
            save_network(values.save, steps[-1].network, record)


def describe_run(
    config: TrainingConfig, data: Splits, seed: int, last: Progress, command: str
) -> NetworkRecord:
    """Return the record of a run that has ended."""
    return NetworkRecord(
        network=config.network,
        config=config.to_json(),
        data=data.about,
        digest=data.digest,
        seed=seed,
        iterations=last.iteration,
        validation_error=last.best_error,
        test_error=math.nan if last.test_error is None else last.test_error,
        command=command,
    )


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = make_parser("train", COMMANDS["train"])
    add_config(parser, TrainingConfig, [part.name for part in parameters(TrainingConfig)])
    _add_own(parser)
    recipe = parser.parse_known_args(argv)[0].recipe
    parser.set_defaults(data="rot-mnist", **asdict(RECIPES[recipe]))
    parser.set_defaults(iterations=None)
    return parser.parse_args(argv)


def _add_own(parser: Parser) -> None:
    add = parser.add_argument
    add("--budget", type=float, metavar="SECONDS", help="CPU seconds, instead of --iterations")
    add("--recipe", choices=tuple(RECIPES), default="quick",
        help="recipe that provides the defaults of the other options (default quick)")  # fmt: skip
    add(
        "--checkpoint",
        type=Path,
        metavar="PATH",
        help="save the run to this file at every validation",
    )
    add("--resume", type=Path, metavar="PATH", help="resume a saved run from this file")
    add("--save", type=Path, metavar="PATH", help="write the trained network to this file")


def _read_training(values: argparse.Namespace) -> TrainingConfig:
    """Read the config. With --budget, the number of iterations is practically unlimited."""
    if values.budget is not None and not 0 < values.budget < math.inf:
        raise EngineError(f"--budget must be above 0 seconds; got {values.budget:g}")
    if values.budget is not None and values.iterations is not None:
        raise EngineError(
            "--iterations and --budget cannot be used together: leave out one of them"
        )
    if values.iterations is None:
        whole = RECIPES[values.recipe].iterations
        values.iterations = whole if values.budget is None else MOST
    return replace(read_config(values, TrainingConfig), drops=RECIPES[values.recipe].drops)


def _print(printer: Printer, progress: Progress) -> None:
    if progress.validation_error is not None or progress.iteration % EVERY == 0:
        printer.row({name: getattr(progress, name) for name in KEYS})


def _keep_state(path: Path | None, progress: Progress) -> None:
    """Save the state if the step ends with a validation; only then is it complete."""
    if path is not None and progress.validation_error is not None:
        with undisturbed(), writing(path):
            save_checkpoint(path, progress.keep())


def _arrays(steps: Sequence[Progress]) -> dict[str, NDArray[Any]]:
    """Return the history as arrays, with NaN for values that were not measured."""
    return {
        name: np.array([getattr(step, name) for step in steps], dtype=np.float64) for name in KEYS
    }
