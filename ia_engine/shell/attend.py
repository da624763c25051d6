"""`attend`: runs iterated kernel or invariant attention and prints one line per step."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from ia_engine.attention.advice import MOST, Known, advise
from ia_engine.attention.clusters.measures import Measured
from ia_engine.attention.iteration import AttentionConfig, Step, iterate
from ia_engine.attention.rules import RULES
from ia_engine.datasets.data import Data, PointSet
from ia_engine.distributed.ranks import ALONE, Ranks
from ia_engine.errors import EngineError
from ia_engine.images import Labels
from ia_engine.runs.folder import Record
from ia_engine.runs.kinds.attention import ATTENTION, measure_in_clusters, stack_steps, to_row
from ia_engine.runs.kinds.saving import write_items
from ia_engine.shell.lines import say
from ia_engine.shell.loading import load_vectors
from ia_engine.shell.main import COMMANDS
from ia_engine.shell.memory import (
    VALUES_GLOBAL_SEARCH,
    VALUES_WITH_POSES,
    VALUES_WITHOUT_POSES,
    check_memory,
)
from ia_engine.shell.options import add_config, make_parser, read_common, read_config
from ia_engine.shell.output_files import keep, list_names, regret, to_array
from ia_engine.shell.runs import add_keep, begin_run
from ia_engine.shell.torchrun import add_blocks, open_workshop, sweep

OPTIONS = (
    "method", "group", "solver", "sigma", "kernel", "bandwidth", "beta", "steps", "schedule",
    "rate", "updates", "neighbours", "quantile", "constant", "pairs", "nearest",
)  # fmt: skip


def run(argv: Sequence[str], ranks: Ranks = ALONE) -> None:
    """Run the command: print each step, and write the finished steps even if an error occurs."""
    parser = make_parser("attend", COMMANDS["attend"])
    add_config(parser, AttentionConfig, OPTIONS)
    parser.add_argument(
        "--k", type=int, metavar="K", help="number of clusters (default: estimated)"
    )
    add_keep(parser)
    add_blocks(parser)
    values = parser.parse_args(argv)
    common, config = read_common(values, ranks), read_config(values, AttentionConfig)
    data, v, labels = load_vectors(common)
    if isinstance(data, PointSet) and config.method != "ka":
        raise EngineError(
            "the data for --method ia must be images; got points, which have no poses: choose "
            "--method ka"
        )
    _check_clusters(values.k, len(v))
    posed = VALUES_GLOBAL_SEARCH if config.solver == "global" else VALUES_WITH_POSES
    numbers = VALUES_WITHOUT_POSES if config.method == "ka" else posed
    check_memory(len(v), config.steps, numbers, ranks.here)
    finished: list[Measured] = []
    workshop = open_workshop(ranks, values.blocks, values.out)
    steps = iterate(config, v, workshop=workshop)
    if values.keep and ranks.first:
        steps = _save_run(data, config, v, labels, steps, k=values.k)
    try:
        for measured in measure_in_clusters(steps, labels, values.k):
            finished.append(measured)
            common.printer.row(to_row(measured))
            if len(finished) == 1 and ranks.first:
                _advise(measured.step, config)
            _report_rough(measured, config)
    finally:
        _keep_steps(common.out, finished, list_names(data))
    sweep(workshop, values.blocks)


def _advise(step: Step, config: AttentionConfig) -> None:
    """Recommend a β from the first distances, if β is fixed, the set is small and all distances are
    exact."""
    given = RULES[config.bandwidth].is_fixed and step.rough is None
    if given and 3 <= len(step.d2) <= MOST:
        square = step.v.flatten(1).square().sum(1)
        known = Known(step.d2.cpu(), square.cpu(), config.build(len(step.d2)).weighting)
        say(advise(known, config.beta, config.steps - 1, config.sigma).sentence)


def _report_rough(measured: Measured, config: AttentionConfig) -> None:
    """Report the fraction of pairs that were compared exactly, unless all were."""
    step = measured.step
    if step.rough is not None:
        why = (
            f"each image was compared with at most its {config.nearest} nearest"
            if config.pairs == "nearest"
            else f"at β = {config.beta:g} the others have less than 0.001 of a column's weight"
        )
        say(f"step {step.k}: {100 * step.compared:.1f} % of the pairs were compared exactly; {why}")


def _save_run(
    data: Data,
    config: AttentionConfig,
    v: Tensor,
    labels: Labels | None,
    steps: Iterator[Step],
    *,
    k: int | None,
) -> Iterator[Step]:
    """Yield the steps, and save each of them as a file in the runs folder."""
    title = f"{config.method}, β {config.beta:g}: {data.recipe.source}"
    record = Record(data.recipe.to_json(), config.to_json(), 0, data.digest, str(v.device), title)
    given = {"v": to_array(v)}
    given |= {} if labels is None else {"labels": to_array(labels)}
    given |= {} if k is None else {"k": np.array(k)}
    return write_items(begin_run(ATTENTION, record, given), ATTENTION, steps)


def _check_clusters(k: int | None, n: int) -> None:
    if k is not None and not 1 <= k <= n:
        raise EngineError(f"--k must be between 1 and {n}; got {k}")


def _keep_steps(
    path: Path | None, finished: Sequence[Measured], names: dict[str, NDArray[Any]]
) -> None:
    if not finished:
        regret("step")
    elif path is not None:
        arrays = stack_steps([found.step for found in finished], finished[-1].assignments)
        keep(path, arrays | names)
