"""`align`: the distances of all pairs of images, and the poses in which they are closest."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray
from torch import Tensor

from ia_engine.attention.clusters.measures import mean_distances
from ia_engine.attention.distances.alignment import Alignment
from ia_engine.attention.distances.shared import share
from ia_engine.attention.iteration import AttentionConfig
from ia_engine.datasets.data import PointSet
from ia_engine.devices import cpu_seconds
from ia_engine.distributed.ranks import ALONE, Ranks
from ia_engine.errors import EngineError
from ia_engine.shell.loading import load_vectors
from ia_engine.shell.main import COMMANDS
from ia_engine.shell.memory import POSED, SOUGHT, check_memory
from ia_engine.shell.options import add_config, make_parser, read_common, read_config
from ia_engine.shell.output_files import keep, to_array
from ia_engine.shell.torchrun import add_blocks, open_workshop, sweep

OPTIONS = ("group", "solver", "sigma", "schedule", "rate", "updates", "pairs", "nearest")


def run(argv: Sequence[str], ranks: Ranks = ALONE) -> None:
    """Align all pairs once; `seconds` is the CPU time of all processors.

    Without β, no weight is known to be zero: `--pairs needed` skips no pair here.
    """
    parser = make_parser("align", COMMANDS["align"])
    add_config(parser, AttentionConfig, OPTIONS)
    add_blocks(parser)
    values = parser.parse_args(argv)
    common, config = read_common(values, ranks), read_config(values, AttentionConfig)
    data, v, labels = load_vectors(common)
    if isinstance(data, PointSet):
        raise EngineError("align needs images; got points: points have no poses")
    numbers = SOUGHT if config.solver == "global" else POSED
    check_memory(len(v), 1, numbers, ranks.here)
    started = cpu_seconds()
    workshop = open_workshop(ranks, values.blocks, values.out)
    found = share(config.build().distance, workshop).align(v)
    seconds = ranks.total(cpu_seconds() - started)
    within, between = mean_distances(found.d2, labels)
    keep(common.out, _arrays(found))
    sweep(workshop, values.blocks)
    common.printer.only(
        {
            "n": len(v),
            "pairs": len(v) * (len(v) - 1) // 2,
            "seconds": seconds,
            "d2_within": within,
            "d2_between": between,
            "compared": 1.0 if found.rough is None else 1 - _share(found.rough),
        }
    )


def _arrays(found: Alignment) -> dict[str, NDArray[Any]]:
    known = {"d2": found.d2, "tau": found.tau, "rough": found.rough}
    return {name: to_array(x) for name, x in known.items() if x is not None}


def _share(rough: Tensor) -> float:
    """Share of approximate distances among the pairs of different images."""
    n = len(rough)
    return int(rough.sum()) / (n * (n - 1))
