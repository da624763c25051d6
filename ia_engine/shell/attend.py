"""`attend`: kernel or invariant attention, iterated, with a line for every step."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from ia_engine.attention.clusters.measures import Measured
from ia_engine.attention.iteration import AttentionConfig, Step, iterate
from ia_engine.datasets.data import PointSet
from ia_engine.distributed.ranks import ALONE, Ranks
from ia_engine.errors import EngineError
from ia_engine.files import writing
from ia_engine.runs.folder import Record
from ia_engine.runs.kinds.attention import ATTENTION, measure_in_clusters, save_steps, stack_steps
from ia_engine.runs.library import Library
from ia_engine.shapes import Labels
from ia_engine.shell.keeping import keep, regret, to_array
from ia_engine.shell.lines import Row, say
from ia_engine.shell.loading import Data, load_vectors
from ia_engine.shell.main import COMMANDS
from ia_engine.shell.memory import PLAIN, POSED, SOUGHT, check_memory
from ia_engine.shell.options import add_config, make_parser, read_common, read_config
from ia_engine.shell.together import add_blocks, open_workshop, sweep

OPTIONS = (
    "method", "group", "solver", "sigma", "kernel", "bandwidth", "beta", "steps", "schedule",
    "rate", "updates", "neighbours", "quantile", "constant", "pairs", "nearest",
)  # fmt: skip


def run(argv: Sequence[str], ranks: Ranks = ALONE) -> None:
    """Print the steps as they come; however it ends, the finished ones are kept."""
    parser = make_parser("attend", COMMANDS["attend"])
    add_config(parser, AttentionConfig, OPTIONS)
    parser.add_argument(
        "--k", type=int, metavar="K", help="number of clusters (default: estimated)"
    )
    parser.add_argument("--keep", action="store_true", help="keep every step: see the command runs")
    add_blocks(parser)
    values = parser.parse_args(argv)
    common, config = read_common(values, ranks), read_config(values, AttentionConfig)
    data, v, labels = load_vectors(common)
    if isinstance(data, PointSet) and config.method != "ka":
        raise EngineError("points have no poses: choose --method ka, or --data with images")
    _check_clusters(values.k, len(v))
    posed = SOUGHT if config.solver == "global" else POSED
    numbers = PLAIN if config.method == "ka" else posed
    check_memory(len(v), config.steps, numbers, ranks.here)
    finished: list[Measured] = []
    workshop = open_workshop(ranks, values.blocks, values.out)
    steps = iterate(config, v, workshop=workshop)
    if values.keep and ranks.first:
        steps = _keep_run(data, config, v, labels, steps, k=values.k)
    try:
        for measured in measure_in_clusters(steps, labels, values.k):
            finished.append(measured)
            common.printer.row(to_row(measured))
            _announce(measured, config)
    finally:
        _keep_steps(common.out, finished)
    sweep(workshop, values.blocks)


def _announce(measured: Measured, config: AttentionConfig) -> None:
    """No pair is spared silently."""
    step = measured.step
    if step.rough is not None:
        why = (
            f"no image was compared with more than its {config.nearest} nearest"
            if config.pairs == "nearest"
            else f"at β = {config.beta:g} the others cannot weigh 0.001 of a column"
        )
        say(f"step {step.k}: {100 * step.compared:.1f} % of the pairs were compared exactly; {why}")


def _keep_run(
    data: Data,
    config: AttentionConfig,
    v: Tensor,
    labels: Labels | None,
    steps: Iterator[Step],
    *,
    k: int | None,
) -> Iterator[Step]:
    """The same steps, each kept as a file in the folder of runs."""
    title = f"{config.method}, β {config.beta:g}: {data.recipe.source}"
    record = Record(data.recipe.to_json(), config.to_json(), 0, data.digest, str(v.device), title)
    given = {"v": to_array(v)}
    given |= {} if labels is None else {"labels": to_array(labels)}
    given |= {} if k is None else {"k": np.array(k)}
    library = Library()
    with writing(library.folder):
        writer = library.begin(ATTENTION.id, record, given)
    say(f"kept as run {writer.id}")
    return save_steps(writer, steps)


def _check_clusters(k: int | None, n: int) -> None:
    if k is not None and not 1 <= k <= n:
        raise EngineError(f"--k needs a number from 1 to {n}; got {k}")


def to_row(measured: Measured) -> Row:
    """The line of a step."""
    scores = measured.scores
    return {
        "step": measured.step.k,
        "iteration": measured.step.k - 1,
        "seconds": measured.step.seconds,
        "beta": float(measured.step.beta.median()),
        "d2_within": measured.d2_within,
        "d2_between": measured.d2_between,
        "block_mass": measured.block_mass,
        "contraction": measured.contraction,
        "clusters": measured.clusters,
        "ari": None if scores is None else scores.ari,
        "nmi": None if scores is None else scores.nmi,
        "acc": None if scores is None else scores.acc,
        "compared": measured.step.compared,
    }


def _keep_steps(path: Path | None, finished: Sequence[Measured]) -> None:
    if not finished:
        regret("step")
    elif path is not None:
        keep(path, to_arrays([measured.step for measured in finished], finished[-1].assignments))


def to_arrays(steps: Sequence[Step], last: Labels) -> dict[str, NDArray[Any]]:
    """All steps, and the assignments of the last one."""
    return {**stack_steps(steps), "assignments": to_array(last)}
